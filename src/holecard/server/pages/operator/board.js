// @ts-check
// What operators see in the lobby: the games that are stopped and the names that are muted, and how to undo it.

import { h, replaceChildren } from "../core/dom.js";
import { stepButton } from "./confirm.js";
import { gameStep, nameStep, ordersNow } from "./orders.js";
import { t } from "./text.js";

/** Return the board; it is drawn again after each order. */
export function board() {
  const list = h("ul", { class: "open-tables" });
  const draw = async () => {
    try {
      replaceChildren(list, items(await ordersNow(), draw));
    } catch (error) {
      replaceChildren(list, h("li", { class: "problem" }, /** @type {Error} */ (error).message));
    }
  };
  void draw();
  return h("section", { class: "operator-board operator-steps" }, h("h2", { class: "eyebrow" }, t("operator.open")), list);
}

/**
 * @param {import("./orders.js").OrdersNow} orders
 * @param {() => void} onDone
 */
function items(orders, onDone) {
  const stopped = orders.stopped.map(({ game, reason }) => item(`${game}: ${reason}`, gameStep(game, game, true), onDone));
  const muted = orders.muted.map(({ name, shown, reason }) => item(`${name} → ${shown}: ${reason}`, nameStep(name, true), onDone));
  return stopped.length + muted.length ? [stopped, muted] : h("li", { class: "muted" }, t("operator.none"));
}

/**
 * @param {string} words
 * @param {import("./confirm.js").Step} step
 * @param {() => void} onDone
 */
function item(words, step, onDone) {
  return h("li", { class: "open-table panel" }, h("p", null, words), h("div", { class: "row" }, stepButton(step, onDone)));
}
