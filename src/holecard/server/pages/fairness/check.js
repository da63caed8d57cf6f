// @ts-check
// Deals a finished shoe again from its document, and says line by line what agrees with it.

import { CONSTRUCTION, Draws, commitment, isCard, sha256, shoeKey, sorted, sortedDecks } from "./construction.js";
import { seenShoe } from "./seen.js";

/** @typedef {import("../core/protocol").ShoeDocument} ShoeDocument */
/** @typedef {import("../core/protocol").ShoeRound} ShoeRound */

/**
 * One thing that was checked. `check` says what: "construction", "rules", "commitment", "settings", "burned", "round"
 * or "end". `problem` is why it failed; `values` are for the words of it.
 * @typedef {{
 *   check: string,
 *   state: "passed" | "failed" | "skipped",
 *   problem?: string,
 *   values: Record<string, string | number>,
 * }} CheckLine
 */

/** A check has failed; the rest cannot be dealt. */
class Differs extends Error {
  /**
   * @param {string} problem
   * @param {Record<string, string | number>} [values]
   */
  constructor(problem, values = {}) {
    super(problem);
    this.problem = problem;
    this.values = values;
  }
}

/**
 * Read the text of a document; throws where it is not one.
 * @param {string} text
 * @returns {ShoeDocument}
 */
export function readDocument(text) {
  const found = JSON.parse(text);
  const texts = ["construction", "shoe", "sheet", "commitment", "seed", "rules", "burned"];
  const isShoe =
    typeof found === "object" &&
    found !== null &&
    texts.every((name) => typeof found[name] === "string") &&
    ["decks", "cut_card"].every((name) => Number.isSafeInteger(found[name]) && found[name] >= 0) &&
    found.decks >= 1 &&
    found.decks <= 100 &&
    typeof found.cut_short === "boolean" &&
    isList(found.player_seeds, (one) => typeof one === "string") &&
    isList(found.rounds, isRound);
  if (!isShoe) throw new TypeError("not the document of a shoe");
  return found;
}

/**
 * @param {any} value
 * @param {(item: any) => boolean} isItem
 */
const isList = (value, isItem) => Array.isArray(value) && value.every(isItem);

/**
 * @param {any} one
 */
const isRound = (one) =>
  typeof one === "object" &&
  one !== null &&
  Number.isSafeInteger(one.number) &&
  typeof one.cards === "string" &&
  typeof one.voided === "boolean" &&
  isList(one.restocked, (restock) => Number.isSafeInteger(restock?.after) && typeof restock?.cards === "string");

/**
 * Check a shoe; `tell` gets each line as soon as it is known, and the share of the work that is done.
 * @param {ShoeDocument} shoe
 * @param {(line: CheckLine, share: number) => void} [tell]
 * @returns {Promise<CheckLine[]>}
 */
export async function checkShoe(shoe, tell = () => {}) {
  /** @type {CheckLine[]} */
  const lines = [];
  const total = 6 + shoe.rounds.length;
  let canDeal = true;
  /**
   * @param {string} check
   * @param {Record<string, string | number>} values
   * @param {() => unknown} work throws where something differs
   */
  const line = async (check, values, work) => {
    /** @type {CheckLine} */
    const made = { check, state: "passed", values };
    try {
      if (canDeal) await work();
      else made.state = "skipped";
    } catch (error) {
      if (!(error instanceof Differs)) throw error;
      Object.assign(made, { state: "failed", problem: error.problem, values: { ...values, ...error.values } });
    }
    lines.push(made);
    tell(made, lines.length / total);
    return made.state === "passed";
  };
  const size = 52 * shoe.decks;
  canDeal = await line("construction", { name: shoe.construction }, () => checkWriting(shoe));
  await line("rules", { sheet: shoe.sheet }, async () => {
    if ((await sha256(shoe.rules)) !== shoe.sheet) throw new Differs("rules");
  });
  await line("commitment", { commitment: shoe.commitment }, async () => {
    const found = await commitment(shoe.seed, shoe.shoe, shoe.sheet);
    if (found !== shoe.commitment) throw new Differs("commitment", { found });
  });
  await line("settings", { decks: shoe.decks, cut: shoe.cut_card }, () => checkSettings(shoe));
  const dealt = canDeal ? await DealtShoe.begin(shoe) : null;
  const burned = cardsIn(shoe.burned);
  canDeal = await line("burned", { n: burned.length }, () => dealt?.draw(burned));
  let isOver = false;
  /** @type {ShoeRound | null} */
  let before = null;
  for (const round of shoe.rounds) {
    const values = { number: round.number, n: cardsIn(round.cards).length, back: round.restocked.length };
    const last = before;
    const wasOver = isOver;
    canDeal = (await line("round", values, () => dealRound(/** @type {DealtShoe} */ (dealt), round, last, wasOver))) && canDeal;
    if (dealt) isOver = !round.voided && size - dealt.left >= shoe.cut_card;
    before = round;
  }
  await line("end", { rounds: shoe.rounds.length, short: Number(shoe.cut_short) }, () => {
    if (isOver && shoe.cut_short) throw new Differs("isOver");
    if (!isOver && !shoe.cut_short) throw new Differs("notOver");
  });
  return lines;
}

/**
 * @param {ShoeDocument} shoe
 */
function checkWriting(shoe) {
  if (shoe.construction !== CONSTRUCTION) throw new Differs("construction");
  if (!/^[0-9a-f]{64}$/.test(shoe.seed)) throw new Differs("seed");
}

/**
 * Compare decks, cut card and burned cards with the rules; what a sheet leaves out is what docs/sheets.md says.
 * @param {ShoeDocument} shoe
 */
function checkSettings(shoe) {
  /** @type {any} */
  let said = {};
  try {
    said = JSON.parse(shoe.rules)?.shoe ?? {};
  } catch {
    throw new Differs("unreadableRules");
  }
  const { decks = 6, procedure = "cut card", cut_card: percent = 75, burn = 1 } = said;
  const cut = procedure === "cut card" ? Math.floor((52 * decks * percent) / 100) : 0;
  const burned = procedure === "cut card" && shoe.rounds.length ? burn : 0;
  if (shoe.decks !== decks) throw new Differs("decks", { found: decks });
  if (shoe.cut_card !== cut) throw new Differs("cutCard", { found: cut });
  if (cardsIn(shoe.burned).length !== burned) throw new Differs("burnedCount", { found: burned });
}

/**
 * Deal a round again.
 * @param {DealtShoe} dealt
 * @param {ShoeRound} round
 * @param {ShoeRound | null} before
 * @param {boolean} wasOver whether the round before was the last
 */
async function dealRound(dealt, round, before, wasOver) {
  const number = before ? before.number + 1 : Math.max(round.number, 1);
  if (round.number !== number) throw new Differs("number", { expected: number });
  if (before?.voided) throw new Differs("afterVoided");
  if (wasOver) throw new Differs("afterEnd");
  const cards = cardsIn(round.cards);
  dealt.beginRound();
  let begun = 0;
  for (const restock of round.restocked) {
    if (restock.after < begun || restock.after > cards.length) throw new Differs("restock", { card: restock.after });
    await dealt.draw(cards.slice(begun, restock.after), begun);
    dealt.putBack(cardsIn(restock.cards), restock.after);
    begun = restock.after;
  }
  await dealt.draw(cards.slice(begun), begun);
}

/** The cards of a shoe that are left, and those that are out. */
class DealtShoe {
  /** @type {string[]} */
  #stock;
  #draws;
  /** @type {Map<string, number>} */
  #out = new Map();
  /**
   * Those of them that were out before this round.
   * @type {Map<string, number>}
   */
  #earlier = new Map();

  /**
   * @param {string[]} stock
   * @param {Draws} draws
   */
  constructor(stock, draws) {
    this.#stock = stock;
    this.#draws = draws;
  }

  /**
   * @param {ShoeDocument} shoe
   */
  static async begin(shoe) {
    const key = await shoeKey(shoe.seed, shoe.shoe, shoe.sheet, shoe.player_seeds);
    return new DealtShoe(sortedDecks(shoe.decks), await Draws.with(key));
  }

  /** How many cards are left. */
  get left() {
    return this.#stock.length;
  }

  /**
   * Draw cards and compare them with what a document says.
   * @param {readonly string[]} said
   * @param {number} [first] the number of the first card in its round, from 0
   */
  async draw(said, first = 0) {
    for (const [place, card] of said.entries()) {
      if (!isCard(card)) throw new Differs("noCard", { card: first + place + 1, said: card.slice(0, 10) });
      if (!this.#stock.length) throw new Differs("empty", { card: first + place + 1, said: card });
      const [drawn] = this.#stock.splice(await this.#draws.next(this.#stock.length), 1);
      if (drawn !== card) throw new Differs("card", { card: first + place + 1, said: card, found: drawn });
      this.#out.set(card, (this.#out.get(card) ?? 0) + 1);
    }
  }

  /** Say that the cards that are out now are of earlier rounds. */
  beginRound() {
    this.#earlier = new Map(this.#out);
  }

  /**
   * Put cards back: only when none are left, only cards that are out, and all cards of earlier rounds. Which hands of
   * this round were settled by then, only the rules of the game could say.
   * @param {readonly string[]} cards
   * @param {number} after how many cards of the round were dealt before
   */
  putBack(cards, after) {
    if (this.#stock.length) throw new Differs("restockEarly", { card: after, left: this.#stock.length });
    for (const card of cards) {
      const out = this.#out.get(card) ?? 0;
      if (!out) throw new Differs("restockCard", { card: after, said: card.slice(0, 10) });
      this.#out.set(card, out - 1);
      this.#earlier.set(card, (this.#earlier.get(card) ?? 0) - 1);
    }
    for (const [card, kept] of this.#earlier) {
      if (kept > 0) throw new Differs("restockKept", { card: after, said: card });
    }
    this.#earlier.clear();
    this.#stock = sorted(cards);
  }
}

/**
 * @param {string} text cards separated by spaces
 */
const cardsIn = (text) => text.split(" ").filter(Boolean);

/**
 * Compare what was seen at the table with a document: "same", "commitment" or "seeds" if these differ, or "unseen".
 * @param {{shoe: string, commitment: string, player_seeds: readonly string[]}} document
 * @returns {"same" | "commitment" | "seeds" | "unseen"}
 */
export function compareSeen(document) {
  const seen = seenShoe(document.shoe);
  if (!seen) return "unseen";
  if (seen.commitment !== document.commitment) return "commitment";
  return seen.seeds.every((seed, place) => document.player_seeds[place] === seed) ? "same" : "seeds";
}
