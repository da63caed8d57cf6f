// Replays card by card, and the picture of a result: what can be tested without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import { stepsOf, totalOf } from "../../src/holecard/server/pages/history/steps.js";
import { courseWords, ticks } from "../../src/holecard/server/pages/history/plot.js";

test("cards count as on any blackjack table", () => {
  const totals = { "As Kd": [21, true], "As As": [12, true], "As 9c Ad": [21, true], "Td 6s Ah": [17, false], "9s 8s 7s": [24, false] };
  for (const [cards, [total, soft]] of Object.entries(totals)) assert.deepEqual(totalOf(cards.split(" ")), { total, soft });
  assert.equal(totalOf(["As", null]).total, null);
});

const hand = (cards, more = {}) => ({ cards, ...totalOf(cards), stakes: { Bet: 1000 }, status: "playing", ...more });
const table = (dealer, hands, more = {}) => ({
  round: 1, phase: "acting", dealer: { cards: dealer, total: totalOf(dealer).total }, asked: 1, hand: 1, choices: [],
  offered: {}, results: [], shoe: null, deadline: null, closed: null, yours: [1], refused: {},
  seats: [{ seat: 1, name: "Ann", hands, sides: {}, insurance: 0 }], ...more,
});
const card = (seat, at, face) => ({ event: "card", seat, hand: at, card: face });
const moved = (move) => ({ kind: "moved", move, by_clock: false });
const BET = { type: "entry", number: 5, entry: moved("seat 1: $10"), events: [], view: table([], [hand([])], { phase: "betting" }) };
const shown = (step) => [step.view.dealer.cards, ...step.view.seats[0].hands.map((one) => one.cards)].map((cards) => cards.map((one) => one ?? "??").join(" "));

test("the deal is shown card by card, and the last step is the table's own view", () => {
  const deal = {
    type: "entry", number: 6, entry: moved("no more bets"),
    events: [card(1, 1, "9h"), card(0, 0, "6d"), card(1, 1, "2c"), card(0, 0, null), { event: "check", blackjack: false }],
    view: table(["6d", null], [hand(["9h", "2c"])]),
  };
  const steps = stepsOf([BET, deal]);
  assert.deepEqual(steps.map(shown), [
    ["", ""], ["", "9h"], ["6d", "9h"], ["6d", "9h 2c"], ["6d ??", "9h 2c"], ["6d ??", "9h 2c"],
  ]);
  assert.equal(steps.at(-1).view, deal.view);
  assert.deepEqual(steps.map((step) => step.begins), [true, true, false, false, false, false]);
  assert.deepEqual(steps.map((step) => step.view.asked), [1, null, null, null, null, 1]);
  assert.deepEqual(steps.map((step) => step.view.seats[0].hands[0].total), [0, 9, 9, 11, 11, 11]);
});

test("the dealer's hand, the side wagers and the results come one after the other", () => {
  const before = {
    ...BET, view: table(["6d", null], [hand(["9h", "2c"])], { seats: [{ seat: 1, name: "Ann", hands: [hand(["9h", "2c"])], sides: { Luck: 500 }, insurance: 0 }] }),
  };
  const bet = { seat: 1, hand: 1, wager: "Bet", stake: 1000, net: 1000, line: "wins" };
  const luck = { seat: 1, hand: 0, wager: "Luck", stake: 500, net: -500, line: "loses" };
  const last = {
    type: "entry", number: 7, entry: moved("seat 1: stand"),
    events: [{ event: "hole card", card: "Th" }, card(0, 0, "Kc"), { event: "result", ...bet }, { event: "result", ...luck }],
    view: table(["6d", "Th", "Kc"], [hand(["9h", "2c"], { status: "settled" })], { phase: "done", asked: null, results: [bet, luck] }),
  };
  const steps = stepsOf([before, last]).slice(1);
  assert.deepEqual(steps.map((step) => shown(step)[0]), ["6d Th", "6d Th Kc", "6d Th Kc", "6d Th Kc"]);
  assert.deepEqual(steps.map((step) => step.view.dealer.total), [16, 26, 26, 26]);
  assert.deepEqual(steps.map((step) => step.view.results.length), [0, 0, 1, 2]);
  assert.deepEqual(steps.map((step) => step.view.seats[0].hands[0].status), ["playing", "playing", "settled", "settled"]);
  assert.deepEqual(steps.map((step) => step.view.seats[0].sides), [{ Luck: 500 }, { Luck: 500 }, { Luck: 500 }, {}]);
});

test("a split moves a card before the next ones are dealt", () => {
  const before = { ...BET, view: table(["6d", null], [hand(["8h", "8c"])]) };
  const split = {
    type: "entry", number: 7, entry: moved("seat 1: split"), events: [card(1, 1, "2s"), card(1, 2, "3s")],
    view: table(["6d", null], [hand(["8h", "2s"]), hand(["8c", "3s"])]),
  };
  assert.deepEqual(stepsOf([before, split]).slice(1).map(shown), [["6d ??", "8h 2s", "8c"], ["6d ??", "8h 2s", "8c 3s"]]);
});

test("cards of others that were face down are shown when their hand is settled, not before", () => {
  const before = { ...BET, view: table(["6d", null], [hand([null, null])], { yours: [] }) };
  const result = { seat: 1, hand: 1, wager: "Bet", stake: 1000, net: -1000, line: "bust: loses" };
  const hit = {
    type: "entry", number: 7, entry: moved("seat 1: hit"), events: [card(1, 1, "Ks"), { event: "result", ...result }],
    view: table(["6d", null], [hand(["9h", "7c", "Ks"], { status: "settled" })], { yours: [], results: [result] }),
  };
  assert.deepEqual(stepsOf([before, hit]).slice(1).map((step) => shown(step)[1]), ["?? ?? Ks", "9h 7c Ks"]);
});

test("an axis has round values within its range", () => {
  assert.deepEqual(ticks(-4100, 3900, 6), [-4000, -2000, 0, 2000]);
  assert.deepEqual(ticks(0, 212, 8), [0, 50, 100, 150, 200]);
  assert.deepEqual(ticks(0, 1, 4), [0, 0.5, 1]);
  for (let size = 1; size < 1e6; size *= 3) {
    const found = ticks(-size, 2 * size, 6);
    assert.ok(found.length >= 3 && found.length <= 7, `${size}: ${found}`);
    assert.ok(found.every((one) => one >= -size && one <= 2 * size));
  }
});

test("the picture is also a sentence", () => {
  const point = { rounds: 212, at: 0, net: -3600, expected: -2790.3, low: -19013, high: 13432 };
  const words = courseWords([point]).replaceAll("\u2060", "");
  assert.equal(words, "−$36 over 212 rounds; expected −$28, and 95% of players would be between −$190 and +$134.");
  assert.match(courseWords([{ ...point, rounds: 1 }]), /over one round;/);
});
