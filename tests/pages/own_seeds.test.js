// The page's own seeds: one for each shoe, after its commitment was kept, and no bet before it is answered.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { settings } from "../../src/holecard/server/pages/core/settings.js";
import { ownSeed, seenShoe } from "../../src/holecard/server/pages/fairness/seen.js";
import { LONGEST_WORDS, OwnSeeds } from "../../src/holecard/server/pages/table/own_seeds.js";

/** @type {Map<string, string>} */
let kept;
/** @type {{command: any, done: () => void, refuse: () => void}[]} what was sent */
let sent;
/** @type {OwnSeeds} */
let seeds;
beforeEach(() => {
  kept = new Map();
  globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
  settings.seedWords = "";
  sent = [];
  seeds = new OwnSeeds(
    (command) => new Promise((done, refuse) => sent.push({ command, done, refuse: () => refuse(new Error("refused")) })),
  );
});

const shoe = (more = {}) => ({
  ...{ id: "s1", commitment: "aa", player_seeds: [], your_seed: null, open_for_seeds: true, left: 312 },
  ...more,
});
const view = (more = {}, yours = [1]) => ({ shoe: shoe(more), yours });

/** The seeds that were sent. */
const texts = () => sent.map(({ command }) => command.seed);

test("a seed is sent once, when somebody sits down before the first card", () => {
  seeds.follow(view({}, []));
  assert.deepEqual(sent, []);
  seeds.follow(view());
  seeds.follow(view());
  assert.deepEqual(sent.map(({ command }) => command.do), ["add seed"]);
  assert.match(texts()[0], /^[0-9a-f]{32}$/);
  assert.equal(sent[0].command.shoe, "s1");
});

test("each shoe gets a fresh seed", () => {
  for (const id of ["s1", "s2", "s3"]) seeds.follow(view({ id }));
  assert.equal(new Set(texts()).size, 3);
});

test("the commitment and the seed are kept before the seed is sent", () => {
  /** @type {any[]} */
  const found = [];
  const watching = new OwnSeeds(async ({ seed }) => found.push([seenShoe("s1"), seed]));
  watching.follow(view());
  const [[seen, seed]] = found;
  assert.deepEqual([seen.commitment, seen.early, seen.sent], ["aa", true, [seed]]);
});

test("no seed is sent to a shoe that has begun, that has one of the same person, or to no shoe", () => {
  seeds.follow(view({ open_for_seeds: false }));
  seeds.follow(view({ your_seed: "of another window", player_seeds: ["of another window"] }));
  seeds.follow({ shoe: null, yours: [1] });
  assert.deepEqual(sent, []);
});

test("words of the player come first, random digits always follow, and both fit into a seed", () => {
  settings.seedWords = "w".repeat(LONGEST_WORDS);
  seeds.follow(view());
  seeds.follow(view({ id: "s2" }));
  assert.match(texts()[0], /^w{31} [0-9a-f]{32}$/);
  assert.equal(texts()[0].length, 64);
  assert.notEqual(texts()[0], texts()[1]);
});

test("what comes after a seed waits until it is answered", async () => {
  seeds.follow(view());
  let isSettled = false;
  const waiting = seeds.settled.then(() => (isSettled = true));
  await Promise.resolve();
  assert.equal(isSettled, false);
  sent[0].done();
  await waiting;
  assert.equal(isSettled, true);
});

test("a seed that was refused stops nothing, and is tried again while the shoe takes seeds", async () => {
  seeds.follow(view());
  sent[0].refuse();
  await seeds.settled;
  seeds.follow(view());
  assert.equal(sent.length, 2);
  sent[1].refuse();
  await seeds.settled;
  seeds.follow(view({ open_for_seeds: false }));
  assert.equal(sent.length, 2);
});

test("a shoe that refuses every seed is not asked forever, and the next one gets a seed", async () => {
  for (let time = 0; time < 9; time++) {
    seeds.follow(view());
    sent.at(-1)?.refuse();
    await seeds.settled;
  }
  assert.equal(sent.length, 3);
  seeds.follow(view({ id: "s2" }));
  assert.equal(sent.at(-1).command.shoe, "s2");
});

test("a new shoe gets its own seed while that of the last one has no answer", async () => {
  seeds.follow(view());
  seeds.follow(view({ id: "s2" }));
  sent[0].refuse(); // it names the shoe that has ended
  sent[1].done();
  await seeds.settled;
  seeds.follow(view({ id: "s2" }));
  assert.deepEqual(sent.map(({ command }) => command.shoe), ["s1", "s2"]);
});

test("it is said whose seed is in the shoe, also after the page was loaded again", () => {
  assert.equal(seeds.stateOf(shoe()), "open");
  assert.equal(seeds.stateOf(shoe({ open_for_seeds: false })), "late");
  seeds.follow(view());
  const [own] = texts();
  const added = { player_seeds: ["of Bob", own], your_seed: own };
  const again = new OwnSeeds(async () => {});
  for (const one of [seeds, again]) assert.equal(one.stateOf(shoe(added)), "own");
  assert.equal(again.stateOf(shoe({ player_seeds: ["of Bob"], your_seed: "of Bob" })), "other");
});

test("a finished shoe names the seed that this browser has sent", () => {
  seeds.follow(view());
  const [own] = texts();
  assert.equal(ownSeed({ shoe: "s1", player_seeds: ["of Bob", own] }), own);
  assert.equal(ownSeed({ shoe: "s1", player_seeds: ["of Bob"] }), null);
  assert.equal(ownSeed({ shoe: "s2", player_seeds: [own] }), null);
});

test("a browser that keeps nothing adds a seed and knows it until the page is left", () => {
  globalThis.localStorage = { getItem: () => { throw new Error("no"); }, setItem: () => { throw new Error("no"); } };
  seeds.follow(view());
  const [own] = texts();
  assert.equal(seeds.stateOf(shoe({ player_seeds: [own], your_seed: own })), "own");
});
