// @ts-check
// Playing cards as SVG: a large rank and suit that can be read at 40 pixels, and a latticed back.

import { svg } from "../core/dom.js";
import { t } from "../core/text.js";

/** Height of a card by its width. */
export const CARD_RATIO = 1.4;

/** The outlines of the suits in a square of 100. */
const SUITS = /** @type {Record<string, string>} */ ({
  s: "M50 4C66 27 93 41 93 64c0 13-10 21-21 21-8 0-14-4-18-11 1 10 4 16 12 22H34c8-6 11-12 12-22-4 7-10 11-18 11C17 85 7 77 7 64 7 41 34 27 50 4Z",
  h: "M50 94C20 66 6 49 6 31 6 17 17 7 29 7c9 0 17 5 21 14C54 12 62 7 71 7c12 0 23 10 23 24 0 18-14 35-44 63Z",
  d: "M50 3C60 21 72 36 87 50 72 64 60 79 50 97 40 79 28 64 13 50 28 36 40 21 50 3Z",
  c: "M50 4a22 22 0 0 1 19 33 22 22 0 1 1-15 37c1 10 4 16 12 22H34c8-6 11-12 12-22a22 22 0 1 1-15-37A22 22 0 0 1 50 4Z",
});
/** What the court cards wear above their large suit, in a box of 100 by 40. */
const CROWNS = /** @type {Record<string, string>} */ ({
  K: "M14 40 8 10l20 14L50 0l22 24 20-14-6 30Z",
  Q: "M14 40 10 14a6 6 0 1 1 8-4l12 12 14-14a6 6 0 1 1 12 0l14 14 12-12a6 6 0 1 1 8 4l-4 26Z",
  J: "M14 40V24C14 12 32 14 50 2c18 12 36 10 36 22v16Z",
});
const WIDTH = 100;
const HEIGHT = WIDTH * CARD_RATIO;

/**
 * Return a card as a picture: "As", or null for one that is face down.
 * @param {string | null} card
 * @returns {SVGSVGElement}
 */
export function cardFace(card) {
  const face = svg("svg", { class: "card-face", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" });
  if (card === null) face.append(...back());
  else face.append(...front(card));
  face.dataset.suit = card === null ? "back" : card[1];
  return face;
}

/**
 * Return a card in words: "ace of spades".
 * @param {string | null} card
 */
export function cardName(card) {
  if (card === null) return t("common.cards.faceDown");
  return t("common.cards.name", { rank: t(`common.cards.ranks.${card[0]}`), suit: t(`common.cards.suits.${card[1]}`) });
}

/** @param {string} card */
function front(card) {
  const [rank, suit] = card;
  const text = rank === "T" ? "10" : rank;
  const index = svg("text", { x: rank === "T" ? 3 : 7, y: 46, class: rank === "T" ? "rank ten" : "rank" }, text);
  const parts = [
    svg("rect", { x: 0.5, y: 0.5, width: WIDTH - 1, height: HEIGHT - 1, rx: 9, class: "paper" }),
    index,
    pip(suit, 9, 54, 29),
    pip(suit, 35, 74, 57),
  ];
  if (CROWNS[rank])
    parts.push(svg("path", { d: CROWNS[rank], class: "crown", transform: "translate(43.5 50) scale(.4)" }));
  return parts;
}

/**
 * @param {string} suit
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function pip(suit, x, y, size) {
  return svg("path", { d: SUITS[suit], class: "pip", transform: `translate(${x} ${y}) scale(${size / 100})` });
}

function back() {
  const lines = [];
  for (let x = -HEIGHT; x < WIDTH; x += 9)
    lines.push(`M${x} 0l${HEIGHT} ${HEIGHT}M${x + HEIGHT} 0l${-HEIGHT} ${HEIGHT}`);
  const [width, height] = [WIDTH - 16, HEIGHT - 16];
  // A picture in the picture, because it clips the lines.
  const lattice = svg("svg", { x: 8, y: 8, width, height, viewBox: `0 0 ${width} ${height}` });
  lattice.append(
    svg("rect", { width, height, class: "back-ground" }),
    svg("path", { d: lines.join(""), class: "lattice" }),
    svg("circle", { cx: width / 2, cy: height / 2, r: 17, class: "medal" }),
    svg("path", {
      d: SUITS.s,
      class: "medal-suit",
      transform: `translate(${width / 2 - 9} ${height / 2 - 9.5}) scale(.18)`,
    }),
  );
  return [
    svg("rect", { x: 0.5, y: 0.5, width: WIDTH - 1, height: HEIGHT - 1, rx: 9, class: "back-paper" }),
    lattice,
    svg("rect", { x: 8, y: 8, width, height, rx: 4, class: "back-frame" }),
  ];
}
