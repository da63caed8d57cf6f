// @ts-check
// The choice of a game, for pages that are about one.

import { get, signedIn } from "../core/api.js";
import { h, replaceChildren } from "../core/dom.js";
import { t } from "../core/text.js";

/** @typedef {import("../core/protocol").GameInfo} GameInfo */

/**
 * Show all games, each as a link to its own page.
 * @param {HTMLElement} place
 * @param {"drill" | "strategy"} page
 * @param {string} title
 * @param {string} words
 */
export async function chooseGame(place, page, title, words) {
  const list = h("ul", { class: "games" }, h("li", { class: "muted" }, t("common.loading")));
  replaceChildren(
    place,
    h("header", { class: "page-title" }, h("h1", null, title), h("p", { class: "muted" }, words)),
    list,
  );
  await signedIn();
  const games = /** @type {GameInfo[]} */ (await get("/games"));
  replaceChildren(list, games.filter((game) => !game.problem).map((game) => link(game, page)));
}

/**
 * @param {GameInfo} game
 * @param {string} page
 */
function link(game, page) {
  return h(
    "li",
    null,
    h(
      "a",
      { href: `/games/${encodeURIComponent(game.game)}/${page}`, "data-cloth": game.felt?.cloth ?? "green" },
      h("strong", null, game.title),
      h("span", null, game.about),
    ),
  );
}
