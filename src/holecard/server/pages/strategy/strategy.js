// @ts-check
// <hc-strategy>: the best chart of a game in color, what each action is worth, and a card to print.

import { get, signedIn } from "../core/api.js";
import { h, replaceChildren } from "../core/dom.js";
import { percent } from "../core/format.js";
import { changedWords, settingsOf } from "../core/setting_words.js";
import { queryOf, readAddress } from "../drill/address.js";
import { chooseGame } from "../drill/games.js";
import { valueTable } from "../drill/values.js";
import { chartTables } from "./chart.js";
import { t } from "./text.js";

/** @typedef {import("../core/protocol").StrategyChart} StrategyChart */
/** @typedef {import("../core/protocol").ChartCell} ChartCell */
/** @typedef {import("../core/protocol").ChartRow} ChartRow */

/** Milliseconds until a chart that is not ready is asked for again; the server waits for a second, too. */
const AGAIN = 400;
/** With more columns than this, the tables are not side by side. */
const SIDE_BY_SIDE = 12;

class Strategy extends HTMLElement {
  #address = readAddress(location.pathname, location.search);
  #title = h("h1");
  #body = h("div", { class: "strategy-body" });
  #values = h("div", { class: "strategy-values" });
  /** @type {HTMLElement | null} */
  #shown = null;
  /** @type {StrategyChart | null} */
  #chart = null;

  async connectedCallback() {
    try {
      if (this.#address.game === null) return await chooseGame(this, "strategy", t("strategy.chooseTitle"), t("strategy.choose"));
      this.#draw();
      await signedIn();
      await this.#load();
    } catch (error) {
      const why = /** @type {Error} */ (error).message;
      if (!this.contains(this.#body)) replaceChildren(this, this.#body);
      replaceChildren(this.#body, h("p", { class: "problem", role: "alert" }, t("common.failed", { why })));
    }
  }

  get #game() {
    return encodeURIComponent(this.#address.game ?? "");
  }

  #draw() {
    const { settings } = this.#address;
    replaceChildren(
      this,
      h(
        "header",
        { class: "page-title" },
        this.#title,
        h(
          "p",
          { class: "muted links" },
          settings.length > 0 && h("span", { class: "chip" }, settings.map((one) => changedWords(settingsOf(one))).join(" · ")),
          h("a", { href: `/games/${this.#game}/drill${queryOf({ settings })}` }, t("strategy.toDrill")),
          h("a", { href: "/strategy" }, t("strategy.toGames")),
        ),
      ),
      this.#body,
    );
    this.#title.textContent = t("header.strategy");
  }

  async #load() {
    replaceChildren(this.#body, h("p", { class: "muted", role: "status" }, t("common.loading")));
    const path = `/games/${this.#game}/strategy${queryOf({ ...this.#address, kind: null })}`;
    let found = await get(path);
    while (found.ready === false) {
      replaceChildren(this.#body, h("p", { class: "muted", role: "status" }, t("strategy.computing")));
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
      found = await get(path);
    }
    this.#show(/** @type {StrategyChart} */ (found));
  }

  /** @param {StrategyChart} chart */
  #show(chart) {
    this.#chart = chart;
    document.title = t("strategy.documentTitle", { game: chart.title });
    this.#title.textContent = t("strategy.title", { game: chart.title });
    for (const sign of chart.legend) {
      this.style.setProperty(`--${sign.kind}-ground`, sign.ground);
      this.style.setProperty(`--${sign.kind}-ink`, sign.ink);
    }
    this.classList.toggle("wide", chart.columns.length > SIDE_BY_SIDE);
    replaceChildren(
      this.#values,
      h("h2", { class: "eyebrow" }, t("strategy.values")),
      h("p", { class: "muted" }, t("strategy.valuesHint")),
    );
    replaceChildren(
      this.#body,
      h("p", { class: "subtitle" }, chart.subtitle),
      h(
        "div",
        { class: "strategy-columns" },
        h(
          "section",
          { class: "chart-tables", "aria-label": t("strategy.chart") },
          chartTables(chart, (...at) => this.#showValues(...at)),
        ),
        h(
          "aside",
          { class: "strategy-side", "aria-label": t("strategy.values") },
          h("div", { class: "panel values-panel" }, this.#values),
          this.#facts(chart),
        ),
      ),
      this.#more(chart),
    );
  }

  /** @param {StrategyChart} chart */
  #facts(chart) {
    const cost = chart.house_edge - chart.optimum_edge;
    return h(
      "div",
      { class: "panel facts" },
      h(
        "dl",
        { class: "edges" },
        h("dt", null, t("strategy.edge")),
        h("dd", { class: "numbers" }, percent(chart.house_edge, 3)),
        h("dt", null, t("strategy.optimum")),
        h("dd", { class: "numbers" }, percent(chart.optimum_edge, 3)),
        h("dt", null, t("strategy.cost")),
        h("dd", { class: "numbers" }, percent(cost, cost < 5e-10 ? 0 : cost < 5e-6 ? 7 : 4)),
      ),
      h("h2", { class: "eyebrow" }, t("strategy.legend")),
      h(
        "ul",
        { class: "legend" },
        chart.legend.map((sign) =>
          h(
            "li",
            null,
            h("span", { class: `cell cell-${sign.kind}`, "aria-hidden": "true" }, sign.sign.replace("-", "–")),
            h("span", { class: "unseen" }, `${sign.sign}: `),
            sign.words,
          ),
        ),
      ),
    );
  }

  /** @param {StrategyChart} chart */
  #more(chart) {
    const { exceptions, settings } = this.#address;
    const file = (/** @type {string} */ format) => {
      const query = queryOf({ exceptions, settings });
      return `/api/v1/games/${this.#game}/strategy/file${query ? `${query}&` : "?"}format=${format}`;
    };
    return h(
      "section",
      { class: "strategy-more", "aria-label": t("strategy.notes") },
      h(
        "div",
        { class: "row tools" },
        h("button", { type: "button", class: "gold", onclick: () => print() }, t("strategy.print")),
        h("a", { class: "button quiet", href: file("text") }, t("strategy.asText")),
        h("a", { class: "button quiet", href: file("svg") }, t("strategy.asDrawing")),
        h(
          "label",
          { class: "switch-row" },
          h("input", { type: "checkbox", class: "switch", checked: exceptions, onchange: () => this.#toggleExceptions() }),
          h("span", null, t("strategy.exceptions")),
        ),
      ),
      exceptions && h("h2", null, t("strategy.exceptionsTitle")),
      exceptions && this.#exceptions(chart),
      h("div", { class: "notes muted small" }, chart.notes.map((note) => h("p", null, note))),
    );
  }

  /** @param {StrategyChart} chart */
  #exceptions(chart) {
    if (!chart.exceptions.length) return h("p", null, t("strategy.noExceptions"));
    return h("ul", { class: "exceptions" }, chart.exceptions.map((one) => h("li", null, h("strong", null, one.hand), ` ${one.words}`)));
  }

  async #toggleExceptions() {
    this.#address = { ...this.#address, exceptions: !this.#address.exceptions };
    history.replaceState(null, "", location.pathname + queryOf(this.#address));
    await this.#load();
    /** @type {HTMLElement | null} */ (this.querySelector(".tools .switch"))?.focus();
  }

  /**
   * @param {ChartRow} row
   * @param {string} column
   * @param {ChartCell} cell
   * @param {HTMLElement} element
   */
  #showValues(row, column, cell, element) {
    if (this.#shown === element) return;
    this.#shown?.classList.remove("shown");
    this.#shown = element;
    element.classList.add("shown");
    const title = t("strategy.cellTitle", { row: row.title, column });
    const most = cell.actions[0]?.cents ?? 0;
    const values = cell.actions.map((one) => ({ ...one, best: most - one.cents < 1e-9, cost: most - one.cents }));
    replaceChildren(
      this.#values,
      h("h2", null, title),
      h("p", { class: "cell-words" }, cell.words),
      values.length > 0 && valueTable(values, title),
      h("p", { class: "muted small" }, values.length ? this.#convention(row, column, cell) : t("strategy.cellEmpty")),
    );
  }

  /**
   * Return what the values of a cell are averaged over and conditioned on.
   * @param {ChartRow} row
   * @param {string} column
   * @param {ChartCell} cell
   */
  #convention(row, column, cell) {
    const chart = /** @type {StrategyChart} */ (this.#chart);
    const isPair = row.title === row.name;
    const hands = cell.hands.join(" · ");
    return [
      t("strategy.cellUnit", { given: chart.given[chart.columns.indexOf(column)] }),
      t(cell.hands.length > 1 ? "strategy.cellHands" : "strategy.cellHand", { hands }),
      ...(chart.column_groups.length > 1 ? [t("strategy.cellDealer")] : []),
      ...(isPair ? [] : [t("strategy.cellLonger")]),
    ].join(" ");
  }
}

customElements.define("hc-strategy", Strategy);
