// @ts-check
// <hc-drill>: a question, its keys and buttons, what each answer was worth, and the progress.

import { announce, announceNow } from "../core/announce.js";
import { Refused, get, post, signedIn } from "../core/api.js";
import { h, replaceChildren } from "../core/dom.js";
import { changedWords, settingsOf } from "../core/setting_words.js";
import { queryOf, readAddress } from "./address.js";
import { deal, questionCards, questionText } from "./cards.js";
import { chooseGame } from "./games.js";
import { KEYS, actionOf } from "./hands.js";
import { showKinds } from "./kinds.js";
import { t } from "./text.js";
import { actionWord, plain, valueTable } from "./values.js";

/** @typedef {import("../core/protocol").DrillState} DrillState */
/** @typedef {import("../core/protocol").DrillResult} DrillResult */

const AUTOMATIC = "holecard.drill.automatic";
const PAUSE = 1600;

class Drill extends HTMLElement {
  #address = readAddress(location.pathname, location.search);
  #cloth = "green";
  /** @type {DrillState | null} */
  #state = null;
  /** @type {DrillResult | null} the answer that is shown; null while a question is open */
  #result = null;
  #busy = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #title = h("h1");
  #numbers = h("p", { class: "drill-numbers", "aria-live": "off" });
  #stage = h("div", { class: "drill-stage" });
  #answer = h("div", { class: "drill-answer" });
  #kinds = h("ul", { class: "kinds" });
  #problem = h("p", { class: "problem", role: "alert" });
  #note = h("p", { class: "muted drill-note", role: "status" });

  async connectedCallback() {
    document.addEventListener("keydown", this.#pressed);
    try {
      if (this.#address.game === null) return await chooseGame(this, "drill", t("drill.chooseTitle"), t("drill.choose"));
      this.#draw();
      await signedIn();
      const felt = get(`/games/${encodeURIComponent(this.#address.game)}`).then((game) => game.felt?.cloth ?? "green");
      await this.#ask();
      this.#cloth = await felt;
      this.#stage.querySelector("[data-cloth]")?.setAttribute("data-cloth", this.#cloth);
    } catch (error) {
      this.#fail(error);
    }
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.#pressed);
    clearTimeout(this.#timer);
  }

  get #path() {
    const { game, kind, settings } = this.#address;
    return `/games/${encodeURIComponent(game ?? "")}/drill${queryOf({ kind, settings })}`;
  }

  #draw() {
    const { game, settings } = this.#address;
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
          h("a", { href: `/games/${encodeURIComponent(game ?? "")}/strategy${queryOf({ settings })}` }, t("drill.toStrategy")),
          h("a", { href: "/drill" }, t("drill.toGames")),
        ),
      ),
      this.#problem,
      this.#note,
      h(
        "div",
        { class: "drill-columns" },
        h("section", { class: "drill-table", "aria-label": t("drill.question") }, this.#stage, this.#answer),
        h(
          "aside",
          { class: "panel drill-side", "aria-label": t("drill.progress") },
          this.#numbers,
          h("h2", { class: "eyebrow" }, t("drill.kinds")),
          this.#kinds,
          this.#automaticSwitch(),
        ),
      ),
    );
    this.#title.textContent = t("common.loading");
  }

  #automaticSwitch() {
    return h(
      "label",
      { class: "switch-row" },
      h("span", null, t("drill.automatic"), h("small", null, t("drill.automaticHint"))),
      h("input", {
        type: "checkbox",
        class: "switch",
        checked: localStorage.getItem(AUTOMATIC) === "yes",
        onchange: (/** @type {Event} */ event) => {
          const wanted = /** @type {HTMLInputElement} */ (event.target).checked;
          localStorage.setItem(AUTOMATIC, wanted ? "yes" : "no");
        },
      }),
    );
  }

  async #ask() {
    const { kind } = this.#address;
    try {
      this.#show(/** @type {DrillState} */ (await get(this.#path)));
      return;
    } catch (error) {
      // An address may name a kind that another game has.
      if (kind === null || !(error instanceof Refused) || ![409, 422].includes(error.status)) throw error;
    }
    this.#address = { ...this.#address, kind: null };
    history.replaceState(null, "", location.pathname + queryOf(this.#address));
    this.#show(/** @type {DrillState} */ (await get(this.#path)));
    this.#note.textContent = t("drill.noKind", { kind });
  }

  /** @param {DrillState} state */
  #show(state) {
    this.#state = state;
    this.#result = null;
    const question = state.question;
    document.title = t("drill.documentTitle", { game: state.title });
    this.#title.textContent = t("drill.title", { game: state.title });
    this.#showProgress(state);
    const heading = h("h3", { class: "drill-asked", tabIndex: -1 }, questionText(question));
    const felt = questionCards(question, this.#cloth);
    replaceChildren(
      this.#stage,
      h("h2", { class: "eyebrow" }, t("drill.number", { number: question.number + 1, kind: question.kind })),
      felt,
      heading,
    );
    deal(felt);
    replaceChildren(
      this.#answer,
      h(
        "div",
        { class: "drill-actions" },
        question.actions.map((action) =>
          h(
            "button",
            {
              type: "button",
              "data-action": action,
              "aria-keyshortcuts": KEYS[action].toUpperCase(),
              onclick: () => this.#choose(action),
            },
            actionWord(action),
            h("kbd", { "aria-hidden": "true" }, KEYS[action].toUpperCase()),
          ),
        ),
      ),
    );
    announce(questionText(question));
  }

  /** @param {DrillState} state */
  #showProgress(state) {
    const words = state.answered
      ? t("drill.numbers", { answered: state.answered, streak: state.streak, best: state.best_streak })
      : t("drill.firstQuestion");
    this.#numbers.textContent = words;
    showKinds(this.#kinds, state.kinds, state.kind, (kind) => this.#chooseKind(kind));
  }

  /** @param {string | null} kind */
  async #chooseKind(kind) {
    this.#address = { ...this.#address, kind };
    this.#note.textContent = "";
    history.replaceState(null, "", location.pathname + queryOf(this.#address));
    clearTimeout(this.#timer);
    try {
      await this.#ask();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {string} action */
  async #choose(action) {
    if (this.#busy || this.#result || !this.#state) return;
    this.#busy = true;
    try {
      const body = { number: this.#state.question.number, action };
      this.#showResult(/** @type {DrillResult} */ (await post(this.#path, body)));
      this.#problem.textContent = "";
    } catch (error) {
      this.#fail(error);
      // Answered in another window: what is next there is next here.
      if (/** @type {any} */ (error).code === "out of turn") await this.#ask().catch((again) => this.#fail(again));
    } finally {
      this.#busy = false;
    }
  }

  /** @param {DrillResult} result */
  #showResult(result) {
    this.#result = result;
    const best = result.values[0];
    const words = result.right
      ? t("drill.right", { streak: result.next.streak })
      : t("drill.wrong", { best: actionWord(best.action), cents: plain(result.cost) });
    const onclick = () => this.#next();
    const next = h("button", { type: "button", class: "gold next", onclick }, t("drill.next"), h("kbd", null, t("drill.enter")));
    const values = result.values.map((value) => ({ ...value, chosen: value.action === result.action }));
    replaceChildren(
      this.#answer,
      h(
        "div",
        { class: `panel drill-result ${result.right ? "is-right" : "is-wrong"}` },
        h(
          "div",
          { class: "verdict-row" },
          h(
            "p",
            { class: result.right ? "verdict won" : "verdict lost" },
            h("span", { "aria-hidden": "true" }, result.right ? "✓ " : "✗ "),
            words,
          ),
          next,
        ),
        valueTable(values, t("drill.valuesOf")),
        h("p", { class: "muted small" }, t("drill.unit", { unit: result.unit, given: result.given })),
      ),
    );
    this.#showProgress(result.next);
    const all = result.values.map((value) => t("drill.spoken", { action: actionWord(value.action), cents: value.cents.toFixed(1) }));
    announceNow(`${words} ${all.join("; ")}.`);
    next.focus({ preventScroll: true });
    this.#answer.scrollIntoView({ block: "nearest" });
    if (result.right && localStorage.getItem(AUTOMATIC) === "yes") this.#timer = setTimeout(() => this.#next(), PAUSE);
  }

  #next() {
    clearTimeout(this.#timer);
    if (!this.#result) return;
    this.#show(this.#result.next);
    /** @type {HTMLElement | null} */ (this.#stage.querySelector(".drill-asked"))?.focus({ preventScroll: true });
    this.#stage.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  #pressed = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || document.querySelector("dialog[open]")) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (this.#result && event.key === "Enter" && target.tagName !== "BUTTON" && target.tagName !== "A") {
      event.preventDefault();
      this.#next();
      return;
    }
    const action = this.#result || !this.#state ? null : actionOf(event.key, this.#state.question.actions);
    if (action !== null) {
      event.preventDefault();
      this.#choose(action);
    }
  };

  /** @param {unknown} error */
  #fail(error) {
    const why = /** @type {Error} */ (error).message;
    if (!this.contains(this.#problem)) this.append(this.#problem);
    this.#problem.textContent = t("common.failed", { why });
    if (!this.#state) this.#title.textContent = t("header.drill");
  }
}

customElements.define("hc-drill", Drill);
