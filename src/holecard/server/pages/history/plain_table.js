// @ts-check
// The table in words and small cards: what the felt shows, for people who hear the page, and where it cannot be drawn.

import { h, replaceChildren } from "../core/dom.js";
import { money } from "../core/format.js";
import { miniCards } from "./mini_cards.js";
import { t } from "./text.js";
import { whoIs } from "./words.js";

/** @typedef {import("../core/protocol").ShownTable} ShownTable */

/**
 * Show a view.
 * @param {HTMLElement} list a description list
 * @param {ShownTable} view
 */
export function showPlainTable(list, view) {
  const hands = view.seats.flatMap((seat) =>
    seat.hands.map((hand, place) => ({
      name: seat.hands.length > 1 ? t("history.handOf", { who: whoIs(seat.seat, view), hand: place + 1 }) : whoIs(seat.seat, view),
      cards: hand.cards,
      total: hand.total,
      stakes: Object.entries(hand.stakes),
      sides: place ? [] : Object.entries(seat.sides),
    })),
  );
  replaceChildren(
    list,
    row(t("history.dealer"), view.dealer.cards, view.dealer.total, []),
    hands.map((hand) => row(hand.name, hand.cards, hand.total, [...hand.stakes, ...hand.sides])),
  );
}

/**
 * @param {string} name
 * @param {readonly (string | null)[]} cards
 * @param {number | null} total
 * @param {readonly [string, number][]} stakes
 */
function row(name, cards, total, stakes) {
  const words = stakes.map(([wager, stake]) => `${wager} ${money(stake)}`).join(", ");
  return h(
    "div",
    null,
    h("dt", null, name),
    h("dd", null, miniCards(cards), total && cards.length ? h("span", { class: "chip" }, total) : null, h("small", null, words)),
  );
}
