// @ts-check
// <hc-felt>: a table that draws itself from the sheet's felt, and shows a view with the cards and chips in motion.

import { h, keyed, replaceChildren } from "../core/dom.js";
import { CardLayer } from "./card_layer.js";
import { CARD_RATIO } from "./cards.js";
import { cloth, showShoe } from "./cloth.js";
import { NARROW_HEIGHT, WIDE, narrowLayout, wideLayout } from "./geometry.js";
import { pause, times } from "./motion.js";
import { clothTable, payTables, sizeOf, twoColumns } from "./pay_tables.js";
import { put } from "./places.js";
import { beforeResults, scene } from "./scene.js";
import { StackLayer } from "./stack_layer.js";

/** @typedef {import("./types.js").Felt} Felt */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Event} Event */
/** @typedef {import("./geometry.js").Layout} Layout */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Stakes} Stakes */
/** @typedef {{events?: readonly Event[], animate?: boolean, onEvent?: (event: Event) => void}} Showing */

/** Below this width or this height, in pixels, the layout is that of a phone; the style sheet has the same limits. */
const NARROW = 820;
const LOW = 520;

export class FeltElement extends HTMLElement {
  /** @type {Felt | null} */
  #felt = null;
  /** @type {View | null} */
  #view = null;
  /** @type {Layout | null} */
  #layout = null;
  /** @type {ReadonlyMap<number, Stakes>} */
  #drafts = new Map();
  #cards = new CardLayer();
  #stacks = new StackLayer();
  #round = -1;
  /** @type {readonly number[]} */
  #mine = [];
  #focus = 0;
  #top = h("div", { class: "felt-top" });
  #print = h("div", { class: "felt-print" });
  #totalLayer = h("div", { class: "felt-totals", "aria-hidden": "true" });
  /** Elements of the page on the felt: seats, circles, words; `place` positions them. */
  overlay = h("div", { class: "felt-overlay" });
  #resize = new ResizeObserver(() => this.#fit());

  connectedCallback() {
    if (!this.#top.isConnected) {
      this.#top.append(this.#print, this.#cards.element, this.#stacks.element, this.#totalLayer, this.overlay);
      this.append(this.#top);
    }
    this.#resize.observe(this);
  }

  disconnectedCallback() {
    this.#resize.disconnect();
  }

  /** Where everything is; null before `describe`. */
  get layout() {
    return this.#layout;
  }

  /**
   * Draw the cloth of a game.
   * @param {Felt} felt
   */
  describe(felt) {
    this.#felt = felt;
    this.dataset.cloth = felt.cloth;
    this.#layout = null;
    this.#fit();
  }

  /**
   * Say which seat is shown in full on a phone, and which seats are larger on a wide screen.
   * @param {number} focus 0 for none
   */
  set focusSeat(focus) {
    if (focus === this.#focus) return;
    this.#focus = focus;
    this.#layout = null;
    this.#fit();
  }

  get focusSeat() {
    return this.#focus;
  }

  /**
   * Show chips that are put down but not bet yet.
   * @param {ReadonlyMap<number, Stakes>} drafts
   */
  set drafts(drafts) {
    this.#drafts = drafts;
    if (this.#view) this.#drawStacks(this.#scene(this.#view), 0);
  }

  /**
   * Show a view; with events, cards are dealt and chips are moved one after the other. Resolves when all is still.
   * @param {View} view
   * @param {Showing} [showing]
   */
  async show(view, { events = [], animate = true, onEvent = () => {} } = {}) {
    const known = this.#view;
    this.#view = view;
    if (!this.#felt || !this.#layout) return;
    const time = animate && known ? times() : null;
    if (this.#round !== view.round || !view.dealer.cards.length) {
      this.#cards.sweep(this.#pixels(this.#places().discard, 40), time);
    }
    this.#round = view.round;
    if (!time) {
      this.#draw(view);
      events.forEach(onEvent);
      return;
    }
    await this.#act(view, events, time, onEvent);
  }

  /**
   * @param {View} view
   * @param {readonly Event[]} events
   * @param {import("./motion.js").Times} time
   * @param {(event: Event) => void} onEvent
   */
  async #act(view, events, time, onEvent) {
    const before = beforeResults(view, events);
    const first = this.#scene(before);
    const fresh = this.#cards.draw(first.cards, true);
    this.#drawStacks(first, time.chips);
    const busy = new Set(fresh.map((item) => `${item.seat}:${item.hand}`));
    this.#drawTotals({ ...first, totals: first.totals.filter((item) => !busy.has(item.key)) });
    /** @type {Promise<unknown>[]} */
    const moving = [];
    for (const event of events) {
      if (this.#view !== view) return; // a newer view is shown
      if (event.event === "result") continue;
      onEvent(event);
      if (event.event === "card") {
        const place = fresh.findIndex((item) => item.seat === event.seat && (item.hand === event.hand || !event.seat));
        const [item] = fresh.splice(Math.max(place, 0), 1);
        if (item) moving.push(this.#cards.deal(item, this.#pixels(this.#places().shoe, item.width), time));
        await pause(time.between);
      } else {
        if (event.event === "hole card") await this.#cards.turnHole(view.dealer.cards, time);
        await pause(time.pause);
      }
    }
    this.#cards.showAll();
    await Promise.all(moving);
    if (this.#view !== view) return;
    events.filter((event) => event.event === "result").forEach(onEvent);
    this.#draw(view, time.chips);
    if (events.some((event) => event.event === "result")) await pause(time.chips);
  }

  // Drawing

  /**
   * @param {View} view
   * @param {number} [duration] of movements of chips
   */
  #draw(view, duration = 0) {
    const found = this.#scene(view);
    this.#cards.draw(found.cards, false);
    this.#cards.showAll();
    this.#drawStacks(found, duration);
    this.#drawTotals(found);
    const picture = this.#print.querySelector("svg");
    if (picture && this.#felt) showShoe(picture, this.#felt, view.shoe?.left ?? null);
  }

  /** @param {View} view */
  #scene(view) {
    return scene(view, /** @type {Felt} */ (this.#felt), this.#places(), this.#drafts);
  }

  /**
   * @param {Scene} found
   * @param {number} duration
   */
  #drawStacks(found, duration) {
    this.#stacks.draw(found.stacks, this.#pixels(this.#places().rack, 0), duration);
  }

  /** @param {Pick<Scene, "totals">} found */
  #drawTotals({ totals }) {
    keyed(
      this.#totalLayer,
      totals,
      (item) => item.key,
      (item, old) => {
        const element = old ?? h("div");
        element.className = `total ${item.kind}`;
        element.textContent = item.text;
        put(element, item.x, item.y);
        return element;
      },
    );
  }

  // Places

  #places() {
    return /** @type {Layout} */ (this.#layout);
  }

  /**
   * @param {{x: number, y: number}} place
   * @param {number} width of the card that is to be there
   */
  #pixels(place, width) {
    const unit = this.#unit();
    return { x: (place.x - width / 2) * unit, y: (place.y - (width * CARD_RATIO) / 2) * unit };
  }

  #unit() {
    return this.clientWidth / this.#places().width;
  }

  #fit() {
    if (!this.#felt || !this.isConnected || !this.clientWidth) return;
    const narrow = (globalThis.innerWidth || this.clientWidth) < NARROW || globalThis.innerHeight < LOW;
    const height = narrow
      ? Math.round(Math.min(540, Math.max(NARROW_HEIGHT, (360 * this.clientHeight) / this.clientWidth)))
      : WIDE.height;
    const old = this.#layout;
    if (!old || (old.shape === "narrow") !== narrow || old.height !== height) {
      this.#layout = narrow ? narrowLayout(this.#felt, height, this.#focus) : wideLayout(this.#felt, this.#mine);
      this.dataset.shape = this.#layout.shape;
      this.#drawPrint();
      this.dispatchEvent(new CustomEvent("layout"));
    }
    this.style.setProperty("--u", `${this.#unit()}px`);
    if (this.#view) this.#draw(this.#view);
  }

  /** Seats that are drawn larger on a wide screen: this person's. @param {readonly number[]} seats */
  set mine(seats) {
    if (String(seats) === String(this.#mine)) return;
    this.#mine = seats;
    this.#layout = null;
    this.#fit();
  }

  /** What `describe` was given. */
  get description() {
    return this.#felt;
  }

  #drawPrint() {
    const felt = /** @type {Felt} */ (this.#felt);
    const layout = this.#places();
    const parts = [cloth(felt, layout)];
    if (layout.shape === "wide") {
      twoColumns(payTables(felt)).forEach((blocks, side) => {
        const size = sizeOf(blocks);
        const column = h(
          "div",
          { class: `pay-tables ${side ? "right" : "left"}` },
          blocks.map(clothTable),
        );
        column.style.setProperty("--size", String(size));
        if (blocks.length) parts.push(/** @type {any} */ (column));
      });
    }
    replaceChildren(this.#print, parts);
    this.style.setProperty("--h", String(layout.height));
    this.style.setProperty("--felt-width", String(layout.width));
  }
}

customElements.define("hc-felt", FeltElement);
