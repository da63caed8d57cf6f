// @ts-check
// The menu of an operator at a table: end the round, free a seat, mute a name, stop the game.

import { h } from "../core/dom.js";
import { openDialog, stepButton } from "./confirm.js";
import { gameStep, nameStep, ordersNow } from "./orders.js";
import { t } from "./text.js";

/** @typedef {import("../felt/types.js").View} View */
/** @typedef {(command: Record<string, unknown>) => Promise<unknown>} Send */

/**
 * Add the button of the menu to the title of a table.
 * @param {HTMLElement} page
 * @param {{game: string, title: string}} rules
 * @param {Send} send
 * @param {() => View | null} viewNow
 */
export function addMenu(page, rules, send, viewNow) {
  const onclick = async () => {
    const view = viewNow();
    if (!view) return;
    const orders = await ordersNow();
    const muted = new Set(orders.muted.map(({ shown }) => shown));
    const isStopped = orders.stopped.some(({ game }) => game === rules.game);
    const steps = [
      ...tableSteps(view, send),
      ...names(view).map((name) => nameStep(name, muted.has(name))),
      gameStep(rules.game, rules.title, isStopped),
    ];
    const list = h("div", { class: "operator-steps" });
    const dialog = openDialog(t("operator.open"), list);
    list.append(...steps.map((step) => stepButton(step, () => dialog.close())));
  };
  const button = h("button", { type: "button", class: "quiet", "aria-haspopup": "dialog", onclick }, t("operator.open"));
  page.querySelector(".title-links")?.append(button);
}

/**
 * Return what an operator may do at the table as it is now.
 * @param {View} view
 * @param {Send} send
 * @returns {import("./confirm.js").Step[]}
 */
export function tableSteps(view, send) {
  const hasRound = !["betting", "done"].includes(view.phase);
  const hasBets = view.phase === "betting" && view.seats.some((seat) => seat.hands.length);
  const sitting = view.seats.filter((seat) => seat.name !== null);
  return [
    ...(hasRound || hasBets
      ? [{ key: "end", carryOut: (/** @type {string} */ reason) => send({ do: "end round", reason }) }]
      : []),
    ...sitting.map(({ seat, name }) => ({
      key: "free",
      about: { seat, name: name ?? "" },
      carryOut: (/** @type {string} */ reason) => send({ do: "free seat", seat, reason }),
    })),
  ];
}

/**
 * Return the names at a table, each once.
 * @param {View} view
 */
function names(view) {
  return [...new Set(view.seats.flatMap(({ name }) => (name === null ? [] : [name])))];
}
