// @ts-check
// What a player should know about bets: the limits, what is held back, and why the cards are not dealt yet.

import { money, range } from "../core/format.js";
import { houseWagers, wagerName } from "../core/house_tables.js";
import { t } from "../core/text.js";
import { shownUpcards } from "../felt/wager_words.js";

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
  const house = houseWagers(felt);
  return wagers
    .map(({ name, min, max }) => t("table.limitsOf", { name: wagerName(name, !house.has(name)), limits: range(min, max) }))
    .join(" · ");
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

/** Phases of a round in which the dealer has not checked for a blackjack yet. */
const BEFORE_CHECK = ["betting", "dealing", "insurance", "early surrender", "done"];

/**
 * Return why a wager that is placed during the round is not offered now.
 * @param {View} view
 * @param {Felt["wagers"][number]} wager
 */
export function whyNotOffered(view, wager) {
  const { name } = wager;
  const upcard = view.phase === "done" ? undefined : view.dealer.cards[0]?.[0]?.replace(/[JQK]/, "T");
  if (upcard !== undefined && !wager.upcards.includes(upcard))
    return t("table.notOffered", { wager: name, upcards: shownUpcards(wager) });
  if (BEFORE_CHECK.includes(view.phase)) return t("table.laterWager", { wager: name });
  return t("wager.circle", { name, words: t(`wager.placed.${wager.placed}`) });
}

/**
 * Return an amount of the felt in cents: "$1,000" is 100000.
 * @param {string} text
 */
function inCents(text) {
  return Math.round(100 * Number(text.replace(/[$,]/g, "")));
}
