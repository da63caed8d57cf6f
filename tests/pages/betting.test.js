// From chips to commands: bets are sent when they are complete, the cards on request, and the next round begins afresh.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Betting } from "../../src/holecard/server/pages/betting/betting.js";

const FELT = {
  main: { name: "Bet", min: 1000, max: 50000, step: 100, companion: null },
  wagers: [
    {
      name: "Hedge",
      min: 100,
      max: 500,
      step: 100,
      placed: "until the hole card is turned",
      needs: null,
      at_most_main: false,
      upcards: ["2", "3", "T"],
    },
  ],
};

function seat(hands) {
  return { seat: 1, name: "You", hands, sides: {}, insurance: 0 };
}

const HAND = { cards: [], stakes: { Bet: 1000 } };

function view(round, phase, seats, more = {}) {
  const dealer = { cards: [], total: null };
  const nothing = { offered: {}, choices: [], asked: null, closed: null, results: [] };
  return { round, phase, seats, dealer, yours: [1], ...nothing, ...more };
}

/** Somebody at seat 1 with $1,000; `sent` has the commands. */
function seated() {
  const sent = [];
  const send = async (command) => {
    sent.push(command);
    return true;
  };
  const betting = new Betting(FELT, "t", send, () => {});
  betting.balance = 100_000;
  betting.follow(view(0, "betting", [seat([])]), null);
  return { betting, sent };
}

const command = (betting, shown, id) => betting.commands(shown).find((one) => one.id === id);
const settle = () => new Promise((done) => setTimeout(done, 5));

test("chips are bet and the cards are dealt", async () => {
  const { betting, sent } = seated();
  const empty = view(0, "betting", [seat([])]);
  assert.equal(betting.put(empty, 1, "Bet", 1000), null);
  command(betting, empty, "deal").run();
  await settle();
  assert.deepEqual(sent, [{ do: "bet", seat: 1, main: 1000, sides: {} }, { do: "deal" }]);
});

for (const [name, phases] of [
  ["that is played", ["acting", "done"]],
  ["that the dealer's blackjack ends at once", ["done"]],
]) {
  test(`after a round ${name}, the same bet is sent again`, async () => {
    const { betting, sent } = seated();
    let shown = view(0, "betting", [seat([])]);
    betting.put(shown, 1, "Bet", 1000);
    command(betting, shown, "deal").run();
    await settle();
    const follow = (next) => {
      betting.follow(next, shown);
      shown = next;
    };
    follow(view(0, "betting", [seat([HAND])]));
    for (const phase of phases) follow(view(1, phase, [seat([HAND])]));
    assert.equal(betting.shown(shown).size, 0);
    sent.length = 0;
    command(betting, shown, "deal").run();
    await settle();
    assert.deepEqual(sent, [{ do: "bet", seat: 1, main: 1000, sides: {} }, { do: "deal" }]);
  });
}

test("more chips than money are refused", () => {
  const { betting } = seated();
  const empty = view(0, "betting", [seat([])]);
  betting.balance = 1500;
  assert.equal(betting.put(empty, 1, "Bet", 1000), null);
  assert.notEqual(betting.put(empty, 1, "Bet", 1000), null);
});

test("a circle for late wagers opens when it is offered, and what lies on it is placed", async () => {
  const { betting, sent } = seated();
  const asked = view(1, "after the check", [seat([HAND])], { asked: 1, offered: { 1: ["Hedge"] } });
  assert.notEqual(betting.closed(view(0, "betting", [seat([])]), 1, "Hedge"), null);
  assert.notEqual(betting.closed(asked, 1, "Bet"), null);
  assert.equal(betting.closed(asked, 1, "Hedge"), null);
  betting.follow(asked, null);
  assert.deepEqual(betting.commands(asked).map((one) => one.id), ["pass"]);
  betting.put(asked, 1, "Hedge", 2500);
  assert.equal(betting.chips(asked).get(1).Hedge, 500);
  command(betting, asked, "place").run();
  await settle();
  assert.deepEqual(sent, [{ do: "place", seat: 1, sides: { Hedge: 500 } }]);
});

for (const [phase, upcard, why] of [
  ["betting", null, /opens when the dealer has checked/],
  ["insurance", "Ad", /offered only when the dealer shows 2, 3 or 10/],
  ["early surrender", "Qd", /opens when the dealer has checked/],
  ["acting", "9d", /offered only when the dealer shows 2, 3 or 10/],
  ["acting", "Kd", /Placed at any time from the dealer's check until the hole card is turned/],
  ["done", "9d", /opens when the dealer has checked/],
]) {
  test(`a late wager that is not offered says why: ${phase}, ${upcard}`, () => {
    const { betting } = seated();
    const cards = upcard ? [upcard, null] : [];
    assert.match(betting.closed(view(1, phase, [seat([HAND])], { dealer: { cards, total: null } }), 1, "Hedge"), why);
  });
}

for (const [companion, balance, broke] of [
  [null, 1000, false],
  [null, 999, true],
  ["Second", 1999, true],
  ["Second", 2000, false],
]) {
  test(`${balance} cents and ${companion ? "two bets" : "one bet"} of 1000: ${broke ? "new" : "no new"} chips`, () => {
    let taken = 0;
    const felt = { ...FELT, main: { ...FELT.main, companion } };
    const betting = new Betting(felt, "t", async () => true, () => {}, () => taken++);
    [betting.balance, betting.buyInBelow] = [balance, 10_000];
    for (const phase of ["betting", "done"]) {
      const shown = view(0, phase, [seat([])]);
      betting.follow(shown, shown);
      assert.equal(command(betting, shown, "buy-in") !== undefined, broke);
      assert.equal(betting.note(shown).includes("smallest bet"), broke);
    }
    command(betting, view(0, "done", [seat([])]), "buy-in")?.run();
    assert.equal(taken, broke ? 1 : 0);
  });
}

test("chips are not offered where something is bet, the bank gives none, or nobody sits", () => {
  const empty = view(0, "betting", [seat([])]);
  const { betting } = seated();
  betting.put(empty, 1, "Bet", 1000);
  [betting.balance, betting.buyInBelow] = [0, 10_000];
  assert.equal(command(betting, empty, "buy-in"), undefined);
  const { betting: other } = seated();
  [other.balance, other.buyInBelow] = [900, 900];
  assert.equal(command(other, empty, "buy-in"), undefined);
  assert.match(other.note(empty), /smallest bet/);
  other.buyInBelow = 901;
  assert.notEqual(command(other, empty, "buy-in"), undefined);
  assert.equal(command(other, { ...empty, yours: [] }, "buy-in"), undefined);
});
