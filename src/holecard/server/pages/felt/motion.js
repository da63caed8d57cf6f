// @ts-check
// Movements of cards and chips with the Web Animations API; none where the reader wants none.

import { settings } from "../core/settings.js";

/** @typedef {{card: number, between: number, turn: number, chips: number, pause: number}} Times */
/** @type {Record<"normal" | "fast", Times>} Milliseconds. */
const TIMES = {
  normal: { card: 320, between: 190, turn: 300, chips: 420, pause: 260 },
  fast: { card: 160, between: 80, turn: 140, chips: 200, pause: 90 },
};

/** Return how long movements take, or null where everything is shown at once. */
export function times() {
  return settings.speed === "instant" || document.hidden ? null : TIMES[settings.speed];
}

/**
 * Wait.
 * @param {number} milliseconds
 */
export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Move an element from somewhere to where it is; resolves when it has arrived.
 * @param {HTMLElement} element
 * @param {{x: number, y: number}} from pixels in the felt
 * @param {number} duration
 * @param {Keyframe} [first] other properties at the start
 */
export function arrive(element, from, duration, first = {}) {
  const start = { translate: `${from.x}px ${from.y}px`, ...first };
  return finished(element.animate([start, {}], { duration, easing: "cubic-bezier(.2,.7,.25,1)", fill: "backwards" }));
}

/**
 * Move an element away and remove it; resolves when it is gone.
 * @param {HTMLElement} element
 * @param {{x: number, y: number}} to pixels in the felt
 * @param {number} duration
 */
export async function leave(element, to, duration) {
  const end = { translate: `${to.x}px ${to.y}px`, opacity: 0.2 };
  await finished(element.animate([{}, end], { duration, easing: "cubic-bezier(.5,0,.8,.4)", fill: "forwards" }));
  element.remove();
}

/**
 * Turn a card over: it becomes narrow, its face changes, it becomes wide again.
 * @param {HTMLElement} element
 * @param {number} duration
 * @param {() => void} change
 */
export async function turnOver(element, duration, change) {
  const half = { duration: duration / 2, easing: "ease-in" };
  await finished(element.animate([{ scale: "1 1" }, { scale: "0.04 1.04" }], half));
  change();
  await finished(element.animate([{ scale: "0.04 1.04" }, { scale: "1 1" }], { ...half, easing: "ease-out" }));
}

/** @param {Animation} animation */
async function finished(animation) {
  try {
    await animation.finished;
  } catch {
    // The element was removed meanwhile.
  }
}
