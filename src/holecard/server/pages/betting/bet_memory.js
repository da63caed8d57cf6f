// @ts-check
// What was bet last at a table, kept by the browser tab, so that "re-bet" works after the page is loaded again.

/** @typedef {import("../felt/scene.js").Stakes} Stakes */

const STORE = "holecard.bets.";

/**
 * @param {string} table
 * @returns {Record<string, Stakes>} by seat
 */
export function lastBets(table) {
  try {
    return JSON.parse(sessionStorage.getItem(STORE + table) ?? "{}");
  } catch {
    return {};
  }
}

/**
 * @param {string} table
 * @param {Record<string, Stakes>} bets
 */
export function keepBets(table, bets) {
  try {
    sessionStorage.setItem(STORE + table, JSON.stringify(bets));
  } catch {
    // A browser without storage forgets the bets when the page is loaded again.
  }
}
