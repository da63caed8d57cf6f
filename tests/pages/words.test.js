// What the dealer says, even money only where the sheet and the bet make it one; and what an operator did.

import assert from "node:assert/strict";
import { test } from "node:test";

import { entryInWords, isEvenMoney } from "../../src/holecard/server/pages/table/words.js";

const FELT = { main: { name: "Bet" }, insurance: { most: "half", even_money: true } };

function offered(bet, most, hand = { cards: ["As", "Kd"], total: 21 }) {
  const seats = [{ seat: 3, hands: [{ ...hand, stakes: { Bet: bet } }] }];
  return { asked: 3, seats, choices: [{ action: "insurance", low: 100, high: most, step: 100 }, { action: "no insurance" }] };
}

test("a blackjack with exactly half the bet on insurance wins the bet", () => {
  assert.equal(isEvenMoney(offered(5_000, 2_500), FELT), true);
});

test("half a bet that chips cannot make up is insurance", () => {
  assert.equal(isEvenMoney(offered(2_500, 1_200), FELT), false);
});

test("other hands, and blackjacks that pay other odds, are insured", () => {
  assert.equal(isEvenMoney(offered(5_000, 2_500, { cards: ["9s", "Kd"], total: 19 }), FELT), false);
  assert.equal(isEvenMoney(offered(5_000, 2_500), { ...FELT, insurance: { most: "half", even_money: false } }), false);
  assert.equal(isEvenMoney(offered(5_000, 2_500), { ...FELT, insurance: null }), false);
});

test("players read what an operator did, and why", () => {
  const acted = (seat) => ({ kind: "operator acted", action: seat ? "free seat" : "end round", seat, reason: "Rude" });
  const before = { asked: null, yours: [3] };
  assert.equal(entryInWords(acted(null), before), "The operator ended this round; all stakes were returned: Rude");
  assert.equal(entryInWords(acted(3), before), "The operator freed your seat 3: Rude");
  assert.equal(entryInWords(acted(2), before), "The operator freed seat 2: Rude");
  assert.equal(entryInWords(acted(2), null), "The operator freed seat 2: Rude");
});
