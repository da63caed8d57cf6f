// @ts-check
// The page of past rounds: result against expectation, statistics, all rounds, and files to keep.

import "../core/header.js";
import { signedIn } from "../core/api.js";
import { h, replaceChildren } from "../core/dom.js";
import { RoundList } from "./rounds.js";
import { gameName, loadStatistics, showStatistics } from "./statistics.js";
import { t } from "./text.js";

/** @typedef {import("../core/protocol").HistoryStatistics} Statistics */

class History extends HTMLElement {
  #rounds = new RoundList();
  #statistics = h("div", { class: "history-statistics" });
  #games = h("fieldset", { class: "game-filter", "data-scrolls": "" });
  #files = h("p", { class: "row files" });
  #sheet = "";
  /** @type {Statistics | null} */
  #found = null;
  #width = 0;
  #resize = new ResizeObserver(() => this.#fit());

  connectedCallback() {
    document.title = t("history.documentTitle");
    replaceChildren(this, h("h1", null, t("history.title")), h("p", { class: "muted", role: "status" }, t("common.loading")));
    this.#load().catch((error) => {
      replaceChildren(
        this,
        h("h1", null, t("history.title")),
        h("p", { class: "problem", role: "alert" }, t("common.failed", { why: error.message })),
      );
    });
  }

  disconnectedCallback() {
    this.#resize.disconnect();
  }

  async #load() {
    await signedIn();
    const rounds = this.#rounds.show("");
    const found = await loadStatistics((more) => this.#show(more));
    if (!found.rounds) return this.#showEmpty();
    replaceChildren(
      this,
      h("div", { class: "history-head" }, h("h1", null, t("history.title")), this.#files),
      this.#games,
      this.#statistics,
      this.#rounds.element,
    );
    this.#show(found);
    this.#resize.observe(this);
    await rounds;
  }

  #showEmpty() {
    replaceChildren(
      this,
      h("h1", null, t("history.title")),
      h(
        "section",
        { class: "panel empty" },
        h("p", { class: "empty-cards", "aria-hidden": "true" }, h("span", { class: "mini-card back" }), h("span", { class: "mini-card back" })),
        h("h2", null, t("history.emptyTitle")),
        h("p", { class: "muted" }, t("history.emptyText")),
        h("p", null, h("a", { class: "button gold", href: "/" }, t("history.emptyPlay"))),
      ),
    );
  }

  /** @param {Statistics} found */
  #show(found) {
    this.#found = found;
    replaceChildren(
      this.#files,
      h("span", { class: "muted" }, t("history.save")),
      found.formats.map((format) =>
        h("a", { class: "button quiet", href: `/api/v1/history/export?format=${format}`, download: `rounds.${format}` }, t(`history.files.${format}`)),
      ),
    );
    replaceChildren(
      this.#games,
      h("legend", { class: "unseen" }, t("history.filter")),
      this.#choice("", t("history.allGames")),
      found.games.map((game) => this.#choice(game.sheet, gameName(game, found.games))),
    );
    this.#games.hidden = found.games.length < 2;
    showStatistics(this.#statistics, found, this.#sheet);
  }

  /**
   * @param {string} sheet
   * @param {string} name
   */
  #choice(sheet, name) {
    const choose = () => {
      this.#sheet = sheet;
      if (this.#found) showStatistics(this.#statistics, this.#found, sheet);
      void this.#rounds.show(sheet);
    };
    const input = h("input", { type: "radio", name: "game", value: sheet, checked: sheet === this.#sheet, onchange: choose });
    return h("label", { class: "game-choice" }, input, h("span", null, name));
  }

  /** Draw the picture again where the page has become wider or narrower. */
  #fit() {
    if (this.clientWidth === this.#width) return;
    this.#width = this.clientWidth;
    if (this.#found) showStatistics(this.#statistics, this.#found, this.#sheet);
  }
}

customElements.define("hc-history", History);
