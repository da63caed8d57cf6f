// @ts-check
// Speaks to people who cannot see the screen: two live regions at the end of the page.

import { h } from "./dom.js";

/** @type {Map<string, HTMLElement>} */
const regions = new Map();

/**
 * @param {"polite" | "assertive"} kind
 */
function region(kind) {
  let found = regions.get(kind);
  if (!found) {
    found = h("div", { class: "unseen", "aria-live": kind, role: kind === "polite" ? "status" : "alert" });
    document.body.append(found);
    regions.set(kind, found);
  }
  return found;
}

/**
 * Say something when the reader pauses. What is said at once is read in one go.
 * @param {string} text
 */
export function announce(text) {
  add(region("polite"), text);
}

/**
 * Say something at once: your turn, an error.
 * @param {string} text
 */
export function announceNow(text) {
  add(region("assertive"), text);
}

/** Make the regions before the first words, because some readers do not notice regions that arrive with words. */
export function prepareAnnouncements() {
  region("polite");
  region("assertive");
}

/**
 * @param {HTMLElement} place
 * @param {string} text
 */
function add(place, text) {
  const line = h("p", null, text);
  place.append(line);
  setTimeout(() => line.remove(), 10_000);
}
