// Settings of tables in words, and as switches and addresses write them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { changedWords, settingTexts, settingWords, settingsOf } from "../../src/holecard/server/pages/core/setting_words.js";

test("a switch becomes settings, with numbers and booleans as such", () => {
  assert.deepEqual(settingsOf("dealer.soft_17=stand"), { "dealer.soft_17": "stand" });
  assert.deepEqual(settingsOf("settle.natural='6 to 5'"), { "settle.natural": "6 to 5" });
  assert.deepEqual(settingsOf("player.split_hands=5"), { "player.split_hands": 5 });
  assert.deepEqual(settingsOf("player.double_after_split=false"), { "player.double_after_split": false });
  assert.deepEqual(settingsOf("wager.Upcard Luck.table=B"), { "wager.Upcard Luck.table": "B" });
  assert.deepEqual(settingsOf("dealer.hole_card='no peek' --set dealer.natural_takes=original"), {
    "dealer.hole_card": "no peek",
    "dealer.natural_takes": "original",
  });
});

test("settings are said in words", () => {
  assert.equal(settingWords("dealer.hole_card", "no peek"), "no peek");
  assert.equal(settingWords("player.double_after_split", false), "no double after a split");
  assert.equal(settingWords("dealer.soft", "hit all"), "dealer hits soft 17 to 21");
  assert.equal(settingWords("dealer.soft", "draw 16 to hard 17"), "dealer draws a two-card 16 or less to a hard 17");
  assert.equal(settingWords("shoe.decks", 1), "1 deck");
  assert.equal(
    changedWords({ "settle.natural": "6 to 5", "dealer.ends_on": [15, 16] }),
    "blackjack pays 6 to 5 · dealer stops on 15, 16",
  );
});

test("a setting without words of its own says its path, so that limits of two wagers differ", () => {
  assert.equal(settingWords("wager.Upcard Luck.table", "C"), "Upcard Luck table: C");
  assert.equal(settingWords("wager.Pairs.max", "$50"), "Pairs max: $50");
  assert.equal(settingWords("main.companion.natural", "lose"), "main companion natural: lose");
});

test("settings are written for an address so that the server reads the same values", () => {
  assert.deepEqual(settingTexts({ "settle.natural": "6 to 5", "shoe.decks": 8, "dealer.ends_on": [15, 16] }), [
    "settle.natural=6 to 5",
    "shoe.decks=8",
    "dealer.ends_on=[15,16]",
  ]);
  assert.deepEqual(settingTexts({ "wager.Luck.table": "8", "player.double_after_split": false }), [
    'wager.Luck.table="8"',
    "player.double_after_split=false",
  ]);
});
