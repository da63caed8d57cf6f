// @ts-check
// Where things are on the cloth, in units of the felt: seats along an ellipse on a wide screen, a column on a phone.

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{name: string, min: number, max: number, kind: "main" | "companion" | "side", house: boolean}} Circle */
/** @typedef {Circle & {x: number, y: number, r: number}} Spot */
/**
 * @typedef {object} SeatPlace
 * @property {number} seat
 * @property {Point} cards the center of its cards
 * @property {number} cardWidth
 * @property {number} room the width that its cards may take
 * @property {number} splitRoom the width that its hands may take after a split
 * @property {boolean} large whether it is shown in full; on a phone, other seats are small and have no circles
 * @property {boolean} oneRow whether all its circles are in one row
 * @property {readonly Spot[]} spots
 * @property {Point} plate where the name is
 * @property {Point} along the direction in which chips and hands of one seat lie side by side
 */
/** @typedef {{rx: number, ry: number, cy: number, size: number, spacing: number}} Arc */
/**
 * @typedef {object} Layout
 * @property {"wide" | "narrow"} shape
 * @property {number} width
 * @property {number} height
 * @property {{center: Point, cardWidth: number, room: number}} dealer
 * @property {Point} words
 * @property {Point} shoe
 * @property {Point} discard
 * @property {Point} rack
 * @property {Arc[]} arcs one for each line of print that has room; the others are shown next to the cloth
 * @property {readonly SeatPlace[]} seats
 */
/** @typedef {import("./types.js").Felt} Felt */

export const WIDE = { width: 1440, height: 672 };
/** The ellipse on which the main circles lie, and that of the edge of the table. */
const CENTER = { x: 720, y: 98 };
const SEATS = { rx: 574, ry: 424 };
export const EDGE = { rx: 662, ry: 532 };
export const RAIL = { rx: 690, ry: 560 };
const PLATE = { rx: 677, ry: 547 };
/** Between the hands of a split. */
const GAP = 6;
/** The room for the side wagers of a seat, along the edge of the table. */
const SEAT_WIDTH = 172;
/** The lowest felt of a phone on which cards do not cover each other. */
export const NARROW_HEIGHT = 400;
/**
 * The print below the headline: the usual distance of its lines, the room for all of them, the size of letters, and how
 * many lines can be read.
 */
const WIDE_PRINT = { gap: 27, room: 87, size: 16.5, most: 5 };
const NARROW_PRINT = { gap: 12.5, room: 31, size: 10, most: 3 };
/** Degrees between two seats, by how many there are, so that seven fill the table and two sit near each other. */
const BETWEEN = [0, 0, 34, 32, 30, 26, 23, 20.4];

/**
 * Return the circles of a seat: the main wager, its companion, the side wagers in the sheet's order.
 * @param {Felt} felt
 * @returns {Circle[]}
 */
export function circlesOf({ main, wagers }) {
  const { min, max } = main;
  /** @type {Circle[]} */
  const circles = [{ name: main.name, min, max, kind: "main", house: false }];
  if (main.companion) circles.push({ name: main.companion, min, max, kind: "companion", house: false });
  for (const { name, min, max, printed } of wagers) circles.push({ name, min, max, kind: "side", house: !printed });
  return circles;
}

/**
 * Return the layout of a wide screen.
 * @param {Felt} felt
 * @param {readonly number[]} mine seats that are drawn larger
 * @returns {Layout}
 */
export function wideLayout(felt, mine) {
  return {
    shape: "wide",
    ...WIDE,
    dealer: { center: { x: 720, y: 132 }, cardWidth: 72, room: 250 },
    words: { x: 720, y: 214 },
    shoe: { x: 1276, y: 92 },
    discard: { x: 164, y: 92 },
    rack: { x: 720, y: 48 },
    arcs: printArcs(felt, { rx: 720, ry: 250, cy: 24, size: 33, spacing: 7 }, WIDE_PRINT),
    seats: numbers(felt.seats).map((seat) => wideSeat(felt, seat, mine.includes(seat))),
  };
}

/**
 * @param {Felt} felt
 * @param {number} seat
 * @param {boolean} large
 * @returns {SeatPlace}
 */
function wideSeat(felt, seat, large) {
  // Seat 1 is at the dealer's left, which is on the right of the picture.
  const turn = (seat - (felt.seats + 1) / 2) * BETWEEN[felt.seats];
  const angle = ((90 + turn) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const place = { x: CENTER.x + SEATS.rx * cos, y: CENTER.y + SEATS.ry * sin };
  const outward = unit({ x: cos / SEATS.rx, y: sin / SEATS.ry });
  const along = { x: outward.y, y: -outward.x };
  // Cards of seats at the sides would cover the print if they were as large as those in the middle.
  const width = large ? (Math.abs(turn) < 12 ? 72 : 60) : 56;
  const circles = felt.main.companion ? 20 * Math.abs(cos) : 0;
  return {
    seat,
    cards: { x: place.x, y: place.y - 36 - circles - width * 0.76 },
    cardWidth: width,
    room: 172,
    splitRoom: 272,
    oneRow: false,
    large: true,
    spots: circlesAlong(felt, place, along, outward, large),
    plate: { x: CENTER.x + PLATE.rx * cos, y: CENTER.y + PLATE.ry * sin },
    along,
  };
}

/**
 * Return main and companion side by side, and the side wagers in a row in front of the player.
 * @param {Felt} felt
 * @param {Point} place
 * @param {Point} along
 * @param {Point} outward
 * @param {boolean} large
 * @returns {Spot[]}
 */
function circlesAlong(felt, place, along, outward, large) {
  const circles = circlesOf(felt);
  const big = circles.filter((circle) => circle.kind !== "side");
  const small = circles.filter((circle) => circle.kind === "side");
  const r = large ? 31 : 28;
  const s = Math.min(25, (SEAT_WIDTH / Math.max(small.length, 1) - 5) / 2);
  return [
    ...big.map((circle, index) => spot(circle, moved(place, along, (index - (big.length - 1) / 2) * (2 * r + 8)), r)),
    ...small.map((circle, index) => {
      const row = moved(place, outward, r + s + 6);
      return spot(circle, moved(row, along, (index - (small.length - 1) / 2) * (2 * s + 5)), s);
    }),
  ];
}

/**
 * Return the layout of a phone: the dealer, the print, the other seats in a row, and one seat in full.
 * @param {Felt} felt
 * @param {number} height
 * @param {number} focus the seat in full; 0 for nobody's
 * @returns {Layout}
 */
export function narrowLayout(felt, height, focus) {
  const others = numbers(felt.seats).filter((seat) => seat !== focus);
  const spare = Math.max(0, height - 400);
  const row = 194 + spare * 0.55;
  return {
    shape: "narrow",
    width: 360,
    height,
    dealer: { center: { x: 180, y: 47 + spare * 0.1 }, cardWidth: 56, room: 190 },
    words: { x: 180, y: 102 + spare * 0.2 },
    shoe: { x: 326, y: 34 },
    discard: { x: 34, y: 34 },
    rack: { x: 180, y: 2 },
    arcs: printArcs(felt, { rx: 300, ry: 60, cy: 72 + spare * 0.3, size: 16, spacing: 2.2 }, NARROW_PRINT),
    seats: numbers(felt.seats).map((seat) =>
      seat === focus
        ? narrowFocus(felt, seat, height)
        : narrowSeat(
            felt,
            seat,
            { x: ((others.length - others.indexOf(seat) - 0.5) * 360) / others.length, y: row },
            focus === 0,
          ),
    ),
  };
}

/**
 * @param {Felt} felt
 * @param {number} seat
 * @param {number} height
 * @returns {SeatPlace}
 */
function narrowFocus(felt, seat, height) {
  const circles = circlesOf(felt);
  const between = Math.min(66, 344 / circles.length);
  const r = Math.min(25, between / 2 - 2.5);
  const y = height - 42;
  return {
    seat,
    cards: { x: 180, y: height - 138 },
    cardWidth: 64,
    room: 250,
    splitRoom: 340,
    oneRow: true,
    large: true,
    spots: circles.map((circle, index) => {
      const x = 180 + (index - (circles.length - 1) / 2) * between;
      return spot(circle, { x, y }, circle.kind === "main" ? Math.min(r + 2, between / 2 - 1) : r);
    }),
    plate: { x: 180, y: height - 78 },
    along: { x: 1, y: 0 },
  };
}

/**
 * @param {Felt} felt
 * @param {number} seat
 * @param {Point} place
 * @param {boolean} spectator
 * @returns {SeatPlace}
 */
function narrowSeat(felt, seat, place, spectator) {
  const width = spectator ? 34 : 30;
  const room = 344 / Math.max(felt.seats - 1, 1) - 6;
  return {
    seat,
    cards: place,
    cardWidth: width,
    room,
    splitRoom: room * 1.3,
    oneRow: false,
    large: false,
    spots: [spot(circlesOf(felt)[0], { x: place.x, y: place.y }, 13)],
    plate: { x: place.x, y: place.y + 32 },
    along: { x: 1, y: 0 },
  };
}

/**
 * Return where the cards of a seat's hands are, each hand from left to right.
 * @param {SeatPlace} place
 * @param {readonly number[]} counts cards of each hand
 * @returns {{x: number, y: number, width: number}[][]}
 */
export function handCards(place, counts) {
  if (counts.length === 1) return [fan(place.cards.x, place.cards.y, counts[0], place.cardWidth, place.room)];
  const { splitRoom, cards } = place;
  const width = Math.min(place.cardWidth, (splitRoom / counts.length) * 0.64);
  const free = splitRoom - counts.length * width - (counts.length - 1) * GAP;
  // All hands show the same part of their cards, so that a long hand takes room from short ones.
  const hidden = counts.reduce((sum, count) => sum + Math.max(count - 1, 0), 0);
  const step = Math.min(width * 0.9, free / Math.max(hidden, 1));
  const lengths = counts.map((count) => width + Math.max(count - 1, 0) * step);
  const whole = lengths.reduce((sum, length) => sum + length, (counts.length - 1) * GAP);
  let left = cards.x - whole / 2;
  return counts.map((count, hand) => {
    const first = left + width / 2;
    left += lengths[hand] + GAP;
    return numbers(count).map((place) => ({ x: first + (place - 1) * step, y: cards.y, width }));
  });
}

/**
 * Return where the dealer's cards are.
 * @param {Layout} layout
 * @param {number} count
 */
export function dealerCards({ dealer }, count) {
  return fan(dealer.center.x, dealer.center.y, count, dealer.cardWidth, dealer.room);
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} count
 * @param {number} width
 * @param {number} room
 */
function fan(x, y, count, width, room) {
  const step = count > 1 ? Math.min(width * 1.03, (room - width) / (count - 1)) : 0;
  return numbers(count).map((place) => ({
    x: x + (place - 1 - (count - 1) / 2) * Math.max(step, width * 0.14),
    y,
    width,
  }));
}

/**
 * Return the arcs of the print: the headline, then smaller lines, the closer the more there are.
 * @param {Felt} felt
 * @param {Arc} first that of the headline
 * @param {{gap: number, room: number, size: number, most: number}} below
 * @returns {Arc[]}
 */
function printArcs(felt, first, { gap, room, size, most }) {
  const lines = Math.min(felt.print.length - 1, most);
  const between = Math.min(gap, room / Math.max(lines, 1));
  const small = Math.min(size, between * 0.82);
  return [
    first,
    ...numbers(lines).map((line) => {
      const out = between * line + (gap - between) * 0.5 + gap * 0.25;
      const spacing = (first.spacing * 0.32 * small) / size;
      return { ...first, rx: first.rx + out, ry: first.ry + out, size: small, spacing };
    }),
  ];
}

/**
 * @param {Circle} circle
 * @param {Point} place
 * @param {number} r
 * @returns {Spot}
 */
const spot = (circle, place, r) => ({ ...circle, x: place.x, y: place.y, r });

/**
 * @param {Point} from
 * @param {Point} direction
 * @param {number} distance
 */
export const moved = (from, direction, distance) => ({
  x: from.x + direction.x * distance,
  y: from.y + direction.y * distance,
});

/** @param {Point} vector */
function unit(vector) {
  const length = Math.hypot(vector.x, vector.y);
  return { x: vector.x / length, y: vector.y / length };
}

/** @param {number} count */
const numbers = (count) => Array.from({ length: count }, (_, index) => index + 1);
