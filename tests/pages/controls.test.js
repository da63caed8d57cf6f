// What a player can pay for: the price decides, and the highest amount is whole steps of the money left.

import assert from "node:assert/strict";
import { test } from "node:test";

import { withinMeans } from "../../src/holecard/server/pages/table/controls.js";

const SPLIT = { action: "split", low: null, high: null, step: null, price: 5_000 };
const INSURANCE = { action: "insurance", low: 100, high: 2_550, step: 100, price: 100 };

test("an action is for those who have its price", () => {
  assert.equal(withinMeans(SPLIT, 4_999), null);
  assert.equal(withinMeans(SPLIT, 5_000), SPLIT);
  assert.equal(withinMeans(INSURANCE, 99), null);
});

test("the highest amount is limited to the money, in whole steps", () => {
  assert.equal(withinMeans(INSURANCE, 2_550)?.high, 2_550);
  assert.equal(withinMeans(INSURANCE, 2_549)?.high, 2_500);
  assert.equal(withinMeans(INSURANCE, 199)?.high, 100);
});
