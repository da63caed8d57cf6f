// @ts-check
// <hc-lobby>: the games with their felts, the open tables, and a seat in one click.

import "../core/header.js";
import { announceNow } from "../core/announce.js";
import { get, signedIn } from "../core/api.js";
import { h, keyed, replaceChildren } from "../core/dom.js";
import { gameCard, ownGameCard, playButton } from "./game_card.js";
import { openTableCard, tableVersion } from "./open_tables.js";
import { lastGame } from "./opening.js";
import { t } from "./text.js";

/** @typedef {import("../core/protocol").GameInfo} GameInfo */
/** @typedef {import("../core/protocol").TableInfo} TableInfo */

/** Milliseconds between looks at the open tables. */
const REFRESH = 4000;
/** Edges that are asked for at a time. */
const AT_ONCE = 4;
/** @type {GameInfo["group"][]} */
const GROUPS = ["printed", "example", "own"];

/**
 * Return the games of a group in the order of the lobby.
 * @param {readonly GameInfo[]} games
 * @param {GameInfo["group"]} group
 */
export function inGroup(games, group) {
  return games.filter((game) => game.group === group);
}

class Lobby extends HTMLElement {
  #games = h("div", { class: "lobby-games" }, h("p", { class: "muted" }, t("common.loading")));
  #tables = h("ul", { class: "open-tables" });
  #empty = h("p", { class: "muted" }, t("lobby.noTables"));
  #quick = h("div", { class: "quick-play" });
  #side = h(
    "aside",
    { class: "lobby-side", "aria-labelledby": "open-tables" },
    this.#quick,
    h("h2", { id: "open-tables", class: "eyebrow" }, t("lobby.openTables")),
    this.#tables,
    this.#empty,
  );
  #problem = h("p", { class: "problem", role: "alert" });
  /** @type {GameInfo[]} */
  #list = [];
  #timer = 0;

  connectedCallback() {
    replaceChildren(
      this,
      h("div", { class: "lobby-title" }, h("h1", null, t("lobby.title")), h("p", { class: "muted" }, t("lobby.tagline"))),
      this.#problem,
      this.#side,
      this.#games,
      h("p", { class: "lobby-note muted" }, t("lobby.note")),
    );
    this.#start();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
  }

  async #start() {
    try {
      await signedIn();
      this.#list = await get("/games");
    } catch (error) {
      this.#say(error);
      this.#timer = setTimeout(() => this.#start(), REFRESH);
      return;
    }
    replaceChildren(this.#problem);
    this.#showGames();
    this.#refresh();
    // Only operators load what only they use.
    if ((await signedIn()).role === "operator") this.#side.append((await import("../operator/board.js")).board());
  }

  async #showGames() {
    const onError = (/** @type {unknown} */ error) => this.#say(error);
    const cards = new Map(this.#list.map((game) => [game.game, gameCard(game, onError)]));
    const hasOwn = inGroup(this.#list, "own").length > 0;
    const sections = GROUPS.map((group) => {
      const games = inGroup(this.#list, group);
      const drawn = games.map((game) => cards.get(game.game)?.element);
      // The card that explains sheets completes the first row, until there are own games to put it with.
      if (group === (hasOwn ? "own" : "printed")) drawn.push(ownGameCard());
      if (drawn.length === 0) return null;
      return h(
        "section",
        { "aria-labelledby": `group-${group}` },
        h("h2", { id: `group-${group}`, class: "eyebrow" }, t(`lobby.group_${group}`)),
        h("div", { class: "game-grid" }, drawn),
      );
    });
    replaceChildren(this.#games, sections);
    const playable = this.#list.filter((game) => game.felt !== null && game.stopped === null);
    const last = playable.find((game) => game.game === lastGame()) ?? inGroup(playable, "printed")[0] ?? playable[0];
    if (last) this.#showQuick(last);
    // A few at a time: the server computes them one after the other.
    const waiting = GROUPS.flatMap((group) => inGroup(this.#list, group));
    const next = async () => {
      for (let game = waiting.shift(); game; game = waiting.shift()) await cards.get(game.game)?.load();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
  }

  /** @param {GameInfo} game */
  #showQuick(game) {
    const button = playButton(game, (error) => this.#say(error));
    button.removeAttribute("aria-label");
    replaceChildren(button, t("lobby.alone"), h("small", null, game.title));
    replaceChildren(this.#quick, button);
  }

  async #refresh() {
    try {
      if (!document.hidden) {
        const you = await signedIn();
        this.#showTables(await get("/tables"), you.name);
        replaceChildren(this.#problem);
      }
    } catch (error) {
      this.#say(error);
    }
    this.#timer = setTimeout(() => this.#refresh(), REFRESH);
  }

  /**
   * @param {TableInfo[]} tables
   * @param {string} name
   */
  #showTables(tables, name) {
    const games = new Map(this.#list.map((game) => [game.game, game]));
    this.#empty.hidden = tables.length > 0;
    this.#side.classList.toggle("nobody", tables.length === 0);
    const isMine = (/** @type {TableInfo} */ table) => Object.values(table.taken).includes(name);
    keyed(
      this.#tables,
      [...tables.filter(isMine), ...tables.filter((table) => !isMine(table))],
      (table) => table.id,
      (table, old) => {
        const version = tableVersion(table, name);
        if (old?.dataset.version === version) return old;
        const drawn = openTableCard(table, games.get(table.game), name, (error) => this.#say(error));
        drawn.dataset.version = version;
        return drawn;
      },
    );
  }

  /** @param {unknown} error */
  #say(error) {
    const words = error instanceof Error && "code" in error && error.code === "unreachable" ? t("common.unreachable") : t("common.failed", { why: error instanceof Error ? error.message : String(error) });
    if (this.#problem.textContent === words) return;
    replaceChildren(this.#problem, words);
    announceNow(words);
  }
}

customElements.define("hc-lobby", Lobby);
