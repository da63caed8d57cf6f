// @ts-check
// <hc-coach>: asks the server what each action is worth, and shows it when the player wants to know.

import { announce } from "../core/announce.js";
import { get, Refused } from "../core/api.js";
import { h, replaceChildren } from "../core/dom.js";
import { settings } from "../core/settings.js";
import { t } from "../core/text.js";
import { sessionPart, shortText, speed, values, verdict, verdictText } from "./parts.js";
import { hasValues, isNewDecision, spotKey, valuesAreShown } from "./reading.js";

/** @typedef {import("../core/protocol").CoachAnswer} CoachAnswer */
/** @typedef {import("../core/protocol").ShownTable} ShownTable */
/** @typedef {{table: string | {id: string}, view: ShownTable, number: number}} Update */

/** Milliseconds until the sums of a session are asked for again while the server adds them up. */
const AGAIN = 400;
const MOST_TIMES_AGAIN = 20;
const SHEET = "/static/style/coach.css";

/**
 * The coach at one table. `update` says what the table shows now; the event "advice" has the values that may be seen:
 * `{number, actions}`, without actions while they are hidden.
 */
export class Coach extends HTMLElement {
  /** @type {Update | null} */
  #now = null;
  /** @type {CoachAnswer | null} */
  #answer = null;
  /** @type {string | null} */
  #askedFor = null;
  /** Whether the player asked before the values of this view had arrived. */
  #isWanted = false;
  #isAsking = false;
  #asksAgain = false;
  #again = 0;
  #isOpen = false;
  #problem = "";
  /** @type {(() => void) | null} */
  #stop = null;

  connectedCallback() {
    if (!document.querySelector(`link[href="${SHEET}"]`)) {
      document.head.append(h("link", { rel: "stylesheet", href: SHEET }));
    }
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", t("coach.title"));
    document.addEventListener("keydown", this.#onKey);
    this.#stop = settings.onChange(() => this.#changed());
    this.#draw();
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.#onKey);
    this.#stop?.();
  }

  /** Whether the coach is on; every open page hears of it. */
  get enabled() {
    return settings.coach;
  }

  set enabled(value) {
    settings.coach = value;
  }

  /**
   * Say what the table shows now.
   * @param {Update} now
   */
  update(now) {
    this.#now = now;
    this.#again = 0;
    this.#tell();
    void this.#ask();
  }

  /** Show the values of what can be chosen now. */
  hint() {
    if (!this.enabled) return;
    this.#isWanted = this.#answer?.number !== this.#now?.number;
    if (this.#isWanted || !this.#answer || !hasValues(this.#answer)) return;
    const key = spotKey(this.#answer);
    this.#askedFor = this.#askedFor === key ? null : key;
    this.#isOpen = false;
    this.#draw();
    this.#tell();
  }

  #hide() {
    this.#askedFor = null;
    this.#isWanted = false;
    this.#draw();
    this.#tell();
  }

  #changed() {
    this.#draw();
    this.#tell();
    if (this.enabled) void this.#ask();
  }

  #onKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
    const target = /** @type {HTMLElement | null} */ (event.target);
    if (target?.closest?.("input, select, textarea, [contenteditable], dialog")) return;
    if (event.key === "Escape" && this.#askedFor !== null) this.#hide();
    else if (event.key === "e" || event.key === "E") this.hint();
    else if (event.key === "c" || event.key === "C") this.enabled = !this.enabled;
    else return;
    event.preventDefault();
  };

  /** Ask the server; while it answers, a newer view waits. */
  async #ask() {
    if (!this.enabled || !this.#now) return;
    if (this.#isAsking) {
      this.#asksAgain = true;
      return;
    }
    this.#isAsking = true;
    const table = typeof this.#now.table === "string" ? this.#now.table : this.#now.table.id;
    try {
      this.#take(await get(`/tables/${table}/coach`));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#problem = t("coach.problem", { why: error.message });
      this.#draw();
    } finally {
      this.#isAsking = false;
      if (this.#asksAgain) {
        this.#asksAgain = false;
        void this.#ask();
      }
    }
  }

  /** @param {CoachAnswer} answer */
  #take(answer) {
    const before = this.#answer;
    this.#answer = answer;
    this.#problem = "";
    if (isNewDecision(before?.last, answer.last) && before && this.#tells && answer.last) {
      announce(verdictText(answer.last));
    }
    if (this.#askedFor !== null && this.#askedFor !== spotKey(answer)) {
      this.#askedFor = null;
    }
    if (this.#isWanted && answer.number === this.#now?.number) {
      this.#isWanted = false;
      this.#askedFor = hasValues(answer) ? spotKey(answer) : null;
    }
    this.#draw();
    this.#tell();
    if (answer.session.left && this.#again < MOST_TIMES_AGAIN) {
      this.#again += 1;
      setTimeout(() => void this.#ask(), AGAIN);
    }
  }

  /** Whether verdicts may be seen without a question. */
  get #tells() {
    return settings.coachShows !== "asked";
  }

  get #isShown() {
    return this.enabled && valuesAreShown(this.#answer, settings.coachShows, this.#askedFor);
  }

  /** Say which values the buttons may show: those of this very view. */
  #tell() {
    const current = this.#isShown && this.#answer?.number === this.#now?.number;
    const detail = { number: this.#now?.number ?? 0, actions: current ? (this.#answer?.actions ?? []) : [] };
    this.dispatchEvent(new CustomEvent("advice", { detail, bubbles: true }));
  }

  // What is shown

  #draw() {
    const isOn = this.enabled;
    this.classList.toggle("off", !isOn);
    const focused = this.contains(document.activeElement) ? document.activeElement?.getAttribute("data-part") : null;
    replaceChildren(this, this.#line(isOn), isOn && this.#body(), isOn && this.#askedFor !== null && this.#card());
    if (focused) /** @type {HTMLElement | null} */ (this.querySelector(`[data-part="${focused}"]`))?.focus();
  }

  /** @param {boolean} isOn */
  #line(isOn) {
    const opens = { "aria-expanded": String(this.#isOpen), onclick: () => this.#toggle() };
    const asks = {
      "aria-pressed": String(this.#askedFor !== null),
      "aria-keyshortcuts": "E",
      disabled: !hasValues(this.#answer),
      onclick: () => this.hint(),
    };
    const turnOn = () => {
      this.enabled = true;
    };
    return h(
      "div",
      { class: "coach-line" },
      h("p", { class: "eyebrow coach-heading" }, t("coach.title")),
      button(
        "open",
        opens,
        h("span", { class: "eyebrow" }, t("coach.title")),
        h("span", { class: "coach-short" }, isOn ? this.#problem || shortText(this.#answer, this.#tells) : t("coach.off")),
      ),
      isOn
        ? [
            // On a wide screen the panel is open, and this opens what is left: speed and settings.
            button("more", { ...opens, "aria-label": t("coach.more") }, "⋯"),
            button("hint", asks, h("kbd", { "aria-hidden": "true" }, "E"), t("coach.hint")),
          ]
        : button("hint", { onclick: turnOn }, t("coach.on")),
    );
  }

  #toggle() {
    this.#isOpen = !this.#isOpen;
    this.#askedFor = null; // what is opened lies where the values were
    this.#draw();
    this.#tell();
  }

  #body() {
    const body = h("div", { class: this.#isOpen ? "coach-body open" : "coach-body" });
    if (this.#problem) body.append(h("p", { class: "problem" }, this.#problem));
    if (this.#answer) {
      if (this.#tells) body.append(verdict(this.#answer.last));
      body.append(sessionPart(this.#answer.session));
    }
    body.append(
      h("div", { class: "coach-extra" }, this.#answer && speed(this.#answer.session), this.#choice()),
    );
    return body;
  }

  #card() {
    const answer = this.#answer;
    // On a narrow screen the buttons show the values of actions, and nothing may cover the cards.
    const isMore = answer !== null && (answer.late.length > 0 || answer.wagers.length > 0 || answer.insurance !== null);
    // It may lie over circles that wait for chips; a touch puts it away.
    return h(
      "div",
      { class: isMore ? "coach-card" : "coach-card only-actions", role: "status", onclick: () => this.#hide() },
      answer && values(answer),
    );
  }

  #choice() {
    const current = settings.coachShows;
    const options = ["after", "asked", "always", "off"].map((value) =>
      h("option", { value, selected: value === current }, t(`coach.shows.${value}`)),
    );
    const choose = (/** @type {Event} */ event) => {
      const value = /** @type {HTMLSelectElement} */ (event.target).value;
      if (value === "off") this.enabled = false;
      else settings.coachShows = /** @type {any} */ (value);
    };
    return h(
      "label",
      { class: "coach-choice muted" },
      h("span", null, t("coach.show")),
      h("select", { "data-part": "choice", onchange: choose }, options),
    );
  }
}

/**
 * Return a button that keeps the focus when the coach is drawn again.
 * @param {string} part
 * @param {Record<string, unknown>} properties
 * @param {...import("../core/dom.js").Child} children
 */
function button(part, properties, ...children) {
  return h("button", { type: "button", class: `quiet coach-${part}`, "data-part": part, ...properties }, ...children);
}

customElements.define("hc-coach", Coach);
