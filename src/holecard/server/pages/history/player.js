// @ts-check
// The controls of a replay: first, back, play, forward, last, a slider, and the list of steps; keys do the same.

import { announce } from "../core/announce.js";
import { h, replaceChildren, svg } from "../core/dom.js";
import { settings } from "../core/settings.js";
import { t } from "./text.js";
import { decision, stepWords } from "./words.js";

/** @typedef {import("./steps.js").Step} Step */

/** The signs on the buttons, in a square of 24. */
const SIGNS = { first: "M5 5h3v14H5zM20 5v14L9 12z", back: "M18 5v14L6 12z", forward: "M6 5v14l12-7z", last: "M16 5h3v14h-3zM4 5v14l11-7z" };
/** Milliseconds that each step stays while the replay plays, after its card has arrived. */
const STAY = { normal: 700, fast: 350, instant: 900 };

/** Moves through the steps of a round; `show` draws one and resolves when it is still. */
export class Player {
  /** @type {readonly Step[]} */
  #steps = [];
  #place = 0;
  #show;
  #isPlaying = false;
  /** How often it was started: a run that waits when the next one starts must end. */
  #runs = 0;
  #slider = h("input", { type: "range", min: "0", value: "0", "aria-label": t("history.position"), oninput: () => this.go(Number(this.#slider.value)) });
  #play = h("button", { type: "button", class: "gold play", onclick: () => this.toggle() });
  #words = h("p", { class: "step-words" });
  controls = h("div", { class: "controls", role: "group", "aria-label": t("history.controls") });
  list = h("ol", { class: "steps" });
  /** @type {HTMLButtonElement[]} */
  #buttons = [];

  /** @param {(step: Step, before: Step | null) => Promise<void>} show */
  constructor(show) {
    this.#show = show;
    const button = (/** @type {keyof typeof SIGNS} */ name, /** @type {() => void} */ act) =>
      h(
        "button",
        { type: "button", class: "sign-button", onclick: act, "aria-label": t(`history.${name}`), title: t(`history.${name}`) },
        svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: SIGNS[name] })),
      );
    replaceChildren(
      this.controls,
      this.#words,
      this.#slider,
      h(
        "div",
        { class: "row" },
        button("first", () => this.go(0)),
        button("back", () => this.go(this.#place - 1)),
        this.#play,
        button("forward", () => this.go(this.#place + 1)),
        button("last", () => this.go(this.#steps.length - 1)),
      ),
    );
    this.#drawPlay();
  }

  /**
   * Load the steps of a round, and show one of them.
   * @param {readonly Step[]} steps
   * @param {number} place
   */
  load(steps, place) {
    this.#steps = steps;
    this.#slider.max = String(steps.length - 1);
    this.#buttons = steps.map((step, at) => h("button", { type: "button", class: "quiet", onclick: () => this.go(at) }, this.#label(step)));
    replaceChildren(this.list, this.#groups());
    void this.#draw(place, false);
  }

  /** The number of the step that is shown, from 0. */
  get place() {
    return this.#place;
  }

  /** Play from here, from the start if this is the end, or pause. */
  toggle() {
    this.#isPlaying = !this.#isPlaying;
    this.#drawPlay();
    if (this.#isPlaying) void this.#run();
  }

  /**
   * Show a step, and pause.
   * @param {number} place
   */
  go(place) {
    this.#isPlaying = false;
    this.#drawPlay();
    void this.#draw(place, place === this.#place + 1);
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} whether the key was for the replay
   */
  key(event) {
    const target = /** @type {Element | null} */ (event.target);
    const isField = target?.closest("input, select, textarea");
    const isButton = target?.closest("button, a, summary");
    const acts = /** @type {Record<string, () => void>} */ ({
      ArrowLeft: () => this.go(this.#place - 1),
      ArrowRight: () => this.go(this.#place + 1),
      Home: () => this.go(0),
      End: () => this.go(this.#steps.length - 1),
      " ": () => this.toggle(),
    });
    if (!acts[event.key] || event.ctrlKey || event.altKey || event.metaKey || isField) return false;
    if (event.key === " " && isButton) return false;
    acts[event.key]();
    return true;
  }

  async #run() {
    const run = ++this.#runs;
    const goesOn = () => this.#isPlaying && run === this.#runs;
    if (this.#place >= this.#steps.length - 1) await this.#draw(0, false);
    while (goesOn() && this.#place < this.#steps.length - 1) {
      await this.#draw(this.#place + 1, true);
      await new Promise((resolve) => setTimeout(resolve, STAY[settings.speed]));
    }
    if (goesOn()) this.toggle();
  }

  /**
   * @param {number} place
   * @param {boolean} animate
   */
  async #draw(place, animate) {
    const kept = Math.max(0, Math.min(place, this.#steps.length - 1));
    const step = this.#steps[kept];
    this.#place = kept;
    const words = stepWords(step);
    this.#slider.value = String(kept);
    this.#slider.setAttribute("aria-valuetext", t("history.stepOf", { n: kept + 1, all: this.#steps.length, words }));
    replaceChildren(this.#words, h("span", { class: "muted numbers" }, `${kept + 1} / ${this.#steps.length}`), " ", words);
    this.#buttons.forEach((button, at) => button.toggleAttribute("aria-current", at === kept));
    this.#buttons[kept].setAttribute("aria-current", "step");
    // At first the page has yet to find its heights.
    requestAnimationFrame(() => requestAnimationFrame(() => this.#reveal(this.#buttons[this.#place])));
    announce(words);
    await this.#show(step, animate ? (this.#steps[kept - 1] ?? null) : null);
  }

  /**
   * Scroll the list, but not the page.
   * @param {HTMLElement} button
   */
  #reveal(button) {
    const item = /** @type {HTMLElement} */ (button.closest("li"));
    const top = button.offsetTop; // the list is what it is measured from
    if (top < this.list.scrollTop || top + item.offsetHeight > this.list.scrollTop + this.list.clientHeight) {
      this.list.scrollTop = top - this.list.clientHeight / 3;
    }
  }

  /** The steps, those of one entry together. */
  #groups() {
    return this.#buttons.map((button, at) => h("li", { class: this.#steps[at].begins ? "begins" : "" }, button));
  }

  /** @param {Step} step */
  #label(step) {
    const isDeal = step.begins && step.events.length && step.entry.kind === "moved" && !step.entry.move.startsWith("seat ");
    return isDeal ? [h("strong", null, decision(step)), h("span", null, stepWords({ ...step, begins: false }))] : stepWords(step);
  }

  #drawPlay() {
    replaceChildren(this.#play, t(this.#isPlaying ? "history.pause" : "history.play"));
  }
}
