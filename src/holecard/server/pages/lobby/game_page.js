// @ts-check
// <hc-game>: one game, or one table with its settings: felt, rules, pay tables, exact edges, and how printed rules are read.

import "../core/header.js";
import { announceNow } from "../core/announce.js";
import { get, signedIn } from "../core/api.js";
import { h, replaceChildren } from "../core/dom.js";
import { houseNote, wagerName } from "../core/house_tables.js";
import { changedWords, settingTexts, settingsOf } from "../core/setting_words.js";
import { t } from "../core/text.js";
import { queryOf } from "../drill/address.js";
import { feltPicture } from "../felt/picture.js";
import { edgesOf } from "./edges.js";
import { gameAddress, playButton } from "./game_card.js";
import { tableAddress } from "./opening.js";
import { openOptions } from "./options.js";
import { payTable, tableGroups } from "./pay_table.js";

/** @typedef {import("../core/protocol").GameRules} GameRules */
/** @typedef {import("../core/protocol").RulesOfTable} RulesOfTable */
/** @typedef {import("../core/protocol").WagerEdge} WagerEdge */
/** @typedef {{on: string, reading: string, why: string, switches: string[], changed: string}} Ruling */

class Game extends HTMLElement {
  #problem = h("p", { class: "problem", role: "alert" });

  async connectedCallback() {
    const [, kind, place = ""] = location.pathname.split("/");
    const name = decodeURIComponent(place);
    replaceChildren(this, h("p", { class: "muted" }, t("common.loading")));
    try {
      await signedIn();
      if (kind === "tables") this.#showTable(name, await get(`/tables/${encodeURIComponent(name)}/rules`));
      else this.#showGame(await get(`/games/${encodeURIComponent(name)}`));
    } catch (error) {
      this.#say(error);
      replaceChildren(this, h("h1", null, name), this.#problem, h("p", null, h("a", { href: "/" }, t("game.all"))));
    }
  }

  /** @param {GameRules} game */
  #showGame(game) {
    const onError = (/** @type {unknown} */ error) => this.#say(error);
    const address = gameAddress(game.game);
    const source = /** @type {string} */ (game.rules.source);
    const options = { type: "button", "aria-haspopup": "dialog", onclick: () => openOptions(game, onError) };
    this.#show(game, [
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
    ]);
  }

  /**
   * @param {string} table
   * @param {RulesOfTable} rules
   */
  #showTable(table, rules) {
    const address = gameAddress(rules.game);
    const changed = changedWords(rules.settings);
    const query = queryOf({ settings: settingTexts(rules.settings) });
    this.#show(rules, [
      h("p", null, t("game.tableRules")),
      changed && h("p", { class: "changed" }, t("game.changed", { what: changed })),
      h(
        "div",
        { class: "row" },
        h("a", { class: "button gold", href: tableAddress(table) }, t("game.toTable")),
        h("a", { class: "button quiet", href: `${address}/strategy${query}` }, t("game.strategy")),
        h("a", { class: "button quiet", href: `${address}/drill${query}` }, t("game.drill")),
        changed && h("a", { class: "button quiet", href: address }, t("game.toGame")),
      ),
    ]);
  }

  /**
   * @param {GameRules | RulesOfTable} game
   * @param {import("../core/dom.js").Child[]} words below the title
   */
  #show(game, words) {
    document.title = `${game.title} · ${t("common.brand")}`;
    const edges = h("section", { class: "panel" });
    const tables = game.felt?.wagers ?? [];
    replaceChildren(
      this,
      h(
        "div",
        { class: "game-hero" },
        game.felt && h("div", { class: "game-picture" }, feltPicture(game.felt)),
        h("div", { class: "game-hero-words" }, h("h1", null, game.title), words),
      ),
      this.#problem,
      h(
        "div",
        { class: "game-body" },
        h("div", { class: "game-column" }, edges, tables.length > 0 && payTables(game)),
        h("div", { class: "game-column" }, rules(game), rulings(game)),
      ),
    );
    const isChanged = "settings" in game && Object.keys(game.settings).length > 0;
    if (isChanged) replaceChildren(edges, h("h2", null, t("game.edges")), h("p", { class: "muted" }, t("game.noEdges")));
    else showEdges(edges, game.game);
  }

  /** @param {unknown} error */
  #say(error) {
    const why = error instanceof Error ? error.message : String(error);
    replaceChildren(this.#problem, t("common.failed", { why }));
    announceNow(why);
  }
}

/** @param {GameRules | RulesOfTable} game */
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

/** @param {GameRules | RulesOfTable} game */
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

/**
 * Return how the printed rules are read. At a table whose settings choose another reading, only that one is said.
 * @param {GameRules | RulesOfTable} game
 */
function rulings(game) {
  const found = /** @type {Ruling[]} */ (game.rules.rulings);
  if (found.length === 0) return null;
  const settings = "settings" in game ? game.settings : {};
  const isChanged = Object.keys(settings).length > 0;
  return h(
    "section",
    { class: "panel rulings", "aria-labelledby": "rulings" },
    h("h2", { id: "rulings" }, t(isChanged ? "game.rulingsOfGame" : "game.rulings")),
    found.map((ruling) =>
      h("details", { class: "ruling" }, h("summary", null, ruling.on), ruling.changed ? readHere(ruling, settings) : asPrinted(ruling)),
    ),
  );
}

/**
 * @param {Ruling} ruling
 * @param {import("../core/setting_words.js").Settings} settings
 */
function readHere(ruling, settings) {
  const chosen = Object.entries(settings).filter(([path]) => ruling.changed.includes(`${path} = `));
  const what = changedWords(Object.fromEntries(chosen)) || ruling.changed;
  return h("p", { class: "changed" }, t("game.readHere", { what }));
}

/** @param {Ruling} ruling */
function asPrinted({ reading, why, switches }) {
  const others = switches.map((one) => changedWords(settingsOf(one))).join("; ");
  return [
    h("p", null, reading),
    why && h("p", { class: "muted" }, t("game.why", { why })),
    others && h("p", { class: "muted" }, t("game.otherwise", { what: others })),
  ];
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
      houseNote(found.wagers),
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
            h("th", { scope: "row" }, wagerName(edge.wager, edge.printed)),
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
