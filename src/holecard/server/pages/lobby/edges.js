// @ts-check
// The exact edges of a game; asks the server again while it computes them.

import { get } from "../core/api.js";
import { t } from "../core/text.js";

/** @typedef {import("../core/protocol").WagerEdge} WagerEdge */
/** @typedef {import("../core/protocol").EdgesOfGame} EdgesOfGame */

/** Milliseconds until the server is asked again: at first, and at most. */
const AGAIN = 400;
const LATER = 3000;

/**
 * Return the edges of a game when they are ready.
 * @param {string} game
 * @returns {Promise<EdgesOfGame>}
 */
export async function edgesOf(game) {
  for (let wait = AGAIN; ; wait = Math.min(2 * wait, LATER)) {
    const found = /** @type {EdgesOfGame} */ (await get(`/games/${encodeURIComponent(game)}/edges`));
    if (found.ready) return found;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/**
 * Return who has the edge, and how much: "house edge 0.32%", "player edge 0.29%".
 * @param {WagerEdge} edge
 */
export function edgeWords(edge) {
  const key = edge.edge < 0 ? "game.playerEdge" : "game.houseEdge";
  return t(key, { edge: edge.text.replace("\u2212", "") });
}
