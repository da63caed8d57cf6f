// @ts-check
// Pay tables as casinos print them on the cloth, left and right of the dealer.

import { h } from "../core/dom.js";
import { t } from "../core/text.js";

/** @typedef {import("./types.js").Felt} Felt */
/** @typedef {import("./types.js").FeltWager} FeltWager */
/** @typedef {{element: HTMLElement, lines: number, width: number}} Block */

/** The room of a column and the sizes of its letters, in units of the felt. */
const [WIDTH, HEIGHT, LARGEST, SMALLEST] = [300, 146, 13.5, 8];

/**
 * Return the pay tables of a game, each as a table with a caption.
 * @param {Felt} felt
 * @returns {Block[]}
 */
export function payTables(felt) {
  const blocks = [];
  const grid = felt.wagers.filter(byUpcard);
  for (const wager of felt.wagers) {
    if (!byUpcard(wager)) blocks.push(...plainTable(wager));
    else if (wager === grid[0]) blocks.push(upcardTable(grid));
  }
  return blocks;
}

/**
 * Return the two columns of a cloth: blocks one by one to the side that has fewer lines.
 * @param {readonly Block[]} blocks
 * @returns {[Block[], Block[]]}
 */
export function twoColumns(blocks) {
  /** @type {[Block[], Block[]]} */
  const columns = [[], []];
  const lines = [0, 0];
  for (const block of blocks) {
    const side = lines[0] <= lines[1] ? 0 : 1;
    columns[side].push(block);
    lines[side] += block.lines + 1.5;
  }
  return columns;
}

/**
 * Return the tables of a column that can be printed in readable letters; the page's dialog has the others too.
 * @param {readonly Block[]} blocks
 */
export function fitting(blocks) {
  let count = blocks.length;
  while (count > 1 && sizeOf(blocks.slice(0, count)) < SMALLEST) count--;
  return blocks.slice(0, count);
}

/**
 * Return the size of the letters of a column.
 * @param {readonly Block[]} blocks
 */
export function sizeOf(blocks) {
  const lines = blocks.reduce((sum, block) => sum + block.lines + 0.6, 0);
  const widest = Math.max(...blocks.map((block) => block.width), 1);
  return Math.min(LARGEST, HEIGHT / (lines * 1.24), WIDTH / (widest * 0.52));
}

/**
 * Return odds as a cloth prints them: "13:2".
 * @param {string} odds
 */
export function shortOdds(odds) {
  return odds.replace(/ to /, ":");
}

/** @param {FeltWager} wager */
function byUpcard(wager) {
  return wager.lines.length > 0 && wager.lines.every((line) => typeof line.pays !== "string");
}

/**
 * @param {FeltWager} wager
 * @returns {Block[]}
 */
function plainTable(wager) {
  const rows = wager.lines.map((line) => [line.line, typeof line.pays === "string" ? line.pays : odds(line.pays)]);
  const widest = Math.max(...rows.map(([line, pays]) => line.length + pays.length + 3), wager.name.length * 1.5);
  const blocks = [{ element: table(wager.name, rows), lines: rows.length + 1, width: widest }];
  if (wager.tax.length) {
    const taxes = byTax(wager);
    const width = Math.max(...taxes.map(([lines, tax]) => lines.length + tax.length + 3));
    blocks.push({ element: table(t("table.tax", { wager: wager.name }), taxes), lines: taxes.length + 1, width });
  }
  return blocks;
}

/**
 * Return the hands of each tax as one line.
 * @param {FeltWager} wager
 */
function byTax(wager) {
  /** @type {Map<string, string[]>} */
  const hands = new Map();
  for (const { line, tax } of wager.tax) hands.set(tax, [...(hands.get(tax) ?? []), line]);
  return [...hands].map(([tax, lines]) => [lines.join(", "), tax]);
}

/** @param {Record<string, string>} pays */
const odds = (pays) =>
  Object.entries(pays)
    .map(([upcard, odd]) => `${upcard}: ${shortOdds(odd)}`)
    .join(", ");

/**
 * @param {string} caption
 * @param {readonly string[][]} rows
 */
function table(caption, rows) {
  const lines = rows.map(([line, pays]) => h("tr", null, h("th", { scope: "row" }, line), h("td", null, pays)));
  return h("table", { class: "pay-table" }, h("caption", null, caption), h("tbody", null, lines));
}

/**
 * Return one table for wagers whose odds depend on the upcard: a row for each.
 * @param {readonly FeltWager[]} wagers
 * @returns {Block}
 */
function upcardTable(wagers) {
  const upcards = Object.keys(wagers[0].lines[0].pays);
  const head = h(
    "tr",
    null,
    h("td", null, t("table.upcard")),
    upcards.map((one) => h("th", { scope: "col" }, one === "T" ? "10" : one)),
  );
  const rows = wagers.flatMap((wager) =>
    wager.lines.map((line) =>
      h(
        "tr",
        null,
        h("th", { scope: "row" }, wager.lines.length > 1 ? line.line : wager.name),
        upcards.map((one) => h("td", null, shortOdds(/** @type {any} */ (line.pays)[one]))),
      ),
    ),
  );
  const element = h(
    "table",
    { class: "pay-table by-upcard" },
    h("caption", null, t("table.byUpcard")),
    h("thead", null, head),
    h("tbody", null, rows),
  );
  return { element, lines: rows.length + 2, width: 56 };
}
