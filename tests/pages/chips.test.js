// The chips of a rack: real ones, and one with which every amount that the table takes can be put down.

import assert from "node:assert/strict";
import { test } from "node:test";

import { chipsOf, rackOf } from "../../src/holecard/server/pages/felt/chips.js";

test("the rack has the chips of casinos, from the step to the highest wager", () => {
  assert.deepEqual(rackOf(100, 50_000), [100, 500, 2_500, 10_000, 50_000]);
  assert.deepEqual(rackOf(500, 50_000), [500, 2_500, 10_000, 50_000]);
  assert.deepEqual(rackOf(25, 1_000_000), [25, 50, 100, 500, 2_500, 10_000]);
});

test("where no chip is worth a step, the rack has one that is", () => {
  assert.deepEqual(rackOf(250, 125_000), [250, 500, 2_500, 10_000, 50_000, 100_000]);
  assert.deepEqual(rackOf(2_000, 10_000), [2_000, 2_500, 10_000]);
});

test("an amount is made up of the fewest chips", () => {
  assert.deepEqual(chipsOf(63_150), [50_000, 10_000, 2_500, 500, 100, 50]);
  assert.deepEqual(chipsOf(0), []);
});
