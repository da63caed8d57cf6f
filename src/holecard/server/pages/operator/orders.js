// @ts-check
// The orders of operators for the whole server: which games are stopped and which names are muted.

import { commandId, get, post } from "../core/api.js";

/** @typedef {import("../core/protocol").OrdersNow} OrdersNow */
/** @typedef {import("./confirm.js").Step} Step */

/** What operators have ordered. @returns {Promise<OrdersNow>} */
export const ordersNow = () => get("/orders");

/**
 * Return the step that stops a game or lets it go on.
 * @param {string} game its name, or the hash of a sheet
 * @param {string} title
 * @param {boolean} isStopped
 * @returns {Step}
 */
export function gameStep(game, title, isStopped) {
  const [key, command] = isStopped ? ["allow", "allow game"] : ["stop", "stop game"];
  return { key, about: { game: title }, carryOut: give({ do: command, game }) };
}

/**
 * Return the step that mutes a name or shows it again.
 * @param {string} name
 * @param {boolean} isMuted
 * @returns {Step}
 */
export function nameStep(name, isMuted) {
  const [key, command] = isMuted ? ["restore", "restore name"] : ["mute", "mute name"];
  return { key, about: { name }, carryOut: give({ do: command, name }) };
}

/**
 * Return how to give an order for a reason; sent again after a lost answer, it has the effect of one.
 * @param {Record<string, string>} command
 */
function give(command) {
  const ids = new Map();
  return (/** @type {string} */ reason) => {
    if (!ids.has(reason)) ids.set(reason, commandId());
    return post("/orders", { id: ids.get(reason), command: { ...command, reason } });
  };
}
