// @ts-check
// Side wagers on a game's page: what they are, and their pay tables as tables.

import { h } from "../core/dom.js";
import { withSuits } from "../core/format.js";
import { wagerName } from "../core/house_tables.js";
import { t } from "../core/text.js";
import { lineWords } from "../felt/wager_words.js";

/** @typedef {import("../core/protocol").FeltWager} FeltWager */

/**
 * Return whether the odds of a wager depend on the upcard.
 * @param {FeltWager} wager
 */
const isByUpcard = (wager) => wager.lines.some((line) => typeof line.pays !== "string");

/**
 * Return the wagers in groups, one for each table: neighbors whose odds depend on the upcard share one.
 * @param {readonly FeltWager[]} wagers
 * @returns {FeltWager[][]}
 */
export function tableGroups(wagers) {
  /** @type {FeltWager[][]} */
  const groups = [];
  for (const wager of wagers) {
    const last = groups.at(-1);
    if (last && isByUpcard(wager) && last.every(isByUpcard)) last.push(wager);
    else groups.push([wager]);
  }
  return groups;
}

/**
 * Return the rows of a table by upcard: the upcard, then what each line of each wager pays.
 * @param {readonly FeltWager[]} wagers
 * @returns {string[][]}
 */
export function upcardRows(wagers) {
  const lines = wagers.flatMap((wager) => wager.lines);
  return [..."23456789TA"].map((upcard) => [
    upcard === "T" ? "10" : upcard,
    ...lines.map(({ pays }) => (typeof pays === "string" ? pays : (pays[upcard] ?? "–"))),
  ]);
}

/**
 * Return a pay table with its sentences.
 * @param {readonly FeltWager[]} wagers a group of `tableGroups`
 * @param {ReadonlyMap<string, readonly string[]>} sentences by wager
 */
export function payTable(wagers, sentences) {
  const names = wagers.map((wager) => wager.name).join(", ");
  const said = sharedSentences(wagers, sentences);
  return h(
    "div",
    { class: "wager" },
    h(
      "div",
      { class: "pays", tabIndex: 0, role: "region", "aria-label": names },
      wagers.some(isByUpcard) ? byUpcard(wagers, names) : wagers.map((wager) => byHand(wagerName(wager.name, wager.printed), t("game.pays"), hands(wager))),
      wagers.filter((wager) => wager.tax.length > 0).map((wager) => byHand(t("game.taxOf", { wager: wager.name }), t("game.tax"), taxes(wager))),
    ),
    h("ul", { class: "sentences muted small" }, said.map((sentence) => h("li", null, sentence))),
  );
}

/**
 * Return the sentences of wagers that share a table: each once, with names where it is not about all of them.
 * @param {readonly FeltWager[]} wagers
 * @param {ReadonlyMap<string, readonly string[]>} sentences by wager
 * @returns {string[]}
 */
export function sharedSentences(wagers, sentences) {
  /** @type {Map<string, string[]>} */
  const about = new Map();
  for (const { name } of wagers) {
    for (const sentence of sentences.get(name) ?? []) about.set(sentence, [...(about.get(sentence) ?? []), name]);
  }
  return [...about].map(([words, names]) =>
    names.length === wagers.length ? words : t("wager.circle", { name: names.join(", "), words }),
  );
}

/**
 * @param {FeltWager} wager
 * @returns {[string, string][]}
 */
function hands(wager) {
  return wager.lines.map((line) => [lineWords(line), String(line.pays)]);
}

/**
 * @param {FeltWager} wager
 * @returns {[string, string][]}
 */
function taxes(wager) {
  return wager.tax.map((line) => [line.line, line.tax]);
}

/**
 * @param {string} caption
 * @param {string} column
 * @param {readonly [string, string][]} rows
 */
function byHand(caption, column, rows) {
  return h(
    "table",
    null,
    h("caption", null, caption),
    h("thead", null, h("tr", null, h("th", { scope: "col" }, t("game.hand")), h("th", { scope: "col", class: "number" }, column))),
    h("tbody", null, rows.map(([hand, words]) => row(hand, [words]))),
  );
}

/**
 * @param {readonly FeltWager[]} wagers
 * @param {string} names
 */
function byUpcard(wagers, names) {
  const columns = wagers.flatMap((wager) => wager.lines.map((line) => columnName(wager, line)));
  return h(
    "table",
    { class: "by-upcard" },
    h("caption", { class: wagers.length > 1 ? "unseen" : "" }, names),
    h("thead", null, h("tr", null, h("th", { scope: "col" }, t("game.upcard")), columns.map((name) => h("th", { scope: "col", class: "number" }, name)))),
    h("tbody", null, upcardRows(wagers).map(([upcard = "", ...cells]) => row(upcard, cells))),
  );
}

/**
 * @param {FeltWager} wager
 * @param {FeltWager["lines"][number]} line
 */
function columnName(wager, line) {
  const name = wagerName(wager.name, wager.printed);
  return wager.lines.length === 1 ? name : t("wager.lineOf", { wager: name, line: lineWords(line) });
}

/**
 * @param {string} head
 * @param {readonly string[]} cells
 */
function row(head, cells) {
  return h("tr", null, h("th", { scope: "row" }, withSuits(head)), cells.map((words) => h("td", { class: "number" }, words)));
}
