// @ts-check
// A replay card by card: the frames of a round, cut into steps that each show one card, one check or one result.

/** @typedef {import("../core/protocol").NewEntry} NewEntry */
/** @typedef {import("../core/protocol").ShownTable} ShownTable */
/** @typedef {import("../core/protocol").ShownEvent} ShownEvent */
/** @typedef {import("../core/protocol").ShownPlayerHand} ShownPlayerHand */

/**
 * A step of a replay: the entry that it belongs to, the events that it shows, and the table after it.
 * @typedef {{
 *   frame: number,
 *   entry: NewEntry["entry"],
 *   begins: boolean,
 *   events: ShownEvent[],
 *   view: ShownTable,
 * }} Step
 */

/**
 * Return the steps of a round: each card, check, turned card and settled hand by itself. The last step of each frame has
 * the frame's own view.
 * @param {readonly NewEntry[]} frames
 * @returns {Step[]}
 */
export function stepsOf(frames) {
  return frames.flatMap((frame, number) => {
    const groups = grouped(frame.events);
    const before = number ? frames[number - 1].view : null;
    return groups.map((events, place) => ({
      frame: number,
      entry: frame.entry,
      begins: place === 0,
      events,
      view: partial(before, frame.view, groups.slice(0, place + 1).flat(), groups.slice(place + 1).flat()),
    }));
  });
}

/**
 * Return events in groups: results of one hand together, everything else by itself; one empty group where there are none.
 * @param {readonly ShownEvent[]} events
 * @returns {ShownEvent[][]}
 */
function grouped(events) {
  /** @type {ShownEvent[][]} */
  const groups = [];
  for (const event of events) {
    const last = groups.at(-1)?.[0];
    const isSame = event.event === "result" && last?.event === "result" && last.seat === event.seat && last.hand === event.hand;
    if (isSame) groups.at(-1)?.push(event);
    else groups.push([event]);
  }
  return groups.length ? groups : [[]];
}

/**
 * Return the table in the middle of an entry: the table after it, without what is still to come.
 * @param {ShownTable | null} before
 * @param {ShownTable} after
 * @param {readonly ShownEvent[]} shown the events so far
 * @param {readonly ShownEvent[]} coming the events that follow
 * @returns {ShownTable}
 */
function partial(before, after, shown, coming) {
  if (!coming.length) return after;
  const left = coming.filter((event) => event.event === "result").length;
  return {
    ...after,
    phase: !before || before.phase === "betting" || before.phase === "done" ? "dealing" : before.phase,
    dealer: dealerBefore(after, coming),
    seats: after.seats.map((seat) => {
      const old = before?.seats.find((one) => one.seat === seat.seat);
      const hands = seat.hands.map((hand, place) =>
        handBefore(hand, old?.hands[place], { seat: seat.seat, hand: place + 1 }, shown, coming),
      );
      return { ...seat, hands, ...wagersBefore(seat, coming) };
    }),
    asked: null,
    hand: null,
    choices: [],
    offered: {},
    results: after.results.slice(0, after.results.length - left),
  };
}

/**
 * @param {ShownTable} after
 * @param {readonly ShownEvent[]} coming
 */
function dealerBefore(after, coming) {
  const later = coming.filter((event) => event.event === "card" && event.seat === 0).length;
  const cards = after.dealer.cards.slice(0, after.dealer.cards.length - later);
  if (coming.some((event) => event.event === "hole card") && cards.length > 1) cards[1] = null;
  return { cards, total: cards.length ? totalOf(cards).total : null };
}

/**
 * @param {ShownPlayerHand} hand
 * @param {ShownPlayerHand | undefined} old the hand before the entry
 * @param {{seat: number, hand: number}} place
 * @param {readonly ShownEvent[]} shown
 * @param {readonly ShownEvent[]} coming
 * @returns {ShownPlayerHand}
 */
function handBefore(hand, old, place, shown, coming) {
  const isOwn = (/** @type {ShownEvent} */ event) =>
    "seat" in event && event.seat === place.seat && event.hand === place.hand;
  const dealt = shown.filter((event) => event.event === "card" && isOwn(event));
  const later = coming.filter((event) => event.event === "card" && isOwn(event)).length;
  const isSettled = hand.status === "settled" && !coming.some((event) => event.event === "result" && isOwn(event));
  let cards = hand.cards.slice(0, hand.cards.length - later);
  if (!isSettled) {
    // Others see a hand that was dealt face down when it is settled, and not before.
    const first = cards.length - dealt.length;
    cards = cards.map((card, at) => {
      const event = at >= first ? dealt[at - first] : null;
      if (event?.event === "card") return event.card;
      return old && at < old.cards.length && old.cards[at] === null ? null : card;
    });
  }
  if (later || cards.includes(null)) return { ...hand, ...totalOf(cards), cards, status: isSettled ? "settled" : "playing" };
  return { ...hand, cards, status: isSettled ? "settled" : (old?.status ?? "playing") };
}

/**
 * Return side wagers and insurance that are not settled yet.
 * @param {ShownTable["seats"][number]} seat
 * @param {readonly ShownEvent[]} coming
 */
function wagersBefore(seat, coming) {
  const sides = { ...seat.sides };
  let { insurance } = seat;
  for (const event of coming) {
    if (event.event !== "result" || event.seat !== seat.seat || event.hand) continue;
    if (event.wager === "Insurance") insurance = event.stake;
    else if (event.stake && !event.wager.endsWith(" tax")) sides[event.wager] = event.stake;
  }
  return { sides, insurance };
}

/**
 * Return what cards count; nothing is known while one is face down.
 * @param {readonly (string | null)[]} cards
 * @returns {{total: number | null, soft: boolean}}
 */
export function totalOf(cards) {
  let total = 0;
  let hasAce = false;
  for (const card of cards) {
    if (card === null) return { total: null, soft: false };
    total += card[0] === "A" ? 1 : "TJQK".includes(card[0]) ? 10 : Number(card[0]);
    hasAce ||= card[0] === "A";
  }
  return hasAce && total <= 11 ? { total: total + 10, soft: true } : { total, soft: false };
}
