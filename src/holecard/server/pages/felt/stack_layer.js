// @ts-check
// The chips on the cloth as elements: they come from the house's rack when a wager wins, and go there when it loses.

import { h, replaceChildren } from "../core/dom.js";
import { money } from "../core/format.js";
import { chipStack } from "./chips.js";
import { arrive, leave } from "./motion.js";
import { put } from "./places.js";

/** @typedef {import("./scene.js").StackItem} StackItem */

/** Chips are smaller than the circle that they lie in. */
const CHIP = 0.74;

/** All stacks of chips that lie on a table. */
export class StackLayer {
  element = h("div", { class: "felt-stacks", "aria-hidden": "true" });
  /** @type {Map<string, HTMLElement>} */
  #elements = new Map();

  /**
   * Show stacks of chips.
   * @param {readonly StackItem[]} items
   * @param {{x: number, y: number}} rack in pixels
   * @param {number} duration of movements; 0 for none
   */
  draw(items, rack, duration) {
    const old = this.#elements;
    this.#elements = new Map(items.map((item) => [item.key, this.#stack(item, old.get(item.key), rack, duration)]));
    for (const [key, element] of old) {
      if (this.#elements.has(key)) continue;
      if (duration) void leave(element, rack, duration);
      else element.remove();
    }
  }

  /**
   * @param {StackItem} item
   * @param {HTMLElement | undefined} old
   * @param {{x: number, y: number}} rack
   * @param {number} duration
   */
  #stack(item, old, rack, duration) {
    const element = old ?? h("div", { class: "stack" });
    const before = Number(element.dataset.cents ?? 0);
    element.dataset.cents = String(item.cents);
    element.style.setProperty("--r", String(item.size * CHIP));
    put(element, item.x, item.y);
    if (!old) this.element.append(element);
    if (before !== item.cents) {
      replaceChildren(element, chipStack(item.cents), h("span", { class: "amount" }, money(item.cents)));
      if (duration && before && item.cents > before) void arrive(element, rack, duration, { opacity: 0.3 });
    }
    return element;
  }
}
