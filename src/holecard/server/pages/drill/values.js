// @ts-check
// What each action is worth, as a table of words, bars and cents; the drill and the strategy page both show it.
// On narrow screens its rows are grids, so the roles of a table are written out.

import { h } from "../core/dom.js";
import { cents } from "../core/format.js";
import { barsOf } from "./hands.js";
import { t } from "./text.js";

/** @typedef {{action: string, cents: number, best: boolean, cost: number, chosen?: boolean}} Value */

/**
 * Return the values as rows, in the order given.
 * @param {readonly Value[]} values
 * @param {string} label what the table is about
 */
export function valueTable(values, label) {
  const bars = barsOf(values.map((value) => value.cents));
  return h(
    "table",
    { class: "values", role: "table" },
    h("caption", { class: "unseen" }, label),
    h(
      "thead",
      { class: "unseen", role: "rowgroup" },
      h("tr", { role: "row" }, ...["action", "bar", "worth", "cost"].map((key) => h("th", { scope: "col", role: "columnheader" }, t(`drill.${key}`)))),
    ),
    h("tbody", { role: "rowgroup" }, values.map((value, place) => row(value, bars[place]))),
  );
}

/**
 * @param {Value} value
 * @param {import("./hands.js").Bar} bar
 */
function row(value, bar) {
  const kind = value.best ? "best" : value.chosen ? "chosen" : "";
  return h(
    "tr",
    { class: kind, role: "row" },
    h("th", { scope: "row", role: "rowheader" }, actionWord(value.action), value.chosen && h("span", { class: "yours" }, t("drill.yours"))),
    h(
      "td",
      { class: "bar", role: "cell", "--from": bar.from, "--to": bar.to, "--zero": bar.zero },
      h("span", { class: "bar-line", "aria-hidden": "true" }),
    ),
    h("td", { class: "number", role: "cell" }, cents(value.cents)),
    h("td", { class: "said", role: "cell" }, value.best ? t("drill.best") : t("drill.costs", { cents: plain(value.cost) })),
  );
}

/**
 * Return a cost without a sign; very small ones keep a digit.
 * @param {number} cost
 */
export function plain(cost) {
  const digits = cost >= 0.05 || cost === 0 ? 1 : 3;
  return `${cost.toFixed(digits)}¢`;
}

/**
 * Return an action as a word that begins a line.
 * @param {string} action
 */
export function actionWord(action) {
  return t(`common.actions.${action}`);
}
