// @ts-check
// The chart as tables: every cell can have the focus, and says its values to people who hear the page.

import { h } from "../core/dom.js";
import { moved } from "./moves.js";
import { t } from "./text.js";

/** @typedef {import("../core/protocol").StrategyChart} StrategyChart */
/** @typedef {import("../core/protocol").ChartTable} ChartTable */
/** @typedef {import("../core/protocol").ChartCell} ChartCell */
/** @typedef {import("../core/protocol").ChartRow} ChartRow */
/** @typedef {(row: ChartRow, column: string, cell: ChartCell, element: HTMLElement) => void} Show */

/**
 * Return the tables of a chart.
 * @param {StrategyChart} chart
 * @param {Show} show is called when a cell gets the pointer or the focus
 */
export function chartTables(chart, show) {
  return chart.blocks.map((block) => chartTable(chart, block, show));
}

/**
 * @param {StrategyChart} chart
 * @param {ChartTable} block
 * @param {Show} show
 */
function chartTable(chart, block, show) {
  const starts = groupStarts(chart);
  const table = h(
    "table",
    { class: "chart" },
    h("caption", null, block.title),
    h(
      "thead",
      null,
      h(
        "tr",
        { class: "groups" },
        h("td"),
        chart.column_groups.map((group) => h("th", { scope: "colgroup", colSpan: group.columns }, group.name)),
      ),
      h(
        "tr",
        null,
        h("th", { scope: "col", class: "corner" }, h("span", { class: "unseen" }, t("strategy.hand"))),
        chart.columns.map((name, column) => h("th", { scope: "col", class: starts.has(column) ? "apart" : "" }, name)),
      ),
    ),
    h(
      "tbody",
      null,
      block.rows.map((row, index) =>
        h(
          "tr",
          null,
          h("th", { scope: "row" }, row.name),
          row.cells.map((cell, column) =>
            cellElement(row, chart.columns[column], cell, index === 0 && column === 0, starts.has(column), show),
          ),
        ),
      ),
    ),
  );
  table.addEventListener("keydown", (event) => move(event, table));
  return h("div", { class: `chart-block ${block.block}` }, table);
}

/**
 * Return the columns before which there is a gap.
 * @param {StrategyChart} chart
 */
function groupStarts(chart) {
  const starts = new Set();
  let column = 0;
  for (const group of chart.column_groups) {
    if (column) starts.add(column);
    column += group.columns;
  }
  return starts;
}

/**
 * @param {ChartRow} row
 * @param {string} column
 * @param {ChartCell} cell
 * @param {boolean} isFirst
 * @param {boolean} isApart
 * @param {Show} show
 */
function cellElement(row, column, cell, isFirst, isApart, show) {
  const [first, ...rest] = cell.cell.replace("-", "–");
  const element = h(
    "td",
    { class: isApart ? "apart" : "", tabIndex: isFirst ? 0 : -1 },
    h(
      "span",
      { class: `cell cell-${cell.kind}`, "aria-hidden": "true" },
      first,
      rest.length > 0 && h("small", null, rest.join("")),
    ),
    h("span", { class: "unseen" }, spoken(row, column, cell)),
  );
  for (const name of ["focus", "pointerenter", "click"]) {
    element.addEventListener(name, () => show(row, column, cell, element));
  }
  return element;
}

/**
 * Return a cell with its values in one sentence.
 * @param {ChartRow} row
 * @param {string} column
 * @param {ChartCell} cell
 */
export function spoken(row, column, cell) {
  const values = cell.actions
    .map((one) => t("strategy.spokenValue", { action: one.action, cents: one.cents.toFixed(1).replace("-", "−") }))
    .join(", ");
  return t("strategy.spoken", { row: row.title, column, words: cell.words, values });
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLTableElement} table
 */
function move(event, table) {
  const rows = [...table.tBodies[0].rows].map((row) => [...row.querySelectorAll("td")]);
  const from = /** @type {HTMLTableCellElement} */ (event.target);
  const at = rows.findIndex((row) => row.includes(from));
  if (at < 0) return;
  const to = moved(event.key, { row: at, column: rows[at].indexOf(from) }, rows.length, rows[0].length, event.ctrlKey);
  if (!to) return;
  event.preventDefault();
  for (const cell of rows.flat()) cell.tabIndex = -1;
  rows[to.row][to.column].tabIndex = 0;
  rows[to.row][to.column].focus();
}
