// What a browser remembers of shoes, and how it compares it with a document.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { compareSeen } from "../../src/holecard/server/pages/fairness/check.js";
import { rememberCommitment, seenShoe } from "../../src/holecard/server/pages/fairness/seen.js";

/** @type {Map<string, string>} */
let kept;
beforeEach(() => {
  kept = new Map();
  globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
});

const shown = (more = {}) => ({ id: "s1", commitment: "aa", player_seeds: [], open_for_seeds: true, ...more });
const revealed = (more = {}) => ({ shoe: "s1", commitment: "aa", player_seeds: [], ...more });

test("the first commitment stays, whatever the server says later", () => {
  rememberCommitment(shown());
  rememberCommitment(shown({ commitment: "bb", player_seeds: ["lucky"] }));
  assert.equal(seenShoe("s1").commitment, "aa");
  assert.equal(compareSeen(revealed({ commitment: "bb", player_seeds: ["lucky"] })), "commitment");
});

test("seeds that were seen must be in the document, in their order", () => {
  rememberCommitment(shown({ player_seeds: ["one", "two"] }));
  assert.equal(compareSeen(revealed({ player_seeds: ["one", "two", "three"] })), "same");
  assert.equal(compareSeen(revealed({ player_seeds: ["two", "one"] })), "seeds");
  assert.equal(compareSeen(revealed({ player_seeds: ["one"] })), "seeds");
  rememberCommitment(shown({ player_seeds: [] }));
  assert.deepEqual(seenShoe("s1").seeds, ["one", "two"]);
});

test("it is known whether the commitment was seen before the first card", () => {
  rememberCommitment(shown({ open_for_seeds: false }));
  rememberCommitment(shown({ id: "s2" }));
  rememberCommitment(null);
  assert.deepEqual([seenShoe("s1").early, seenShoe("s2").early, seenShoe("s3")], [false, true, null]);
  assert.equal(compareSeen(revealed({ shoe: "s3" })), "unseen");
});

test("a storage that is full, damaged or absent disturbs nobody", () => {
  kept.set("holecard.shoes", "not JSON");
  rememberCommitment(shown());
  assert.equal(compareSeen(revealed()), "same");
  globalThis.localStorage = { getItem: () => { throw new Error("no"); }, setItem: () => { throw new Error("full"); } };
  rememberCommitment(shown());
  assert.equal(compareSeen(revealed()), "unseen");
});

test("only the newest shoes are kept", () => {
  for (let number = 0; number < 350; number++) rememberCommitment(shown({ id: `n${number}` }));
  assert.equal(Object.keys(JSON.parse(kept.get("holecard.shoes"))).length, 300);
});
