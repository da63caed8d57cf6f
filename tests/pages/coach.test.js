// What the coach's panel reads from an answer: bars, the split of a session, and when values may be seen.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  amount,
  bars,
  cost,
  hasValues,
  isNewDecision,
  roughly,
  split,
  spotKey,
  valuesAreShown,
} from "../../src/holecard/server/pages/coach/reading.js";

const action = (/** @type {string} */ name, /** @type {number} */ ev, best = false) => ({
  action: name,
  ev,
  cents: 100 * ev,
  best,
  amount: null,
  with_nothing: null,
});

const answer = (/** @type {any} */ more = {}) => ({
  number: 7,
  round: 2,
  seat: 1,
  hand: 1,
  spot: "Th,6s v 9d",
  given: "",
  actions: [],
  late: [],
  insurance: null,
  wagers: [],
  last: null,
  session: null,
  ...more,
});

test("amounts are in cents, and in dollars from ten dollars on", () => {
  assert.equal(amount(4.94), "+4.9¢");
  assert.equal(amount(-54), "\u221254.0¢");
  assert.equal(amount(-1284.2), "\u2212$12.84");
  assert.equal(cost(12.34), "12.3¢");
  assert.equal(cost(607.1), "$6.07");
  assert.equal(cost(2500), "$25.00");
  assert.equal(roughly(-2436.4), "\u2212$24");
  assert.equal(roughly(13.2), "+$0.13");
});

test("the values of one hand have one unit", () => {
  const found = bars([action("stand", 0.5, true), action("double", -20)]);
  assert.deepEqual(
    found.map((bar) => bar.amount),
    ["+$0.50", "\u2212$20.00"],
  );
});

test("the best action has the longest bar, the worst a short one, and one action alone a whole one", () => {
  const found = bars([action("stand", 0.05, true), action("hit", -0.65), action("double", -1.3)]);
  assert.deepEqual(
    found.map((bar) => bar.action),
    ["stand", "hit", "double"],
  );
  assert.ok(Math.abs(found[0].share - 1) < 1e-9);
  assert.ok(found[2].share > 0 && found[2].share < 0.1);
  const half = (found[0].share + found[2].share) / 2;
  assert.ok(Math.abs(found[1].share - half) < 0.02);
  assert.equal(bars([action("stand", -0.5, true)])[0].share, 1);
});

test("the parts of a session lie on their side of the middle, side by side, as long as their amounts", () => {
  const parts = split({ luck: -985, skill: -35, house: -180 });
  assert.deepEqual(
    parts.map((part) => part.name),
    ["luck", "skill", "house"],
  );
  assert.ok(parts.every((part) => part.to <= 0.5 + 1e-9 && part.from >= -1e-9));
  assert.ok(Math.abs(parts[0].to - 0.5) < 1e-9);
  assert.ok(Math.abs(parts[1].to - parts[0].from) < 1e-9);
  assert.ok(Math.abs(parts[2].from) < 1e-9);
  const widths = parts.map((part) => part.to - part.from);
  assert.ok(Math.abs(widths[0] / widths[2] - 985 / 180) < 1e-6);
  const won = split({ luck: 500, skill: -100, house: -50 });
  assert.ok(won[0].from === 0.5 && Math.abs(won[0].to - 1) < 1e-9);
  assert.ok(Math.abs(won[1].to - 0.5) < 1e-9 && won[2].to <= won[1].from + 1e-9);
});

test("values are hidden until the player asks in this spot, unless they are always shown", () => {
  const now = answer({ actions: [action("hit", 0)] });
  assert.equal(valuesAreShown(now, "after", null), false);
  assert.equal(valuesAreShown(now, "always", null), true);
  assert.equal(valuesAreShown(now, "after", spotKey(now)), true);
  const next = answer({ actions: [action("hit", 0)], spot: "Th,6s,2c v 9d" });
  assert.equal(valuesAreShown(next, "asked", spotKey(now)), false);
  assert.equal(valuesAreShown(null, "always", null), false);
});

test("a question about wagers does not reveal the first decision", () => {
  const late = answer({ hand: null, spot: "", late: [{ wager: "Side", ev: -0.1, text: "" }] });
  const act = answer({ hand: null, spot: "", late: late.late, actions: [action("hit", 0)] });
  assert.notEqual(spotKey(late), spotKey(act));
  assert.equal(hasValues(late), true);
  assert.equal(hasValues(answer()), false);
  assert.equal(hasValues(null), false);
});

test("a decision is new when hand, action or cost differ", () => {
  const last = { seat: 1, hand: 1, spot: "Th,6s v 9d", action: "stand", cost: 3.1 };
  assert.equal(isNewDecision(null, /** @type {any} */ (last)), true);
  assert.equal(isNewDecision(/** @type {any} */ (last), /** @type {any} */ ({ ...last })), false);
  assert.equal(isNewDecision(/** @type {any} */ (last), /** @type {any} */ ({ ...last, action: "hit" })), true);
  assert.equal(isNewDecision(/** @type {any} */ (last), null), false);
});
