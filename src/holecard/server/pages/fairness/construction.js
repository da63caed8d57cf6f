// @ts-check
// How a secret seed deals a shoe: the construction holecard-shoe-1, written from docs/fairness.md with WebCrypto.

export const CONSTRUCTION = "holecard-shoe-1";
const RANKS = "A23456789TJQK";
const SUITS = "shdc";
const RANGE = 2n ** 64n;
const utf8 = new TextEncoder();

/**
 * Whether this browser offers its cryptography here: it does on HTTPS and on this machine only.
 */
export const canCheck = () => Boolean(globalThis.crypto?.subtle);

/**
 * @param {string} text
 * @returns {Promise<string>} in hexadecimal
 */
export async function sha256(text) {
  return hexadecimal(await crypto.subtle.digest("SHA-256", utf8.encode(text)));
}

/**
 * What commitment and key have in common: name, shoe and sheet, each with a newline.
 * @param {string} shoe
 * @param {string} sheet
 */
const context = (shoe, sheet) => `${CONSTRUCTION}\n${shoe}\n${sheet}\n`;

/**
 * Return the hash that the server published before the first card.
 * @param {string} seed in hexadecimal
 * @param {string} shoe its id
 * @param {string} sheet its hash
 */
export const commitment = (seed, shoe, sheet) => sha256(context(shoe, sheet) + seed);

/**
 * Return the key of the shoe's draws, in hexadecimal.
 * @param {string} seed in hexadecimal
 * @param {string} shoe its id
 * @param {string} sheet its hash
 * @param {readonly string[]} playerSeeds in the order in which they were added
 */
export async function shoeKey(seed, shoe, sheet, playerSeeds) {
  const netstrings = playerSeeds.map((text) => `${utf8.encode(text).length}:${text},`);
  const signing = await signingKey(bytesOf(seed));
  return hexadecimal(await crypto.subtle.sign("HMAC", signing, utf8.encode(context(shoe, sheet) + netstrings.join(""))));
}

/** The draws of a shoe, from 0; each takes a number below the number of cards that are left. */
export class Draws {
  #key;
  /** How many draws were made. */
  made = 0;

  /**
   * @param {CryptoKey} key
   */
  constructor(key) {
    this.#key = key;
  }

  /**
   * @param {string} key in hexadecimal
   */
  static async with(key) {
    return new Draws(await signingKey(bytesOf(key)));
  }

  /**
   * Return the next draw: which of the cards left it is, from 0.
   * @param {number} left
   */
  async next(left) {
    const cards = BigInt(left);
    // A number beyond the largest multiple would make the first cards more likely, so it is skipped.
    const limit = (RANGE / cards) * cards;
    for (let attempt = 0; ; attempt++) {
      const number = await this.#number(attempt);
      if (number < limit) {
        this.made += 1;
        return Number(number % cards);
      }
    }
  }

  /**
   * @param {number} attempt
   */
  async #number(attempt) {
    const block = await crypto.subtle.sign("HMAC", this.#key, utf8.encode(`draw ${this.made} attempt ${attempt}`));
    return new DataView(block).getBigUint64(0);
  }
}

/**
 * Return full decks, sorted by rank and then suit.
 * @param {number} decks
 */
export function sortedDecks(decks) {
  const cards = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));
  return cards.flatMap((card) => Array.from({ length: decks }, () => card));
}

/**
 * Return cards sorted by rank and then suit.
 * @param {readonly string[]} cards
 */
export function sorted(cards) {
  const place = (/** @type {string} */ card) => RANKS.indexOf(card[0]) * SUITS.length + SUITS.indexOf(card[1]);
  return [...cards].sort((one, other) => place(one) - place(other));
}

/**
 * @param {string} text
 */
export const isCard = (text) => text.length === 2 && RANKS.includes(text[0]) && SUITS.includes(text[1]);

/**
 * @param {Uint8Array<ArrayBuffer>} secret
 */
const signingKey = (secret) =>
  crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

/**
 * @param {string} text in hexadecimal
 */
function bytesOf(text) {
  const pairs = text.match(/../g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

/**
 * @param {ArrayBuffer} buffer
 */
const hexadecimal = (buffer) =>
  [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
