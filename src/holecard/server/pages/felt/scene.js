// @ts-check
// What lies on the cloth in a view of the table: cards, stacks of chips and totals, with their places. No drawing.

import { dealerCards, handCards, moved } from "./geometry.js";

/** @typedef {import("./geometry.js").Layout} Layout */
/** @typedef {import("./geometry.js").SeatPlace} SeatPlace */
/** @typedef {import("./geometry.js").Spot} Spot */
/** @typedef {import("./types.js").Felt} Felt */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Hand} Hand */
/** @typedef {import("./types.js").Result} Result */
/** @typedef {import("./types.js").Event} Event */
/** @typedef {{key: string, seat: number, hand: number, card: string | null, x: number, y: number, width: number, active: boolean, over: boolean}} CardItem */
/** @typedef {{key: string, seat: number, cents: number, x: number, y: number, size: number}} StackItem */
/** @typedef {{key: string, seat: number, hand: number, text: string, x: number, y: number, kind: "dealer" | "hand" | "active" | "won" | "lost" | "push"}} TotalItem */
/** @typedef {{cards: CardItem[], stacks: StackItem[], totals: TotalItem[]}} Scene */
/** @typedef {Record<string, number>} Stakes cents by wager */

/** Names of wagers that have no circle of their own. */
const INSURANCE = "Insurance";

/**
 * Return what lies on the cloth.
 * @param {View} view
 * @param {Felt} felt
 * @param {Layout} layout
 * @param {ReadonlyMap<number, Stakes>} [drafts] chips that are put down but not bet yet, by seat
 * @returns {Scene}
 */
export function scene(view, felt, layout, drafts = new Map()) {
  /** @type {Scene} */
  const found = { cards: [], stacks: [], totals: [] };
  addDealer(found, view, layout);
  for (const place of layout.seats) {
    const draft = drafts.get(place.seat);
    const seat = view.seats.find((one) => one.seat === place.seat);
    if (seat) addHands(found, view, seat, place);
    if (draft) addStakes(found, place, draft);
    else if (seat) addChips(found, view, felt, seat, place);
  }
  return found;
}

/**
 * Return the view as it was before the wagers of some events were settled, to show the chips that they had.
 * @param {View} view
 * @param {readonly Event[]} events
 * @returns {View}
 */
export function beforeResults(view, events) {
  const settled = events.filter((event) => event.event === "result");
  if (!settled.length) return view;
  const results = view.results.slice(0, view.results.length - settled.length);
  const seats = view.seats.map((seat) => {
    const sides = { ...seat.sides };
    let insurance = seat.insurance;
    for (const result of settled) {
      if (result.seat !== seat.seat || result.hand !== 0) continue;
      if (result.wager === INSURANCE) insurance += result.stake;
      else sides[result.wager] = (sides[result.wager] ?? 0) + result.stake;
    }
    return { ...seat, sides, insurance };
  });
  return { ...view, results, seats };
}

/**
 * Return which card on the cloth becomes which card of a new scene: by place, or by face within the same seat.
 * @param {readonly CardItem[]} old
 * @param {readonly CardItem[]} next
 * @returns {Map<string, string>} old key by new key
 */
export function matchCards(old, next) {
  const free = new Map(old.map((item) => [item.key, item]));
  /** @type {Map<string, string>} */
  const pairs = new Map();
  for (const item of next) {
    const same = free.get(item.key);
    if (same && (same.card === item.card || same.card === null || item.card === null)) take(item, same);
  }
  for (const item of next) {
    if (pairs.has(item.key)) continue;
    const same = [...free.values()].find(
      (one) => one.seat === item.seat && one.card !== null && one.card === item.card,
    );
    if (same) take(item, same);
  }
  /**
   * @param {CardItem} item
   * @param {CardItem} same
   */
  function take(item, same) {
    pairs.set(item.key, same.key);
    free.delete(same.key);
  }
  return pairs;
}

/**
 * @param {Scene} found
 * @param {View} view
 * @param {Layout} layout
 */
function addDealer(found, view, layout) {
  const { cards, total } = view.dealer;
  const places = dealerCards(layout, cards.length);
  cards.forEach((card, index) => {
    found.cards.push({ key: `0:0:${index}`, seat: 0, hand: 0, card, ...places[index], active: false, over: false });
  });
  if (!cards.length || total === null) return;
  const { x, y, width } = places[0];
  found.totals.push({
    key: "0:0",
    seat: 0,
    hand: 0,
    text: String(total),
    x: x - width / 2,
    y: y + width * 0.62,
    kind: "dealer",
  });
}

/**
 * @param {Scene} found
 * @param {View} view
 * @param {Seat} seat
 * @param {SeatPlace} place
 */
function addHands(found, view, seat, place) {
  const dealt = seat.hands.filter((hand) => hand.cards.length);
  const places = handCards(
    place,
    dealt.map((hand) => hand.cards.length),
  );
  dealt.forEach((hand, index) => {
    const number = index + 1;
    const active = view.asked === seat.seat && view.hand === number;
    const over = hand.status === "settled" && outcome(view, seat.seat, number) === "lost";
    hand.cards.forEach((card, position) => {
      found.cards.push({
        key: `${seat.seat}:${number}:${position}`,
        seat: seat.seat,
        hand: number,
        card,
        ...places[index][position],
        active,
        over,
      });
    });
    if (hand.total === null) return;
    const last = places[index][places[index].length - 1];
    const kind = active ? "active" : hand.status === "settled" ? outcome(view, seat.seat, number) : "hand";
    const first = places[index][0];
    const alone = dealt.length === 1 && place.large;
    found.totals.push({
      key: `${seat.seat}:${number}`,
      seat: seat.seat,
      hand: number,
      text: totalText(hand),
      x: alone ? last.x + last.width / 2 + 16 : place.oneRow ? last.x + last.width * 0.2 : (first.x + last.x) / 2,
      y: alone ? last.y - last.width * 0.52 : last.y + last.width * (place.large ? 0.62 : 0.5),
      kind,
    });
  });
}

/**
 * @param {Hand} hand
 */
function totalText(hand) {
  return hand.soft && hand.total !== null && hand.total < 21 && hand.total > 11
    ? `${hand.total - 10}/${hand.total}`
    : String(hand.total);
}

/**
 * @param {View} view
 * @param {number} seat
 * @param {number} hand
 * @returns {"won" | "lost" | "push"}
 */
export function outcome(view, seat, hand) {
  const net = view.results
    .filter((one) => one.seat === seat && one.hand === hand)
    .reduce((sum, one) => sum + one.net, 0);
  return net > 0 ? "won" : net < 0 ? "lost" : "push";
}

/**
 * Add chips that are put down but not bet.
 * @param {Scene} found
 * @param {SeatPlace} place
 * @param {Stakes} draft
 */
function addStakes(found, place, draft) {
  for (const spot of place.spots) {
    const cents = draft[spot.name] ?? 0;
    if (cents)
      found.stacks.push({
        key: `${place.seat}:${spot.name}`,
        seat: place.seat,
        cents,
        x: spot.x,
        y: spot.y,
        size: spot.r,
      });
  }
}

/**
 * Add the chips of a seat: open stakes, and what settled wagers have returned.
 * @param {Scene} found
 * @param {View} view
 * @param {Felt} felt
 * @param {Seat} seat
 * @param {SeatPlace} place
 */
function addChips(found, view, felt, seat, place) {
  const main = place.spots[0];
  const settled = view.results.filter((result) => result.seat === seat.seat);
  /** @param {string} name */
  const circle = (name) => place.spots.find((spot) => spot.name === name);
  /**
   * @param {string} key
   * @param {number} cents
   * @param {{x: number, y: number}} at
   * @param {number} size
   */
  const add = (key, cents, at, size) => {
    if (cents > 0) found.stacks.push({ key: `${seat.seat}:${key}`, seat: seat.seat, cents, x: at.x, y: at.y, size });
  };
  // Cards of a small seat leave no room for chips.
  if (!place.large && seat.hands.some((hand) => hand.cards.length)) return;
  if (seat.hands.length > 1 || !place.large) {
    const centers = handCards(
      place,
      seat.hands.map((hand) => hand.cards.length || 1),
    );
    seat.hands.forEach((hand, index) => {
      const cents = Object.entries(hand.stakes).reduce(
        (sum, [name, stake]) => sum + left(settled, index + 1, name, stake),
        0,
      );
      const [first, last] = [centers[index][0], centers[index][centers[index].length - 1]];
      const at = { x: seat.hands.length > 1 ? (first.x + last.x) / 2 : main.x, y: main.y };
      // Where all circles are in one row, they stay free: the chips of a hand made by splitting lie on its cards.
      if (seat.hands.length > 1 && place.oneRow) add(`hand ${index + 1}`, cents, onCards(first), first.width * 0.34);
      else add(`hand ${index + 1}`, cents, at, main.r * 0.86);
    });
  } else {
    for (const hand of seat.hands) {
      const stakes = Object.entries(hand.stakes).map(([name, stake]) => ({
        name,
        cents: left(settled, 1, name, stake),
      }));
      const extra = stakes.filter(({ name }) => !circle(name));
      const nextTo = moved(main, place.along, -main.r * 1.75);
      // At the edge of a phone there is no room next to the circle: a double lies on the bet.
      const hasRoom = nextTo.x > main.r;
      for (const { name, cents } of stakes.filter(({ name }) => circle(name))) {
        const spot = /** @type {Spot} */ (circle(name));
        add(name, cents + (spot === main && !hasRoom ? sum(extra) : 0), spot, spot.r);
      }
      if (hasRoom) add("extra", sum(extra), nextTo, main.r * 0.86);
    }
  }
  if (!place.large) return;
  const names = new Set([
    ...Object.keys(seat.sides),
    ...settled.filter((one) => one.hand === 0).map((one) => one.wager),
  ]);
  for (const name of names) {
    const token = felt.wagers.some((wager) => wager.name === name && wager.token);
    const returned = settled
      .filter((one) => one.hand === 0 && one.wager === name)
      .reduce((sum, one) => sum + back(one, token), 0);
    const spot = circle(name);
    const open = name === INSURANCE ? 0 : (seat.sides[name] ?? 0);
    if (spot) add(name, open + returned, spot, spot.r);
    else add(name, returned, insurancePlace(place), main.r * 0.7);
  }
  if (seat.insurance) add(INSURANCE, seat.insurance, insurancePlace(place), main.r * 0.7);
}

/** @param {{x: number, y: number, width: number}} card the first of a hand */
function onCards({ x, y, width }) {
  return { x: x - width * 0.2, y: y + width * 0.56 };
}

/** @param {SeatPlace} place */
function insurancePlace(place) {
  const last = place.spots.filter((spot) => spot.kind !== "side").at(-1) ?? place.spots[0];
  return moved(last, place.along, last.r * 1.9);
}

/**
 * Return what lies on a stake: itself while it is open, else what came back.
 * @param {readonly Result[]} settled
 * @param {number} hand
 * @param {string} name
 * @param {number} stake
 */
function left(settled, hand, name, stake) {
  const result = settled.find((one) => one.hand === hand && one.wager === name);
  return result ? back(result, false) : stake;
}

/**
 * @param {Result} result
 * @param {boolean} token a stake that the player keeps
 */
function back(result, token) {
  return Math.max(0, result.stake + (token ? Math.max(0, result.net) : result.net));
}

/** @param {readonly {cents: number}[]} stakes */
const sum = (stakes) => stakes.reduce((total, { cents }) => total + cents, 0);
