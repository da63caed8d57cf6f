// Lays out felts that come as JSON on standard input; prints what overlaps or is cut off, one line each.

import { readFileSync } from "node:fs";

import {
  EDGE,
  NARROW_HEIGHT,
  handCards,
  narrowLayout,
  wideLayout,
} from "../../src/holecard/server/pages/felt/geometry.js";

const RATIO = 1.4;
const problems = [];

for (const [name, felt] of Object.entries(JSON.parse(readFileSync(0, "utf8")))) {
  const seats = Array.from({ length: felt.seats }, (_, index) => index + 1);
  for (const mine of [[], ...seats.map((seat) => [seat]), seats])
    check(`${name}, wide, ${mine}`, wideLayout(felt, mine));
  for (const height of [NARROW_HEIGHT, 420, 470, 540]) {
    for (const focus of [0, ...seats]) check(`${name}, narrow ${height}, ${focus}`, narrowLayout(felt, height, focus));
  }
}
console.log(problems.join("\n"));

function check(where, layout) {
  const spots = layout.seats.flatMap((seat) => seat.spots.map((spot) => ({ ...spot, seat: seat.seat })));
  for (const spot of spots) {
    if (!inside(layout, spot)) problems.push(`${where}: ${spot.name} of seat ${spot.seat} is cut off`);
  }
  for (const [first, second] of pairs(spots)) {
    const between = Math.hypot(first.x - second.x, first.y - second.y);
    if (between < first.r + second.r - 0.5) {
      problems.push(`${where}: ${first.name} of seat ${first.seat} and ${second.name} of seat ${second.seat} overlap`);
    }
  }
  const hands = layout.seats.map((seat) => ({ seat, box: bounds(handCards(seat, [2])[0]) }));
  for (const [first, second] of pairs(hands)) {
    if (overlap(first.box, second.box)) {
      problems.push(`${where}: the cards of seats ${first.seat.seat} and ${second.seat.seat} overlap`);
    }
  }
  const middle = hands.filter(({ box }) => box.left < layout.width / 2 && box.right > layout.width / 2);
  for (const { seat, box } of middle) {
    if (box.top < printed(layout)) problems.push(`${where}: the cards of seat ${seat.seat} cover the print`);
  }
  for (const { seat, box } of hands.filter(({ seat: { large } }) => large)) {
    for (const spot of seat.spots.filter((spot) => touches(box, spot))) {
      problems.push(`${where}: the cards of seat ${seat.seat} cover ${spot.name}`);
    }
  }
}

/** How far the lowest line of print reaches, in the middle. */
function printed(layout) {
  const arc = layout.arcs.at(-1);
  return arc.cy + arc.ry + arc.size * 0.25;
}

function inside(layout, { x, y, r }) {
  if (layout.shape === "narrow") return x - r >= 0 && x + r <= layout.width && y - r >= 0 && y + r <= layout.height;
  const [dx, dy] = [x - 720, y - 98];
  const length = Math.hypot(dx, dy) || 1;
  const [ox, oy] = [dx + (dx / length) * r, dy + (dy / length) * r];
  return (ox / EDGE.rx) ** 2 + (oy / EDGE.ry) ** 2 <= 1;
}

function bounds(cards) {
  const { width, y } = cards[0];
  const xs = cards.map((card) => card.x);
  return {
    left: Math.min(...xs) - width / 2,
    right: Math.max(...xs) + width / 2,
    top: y - (width * RATIO) / 2,
    bottom: y + (width * RATIO) / 2,
  };
}

function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function touches(box, { x, y, r }) {
  const [nearestX, nearestY] = [Math.min(Math.max(x, box.left), box.right), Math.min(Math.max(y, box.top), box.bottom)];
  // Cards may touch the edge of a circle, but not what is printed in it.
  return Math.hypot(x - nearestX, y - nearestY) < r * 0.72;
}

function pairs(items) {
  return items.flatMap((first, index) => items.slice(index + 1).map((second) => [first, second]));
}
