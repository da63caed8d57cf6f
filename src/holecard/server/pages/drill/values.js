// @ts-check
// What each action is worth, as a table of words, bars and cents; the drill and the strategy page both show it.

import { h } from "../core/dom.js";
import { cents } from "../core/format.js";
import { t } from "../core/text.js";
import { barsOf } from "./hands.js";

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
    { class: "values" },
    h("caption", { class: "unseen" }, label),
    h(
      "thead",
      { class: "unseen" },
      h("tr", null, ...["action", "bar", "worth", "cost"].map((key) => h("th", { scope: "col" }, t(`drill.${key}`)))),
    ),
    h("tbody", null, values.map((value, place) => row(value, bars[place]))),
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
    { class: kind },
    h("th", { scope: "row" }, actionWord(value.action), value.chosen && h("span", { class: "yours" }, t("drill.yours"))),
    h(
      "td",
      { class: "bar", "--from": bar.from, "--to": bar.to, "--zero": bar.zero },
      h("span", { class: "bar-line", "aria-hidden": "true" }),
    ),
    h("td", { class: "number" }, cents(value.cents)),
    h("td", { class: "said" }, value.best ? t("drill.best") : t("drill.costs", { cents: plain(value.cost) })),
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
  return t(`drill.actions.${action}`);
}
