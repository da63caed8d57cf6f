// @ts-check
// <hc-felt>: a table that draws itself from the sheet's felt, and shows a view with the cards and chips in motion.

import { h, keyed, replaceChildren } from "../core/dom.js";
import { money } from "../core/format.js";
import { CARD_RATIO, cardFace } from "./cards.js";
import { chipStack } from "./chips.js";
import { cloth, showShoe } from "./cloth.js";
import { WIDE, narrowLayout, wideLayout } from "./geometry.js";
import { arrive, leave, pause, times, turnOver } from "./motion.js";
import { payTables, twoColumns } from "./pay_tables.js";
import { beforeResults, matchCards, scene } from "./scene.js";

/** @typedef {import("./types.js").Felt} Felt */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Event} Event */
/** @typedef {import("./geometry.js").Layout} Layout */
/** @typedef {import("./scene.js").CardItem} CardItem */
/** @typedef {import("./scene.js").StackItem} StackItem */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Stakes} Stakes */
/** @typedef {{events?: readonly Event[], animate?: boolean, onEvent?: (event: Event) => void}} Showing */

/** Below this width, in pixels, the layout is that of a phone. */
const NARROW = 820;
/** Chips are smaller than the circle that they lie in. */
const CHIP = 0.74;

export class FeltElement extends HTMLElement {
  /** @type {Felt | null} */
  #felt = null;
  /** @type {View | null} */
  #view = null;
  /** @type {Layout | null} */
  #layout = null;
  /** @type {ReadonlyMap<number, Stakes>} */
  #drafts = new Map();
  /** @type {CardItem[]} */
  #cards = [];
  /** @type {Map<string, HTMLElement>} */
  #cardElements = new Map();
  #round = -1;
  /** @type {readonly number[]} */
  #mine = [];
  #focus = 0;
  #top = h("div", { class: "felt-top" });
  #print = h("div", { class: "felt-print" });
  #cardLayer = h("div", { class: "felt-cards", "aria-hidden": "true" });
  #stackLayer = h("div", { class: "felt-stacks", "aria-hidden": "true" });
  #totalLayer = h("div", { class: "felt-totals", "aria-hidden": "true" });
  /** Elements of the page on the felt: seats, circles, words; `place` positions them. */
  overlay = h("div", { class: "felt-overlay" });
  #resize = new ResizeObserver(() => this.#fit());

  connectedCallback() {
    if (!this.#top.isConnected) {
      this.#top.append(this.#print, this.#stackLayer, this.#cardLayer, this.#totalLayer, this.overlay);
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
    if (this.#round !== view.round || !view.dealer.cards.length) this.#sweep(time, view);
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
    const fresh = this.#drawCards(first.cards, time);
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
        moving.push(this.#deal(fresh, event, time));
        await pause(time.between);
      } else if (event.event === "hole card") await this.#turnHole(view, time);
      else await pause(time.pause);
    }
    for (const item of fresh) this.#cardElements.get(item.key)?.classList.remove("undealt");
    await Promise.all(moving);
    if (this.#view !== view) return;
    events.filter((event) => event.event === "result").forEach(onEvent);
    this.#draw(view, time.chips);
    if (events.some((event) => event.event === "result")) await pause(time.chips);
  }

  /**
   * @param {CardItem[]} fresh cards that are not dealt yet
   * @param {Event & {event: "card"}} event
   * @param {import("./motion.js").Times} time
   */
  #deal(fresh, event, time) {
    const place = fresh.findIndex((item) => item.seat === event.seat && (item.hand === event.hand || !event.seat));
    const [item] = fresh.splice(Math.max(place, 0), 1);
    const element = item && this.#cardElements.get(item.key);
    if (!element) return Promise.resolve();
    element.classList.remove("undealt");
    const shoe = this.#pixels(this.#places().shoe, item.width);
    return arrive(element, shoe, time.card, { rotate: "24deg", scale: "0.8" });
  }

  /**
   * @param {View} view
   * @param {import("./motion.js").Times} time
   */
  async #turnHole(view, time) {
    const turned = [...this.#cardElements].find(
      ([key, element]) => key.startsWith("0:") && element.dataset.card === "back",
    );
    const item = turned && this.#cards.find((one) => one.key === turned[0]);
    const card = view.dealer.cards[Number(turned?.[0].split(":")[2])];
    if (!turned || !item || !card) return;
    await turnOver(turned[1], time.turn, () => this.#face(turned[1], card));
    await pause(time.pause / 2);
  }

  // Drawing

  /**
   * @param {View} view
   * @param {number} [duration] of movements of chips
   */
  #draw(view, duration = 0) {
    const found = this.#scene(view);
    this.#drawCards(found.cards, null, true);
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
   * Put the cards where they belong; return those that are new.
   * @param {CardItem[]} items
   * @param {import("./motion.js").Times | null} time null where new cards are there at once
   * @param {boolean} [turn] whether faces change at once
   */
  #drawCards(items, time, turn = false) {
    const pairs = matchCards(this.#cards, items);
    const elements = new Map();
    const fresh = [];
    for (const item of items) {
      const old = pairs.get(item.key);
      const element = (old && this.#cardElements.get(old)) || h("div", { class: "card" });
      if (!old) {
        this.#face(element, item.card);
        if (time) element.classList.add("undealt");
        fresh.push(item);
      } else if (turn || item.seat) this.#face(element, item.card);
      this.#place(element, item.x, item.y, item.width);
      element.classList.toggle("active", item.active);
      element.classList.toggle("over", item.over);
      elements.set(item.key, element);
    }
    for (const [, element] of this.#cardElements) if (![...elements.values()].includes(element)) element.remove();
    for (const element of elements.values()) this.#cardLayer.append(element);
    [this.#cards, this.#cardElements] = [items, elements];
    return fresh;
  }

  /**
   * @param {HTMLElement} element
   * @param {string | null} card
   */
  #face(element, card) {
    const name = card ?? "back";
    if (element.dataset.card === name) return;
    element.dataset.card = name;
    replaceChildren(element, cardFace(card));
  }

  /**
   * @param {Scene} found
   * @param {number} duration
   */
  #drawStacks(found, duration) {
    const rack = this.#pixels(this.#places().rack, 0);
    const old = new Map(
      [...this.#stackLayer.children].map((child) => [
        /** @type {HTMLElement} */ (child).dataset.key,
        /** @type {HTMLElement} */ (child),
      ]),
    );
    for (const item of found.stacks) {
      const element = old.get(item.key) ?? h("div", { class: "stack" });
      const before = Number(element.dataset.cents ?? 0);
      old.delete(item.key);
      element.dataset.key = item.key;
      element.dataset.cents = String(item.cents);
      element.style.setProperty("--r", String(item.size * CHIP));
      this.#place(element, item.x, item.y, 0);
      if (before !== item.cents) {
        replaceChildren(element, chipStack(item.cents), h("span", { class: "amount" }, money(item.cents)));
        const paid = duration && before && item.cents > before;
        if (paid) void arrive(element, rack, duration, { opacity: 0.3 });
      }
      this.#stackLayer.append(element);
    }
    for (const element of old.values()) {
      if (duration) void leave(element, rack, duration);
      else element.remove();
    }
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
        this.#place(element, item.x, item.y, 0);
        return element;
      },
    );
  }

  /**
   * Clear the cloth for a new round.
   * @param {import("./motion.js").Times | null} time
   * @param {View} view
   */
  #sweep(time, view) {
    if (!view.dealer.cards.length || this.#round !== view.round) {
      const to = this.#pixels(this.#places().discard, 40);
      for (const element of this.#cardElements.values()) {
        if (time) void leave(element, to, time.card);
        else element.remove();
      }
      [this.#cards, this.#cardElements] = [[], new Map()];
    }
  }

  // Places

  #places() {
    return /** @type {Layout} */ (this.#layout);
  }

  /**
   * Put an element at a place of the layout, in units of the felt.
   * @param {HTMLElement} element
   * @param {number} x
   * @param {number} y
   * @param {number} width 0 where the element has its own size and is centered
   */
  #place(element, x, y, width) {
    element.style.setProperty("--x", String(width ? x - width / 2 : x));
    element.style.setProperty("--y", String(width ? y - (width * CARD_RATIO) / 2 : y));
    if (width) element.style.setProperty("--w", String(width));
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
    const narrow = (globalThis.innerWidth || this.clientWidth) < NARROW;
    const height = narrow
      ? Math.round(Math.min(540, Math.max(372, (360 * this.clientHeight) / this.clientWidth)))
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
        const lines = blocks.reduce((sum, block) => sum + block.lines + 0.6, 0);
        const widest = Math.max(...blocks.map((block) => block.width), 1);
        const column = h(
          "div",
          { class: `pay-tables ${side ? "right" : "left"}` },
          blocks.map((block) => block.element),
        );
        column.style.setProperty("--size", String(Math.min(13.5, 146 / (lines * 1.24), 300 / (widest * 0.52))));
        if (blocks.length) parts.push(/** @type {any} */ (column));
      });
    }
    replaceChildren(this.#print, parts);
    this.style.setProperty("--h", String(layout.height));
    this.style.setProperty("--felt-width", String(layout.width));
  }
}

customElements.define("hc-felt", FeltElement);
