// @ts-check
// The table without anything on it: rail, cloth, gold line, the print along the arc, circles, shoe, tray and rack.

import { svg } from "../core/dom.js";
import { range } from "../core/format.js";
import { DENOMINATIONS } from "./chips.js";
import { EDGE, RAIL } from "./geometry.js";

/** @typedef {import("./geometry.js").Layout} Layout */
/** @typedef {import("./geometry.js").Spot} Spot */
/** @typedef {import("./types.js").Felt} Felt */

/** Chips in the house's rack, from the middle to both sides. */
const RACK = [100, 500, 2_500, 10_000, 50_000].filter((value) => DENOMINATIONS.includes(value));
/** How wide a letter is by its size, for the length of a line of print. */
const LETTER = 0.56;
/** The same for capitals. */
const CAPITAL = 0.76;
let made = 0;

/**
 * Return the drawing of a table.
 * @param {Felt} felt
 * @param {Layout} layout
 * @returns {SVGSVGElement}
 */
export function cloth(felt, layout) {
  const picture = svg("svg", {
    class: "cloth",
    viewBox: `0 0 ${layout.width} ${layout.height}`,
    "aria-hidden": "true",
  });
  const id = `cloth-${++made}`;
  picture.append(definitions(id), ...(layout.shape === "wide" ? tableShape(id) : fullShape(layout, id)));
  picture.append(...printed(felt, layout, id), rack(layout), shoe(felt, layout), discard(layout));
  for (const seat of layout.seats) {
    for (const spot of seat.spots) picture.append(...circle(spot, seat.large));
  }
  return picture;
}

/**
 * Return gradients whose colors are those of the cloth; style sheets name them by the sheet's word.
 * @param {string} id
 */
function definitions(id) {
  return svg(
    "defs",
    null,
    svg(
      "radialGradient",
      { id: `${id}-cloth`, cx: "50%", cy: "16%", r: "95%" },
      svg("stop", { offset: 0, class: "cloth-light" }),
      svg("stop", { offset: 0.55, class: "cloth-middle" }),
      svg("stop", { offset: 1, class: "cloth-dark" }),
    ),
    svg(
      "linearGradient",
      { id: `${id}-rail`, x1: 0, y1: 0, x2: 0, y2: 1 },
      svg("stop", { offset: 0, "stop-color": "#7a4a26" }),
      svg("stop", { offset: 0.5, "stop-color": "#4d2a14" }),
      svg("stop", { offset: 1, "stop-color": "#2b160a" }),
    ),
    svg(
      "filter",
      { id: `${id}-weave`, x: 0, y: 0, width: "100%", height: "100%" },
      svg("feTurbulence", { type: "fractalNoise", baseFrequency: 0.9, numOctaves: 2, seed: 3 }),
      svg("feColorMatrix", { values: "0 0 0 0 1  0 0 0 0 1  0 0 0 0 1  0 0 0 .05 0" }),
      svg("feComposite", { in2: "SourceGraphic", operator: "in" }),
    ),
  );
}

/** @param {string} id */
function tableShape(id) {
  const inner = half(EDGE, 34, 58);
  return [
    svg("path", { d: half(RAIL, 8, 30), fill: `url(#${id}-rail)` }),
    svg("path", { d: half({ rx: RAIL.rx - 3, ry: RAIL.ry - 3 }, 11, 33), class: "rail-light" }),
    svg("path", { d: inner, fill: `url(#${id}-cloth)` }),
    svg("path", { d: inner, fill: "#fff", filter: `url(#${id}-weave)` }),
    svg("path", { d: half({ rx: EDGE.rx - 8, ry: EDGE.ry - 8 }, 42, 66), class: "gold-line" }),
  ];
}

/**
 * Return the outline of a table: half an ellipse under a straight edge with round corners.
 * @param {{rx: number, ry: number}} ellipse
 * @param {number} top
 * @param {number} left
 */
function half({ rx, ry }, top, left) {
  const right = 1440 - left;
  const corner = `M${left + 80} ${top}H${right - 80}Q${right} ${top} ${720 + rx} 98`;
  return `${corner}A${rx} ${ry} 0 0 1 720 ${98 + ry}A${rx} ${ry} 0 0 1 ${720 - rx} 98Q${left} ${top} ${left + 80} ${top}Z`;
}

/**
 * @param {Layout} layout
 * @param {string} id
 */
function fullShape({ width, height }, id) {
  return [
    svg("rect", { width, height, fill: `url(#${id}-cloth)` }),
    svg("rect", { width, height, fill: "#fff", filter: `url(#${id}-weave)` }),
  ];
}

/**
 * @param {Felt} felt
 * @param {Layout} layout
 * @param {string} id
 */
function printed(felt, layout, id) {
  return layout.arcs.flatMap((arc, index) => {
    const line = felt.print[index];
    const middle = layout.width / 2;
    const headline = line.style === "headline";
    const text = headline ? line.text.toUpperCase() : line.text;
    // A line that is too long for its arc is set smaller.
    const length = text.length * (arc.size * (headline ? CAPITAL : LETTER) + arc.spacing);
    const share = layout.shape === "narrow" ? 0.92 : headline ? 0.46 : 0.4;
    const fitted = Math.min(1, (layout.width * share) / length);
    return [
      svg("path", {
        id: `${id}-arc-${index}`,
        d: `M${middle - arc.rx} ${arc.cy}A${arc.rx} ${arc.ry} 0 0 0 ${middle + arc.rx} ${arc.cy}`,
        fill: "none",
      }),
      svg(
        "text",
        { class: `print ${line.style}`, "font-size": arc.size * fitted, "letter-spacing": arc.spacing * fitted },
        svg("textPath", { href: `#${id}-arc-${index}`, startOffset: "50%", "text-anchor": "middle" }, text),
      ),
    ];
  });
}

/**
 * Return a betting circle with its name and limits, as casinos print them on the cloth.
 * @param {Spot} spot
 * @param {boolean} named
 */
function circle(spot, named) {
  const ring = svg("circle", { cx: spot.x, cy: spot.y, r: spot.r, class: `circle ${spot.kind}` });
  if (!named) return [ring];
  const words = `${spot.name}${spot.house ? "*" : ""}`.toUpperCase().split(" ");
  const longest = Math.max(...words.map((word) => word.length));
  const size = Math.min(spot.r * 0.38, (spot.r * 1.66) / (longest * CAPITAL), (spot.r * 1.3) / (words.length + 0.8));
  const small = Math.min(size * 0.86, spot.r * 0.26);
  const height = words.length * size * 1.1 + small * 1.3;
  const first = spot.y - height / 2 + size * 0.9;
  const lines = words.map((word, index) => svg("tspan", { x: spot.x, y: first + index * size * 1.1 }, word));
  const limits = range(spot.min, spot.max).replaceAll(" ", "");
  const last = svg(
    "tspan",
    { x: spot.x, y: first + words.length * size * 1.1 + small * 0.2, "font-size": small },
    limits,
  );
  return [ring, svg("text", { class: `circle-name ${spot.kind}`, "font-size": size }, lines, last)];
}

/** @param {Layout} layout */
function rack({ rack: place, shape }) {
  if (shape === "narrow") return svg("g");
  const columns = [...[...RACK].reverse(), ...RACK.slice(1)];
  const width = 26;
  const left = place.x - (columns.length * width) / 2;
  const tray = svg("g", { class: "rack" });
  tray.append(
    svg("rect", {
      x: left - 9,
      y: place.y - 19,
      width: columns.length * width + 15,
      height: 38,
      rx: 8,
      class: "rack-tray",
    }),
  );
  columns.forEach((value, index) => {
    const column = svg("g");
    column.dataset.chipColor = String(value);
    for (let chip = 0; chip < 6; chip++) {
      column.append(
        svg("rect", {
          x: left + index * width,
          y: place.y + 11 - chip * 5,
          width: width - 3,
          height: 4.6,
          rx: 1.6,
          class: "chip-body",
        }),
      );
      column.append(
        svg("rect", {
          x: left + index * width + 8.5,
          y: place.y + 11 - chip * 5,
          width: 6,
          height: 4.6,
          class: "chip-stripe",
        }),
      );
    }
    tray.append(column);
  });
  return tray;
}

/**
 * Return the shoe; a yellow line is the cut card.
 * @param {Felt} felt
 * @param {Layout} layout
 */
function shoe(felt, { shoe: place, shape }) {
  const scale = shape === "wide" ? 1 : 0.52;
  const body = svg("g", { class: "shoe", transform: `translate(${place.x} ${place.y}) rotate(12) scale(${scale})` });
  body.append(
    svg("rect", { x: -52, y: -33, width: 104, height: 66, rx: 9, class: "box" }),
    svg("rect", { x: -40, y: -22, width: 76, height: 44, rx: 4, class: "box-cards" }),
    svg("rect", { x: -40, y: -22, width: 76, height: 44, rx: 4, class: "box-left" }),
  );
  if (felt.cut_card) body.append(svg("rect", { x: -40, y: -23, width: 4, height: 46, rx: 1, class: "cut-card" }));
  return body;
}

/** @param {Layout} layout */
function discard({ discard: place, shape }) {
  const scale = shape === "wide" ? 1 : 0.52;
  return svg(
    "g",
    { class: "discard", transform: `translate(${place.x} ${place.y}) rotate(-12) scale(${scale})` },
    svg("rect", { x: -48, y: -33, width: 96, height: 66, rx: 9, class: "box" }),
    svg("rect", { x: -36, y: -23, width: 72, height: 46, rx: 4, class: "box-empty" }),
    svg("rect", { x: -36, y: -23, width: 72, height: 46, rx: 4, class: "box-out" }),
  );
}

/**
 * Show how much of the shoe is dealt: its cards, the cut card, and the discard tray.
 * @param {SVGSVGElement} picture
 * @param {Felt} felt
 * @param {number | null} left cards in the shoe; null at a closed table
 */
export function showShoe(picture, felt, left) {
  const all = felt.decks * 52;
  const share = left === null ? 0 : left / all;
  picture.querySelector(".box-left")?.setAttribute("width", String(76 * share));
  // Cards leave at the left end of the shoe, so the cut card comes nearer to it.
  const cut = felt.cut_card ? Math.max(0, share - 1 + felt.cut_card / all) : 0;
  picture.querySelector(".cut-card")?.setAttribute("x", String(-40 + 76 * Math.min(cut, share)));
  picture.querySelector(".box-out")?.setAttribute("opacity", left === null || left === all ? "0" : "1");
}
