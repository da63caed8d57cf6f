// @ts-check
// The cards of a question on a piece of the game's cloth.

import { cardFace, cardName } from "../felt/cards.js";
import { h } from "../core/dom.js";
import { settings } from "../core/settings.js";
import { totalOf, valueOf } from "./hands.js";
import { t } from "./text.js";

/** @typedef {import("../core/protocol").DrillQuestion} DrillQuestion */

/**
 * Return the dealer's cards above the player's.
 * @param {DrillQuestion} question
 * @param {string} cloth
 */
export function questionCards(question, cloth) {
  return h(
    "div",
    { class: "drill-felt", "data-cloth": cloth, "data-four-color": String(settings.fourColor) },
    hand(t("drill.dealer"), question.dealer, dealerTotal(question)),
    hand(t(question.after_split ? "drill.yourSplitHand" : "drill.you"), question.player, playerTotal(question)),
  );
}

/**
 * @param {string} whose
 * @param {readonly (string | null)[]} cards
 * @param {string} total
 */
function hand(whose, cards, total) {
  return h(
    "section",
    { class: "drill-hand", "aria-label": whose },
    h("h3", null, whose, " ", h("span", { class: "drill-total" }, total)),
    h(
      "ul",
      { class: "drill-cards", "--cards": cards.length },
      cards.map((card) => h("li", null, cardFace(card), h("span", { class: "unseen" }, cardName(card)))),
    ),
  );
}

/** @param {DrillQuestion} question */
export function dealerTotal(question) {
  const seen = question.dealer.filter((card) => card !== null);
  if (seen.length > 1) return totalText(totalOf(seen));
  return valueOf(/** @type {string} */ (seen[0])) === 1 ? t("drill.ace") : String(valueOf(/** @type {string} */ (seen[0])));
}

/** @param {DrillQuestion} question */
export function playerTotal(question) {
  const found = totalOf(question.player);
  const isNatural = found.total === 21 && question.player.length === 2 && !question.after_split;
  return isNatural ? t("drill.blackjack") : totalText(found);
}

/** @param {{total: number, soft: boolean}} found */
function totalText({ total, soft }) {
  return soft ? t("drill.softTotal", { total }) : String(total);
}

/**
 * Return the question in one sentence.
 * @param {DrillQuestion} question
 */
export function questionText(question) {
  const values = { you: playerTotal(question), dealer: dealerTotal(question) };
  if (question.wager) return t(question.printed ? "drill.askWager" : "drill.askHouseWager", { ...values, wager: question.wager, pays: question.pays ?? "" });
  return t(question.after_split ? "drill.askAfterSplit" : "drill.ask", values);
}

/**
 * Let the cards slide onto the cloth, one after the other, unless the reader wants none of that.
 * @param {HTMLElement} felt
 */
export function deal(felt) {
  if (settings.speed === "instant" || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const duration = settings.speed === "fast" ? 120 : 220;
  felt.querySelectorAll(".drill-cards li").forEach((card, place) => {
    card.animate(
      [
        { transform: "translate(60%, -40%) rotate(6deg)", opacity: 0 },
        { transform: "none", opacity: 1 },
      ],
      { duration, delay: (place * duration) / 3, easing: "ease-out", fill: "backwards" },
    );
  });
}
