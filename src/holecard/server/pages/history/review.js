// @ts-check
// The results of a round with their lines, and the coach's split into luck, skill and house.

import { get } from "../core/api.js";
import { h } from "../core/dom.js";
import { gain, money, withSuits } from "../core/format.js";
import { houseNote, wagerName } from "../core/house_tables.js";
import { t } from "./text.js";
import { whoIs } from "./words.js";

/** @typedef {import("../core/protocol").ShownTable} ShownTable */
/** @typedef {import("../core/protocol").RoundReview} RoundReview */

/**
 * Return the results of a round as a table.
 * @param {ShownTable} view the last one
 * @param {ReadonlySet<string>} house wagers with house tables
 */
export function resultTable(view, house) {
  const columns = ["who", "wager", "stake", "net"];
  return h(
    "section",
    { class: "panel scroll", "aria-labelledby": "results-title", tabIndex: 0 },
    h("h2", { id: "results-title" }, t("history.results")),
    h(
      "table",
      null,
      h("thead", null, h("tr", null, columns.map((name) => h("th", { scope: "col", class: name === "stake" || name === "net" ? "number" : "" }, t(`history.columns.${name}`))))),
      h(
        "tbody",
        null,
        view.results.map((result) =>
          h(
            "tr",
            null,
            h("td", null, whoIs(result.seat, view)),
            h("td", null, wagerName(result.wager, !house.has(result.wager)), h("small", { class: "line" }, result.line)),
            h("td", { class: "number" }, money(result.stake)),
            h("td", { class: `number ${result.net > 0 ? "won" : result.net < 0 ? "lost" : ""}` }, gain(result.net)),
          ),
        ),
      ),
    ),
    houseNote(view.results.map(({ wager }) => ({ printed: !house.has(wager) }))),
  );
}

/**
 * Return what the coach says of a round; null where it says nothing: somebody who did not play it.
 * @param {string} table
 * @param {number} number
 */
export async function reviewPanel(table, number) {
  /** @type {RoundReview | null} */
  const review = await get(`/tables/${encodeURIComponent(table)}/rounds/${number}/review`).catch(() => null);
  if (!review) return null;
  const cents = (/** @type {number} */ value) => gain(Math.round(value));
  const part = (/** @type {string} */ name, /** @type {number} */ value) =>
    h("div", null, h("dt", null, t(`history.review.${name}`)), h("dd", { class: "numbers" }, cents(value)));
  const wrong = review.decisions.filter((one) => !one.is_right);
  return h(
    "section",
    { class: "panel review", "aria-labelledby": "review-title" },
    h("h2", { id: "review-title" }, t("history.review.title")),
    h("dl", { class: "parts" }, part("net", review.net), part("luck", review.luck), part("skill", review.skill), part("house", review.house)),
    wrong.length
      ? h("ul", null, wrong.map((one) => h("li", null, t("history.review.wrong", { spot: withSuits(one.spot), action: one.action, best: one.best, cost: money(Math.round(one.cost)) }))))
      : h("p", { class: "muted" }, t(review.decisions.length ? "history.review.right" : "history.review.none")),
  );
}
