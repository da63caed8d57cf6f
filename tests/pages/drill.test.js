// Totals, keys and bars of the drill, addresses, and the arrow keys of the strategy chart.

import assert from "node:assert/strict";
import { test } from "node:test";

import { queryOf, readAddress } from "../../src/holecard/server/pages/drill/address.js";
import { KEYS, actionOf, barsOf, totalOf, valueOf } from "../../src/holecard/server/pages/drill/hands.js";
import { moved } from "../../src/holecard/server/pages/strategy/moves.js";

test("totals count an ace as 11 where that does not bust", () => {
  assert.deepEqual(totalOf(["Ah", "6d"]), { total: 17, soft: true });
  assert.deepEqual(totalOf(["Ah", "6d", "Tc"]), { total: 17, soft: false });
  assert.deepEqual(totalOf(["Ah", "As"]), { total: 12, soft: true });
  assert.deepEqual(totalOf(["Kh", null]), { total: 10, soft: false });
  assert.deepEqual(totalOf(["9h", "8s", "5c"]), { total: 22, soft: false });
  assert.equal(valueOf("Qs"), 10);
});

test("totals agree with every hand of three cards, counted slowly", () => {
  const ranks = [..."A23456789TJQK"];
  for (const one of ranks) {
    for (const two of ranks) {
      for (const three of ranks) {
        const cards = [`${one}s`, `${two}h`, `${three}d`];
        // Every ace counts 1 or 11; the best sum is the highest one up to 21, else the lowest.
        let sums = [0];
        for (const card of cards) {
          const values = card[0] === "A" ? [1, 11] : [valueOf(card)];
          sums = sums.flatMap((sum) => values.map((value) => sum + value));
        }
        const fitting = sums.filter((sum) => sum <= 21);
        assert.equal(totalOf(cards).total, fitting.length ? Math.max(...fitting) : Math.min(...sums));
      }
    }
  }
});

test("a key answers only what is offered", () => {
  assert.equal(actionOf("H", ["hit", "stand"]), "hit");
  assert.equal(actionOf("p", ["hit", "stand"]), null);
  assert.equal(actionOf("n", ["insurance", "no insurance"]), "no insurance");
  assert.equal(actionOf("n", ["place", "pass"]), "pass");
});

test("no two actions that a table offers together have one key", () => {
  const together = [
    ["hit", "stand", "double", "split", "double up", "quick pay", "surrender"],
    ["insurance", "no insurance"],
    ["surrender", "no surrender"],
    ["place", "pass"],
  ];
  for (const actions of together) assert.equal(new Set(actions.map((action) => KEYS[action])).size, actions.length);
});

test("bars begin at zero and keep the order of values", () => {
  const [best, worst] = barsOf([10, -30]);
  assert.deepEqual(best, { from: 75, to: 100, zero: 75 });
  assert.deepEqual(worst, { from: 0, to: 75, zero: 75 });
  assert.deepEqual(barsOf([0, 0])[0], { from: 0, to: 0, zero: 0 });
  for (const bar of barsOf([-50, -53, -107])) assert.ok(bar.from <= bar.to && bar.to === 100);
});

test("addresses read back", () => {
  const address = { game: "my game", kind: "more cards", exceptions: true, settings: ["shoe.decks=8", "a=b&c"] };
  assert.deepEqual(readAddress("/games/my%20game/drill", queryOf(address)), address);
  assert.equal(readAddress("/drill", "").game, null);
  assert.equal(queryOf({}), "");
});

test("arrow keys stay in the table", () => {
  assert.deepEqual(moved("ArrowUp", { row: 0, column: 2 }, 3, 4), { row: 0, column: 2 });
  assert.deepEqual(moved("ArrowDown", { row: 0, column: 2 }, 3, 4), { row: 1, column: 2 });
  assert.deepEqual(moved("ArrowRight", { row: 0, column: 3 }, 3, 4), { row: 0, column: 3 });
  assert.deepEqual(moved("End", { row: 1, column: 0 }, 3, 4), { row: 1, column: 3 });
  assert.deepEqual(moved("Home", { row: 2, column: 3 }, 3, 4, true), { row: 0, column: 0 });
  assert.equal(moved("x", { row: 0, column: 0 }, 3, 4), null);
});
