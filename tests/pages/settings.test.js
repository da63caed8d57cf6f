// Settings of a browser: what is stored and wrong counts as not stored.

import assert from "node:assert/strict";
import { test } from "node:test";

import { read, settings } from "../../src/holecard/server/pages/core/settings.js";

const defaults = { fourColor: false, speed: "normal", coach: true, coachShows: "after", language: "", seedWords: "" };

test("what is missing or wrong has its default", () => {
  assert.deepEqual(read(null), defaults);
  assert.deepEqual(read("not JSON"), defaults);
  assert.deepEqual(read("null"), defaults);
  assert.deepEqual(read('{"fourColor": "yes", "speed": "warp", "coach": 1, "coachShows": "never", "language": 7, "seedWords": []}'), defaults);
});

test("what is right is kept", () => {
  const stored = { fourColor: true, speed: "instant", coach: false, coachShows: "always", language: "de", seedWords: "dice 4 2" };
  assert.deepEqual(read(JSON.stringify({ ...stored, other: 1 })), stored);
});

test("listeners hear of a change until they stop", () => {
  const heard = [];
  const stop = settings.onChange((now) => heard.push(now.speed));
  settings.speed = "fast";
  stop();
  settings.speed = "normal";
  assert.deepEqual(heard, ["fast"]);
});
