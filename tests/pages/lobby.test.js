// The lobby without a browser: which seat is taken, which table is used again, what a switch of a sheet changes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { limits } from "../../src/holecard/server/pages/lobby/open_tables.js";
import { PACES, middleSeat, tableToReuse } from "../../src/holecard/server/pages/lobby/opening.js";
import { contradict } from "../../src/holecard/server/pages/lobby/options.js";
import { sharedSentences, tableGroups, upcardRows } from "../../src/holecard/server/pages/lobby/pay_table.js";

test("the free seat nearest to the middle is taken, the dealer's left first", () => {
  assert.equal(middleSeat({ seats: 7, taken: {} }), 4);
  assert.equal(middleSeat({ seats: 7, taken: { 4: "Ann" } }), 3);
  assert.equal(middleSeat({ seats: 7, taken: { 3: "Ann", 4: "Bob" } }), 5);
  assert.equal(middleSeat({ seats: 6, taken: {} }), 3);
  assert.equal(middleSeat({ seats: 1, taken: {} }), 1);
  assert.equal(middleSeat({ seats: 2, taken: { 1: "Ann", 2: "Bob" } }), null);
});

const table = (id, more) => ({ id, game: "one", sheet: "s", settings: {}, taken: {}, pace: PACES.relaxed, ...more });

test("playing alone goes back to one's own table, or to an empty one of the same sheet", () => {
  const taken = table("taken", { taken: { 1: "Bob" } });
  const mine = table("mine", { taken: { 2: "Ann" } });
  const empty = table("empty", {});
  const others = [table("other game", { game: "two" }), table("old", { sheet: "t" }), table("own rules", { settings: { decks: 8 } }), table("in a hurry", { pace: PACES.fast })];
  assert.equal(tableToReuse([...others, taken, empty, mine], "one", "s", "Ann").id, "mine");
  assert.equal(tableToReuse([...others, taken, empty], "one", "s", "Ann").id, "empty");
  assert.equal(tableToReuse([...others, taken], "one", "s", "Ann"), null);
});

test("a private table is not used for playing alone, unless one sits there", () => {
  const kept = table("private", { private: true });
  assert.equal(tableToReuse([kept], "one", "s", "Ann"), null);
  assert.equal(tableToReuse([{ ...kept, taken: { 2: "Ann" } }], "one", "s", "Ann").id, "private");
});

test("two readings contradict each other where they give one setting two values", () => {
  const noPeek = { "dealer.hole_card": "no peek" };
  assert.equal(contradict(noPeek, { "dealer.hole_card": "none" }), true);
  assert.equal(contradict(noPeek, { "dealer.hole_card": "no peek", "dealer.natural_takes": "original" }), false);
  assert.equal(contradict(noPeek, { "player.split_by": "rank" }), false);
  assert.equal(contradict({ "shoe.decks": 8 }, { "shoe.decks": 6 }), true);
});

test("limits are those of the game unless the table changed them", () => {
  const game = { felt: { main: { min: 500, max: 50000 } } };
  assert.equal(limits({ settings: {} }, game), "$5 – $500");
  assert.equal(limits({ settings: { "main.min": "$25" } }, game), "$25 – $500");
  assert.equal(limits({ settings: {} }, undefined), "");
});

test("neighbors with odds by upcard share a table, with a row for each upcard", () => {
  const plain = { name: "Pairs", lines: [{ line: "pair", pays: "11 to 1" }] };
  const first = { name: "18", lines: [{ line: "dealer 18", pays: { 2: "6 to 1", T: "7 to 1", A: "7 to 2" } }] };
  const second = { name: "19", lines: [{ line: "dealer 19", pays: { 2: "5 to 1" } }] };
  assert.deepEqual(tableGroups([plain, first, second, plain]), [[plain], [first, second], [plain]]);
  const rows = upcardRows([first, second]);
  assert.equal(rows.length, 10);
  assert.deepEqual(rows[0], ["2", "6 to 1", "5 to 1"]);
  assert.deepEqual(rows[8], ["10", "7 to 1", "–"]);
  assert.deepEqual(rows[9], ["A", "7 to 2", "–"]);
});

test("a sentence about some wagers of a shared table names them", () => {
  const wagers = [{ name: "18" }, { name: "19" }];
  const sentences = new Map([
    ["18", ["Same.", "Only with 2 up."]],
    ["19", ["Same."]],
  ]);
  assert.deepEqual(sharedSentences(wagers, sentences), ["Same.", "18: Only with 2 up."]);
});
