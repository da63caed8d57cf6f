// @ts-check
// A side wager on a game's page: what it is, and its pay table as a table.

import { h } from "../core/dom.js";
import { t } from "../core/text.js";

/** @typedef {import("../core/protocol").FeltWager} FeltWager */

/**
 * Return the upcards that a pay table has columns for; empty where the odds do not depend on the upcard.
 * @param {FeltWager} wager
 */
export function upcardColumns(wager) {
  const found = new Set(wager.lines.flatMap((line) => (typeof line.pays === "string" ? [] : Object.keys(line.pays))));
  return [..."23456789TA"].filter((upcard) => found.has(upcard));
}

/**
 * Return a pay table with its sentences.
 * @param {FeltWager} wager
 * @param {readonly string[]} sentences
 */
export function payTable(wager, sentences) {
  const columns = upcardColumns(wager);
  return h(
    "div",
    { class: "wager" },
    h(
      "div",
      { class: "pays", tabIndex: 0, role: "region", "aria-label": wager.name },
      h(
        "table",
        { class: columns.length > 0 ? "by-upcard" : "" },
        h("caption", null, wager.name),
        h("thead", null, headRow(columns)),
        h("tbody", null, wager.lines.map((line) => bodyRow(line, columns))),
      ),
      wager.tax.length > 0 && taxTable(wager),
    ),
    h("ul", { class: "sentences muted small" }, sentences.map((sentence) => h("li", null, sentence))),
  );
}

/** @param {readonly string[]} columns */
function headRow(columns) {
  if (columns.length === 0) {
    return h("tr", null, h("th", { scope: "col" }, t("game.hand")), h("th", { scope: "col", class: "number" }, t("game.pays")));
  }
  return h(
    "tr",
    null,
    h("th", { scope: "col" }, t("game.upcard")),
    columns.map((upcard) => h("th", { scope: "col", class: "number" }, upcard === "T" ? "10" : upcard)),
  );
}

/**
 * @param {FeltWager["lines"][number]} line
 * @param {readonly string[]} columns
 */
function bodyRow(line, columns) {
  const { pays } = line;
  const cells = columns.length === 0 ? [String(pays)] : columns.map((upcard) => (typeof pays === "string" ? pays : (pays[upcard] ?? "–")));
  return h("tr", null, h("th", { scope: "row" }, line.line), cells.map((words) => h("td", { class: "number" }, words)));
}

/** @param {FeltWager} wager */
function taxTable(wager) {
  return h(
    "table",
    null,
    h("caption", null, t("game.tax")),
    h("thead", null, h("tr", null, h("th", { scope: "col" }, t("game.hand")), h("th", { scope: "col", class: "number" }, t("game.tax")))),
    h("tbody", null, wager.tax.map((line) => h("tr", null, h("th", { scope: "row" }, line.line), h("td", { class: "number" }, line.tax)))),
  );
}
