// Money, shares and signs as people read them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cents, gain, money, percent, withSuits } from "../../src/holecard/server/pages/core/format.js";

test("money is written in dollars, with cents only where there are some", () => {
  assert.equal(money(114500), "$1,145");
  assert.equal(money(750), "$7.50");
  assert.equal(money(-1200), "\u2212$12");
  assert.equal(money(0), "$0");
  assert.equal(money(-0), "$0");
  assert.equal(money(5), "$0.05");
});

test("a gain has a sign, and nothing has none", () => {
  assert.equal(gain(1200), "+$12");
  assert.equal(gain(-1200), "\u2212$12");
  assert.equal(gain(0), "$0");
});

test("shares and values are rounded, and what rounds to zero has no sign", () => {
  assert.equal(percent(0.0032), "0.32%");
  assert.equal(percent(-0.05), "\u22125.00%");
  assert.equal(percent(-0.000001), "0.00%");
  assert.equal(cents(4.9), "+4.9\u00a2");
  assert.equal(cents(-0.01), "0.0\u00a2");
});

test("cards in a text get their suits, and other words stay", () => {
  assert.equal(withSuits("As Js"), "A\u2660 J\u2660");
  assert.equal(withSuits("Td and 7h"), "10\u2666 and 7\u2665");
  assert.equal(withSuits("suited 3 and 8, hard 9-11"), "suited 3 and 8, hard 9-11");
});
