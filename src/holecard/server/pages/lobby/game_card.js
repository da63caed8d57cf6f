// @ts-check
// A game in the lobby: picture of its felt, what it is about, its exact edges, and Play.

import { h, replaceChildren } from "../core/dom.js";
import { feltPicture } from "../felt/picture.js";
import { edgeWords, edgesOf } from "./edges.js";
import { playAlone } from "./opening.js";
import { openOptions } from "./options.js";
import { t } from "./text.js";

/** @typedef {import("../core/protocol").GameInfo} GameInfo */

/** The most side wagers with a chip. */
const MOST = 2;

/** The address of a game's page. @param {string} game */
export const gameAddress = (game) => `/games/${encodeURIComponent(game)}`;

/**
 * Return the card of a game, and how to load its edges.
 * @param {GameInfo} game
 * @param {(error: unknown) => void} onError
 * @returns {{element: HTMLElement, load: () => Promise<void>}}
 */
export function gameCard(game, onError) {
  if (game.problem !== null || game.felt === null) return { element: brokenCard(game), load: async () => {} };
  const chips = edgeChips(game.game);
  const address = gameAddress(game.game);
  const play = playButton(game, onError);
  const element = h(
    "article",
    { class: "game-card", "data-game": game.game, "aria-labelledby": `game-${game.game}` },
    h("div", { class: "game-picture" }, feltPicture(game.felt)),
    h(
      "div",
      { class: "game-words" },
      h("h3", { id: `game-${game.game}` }, game.title),
      h("p", { class: "muted" }, game.about),
      game.stopped !== null && h("p", { class: "problem" }, t("lobby.stopped", { why: game.stopped })),
      chips.element,
      h(
        "div",
        { class: "game-actions" },
        game.stopped === null && play,
        game.stopped === null && h(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-haspopup": "dialog",
            "aria-label": t("lobby.optionsOf", { game: game.title }),
            onclick: () => openOptions(game, onError),
          },
          t("lobby.options"),
        ),
      ),
      h(
        "p",
        { class: "game-links" },
        link(address, "rules", game.title),
        link(`${address}/strategy`, "strategy", game.title),
        link(`${address}/drill`, "drill", game.title),
      ),
    ),
  );
  return { element, load: chips.load };
}

/**
 * Return the button that opens a table and sits down.
 * @param {GameInfo} game
 * @param {(error: unknown) => void} onError
 */
export function playButton(game, onError) {
  const button = h("button", { type: "button", class: "gold play", "aria-label": t("lobby.playGame", { game: game.title }) }, t("lobby.play"));
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await playAlone(game);
    } catch (error) {
      onError(error);
    } finally {
      button.disabled = false;
    }
  });
  return button;
}

/**
 * @param {string} address
 * @param {string} what
 * @param {string} game
 */
function link(address, what, game) {
  return h("a", { href: address, "aria-label": t(`lobby.${what}Of`, { game }) }, t(`lobby.${what}`));
}

/** @param {GameInfo} game */
function brokenCard(game) {
  return h(
    "article",
    { class: "game-card broken", "data-game": game.game },
    h(
      "div",
      { class: "game-words" },
      h("h3", null, game.title),
      h("p", { class: "problem" }, t("lobby.broken")),
      h("pre", { tabIndex: 0, role: "region", "aria-label": t("lobby.problemOf", { game: game.title }) }, game.problem ?? ""),
    ),
  );
}

/** The card that explains how to add a game. */
export function ownGameCard() {
  return h(
    "article",
    { class: "game-card own-game", "aria-labelledby": "own-game" },
    h("div", { class: "own-plus", "aria-hidden": "true" }, "+"),
    h(
      "div",
      { class: "game-words" },
      h("h3", { id: "own-game" }, t("lobby.ownTitle")),
      h("p", { class: "muted" }, t("lobby.ownAbout")),
      h("pre", { tabIndex: 0, role: "region", "aria-label": t("lobby.ownExample") }, t("lobby.ownSheet")),
      h("p", { class: "muted" }, t("lobby.ownStart"), " ", h("code", null, t("lobby.ownCommand"))),
    ),
  );
}

/**
 * Return the chips of a game; they are filled in when the edges are known.
 * @param {string} game
 * @returns {{element: HTMLElement, load: () => Promise<void>}}
 */
function edgeChips(game) {
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

/** @param {readonly import("../core/protocol").WagerEdge[]} edges */
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
