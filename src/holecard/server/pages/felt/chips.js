// @ts-check
// Chips in the colors of casinos: which ones make up an amount, and how they look on the cloth and in the rack.

import { svg } from "../core/dom.js";

/** Cents of each chip, the largest first. Amounts below a dollar come from odds such as 3 to 2. */
export const DENOMINATIONS = [500_000, 100_000, 50_000, 10_000, 2_500, 500, 100, 50, 25, 5, 1];
/** The most chips that are drawn as one stack; a higher stack would cover the cards. */
const HIGHEST = 7;
/** How far each chip of a stack is above the one below it, in radii. */
const RISE = 0.34;
/** Chips on the cloth are seen from the side. */
const TILT = 0.66;

/**
 * Return the fewest chips that make up an amount, the largest first.
 * @param {number} cents
 */
export function chipsOf(cents) {
  const chips = [];
  let rest = cents;
  for (const value of DENOMINATIONS) {
    for (; rest >= value; rest -= value) chips.push(value);
  }
  return chips;
}

/**
 * Return the chips that a rack offers for wagers between two amounts in steps: at most six, the smallest first. The
 * smallest one is worth a step, so that every amount can be put down.
 * @param {number} step the smallest step of any wager
 * @param {number} most the highest wager
 */
export function rackOf(step, most) {
  const larger = DENOMINATIONS.filter((value) => value > step && value <= most).reverse();
  return [step, ...larger].slice(0, 6);
}

/**
 * Return a chip's value as it is printed on it: "5", "½", "1K".
 * @param {number} cents
 */
export function chipText(cents) {
  if (cents >= 100_000) return `${cents / 100_000}K`;
  if (cents >= 100) return String(cents / 100);
  return cents === 50 ? "½" : cents === 25 ? "¼" : `${cents}¢`;
}

/**
 * Return a chip as it lies in the rack, seen from above.
 * @param {number} cents
 * @returns {SVGSVGElement}
 */
export function chipFace(cents) {
  const face = svg("svg", { class: "chip-face", viewBox: "-52 -52 104 104", "aria-hidden": "true" });
  face.dataset.chipColor = String(cents);
  face.append(...disc(50), label(cents, 0, 38));
  return face;
}

/**
 * Return a stack of chips on the cloth, with the value of the topmost chip on it.
 * @param {number} cents
 * @returns {SVGSVGElement}
 */
export function chipStack(cents) {
  const all = chipsOf(cents);
  // The largest chips lie at the bottom; of a stack that is too high, only the top is drawn.
  const shown = all.slice(0, HIGHEST);
  const radius = 50;
  const height = 2 * radius * TILT + (shown.length - 1) * radius * RISE + 8;
  const stack = svg("svg", {
    class: "chip-stack",
    viewBox: `-52 ${-radius * TILT - (shown.length - 1) * radius * RISE - 2} 104 ${height + 4}`,
    "aria-hidden": "true",
  });
  shown.forEach((value, place) => {
    const y = -place * radius * RISE;
    const chip = svg("g", { transform: `translate(0 ${y}) scale(1 ${TILT})` });
    chip.dataset.chipColor = String(value);
    chip.append(svg("circle", { r: radius, cy: 9, class: "chip-edge" }), ...disc(radius));
    if (place === shown.length - 1) chip.append(label(value, 0, 40));
    stack.append(chip);
  });
  stack.style.setProperty("--chips", String(shown.length));
  return stack;
}

/** @param {number} radius */
function disc(radius) {
  return [
    svg("circle", { r: radius, class: "chip-body" }),
    svg("circle", {
      r: radius * 0.86,
      class: "chip-marks",
      "stroke-width": radius * 0.26,
      "stroke-dasharray": `${radius * 0.38} ${radius * 0.52}`,
    }),
    svg("circle", { r: radius * 0.64, class: "chip-center" }),
  ];
}

/**
 * @param {number} cents
 * @param {number} y
 * @param {number} size
 */
function label(cents, y, size) {
  const text = chipText(cents);
  const fitted = text.length > 2 ? size * 0.76 : size;
  return svg("text", { y: y + fitted * 0.35, "font-size": fitted, class: "chip-text" }, text);
}
