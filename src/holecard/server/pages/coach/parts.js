// @ts-check
// The parts of the coach's panel: verdict, values with bars, wagers, and the session with its split.

import { h, svg } from "../core/dom.js";
import { count, gain } from "../core/format.js";
import { houseNote, wagerName } from "../core/house_tables.js";
import { t } from "../core/text.js";
import { amount, bars, cost, roughly, split } from "./reading.js";

/** @typedef {import("../core/protocol").CoachAnswer} CoachAnswer */
/** @typedef {import("../core/protocol").CoachedDecision} CoachedDecision */
/** @typedef {import("../core/protocol").CoachedSession} CoachedSession */
/** @typedef {import("../core/protocol").CoachedWager} CoachedWager */

/**
 * Return an action as people say it: "Double-Up".
 * @param {string} action
 */
export function actionName(action) {
  const found = t(`common.actions.${action}`);
  return found.startsWith("common.") ? action : found;
}

/**
 * Return the verdict on a decision in words.
 * @param {CoachedDecision} last
 */
export function verdictText(last) {
  const action = actionName(last.action);
  if (last.is_right) return t("coach.right", { action });
  return t("coach.cost", { action, cost: cost(last.cost), best: actionName(last.best) });
}

/**
 * Return the verdict on the last decision.
 * @param {CoachedDecision | null} last
 */
export function verdict(last) {
  if (!last) return h("p", { class: "coach-verdict muted" }, t("coach.none"));
  const mark = h("span", { class: last.is_right ? "coach-mark won" : "coach-mark lost", "aria-hidden": "true" });
  mark.textContent = last.is_right ? "✓" : "✗";
  return h("p", { class: "coach-verdict" }, mark, " ", verdictText(last));
}

/**
 * Return everything that a player can choose now, with its value.
 * @param {CoachAnswer} answer
 */
export function values(answer) {
  return [
    answer.actions.length ? actionList(answer) : null,
    answer.insurance ? h("p", { class: "coach-note" }, insuranceText(answer)) : null,
    answer.late.length ? wagerList(t("coach.late"), answer.late) : null,
    answer.wagers.length ? wagerList(t("coach.wagers"), answer.wagers) : null,
    answer.given ? h("p", { class: "coach-given" }, t("coach.given", { given: answer.given })) : null,
  ];
}

/** @param {CoachAnswer} answer */
function insuranceText(answer) {
  const value = amount(answer.insurance?.cents_per_dollar ?? 0);
  return t(answer.insurance?.is_even_money ? "coach.evenMoney" : "coach.insurance", { value });
}

/** @param {CoachAnswer} answer */
function actionList(answer) {
  const rows = bars(answer.actions).map((bar) =>
    h(
      "li",
      { class: bar.best ? "coach-action best" : "coach-action", "--share": bar.share.toFixed(3) },
      h("span", { class: "coach-name" }, actionName(bar.action)),
      h("span", { class: "coach-bar", "aria-hidden": "true" }),
      h("span", { class: "coach-value numbers" }, bar.amount),
      h("span", { class: bar.best ? "coach-best" : "coach-best unseen" }, bar.best ? t("coach.best") : ""),
    ),
  );
  return h("ul", { class: "coach-actions", "aria-label": t("coach.values", { spot: answer.spot }) }, rows);
}

/**
 * @param {string} title
 * @param {readonly CoachedWager[]} wagers
 */
function wagerList(title, wagers) {
  const rows = wagers.map((one) =>
    h("li", null, h("span", null, wagerName(one.wager, one.printed)), h("span", { class: one.ev > 0 ? "won" : "muted" }, one.text)),
  );
  return h("div", { class: "coach-wagers" }, h("p", { class: "muted" }, title), h("ul", null, rows), houseNote(wagers));
}

/**
 * Return the session: its result, what it is made of, how well and how fast it was played.
 * @param {CoachedSession} session
 */
export function sessionPart(session) {
  if (!session.rounds) return h("p", { class: "muted" }, t("coach.noRounds"));
  const parts = split(session);
  const legend = parts.map((part) =>
    h("span", { class: `coach-part coach-${part.name}` }, t(`coach.${part.name}`, { amount: roughly(part.value) })),
  );
  return h(
    "div",
    { class: "coach-session" },
    h(
      "p",
      { class: "coach-sum numbers" },
      h("strong", null, t("coach.session", { amount: gain(session.net) })),
      " ",
      h("span", { class: "muted" }, accuracy(session)),
    ),
    splitBar(parts),
    h("p", { class: "coach-legend numbers" }, legend),
  );
}

/** @param {CoachedSession} session */
function accuracy(session) {
  return t("coach.accuracy", { right: count(session.right), decisions: count(session.decisions) });
}

/**
 * Return how fast the session was played; null where it is too short to tell.
 * @param {CoachedSession} session
 */
export function speed(session) {
  if (!session.hands_per_hour) return null;
  return h("p", { class: "muted" }, t("coach.speed", { hands: count(Math.round(session.hands_per_hour)) }));
}

/** @param {ReturnType<typeof split>} parts */
function splitBar(parts) {
  const shapes = parts.map((part) =>
    svg("rect", {
      class: `coach-${part.name}`,
      x: (100 * part.from).toFixed(2),
      width: Math.max(0.4, 100 * (part.to - part.from)).toFixed(2),
      y: 1,
      height: 6,
    }),
  );
  const middle = svg("rect", { class: "coach-middle", x: 49.8, width: 0.4, y: 0, height: 8 });
  return svg(
    "svg",
    { class: "coach-split", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    ...shapes,
    middle,
  );
}

/**
 * Return the session in a few words, for the one line of a phone.
 * @param {CoachAnswer | null} answer
 * @param {boolean} tells whether the verdict may be seen
 */
export function shortText(answer, tells) {
  if (!answer) return t("coach.waiting");
  const parts = [];
  if (tells && answer.last) {
    parts.push(
      answer.last.is_right ? t("coach.shortRight") : t("coach.shortCost", { cost: cost(answer.last.cost) }),
    );
  }
  if (answer.session.rounds) {
    parts.push(t(parts.length ? "coach.shortSession" : "coach.session", { amount: gain(answer.session.net) }));
  }
  return parts.join(" · ") || t("coach.ready");
}
