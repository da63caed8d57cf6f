// @ts-check
// What a table tells its player besides the cards: the balance, a refusal, and whether the connection stands.

import { h } from "../core/dom.js";
import { money } from "../core/format.js";
import { t } from "../core/text.js";

/** @typedef {import("../core/connection.js").State} State */

/** The lines around the felt. */
export class Status {
  banner = h("p", { class: "banner", role: "status", hidden: true });
  message = h("p", { class: "message", role: "alert" });
  circle = h("p", { class: "circle-words", role: "status" });
  #money = h("strong", { "data-balance": "" });
  #owned = h("span", { class: "muted" }, t("table.balance"));
  balance = h("p", null, this.#owned, this.#money);

  /**
   * Say why something is refused; nothing clears the line, and what was said of a circle.
   * @param {string} words
   */
  say(words) {
    this.message.textContent = words;
    this.circle.textContent = "";
  }

  /**
   * Say the limits and conditions of the circle that was touched.
   * @param {string} words
   */
  tell(words) {
    this.circle.textContent = words;
  }

  /**
   * @param {number} cents
   * @param {boolean} chips whether these are chips of this table
   */
  showBalance(cents, chips) {
    if (chips) this.#owned.textContent = t("table.chips");
    this.#money.textContent = money(cents);
    this.#money.dataset.cents = String(cents);
  }

  /**
   * @param {State} state
   * @param {string} why
   */
  showConnection(state, why) {
    const words = state === "lost" ? t("table.lostConnection") : state === "ended" ? why || t("table.noTable") : "";
    this.banner.textContent = words;
    this.banner.hidden = !words;
  }
}

/**
 * Return what is shown where there is no table.
 * @param {string} why
 */
export function noTable(why) {
  return h(
    "div",
    { class: "panel lost-table" },
    h("h1", null, t("table.noTable")),
    h("p", null, why),
    h("a", { class: "button gold", href: "/" }, t("table.toLobby")),
  );
}
