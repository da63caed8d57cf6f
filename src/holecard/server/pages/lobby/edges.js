// @ts-check
// The exact edges of a game as chips; asks the server again while it computes them.

import { get } from "../core/api.js";
import { h, replaceChildren } from "../core/dom.js";
import { t } from "../core/text.js";

/** @typedef {import("../core/protocol").WagerEdge} WagerEdge */
/** @typedef {import("../core/protocol").EdgesOfGame} EdgesOfGame */

/** Milliseconds until the server is asked again: at first, and at most. */
const AGAIN = 400;
const LATER = 3000;
/** The most side wagers with a chip in the lobby. */
const MOST = 2;

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
  const key = edge.edge < 0 ? "lobby.playerEdge" : "lobby.houseEdge";
  return t(key, { edge: edge.text.replace("\u2212", "") });
}

/**
 * Return the chips of a game; they are filled in when the edges are known.
 * @param {string} game
 * @returns {{element: HTMLElement, load: () => Promise<void>}}
 */
export function edgeChips(game) {
  const element = h("ul", { class: "edge-chips", "aria-label": t("lobby.edges") }, h("li", { class: "chip waiting" }, t("lobby.computing")));
  const load = async () => {
    try {
      const found = await edgesOf(game);
      replaceChildren(element, found.problem ? h("li", { class: "chip" }, t("lobby.noEdges")) : chips(found.wagers));
    } catch {
      replaceChildren(element, h("li", { class: "chip" }, t("lobby.noEdges")));
    }
  };
  return { element, load };
}

/** @param {readonly WagerEdge[]} edges */
function chips(edges) {
  const sides = edges.filter((edge) => edge.kind === "side");
  const more = sides.length - MOST;
  return [
    ...edges.filter((edge) => edge.kind === "main").map((edge) => h("li", { class: "chip main-edge numbers" }, edgeWords(edge))),
    ...sides.slice(0, MOST).map((edge) => h("li", { class: "chip numbers" }, edge.wager, edge.printed ? null : star(), " ", edge.text)),
    more > 0 && h("li", { class: "chip" }, t("lobby.moreWagers", { n: more })),
  ];
}

/** The mark of a house pay table; the note at the end of the page explains it. */
function star() {
  return h("abbr", { title: t("lobby.houseTable"), class: "star" }, "*");
}
