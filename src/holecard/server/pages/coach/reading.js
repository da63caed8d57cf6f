// @ts-check
// What the coach's answer means for the panel: verdict, bars, sums and what may be shown, without any element.

import { cents, gain } from "../core/format.js";

/** @typedef {import("../core/protocol").CoachAnswer} CoachAnswer */
/** @typedef {import("../core/protocol").CoachedAction} CoachedAction */
/** @typedef {import("../core/protocol").CoachedDecision} CoachedDecision */
/** @typedef {import("../core/protocol").CoachedSession} CoachedSession */
/** @typedef {"after" | "asked" | "always"} Shows */
/** @typedef {{action: string, amount: string, share: number, best: boolean}} Bar */
/** @typedef {{name: "luck" | "skill" | "house", value: number, from: number, to: number}} Segment */

/** Amounts from ten dollars on are easier to read in dollars, and costs from one dollar on. */
const TEN_DOLLARS = 1000;
const ONE_DOLLAR = 100;
/** The worst action still has a bar that can be seen. */
const SHORTEST = 0.06;

/**
 * Return fractions of a cent as people read them: "+4.9¢", "−$12.84".
 * @param {number} value
 */
export function amount(value) {
  return inDollars([value]) ? dollars(value) : cents(value);
}

/** @param {readonly number[]} values in cents */
function inDollars(values) {
  return values.some((value) => Math.abs(value) >= TEN_DOLLARS);
}

/**
 * Return cents as dollars with two digits, so that numbers in a list are alike: "+$0.50".
 * @param {number} value
 */
function dollars(value) {
  const text = gain(Math.round(value));
  return text.includes(".") ? text : `${text}.00`;
}

/**
 * Return a cost, which has no sign: "12.3¢".
 * @param {number} value
 */
export function cost(value) {
  return (Math.abs(value) < ONE_DOLLAR ? cents(value) : dollars(value)).replace("+", "");
}

/**
 * Return a sum in dollars, without cents where they say little: "−$24", "+$0.13".
 * @param {number} value in cents
 */
export function roughly(value) {
  return gain(Math.abs(value) < TEN_DOLLARS ? Math.round(value) : ONE_DOLLAR * Math.round(value / ONE_DOLLAR));
}

/**
 * Return the actions, best first, with bars from the worst to the best.
 * @param {readonly CoachedAction[]} actions
 * @returns {Bar[]}
 */
export function bars(actions) {
  const evs = actions.map((one) => one.ev);
  const [low, high] = [Math.min(...evs), Math.max(...evs)];
  const isLarge = inDollars(actions.map((one) => one.cents));
  return actions.map((one) => ({
    action: one.action,
    amount: isLarge ? dollars(one.cents) : cents(one.cents),
    share: high > low ? SHORTEST + ((1 - SHORTEST) * (one.ev - low)) / (high - low) : 1,
    best: one.best,
  }));
}

/**
 * Return whether the values of the actions may be seen: always, or once the player has asked in this very spot.
 * @param {CoachAnswer | null} answer
 * @param {Shows} shows
 * @param {string | null} askedFor the spot in which the player asked
 */
export function valuesAreShown(answer, shows, askedFor) {
  return answer !== null && (shows === "always" || askedFor === spotKey(answer));
}

/**
 * Return what tells one decision from the next.
 * @param {CoachAnswer} answer
 */
export function spotKey(answer) {
  const asks = answer.actions.length ? "act" : answer.late.length ? "late" : answer.wagers.length ? "bet" : "";
  return [answer.round, answer.seat, answer.hand, answer.spot, asks, answer.insurance ? "insurance" : ""].join("/");
}

/**
 * Return whether there is anything that a hint could show.
 * @param {CoachAnswer | null} answer
 */
export function hasValues(answer) {
  return answer !== null && answer.actions.length + answer.late.length + answer.wagers.length > 0;
}

/**
 * Return the parts of a session's result on a line from 0 to 1, losses to the left of the middle, gains to the right.
 * @param {Pick<CoachedSession, "luck" | "skill" | "house">} session
 * @returns {Segment[]}
 */
export function split(session) {
  /** @type {("luck" | "skill" | "house")[]} */
  const names = ["luck", "skill", "house"];
  const lost = names.reduce((sum, name) => sum + Math.max(0, -session[name]), 0);
  const won = names.reduce((sum, name) => sum + Math.max(0, session[name]), 0);
  const unit = 0.5 / Math.max(lost, won, 1e-9);
  let [left, right] = [0.5, 0.5];
  return names.map((name) => {
    const value = session[name];
    const width = Math.abs(value) * unit;
    const from = value < 0 ? (left -= width) : right;
    if (value >= 0) right += width;
    return { name, value, from, to: from + width };
  });
}

/**
 * Return whether an answer has news about the last decision.
 * @param {CoachedDecision | null | undefined} before
 * @param {CoachedDecision | null} now
 */
export function isNewDecision(before, now) {
  if (!now) return false;
  return !before || ["seat", "hand", "spot", "action", "cost"].some(
    (name) => /** @type {any} */ (before)[name] !== /** @type {any} */ (now)[name],
  );
}
