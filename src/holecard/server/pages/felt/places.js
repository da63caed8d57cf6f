// @ts-check
// Puts elements at places of the felt, in its units; the style sheet turns them into pixels.

import { CARD_RATIO } from "./cards.js";

/**
 * Put an element at a place: its center if it is a card of this width, else its own center.
 * @param {HTMLElement} element
 * @param {number} x
 * @param {number} y
 * @param {number} [width] of a card
 */
export function put(element, x, y, width = 0) {
  element.style.setProperty("--x", String(x - width / 2));
  element.style.setProperty("--y", String(y - (width * CARD_RATIO) / 2));
  if (width) element.style.setProperty("--w", String(width));
}
