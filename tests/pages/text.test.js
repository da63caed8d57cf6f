// Texts: keys, values, translations, and the choice of a language.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bestLanguage, textOf } from "../../src/holecard/server/pages/core/text.js";

const english = { lobby: { title: "Tables", open: "{n} open", free: ({ n }) => (n === 1 ? "1 seat" : `${n} seats`) } };

test("a text is found by its key, with its values", () => {
  assert.equal(textOf("lobby.title", {}, [english]), "Tables");
  assert.equal(textOf("lobby.open", { n: 3 }, [english]), "3 open");
  assert.equal(textOf("lobby.free", { n: 1 }, [english]), "1 seat");
  assert.equal(textOf("lobby.free", { n: 2 }, [english]), "2 seats");
});

test("a value that is missing stays visible, and so does a key that nobody wrote", () => {
  assert.equal(textOf("lobby.open", {}, [english]), "{n} open");
  assert.equal(textOf("lobby.none", {}, [english]), "lobby.none");
  assert.equal(textOf("none.at.all", {}, [english]), "none.at.all");
});

test("a translation comes first, and English where it lacks a key", () => {
  const german = { lobby: { title: "Tische" } };
  assert.equal(textOf("lobby.title", {}, [german, english]), "Tische");
  assert.equal(textOf("lobby.open", { n: 3 }, [german, english]), "3 open");
});

test("the language is the first wanted one that is offered", () => {
  assert.equal(bestLanguage(["de", "en"], ["de-AT", "en"]), "de");
  assert.equal(bestLanguage(["de", "en", "pt-BR"], ["pt-BR"]), "pt-BR");
  assert.equal(bestLanguage(["de", "en"], ["fr", ""]), "en");
});
