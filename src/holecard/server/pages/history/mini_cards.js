// @ts-check
// Cards as small as text, for lists of rounds.

import { h } from "../core/dom.js";
import { settings } from "../core/settings.js";
import { cardName } from "../felt/cards.js";
import { t } from "./text.js";

const SUITS = /** @type {Record<string, string>} */ ({ s: "♠", h: "♥", d: "♦", c: "♣" });

/**
 * Return cards in a row, with their names for people who hear the page.
 * @param {readonly (string | null)[]} cards
 */
export function miniCards(cards) {
  const names = cards.map(cardName).join(", ");
  return h("span", { class: "mini-cards", role: "img", "aria-label": names || t("history.noCards") }, cards.map(miniCard));
}

/**
 * @param {string | null} card
 */
function miniCard(card) {
  if (card === null) return h("span", { class: "mini-card back" });
  const classes = `mini-card suit-${card[1]}${settings.fourColor ? " four-color" : ""}`;
  return h("span", { class: classes }, card[0] === "T" ? "10" : card[0], h("span", null, SUITS[card[1]]));
}
