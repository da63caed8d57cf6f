// @ts-check
// A small picture of a game's felt, for the lobby: the cloth, two of the dealer's cards, the headline and the circles.

import { svg } from "../core/dom.js";
import { cardFace } from "./cards.js";

/** @typedef {import("./types.js").Felt} Felt */

const WIDTH = 310;
const HEIGHT = 196;
const CARD = 44;
/** Letters of a headline in full size. */
const LONGEST = 25;
let made = 0;

/**
 * Return a picture of a felt; decorative, so it has no name.
 * @param {Felt} felt
 * @returns {SVGSVGElement}
 */
export function feltPicture(felt) {
  const id = `picture-${++made}`;
  const picture = svg("svg", { class: "felt-picture", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" });
  picture.dataset.cloth = felt.cloth;
  picture.append(
    svg(
      "defs",
      null,
      svg(
        "radialGradient",
        { id, cx: "50%", cy: "0%", r: "100%" },
        svg("stop", { offset: 0, class: "cloth-light" }),
        svg("stop", { offset: 0.55, class: "cloth-middle" }),
        svg("stop", { offset: 1, class: "cloth-dark" }),
      ),
      svg("path", { id: `${id}-arc`, d: `M${WIDTH / 2 - 128} 62A128 68 0 0 0 ${WIDTH / 2 + 128} 62` }),
    ),
    svg("path", { d: `M0 0H${WIDTH}V84A${WIDTH / 2} 110 0 0 1 0 84Z`, fill: `url(#${id})` }),
    svg("path", { d: `M9 0V82A${WIDTH / 2 - 9} 103 0 0 0 ${WIDTH - 9} 82V0`, class: "gold-line" }),
    ...dealer(felt),
    ...headline(felt, id),
    ...circles(felt),
  );
  return picture;
}

/** @param {Felt} felt */
function dealer(felt) {
  const cards = felt.dealer_cards === "one card" ? ["Kd"] : ["Kd", felt.dealer_cards === "both up" ? "6s" : null];
  return cards.map((card, index) => {
    const face = cardFace(card);
    const turn = (index - (cards.length - 1) / 2) * 6;
    const x = WIDTH / 2 - (cards.length * (CARD + 3)) / 2 + index * (CARD + 3);
    face.setAttribute("width", String(CARD));
    face.setAttribute("height", String(CARD * 1.4));
    return svg("g", { transform: `translate(${x} 24) rotate(${turn} ${CARD / 2} ${CARD * 0.7})` }, face);
  });
}

/**
 * @param {Felt} felt
 * @param {string} id
 */
function headline(felt, id) {
  const first = felt.print.find((line) => line.style === "headline");
  if (!first) return [];
  // Long odds are set smaller: what goes beyond the arc would not be shown.
  const fitted = Math.min(1, LONGEST / first.text.length);
  const along = svg(
    "textPath",
    { href: `#${id}-arc`, startOffset: "50%", "text-anchor": "middle" },
    first.text.toUpperCase(),
  );
  return [svg("text", { class: "print headline", "font-size": 14 * fitted, "letter-spacing": 2.4 * fitted }, along)];
}

/** @param {Felt} felt */
function circles(felt) {
  return Array.from({ length: felt.seats }, (_, seat) => {
    const angle = ((90 + (seat - (felt.seats - 1) / 2) * Math.min(24, 150 / felt.seats)) * Math.PI) / 180;
    return svg("circle", {
      cx: WIDTH / 2 + 132 * Math.cos(angle),
      cy: 72 + 97 * Math.sin(angle),
      r: 8,
      class: "circle main",
    });
  });
}
