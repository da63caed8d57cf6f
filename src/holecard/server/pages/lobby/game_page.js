// @ts-check
// <hc-game>: one game with its felt, rules, pay tables, exact edges, and how its printed rules are read.

import "../core/header.js";
import { announceNow } from "../core/announce.js";
import { get, signedIn } from "../core/api.js";
import { h, replaceChildren } from "../core/dom.js";
import { t } from "../core/text.js";
import { feltPicture } from "../felt/picture.js";
import { edgesOf } from "./edges.js";
import { gameAddress, playButton } from "./game_card.js";
import { openOptions, switchWords } from "./options.js";
import { payTable, tableGroups } from "./pay_table.js";

/** @typedef {import("../core/protocol").GameRules} GameRules */
/** @typedef {import("../core/protocol").WagerEdge} WagerEdge */

class Game extends HTMLElement {
  #problem = h("p", { class: "problem", role: "alert" });

  async connectedCallback() {
    const name = decodeURIComponent(location.pathname.split("/")[2] ?? "");
    replaceChildren(this, h("p", { class: "muted" }, t("common.loading")));
    try {
      await signedIn();
      const game = /** @type {GameRules} */ (await get(`/games/${encodeURIComponent(name)}`));
      document.title = `${game.title} · ${t("common.brand")}`;
      this.#show(game);
    } catch (error) {
      this.#say(error);
      replaceChildren(this, h("h1", null, name), this.#problem, h("p", null, h("a", { href: "/" }, t("game.all"))));
    }
  }

  /** @param {GameRules} game */
  #show(game) {
    const edges = h("section", { class: "panel" });
    const tables = game.felt?.wagers ?? [];
    replaceChildren(
      this,
      this.#hero(game),
      this.#problem,
      h(
        "div",
        { class: "game-body" },
        h("div", { class: "game-column" }, edges, tables.length > 0 && payTables(game)),
        h("div", { class: "game-column" }, rules(game), rulings(game)),
      ),
    );
    showEdges(edges, game.game);
  }

  /** @param {GameRules} game */
  #hero(game) {
    const onError = (/** @type {unknown} */ error) => this.#say(error);
    const address = gameAddress(game.game);
    const source = /** @type {string} */ (game.rules.source);
    const options = { type: "button", "aria-haspopup": "dialog", onclick: () => openOptions(game, onError) };
    return h(
      "div",
      { class: "game-hero" },
      game.felt && h("div", { class: "game-picture" }, feltPicture(game.felt)),
      h(
        "div",
        { class: "game-hero-words" },
        h("h1", null, game.title),
        h("p", null, game.about),
        source && h("p", { class: "muted small" }, t("game.source", { source })),
        h(
          "div",
          { class: "row" },
          playButton(game, onError),
          h("button", options, t("game.openOptions")),
          h("a", { class: "button quiet", href: `${address}/strategy` }, t("game.strategy")),
          h("a", { class: "button quiet", href: `${address}/drill` }, t("game.drill")),
        ),
      ),
    );
  }

  /** @param {unknown} error */
  #say(error) {
    const why = error instanceof Error ? error.message : String(error);
    replaceChildren(this.#problem, t("common.failed", { why }));
    announceNow(why);
  }
}

/** @param {GameRules} game */
function rules(game) {
  return h(
    "section",
    { class: "panel", "aria-labelledby": "rules" },
    h("h2", { id: "rules" }, t("game.rules")),
    /** @type {{title: string, sentences: string[]}[]} */ (game.rules.sections).map((section) => [
      h("h3", null, section.title),
      h("ul", { class: "sentences" }, section.sentences.map((sentence) => h("li", null, sentence))),
    ]),
  );
}

/** @param {GameRules} game */
function payTables(game) {
  const sentences = new Map(
    /** @type {{name: string, sentences: string[]}[]} */ (game.rules.wagers).map((wager) => [wager.name, wager.sentences]),
  );
  return h(
    "section",
    { class: "panel", "aria-labelledby": "pay-tables" },
    h("h2", { id: "pay-tables" }, t("game.payTables")),
    tableGroups(game.felt?.wagers ?? []).map((wagers) => payTable(wagers, sentences)),
  );
}

/** @param {GameRules} game */
function rulings(game) {
  const found = /** @type {{on: string, reading: string, why: string, switches: string[]}[]} */ (game.rules.rulings);
  if (found.length === 0) return null;
  return h(
    "section",
    { class: "panel rulings", "aria-labelledby": "rulings" },
    h("h2", { id: "rulings" }, t("game.rulings")),
    found.map((ruling) =>
      h(
        "details",
        { class: "ruling" },
        h("summary", null, ruling.on),
        h("p", null, ruling.reading),
        ruling.why && h("p", { class: "muted" }, t("game.why", { why: ruling.why })),
        ruling.switches.length > 0 &&
          h("p", { class: "muted" }, t("game.otherwise", { what: ruling.switches.map(switchWords).join("; ") })),
      ),
    ),
  );
}

/**
 * @param {HTMLElement} section
 * @param {string} game
 */
async function showEdges(section, game) {
  const title = h("h2", null, t("game.edges"));
  replaceChildren(section, title, h("p", { class: "muted", role: "status" }, t("game.computing")));
  try {
    const found = await edgesOf(game);
    const words = found.problem ? t("game.none", { why: found.problem }) : t("game.edgesAbout");
    replaceChildren(
      section,
      title,
      h("p", { class: "muted" }, words),
      found.wagers.length > 0 && edgeTable(found.wagers),
      found.wagers.some((edge) => !edge.printed) && h("p", { class: "muted small" }, `* ${t("lobby.houseTable")}`),
    );
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    replaceChildren(section, title, h("p", { class: "muted" }, t("game.none", { why })));
  }
}

/** @param {readonly WagerEdge[]} edges */
function edgeTable(edges) {
  return h(
    "div",
    { class: "pays", tabIndex: 0, role: "region", "aria-label": t("game.edge") },
    h(
      "table",
      null,
      h("thead", null, h("tr", null, head(t("game.wager")), head(t("game.edge"), "number"), head(t("game.per")))),
      h(
        "tbody",
        null,
        edges.map((edge) =>
          h(
            "tr",
            null,
            h("th", { scope: "row" }, edge.wager, edge.printed ? null : "*"),
            h("td", { class: "number" }, edge.text),
            h("td", { class: "muted" }, edge.unit),
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {string} words
 * @param {string} [kind]
 */
function head(words, kind = "") {
  return h("th", { scope: "col", class: kind }, words);
}

customElements.define("hc-game", Game);
