// @ts-check
// What a player should know about bets: the limits, what is held back, and why the cards are not dealt yet.

import { money, range } from "../core/format.js";
import { t } from "../core/text.js";

/** @typedef {import("../felt/types.js").Felt} Felt */
/** @typedef {import("../felt/types.js").View} View */
/** @typedef {import("../felt/scene.js").Stakes} Stakes */
/** @typedef {import("./bets.js").Bets} Bets */

/**
 * Return the limits of all wagers.
 * @param {Felt} felt
 */
export function limitsInWords(felt) {
  const wagers = [felt.main, ...felt.wagers];
  return wagers.map(({ name, min, max }) => t("table.limitsOf", { name, limits: range(min, max) })).join(" · ");
}

/**
 * Return what is held back for a tax: the highest that the hands can owe; nothing where none is.
 * @param {Felt} felt
 * @param {ReadonlyMap<number, Stakes>} stakes
 */
export function heldInWords(felt, stakes) {
  const taxes = felt.wagers.map((wager) => {
    const seats = [...stakes.values()].filter((chips) => chips[wager.name]).length;
    return seats * Math.max(0, ...wager.tax.map(({ tax }) => inCents(tax)));
  });
  const held = taxes.reduce((sum, cents) => sum + cents, 0);
  return held ? t("table.held", { held: money(held) }) : "";
}

/**
 * Return why the cards cannot be dealt yet, or null.
 * @param {Bets} bets
 * @param {View} view
 */
export function notYet(bets, view) {
  for (const seat of bets.stakes.keys()) {
    const problem = bets.problem(seat);
    if (problem) return problem;
  }
  const empty = view.yours.find((seat) => !bets.stakes.has(seat));
  if (empty !== undefined) return t("table.seatWithoutBet", { seat: empty });
  const others = view.seats.filter(
    (seat) => seat.name !== null && !view.yours.includes(seat.seat) && (view.phase === "done" || !seat.hands.length),
  );
  return others.length ? t("table.othersBet", { who: others.map((seat) => seat.name).join(", ") }) : null;
}

/**
 * Return an amount of the felt in cents: "$1,000" is 100000.
 * @param {string} text
 */
function inCents(text) {
  return Math.round(100 * Number(text.replace(/[$,]/g, "")));
}
