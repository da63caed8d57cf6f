// @ts-check
// The player's chips: choose one and touch a circle, or drag it there.

import { h } from "../core/dom.js";
import { money } from "../core/format.js";
import { t } from "../core/text.js";
import { chipFace, rackOf } from "../felt/chips.js";

/** @typedef {import("../felt/types.js").Felt} Felt */

/** How far a finger moves before a touch becomes a drag, in pixels. */
const DRAG = 8;

/** The rack of chips below the felt. */
export class Rack {
  #chosen;
  #chips;
  #drop;
  /** @type {Map<number, HTMLElement>} */
  #buttons = new Map();

  /**
   * @param {HTMLElement} parent
   * @param {Felt} felt
   * @param {(spot: HTMLElement, cents: number) => void} drop called with the circle that a chip was dragged to
   */
  constructor(parent, felt, drop) {
    const limits = [felt.main, ...felt.wagers];
    this.#chips = rackOf(Math.min(...limits.map((wager) => wager.step)), Math.max(...limits.map((wager) => wager.max)));
    this.#drop = drop;
    const rack = h("div", { class: "chips", role: "group", "aria-label": t("table.chips") });
    this.#chips.forEach((cents, place) => rack.append(this.#button(cents, place + 1)));
    parent.append(rack);
    // The first chip that makes a whole bet.
    this.#chosen = this.#chips.find((cents) => cents >= felt.main.min) ?? this.#chips[0];
    this.choose(this.#chosen);
  }

  /** How many chips there are to choose from. */
  get size() {
    return this.#chips.length;
  }

  /** The chip that a touch puts down, in cents. */
  get chosen() {
    return this.#chosen;
  }

  /** @param {number} cents */
  choose(cents) {
    this.#chosen = cents;
    for (const [value, button] of this.#buttons) button.setAttribute("aria-pressed", String(value === cents));
  }

  /**
   * Choose a chip by its place; returns whether there is one.
   * @param {number} place from 1
   */
  chooseAt(place) {
    const cents = this.#chips[place - 1];
    if (cents !== undefined) this.choose(cents);
    return cents !== undefined;
  }

  /**
   * @param {number} cents
   * @param {number} key
   */
  #button(cents, key) {
    const button = h(
      "button",
      {
        type: "button",
        class: "rack-chip",
        "data-chip": cents,
        "aria-label": t("table.chip", { value: money(cents) }),
        "aria-keyshortcuts": String(key),
        onclick: () => this.choose(cents),
      },
      chipFace(cents),
    );
    button.addEventListener("pointerdown", (event) => this.#drag(event, button, cents));
    this.#buttons.set(cents, button);
    return button;
  }

  /**
   * @param {PointerEvent} start
   * @param {HTMLElement} button
   * @param {number} cents
   */
  #drag(start, button, cents) {
    if (start.button !== 0) return;
    /** @type {HTMLElement | null} */
    let ghost = null;
    /** @param {PointerEvent} event */
    const move = (event) => {
      if (!ghost && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < DRAG) return;
      if (!ghost) {
        ghost = h("div", { class: "dragged", "aria-hidden": "true" }, chipFace(cents));
        document.body.append(ghost);
        this.choose(cents);
      }
      ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
    };
    /** @param {PointerEvent} event */
    const end = (event) => {
      button.removeEventListener("pointermove", move);
      button.removeEventListener("pointerup", end);
      button.removeEventListener("pointercancel", end);
      ghost?.remove();
      const under =
        ghost && event.type === "pointerup"
          ? document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-spot]")
          : null;
      if (under) this.#drop(/** @type {HTMLElement} */ (under), cents);
    };
    button.setPointerCapture(start.pointerId);
    button.addEventListener("pointermove", move);
    button.addEventListener("pointerup", end);
    button.addEventListener("pointercancel", end);
  }
}
