// @ts-check
// Totals and values of cards, and which key answers what; nothing here touches the page.

/** The key of each answer; the same as at a table. */
export const KEYS = /** @type {Record<string, string>} */ ({
  hit: "h",
  stand: "s",
  double: "d",
  split: "p",
  "double up": "u",
  surrender: "r",
  "quick pay": "q",
  insurance: "i",
  "no insurance": "n",
  "no surrender": "n",
  place: "b",
  pass: "n",
});

/**
 * Return the answer of a key among those that are offered.
 * @param {string} key
 * @param {readonly string[]} actions
 */
export function actionOf(key, actions) {
  return actions.find((action) => KEYS[action] === key.toLowerCase()) ?? null;
}

/**
 * Return the total of cards, and whether an ace counts as 11.
 * @param {readonly (string | null)[]} cards
 * @returns {{total: number, soft: boolean}}
 */
export function totalOf(cards) {
  let total = 0;
  let aces = 0;
  for (const card of cards) {
    if (!card) continue;
    total += valueOf(card);
    if (card[0] === "A") aces += 1;
  }
  const soft = aces > 0 && total <= 11;
  return { total: soft ? total + 10 : total, soft };
}

/**
 * Return what a card counts, an ace as 1.
 * @param {string} card
 */
export function valueOf(card) {
  if (card[0] === "A") return 1;
  return "TJQK".includes(card[0]) ? 10 : Number(card[0]);
}

/** @typedef {{from: number, to: number, zero: number}} Bar */

/**
 * Return where the bar of each value begins and ends, and where zero is, in percent of the width.
 * @param {readonly number[]} values
 * @returns {Bar[]}
 */
export function barsOf(values) {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const width = high - low || 1;
  /** @param {number} value */
  const place = (value) => (100 * (value - low)) / width;
  return values.map((value) => ({
    from: place(Math.min(0, value)),
    to: place(Math.max(0, value)),
    zero: place(0),
  }));
}
