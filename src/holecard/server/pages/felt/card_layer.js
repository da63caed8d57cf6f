// @ts-check
// The cards on the cloth as elements: each keeps its element when it moves, so that it can be seen moving.

import { h, replaceChildren } from "../core/dom.js";
import { cardFace } from "./cards.js";
import { arrive, leave, turnOver } from "./motion.js";
import { put } from "./places.js";
import { matchCards } from "./scene.js";

/** @typedef {import("./motion.js").Times} Times */
/** @typedef {import("./scene.js").CardItem} CardItem */
/** @typedef {(place: {x: number, y: number}, width: number) => {x: number, y: number}} Pixels */

/** All cards that lie on a table. */
export class CardLayer {
  element = h("div", { class: "felt-cards", "aria-hidden": "true" });
  /** @type {CardItem[]} */
  #items = [];
  /** @type {Map<string, HTMLElement>} */
  #elements = new Map();

  /**
   * Put the cards where they belong; return those that are new. Dealt later, they are not to be seen yet, and the hole
   * card stays as it is until it is turned over.
   * @param {CardItem[]} items
   * @param {boolean} later
   */
  draw(items, later) {
    const pairs = matchCards(this.#items, items);
    const fresh = [];
    /** @type {Map<string, HTMLElement>} */
    const elements = new Map();
    for (const item of items) {
      const old = pairs.get(item.key);
      const element = (old && this.#elements.get(old)) || h("div", { class: "card" });
      if (!old) {
        if (later) element.classList.add("undealt");
        fresh.push(item);
      }
      if (!old || !later || item.seat) setFace(element, item.card);
      put(element, item.x, item.y, item.width);
      element.classList.toggle("active", item.active);
      element.classList.toggle("over", item.over);
      elements.set(item.key, element);
    }
    this.#replace(items, elements);
    return fresh;
  }

  /**
   * @param {CardItem[]} items
   * @param {Map<string, HTMLElement>} elements
   */
  #replace(items, elements) {
    const kept = new Set(elements.values());
    for (const element of this.#elements.values()) if (!kept.has(element)) element.remove();
    for (const element of kept) if (!element.isConnected || this.#isMoved(element, kept)) this.element.append(element);
    [this.#items, this.#elements] = [items, elements];
  }

  /**
   * Whether cards lie in another order than before, as after a split; later cards lie on top.
   * @param {HTMLElement} element
   * @param {Set<HTMLElement>} kept
   */
  #isMoved(element, kept) {
    const order = [...this.element.children].filter((child) => kept.has(/** @type {HTMLElement} */ (child)));
    return order.indexOf(element) !== [...kept].indexOf(element);
  }

  /** Show every card that is dealt. */
  showAll() {
    for (const element of this.#elements.values()) element.classList.remove("undealt");
  }

  /**
   * Deal a card from the shoe; resolves when it lies on the cloth.
   * @param {CardItem} item
   * @param {{x: number, y: number}} shoe in pixels
   * @param {Times} time
   */
  deal(item, shoe, time) {
    const element = this.#elements.get(item.key);
    if (!element) return Promise.resolve();
    element.classList.remove("undealt");
    return arrive(element, shoe, time.card, { rotate: "24deg", scale: "0.8" });
  }

  /**
   * Turn the dealer's hole card over; resolves when its face is seen.
   * @param {readonly (string | null)[]} dealer the dealer's cards
   * @param {Times} time
   */
  async turnHole(dealer, time) {
    const place = dealer.findIndex((_, index) => this.#elements.get(`0:0:${index}`)?.dataset.card === "back");
    const [element, card] = [this.#elements.get(`0:0:${place}`), dealer[place]];
    if (element && card) await turnOver(element, time.turn, () => setFace(element, card));
  }

  /**
   * Clear the cloth: the cards go to the discard tray.
   * @param {{x: number, y: number}} discard in pixels
   * @param {Times | null} time
   */
  sweep(discard, time) {
    for (const element of this.#elements.values()) {
      if (time) void leave(element, discard, time.card);
      else element.remove();
    }
    [this.#items, this.#elements] = [[], new Map()];
  }
}

/**
 * @param {HTMLElement} element
 * @param {string | null} card
 */
function setFace(element, card) {
  const name = card ?? "back";
  if (element.dataset.card === name) return;
  element.dataset.card = name;
  replaceChildren(element, cardFace(card));
}
