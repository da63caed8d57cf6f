// Chips before they are bet: within the limits, taken back in order, repeated and doubled.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Bets } from "../../src/holecard/server/pages/betting/bets.js";

const WAGER = { placed: "before the deal", needs: null, at_most_main: false, token: false, printed: true, lines: [], tax: [] };
const FELT = {
  main: { name: "Bet", min: 1000, max: 50000, step: 100, companion: null },
  wagers: [
    { ...WAGER, name: "Pairs", min: 100, max: 2500, step: 100 },
    { ...WAGER, name: "Luck", min: 500, max: 10000, step: 500, at_most_main: true },
    { ...WAGER, name: "Token", min: 100, max: 100, step: 100, needs: "Luck" },
  ],
};

function bets(felt = FELT, last = {}) {
  return new Bets(felt, last);
}

test("chips add up, and the command has all of them", () => {
  const found = bets();
  assert.equal(found.add(1, "Bet", 2500), null);
  assert.equal(found.add(1, "Bet", 500), null);
  assert.equal(found.add(1, "Pairs", 500), null);
  assert.equal(found.problem(1), null);
  assert.deepEqual(found.command(1), { do: "bet", seat: 1, main: 3000, sides: { Pairs: 500 } });
  assert.equal(found.total, 3500);
});

test("a circle takes no more than its limit, and says so when it is full", () => {
  const found = bets();
  assert.equal(found.add(1, "Pairs", 10000), null);
  assert.equal(found.of(1).Pairs, 2500);
  assert.notEqual(found.add(1, "Pairs", 100), null);
  assert.equal(found.of(1).Pairs, 2500);
});

test("a wager that may not exceed the main wager is held to it", () => {
  const found = bets();
  assert.notEqual(found.add(1, "Luck", 500), null);
  found.add(1, "Bet", 1000);
  found.add(1, "Luck", 2500);
  assert.equal(found.of(1).Luck, 1000);
});

test("a wager of one amount takes that amount, and needs the wager that it belongs to", () => {
  const found = bets();
  found.add(1, "Bet", 1000);
  found.add(1, "Token", 2500);
  assert.equal(found.of(1).Token, 100);
  assert.notEqual(found.problem(1), null);
  found.add(1, "Luck", 500);
  assert.equal(found.problem(1), null);
});

test("a chip counts for the nearest amount that the table takes", () => {
  const found = bets();
  found.add(1, "Bet", 500);
  assert.equal(found.of(1).Bet, 1000);
  assert.equal(found.problem(1), null);
  found.add(1, "Luck", 100);
  assert.equal(found.of(1).Luck, 500);
  assert.equal(found.problem(1), null);
});

test("undo takes back the last chip, then the one before", () => {
  const found = bets();
  found.add(1, "Bet", 1000);
  found.add(2, "Bet", 2500);
  found.add(1, "Pairs", 100);
  assert.equal(found.undo(), true);
  assert.deepEqual(found.of(1), { Bet: 1000 });
  assert.equal(found.undo(), true);
  assert.equal(found.stakes.has(2), false);
  assert.equal(found.undo(), true);
  assert.equal(found.undo(), false);
  assert.equal(found.total, 0);
});

test("the last bet can be repeated, and doubled up to the limits", () => {
  const found = bets();
  found.add(1, "Bet", 30000);
  found.add(1, "Pairs", 2500);
  found.dealt([1]);
  assert.equal(found.total, 0);
  assert.equal(found.hasLast([1]), true);
  assert.equal(found.hasLast([2]), false);
  found.again([1, 2]);
  assert.deepEqual(found.of(1), { Bet: 30000, Pairs: 2500 });
  found.clear();
  found.double([1]);
  assert.deepEqual(found.of(1), { Bet: 50000, Pairs: 2500 });
});

test("what is on one seat can be bet on all", () => {
  const found = bets();
  found.add(2, "Bet", 1000);
  found.add(2, "Pairs", 100);
  found.everywhere([1, 2, 3]);
  assert.deepEqual([1, 2, 3].map((seat) => found.of(seat)), Array(3).fill({ Bet: 1000, Pairs: 100 }));
  found.of(1).Bet = 5;
  assert.equal(found.of(2).Bet, 1000);
});

test("a companion costs as much as the main wager, and is not sent", () => {
  const found = bets({ ...FELT, main: { ...FELT.main, companion: "Play" } });
  found.add(1, "Play", 1000);
  assert.deepEqual(found.shown.get(1), { Bet: 1000, Play: 1000 });
  assert.equal(found.total, 2000);
  assert.deepEqual(found.command(1), { do: "bet", seat: 1, main: 1000, sides: {} });
});

test("what the server says is bet is taken over, and replaces what was put down", () => {
  const found = bets();
  const hand = (main) => [{ stakes: { Bet: main }, cards: [] }];
  const view = { yours: [2], seats: [{ seat: 2, hands: hand(2000), sides: { Pairs: 100 } }] };
  found.add(2, "Bet", 500);
  found.takeOver(view, 2);
  assert.deepEqual(Object.fromEntries(found.stakes), { 2: { Bet: 2000, Pairs: 100 } });
  assert.deepEqual(found.betOf(view, 2), { Bet: 2000, Pairs: 100 });
  assert.equal(found.betOf(view, 3), null);
  found.takeOver({ yours: [2], seats: [] }, 2);
  assert.deepEqual(Object.fromEntries(found.stakes), {});
});

test("one step back takes back a bet on several seats", () => {
  const found = bets(FELT, { 1: { Bet: 3000 }, 2: { Bet: 2000 } });
  found.add(1, "Bet", 1000);
  found.again([1, 2]);
  assert.deepEqual([found.of(1), found.of(2)], [{ Bet: 3000 }, { Bet: 2000 }]);
  found.undo();
  assert.deepEqual([found.of(1), found.of(2)], [{ Bet: 1000 }, {}]);
});
