// The check of a shoe in the browser: the test vectors of docs/fairness.md, an honest shoe, and every kind of change.
// The shoe here is dealt with Node's own cryptography; tests/pages/test_shoe_checks.py checks shoes of the server.

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { test } from "node:test";

import { checkShoe, readDocument } from "../../src/holecard/server/pages/fairness/check.js";
import { Draws, commitment, shoeKey, sortedDecks } from "../../src/holecard/server/pages/fairness/construction.js";

const SEED = [...Array(32).keys()].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const SHEET = "ab".repeat(32);
const CARDS = [..."A23456789TJQK"].flatMap((rank) => [..."shdc"].map((suit) => rank + suit));

test("the test vectors of docs/fairness.md", async () => {
  assert.equal(
    await commitment(SEED, "shoe-7", SHEET),
    "8063e986e67384d9c77468bf70508d9bb11e43948158175be82b855a52a5aad2",
  );
  const key = await shoeKey(SEED, "shoe-7", SHEET, ["lucky", "sévën"]);
  assert.equal(key, "63fbf81e63be84a39b70eaa37c98c91e8118df5717e41e0a1447961745573210");
  const stock = sortedDecks(6);
  const draws = await Draws.with(key);
  const dealt = [];
  while (dealt.length < 12) dealt.push(...stock.splice(await draws.next(stock.length), 1));
  assert.equal(dealt.join(" "), "2s 7h 7h Qd 9d Jc 3c 6c Ts 9d Ks Kc");
});

/** Deals cards, each from a number of 64 bits. */
class PlainShoe {
  constructor(key) {
    this.key = key;
    this.stock = [...CARDS];
    this.draws = 0;
  }

  take(count) {
    return Array.from({ length: count }, () => {
      const number = this.number(this.stock.length);
      return this.stock.splice(number, 1)[0];
    });
  }

  number(left) {
    for (let attempt = 0; ; attempt++) {
      const block = createHmac("sha256", this.key).update(`draw ${this.draws} attempt ${attempt}`).digest();
      const number = block.readBigUInt64BE(0);
      if (number >= 2n ** 64n - (2n ** 64n % BigInt(left))) continue;
      this.draws += 1;
      return Number(number % BigInt(left));
    }
  }
}

/** A shoe of one deck with two burned cards and three rounds; it runs out in the last. */
function honest() {
  const rules = JSON.stringify({ name: "Test", shoe: { decks: 1, burn: 2, cut_card: 90 } });
  const sheet = createHash("sha256").update(rules).digest("hex");
  const context = `holecard-shoe-1\nshoe-1\n${sheet}\n`;
  const key = createHmac("sha256", Buffer.from(SEED, "hex")).update(`${context}5:lucky,5:zwölf,`).digest();
  // "ö" has two bytes, so the second seed is six bytes long.
  const right = createHmac("sha256", Buffer.from(SEED, "hex")).update(`${context}5:lucky,6:zwölf,`).digest();
  assert.notDeepEqual(key, right);
  const shoe = new PlainShoe(right);
  const burned = shoe.take(2);
  const rounds = [shoe.take(20), shoe.take(20)];
  const last = shoe.take(10);
  const back = [...CARDS].filter((card) => [...burned, ...rounds.flat()].includes(card));
  shoe.stock = [...back];
  last.push(...shoe.take(5));
  const round = (number, cards, restocked = []) => ({
    number, cards: cards.join(" "), restocked, bets: [], play: [], paid: [], voided: false,
  });
  return {
    construction: "holecard-shoe-1",
    shoe: "shoe-1",
    sheet,
    commitment: createHash("sha256").update(context + SEED).digest("hex"),
    seed: SEED,
    player_seeds: ["lucky", "zwölf"],
    rules,
    decks: 1,
    cut_card: 46,
    burned: burned.join(" "),
    cut_short: true,
    rounds: [round(4, rounds[0]), round(5, rounds[1]), round(6, last, [{ after: 10, cards: back.join(" ") }])],
  };
}

const linesOf = async (shoe) => {
  const lines = await checkShoe(readDocument(JSON.stringify(shoe)));
  return lines.map((line) => [line.check, line.state, line.problem].filter(Boolean).join(" "));
};

test("an honest shoe passes every line, and the lines come with progress", async () => {
  const told = [];
  const lines = await checkShoe(honest(), (line, share) => told.push([line.check, share]));
  assert.deepEqual(lines.map((line) => line.check), [
    "construction", "rules", "commitment", "settings", "burned", "round", "round", "round", "end",
  ]);
  assert.ok(lines.every((line) => line.state === "passed"));
  assert.deepEqual(told.map(([check]) => check), lines.map((line) => line.check));
  assert.equal(told.at(-1)[1], 1);
});

const other = (card) => (card === "As" ? "2s" : "As");
const change = (text, place) => text.split(" ").with(place, other(text.split(" ")[place])).join(" ");

/** Each change, and the first line that fails. */
const CHANGES = {
  "one card of a round": [(shoe) => { shoe.rounds[1].cards = change(shoe.rounds[1].cards, 7); }, "round failed card", 6],
  "a burned card": [(shoe) => { shoe.burned = change(shoe.burned, 1); }, "burned failed card", 4],
  "a card after the restock": [(shoe) => { shoe.rounds[2].cards = change(shoe.rounds[2].cards, 12); }, "round failed card", 7],
  "the seed": [(shoe) => { shoe.seed = shoe.seed.replace("1f", "1e"); }, "commitment failed commitment", 2],
  "a seed in capitals": [(shoe) => { shoe.seed = shoe.seed.toUpperCase(); }, "construction failed seed", 0],
  "the commitment": [(shoe) => { shoe.commitment = "0".repeat(64); }, "commitment failed commitment", 2],
  "the shoe's id": [(shoe) => { shoe.shoe = "shoe-2"; }, "commitment failed commitment", 2],
  "the rules": [(shoe) => { shoe.rules = shoe.rules.replace("Test", "Tost"); }, "rules failed rules", 1],
  "a player's seed": [(shoe) => { shoe.player_seeds[0] = "Lucky"; }, "burned failed card", 4],
  "the order of the players' seeds": [(shoe) => { shoe.player_seeds.reverse(); }, "burned failed card", 4],
  "a missing player's seed": [(shoe) => { shoe.player_seeds.pop(); }, "burned failed card", 4],
  "a missing round": [(shoe) => { shoe.rounds.splice(1, 1); }, "round failed number", 6],
  "a missing round, renumbered": [
    (shoe) => { shoe.rounds.splice(1, 1); shoe.rounds[1].number = 5; }, "round failed card", 6,
  ],
  "a round too many": [
    (shoe) => { shoe.rounds.push({ ...shoe.rounds[2], number: 7 }); }, "round failed card", 8,
  ],
  "a missing last round of a shoe that is called whole": [
    (shoe) => { shoe.rounds.pop(); shoe.cut_short = false; }, "end failed notOver", 7,
  ],
  "a shoe that is called whole": [(shoe) => { shoe.cut_short = false; }, "end failed notOver", 8],
  "a card that is put back but was not out": [
    (shoe) => { const back = shoe.rounds[2].restocked[0]; back.cards += ` ${shoe.burned.split(" ")[0]}`; },
    "round failed restockCard", 7,
  ],
  "a card that is not put back": [
    (shoe) => { const back = shoe.rounds[2].restocked[0]; back.cards = back.cards.slice(3); },
    "round failed restockKept", 7,
  ],
  "cards that are put back too early": [(shoe) => { shoe.rounds[2].restocked[0].after = 9; }, "round failed restockEarly", 7],
  "no restock": [(shoe) => { shoe.rounds[2].restocked = []; }, "round failed empty", 7],
  "a restock after the end of a round": [(shoe) => { shoe.rounds[2].restocked[0].after = 99; }, "round failed restock", 7],
  "a burned card more": [
    (shoe) => {
      const [first, ...rest] = shoe.rounds[0].cards.split(" ");
      shoe.burned += ` ${first}`;
      shoe.rounds[0].cards = rest.join(" ");
    },
    "settings failed burnedCount", 3,
  ],
  "the decks": [(shoe) => { shoe.decks = 2; }, "settings failed decks", 3],
  "the cut card": [(shoe) => { shoe.cut_card = 45; }, "settings failed cutCard", 3],
  "a card that does not exist": [(shoe) => { shoe.rounds[0].cards += " 1x"; }, "round failed noCard", 5],
  "a round after one that was voided": [(shoe) => { shoe.rounds[0].voided = true; }, "round failed afterVoided", 6],
  "another construction": [(shoe) => { shoe.construction = "other-shoe-1"; }, "construction failed construction", 0],
};

for (const [name, [alter, expected, place]] of Object.entries(CHANGES)) {
  test(`a document with a change is found at its line: ${name}`, async () => {
    const shoe = honest();
    alter(shoe);
    const lines = await linesOf(shoe);
    assert.equal(lines.findIndex((line) => line.includes("failed")), place);
    assert.equal(lines[place], expected);
  });
}

test("after a wrong card nothing is said of the rounds that follow", async () => {
  const shoe = honest();
  shoe.rounds[0].cards = change(shoe.rounds[0].cards, 0);
  const lines = await linesOf(shoe);
  assert.deepEqual(lines.slice(5), ["round failed card", "round skipped", "round skipped", "end skipped"]);
});

test("a shoe that passes its cut card ends there", async () => {
  const shoe = honest();
  shoe.rules = JSON.stringify({ name: "Test", shoe: { decks: 1, burn: 2, cut_card: 80 } });
  assert.equal(Math.floor(52 * 0.8), 41); // 42 cards are out after the second round
  shoe.cut_card = 41;
  const lines = await linesOf(shoe);
  assert.equal(lines[7], "round failed afterEnd");
  shoe.rounds.pop();
  assert.equal((await linesOf(shoe)).at(-1), "end failed isOver");
  shoe.cut_short = false;
  assert.equal((await linesOf(shoe)).at(-1), "end passed");
});

test("what is not a document of a shoe is refused", () => {
  for (const text of ["", "{", "null", "[]", "3", "{}", JSON.stringify({ ...honest(), rounds: [{}] }),
    JSON.stringify({ ...honest(), decks: 1e9 }), JSON.stringify({ ...honest(), player_seeds: [1] })]) {
    assert.throws(() => readDocument(text));
  }
});
