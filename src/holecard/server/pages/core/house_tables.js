// @ts-check
// The mark of wagers whose pay tables are not printed on the sheet: a star at the name, and a line that explains it.

import { h } from "./dom.js";
import { t } from "./text.js";

/**
 * Return the name of a wager, with a star where its pay table is a house table.
 * @param {string} name
 * @param {boolean} printed
 */
export const wagerName = (name, printed) => (printed ? name : `${name}*`);

/**
 * Return the line that explains the star; null where no wager has one.
 * @param {readonly {printed: boolean}[]} wagers
 */
export function houseNote(wagers) {
  return wagers.every((wager) => wager.printed) ? null : h("p", { class: "muted small house-note" }, `* ${t("wager.house")}`);
}

/**
 * Return the wagers of a felt that have house tables, by name.
 * @param {{wagers: readonly {name: string, printed: boolean}[]}} felt
 * @returns {ReadonlySet<string>}
 */
export const houseWagers = (felt) => new Set(felt.wagers.filter((wager) => !wager.printed).map((wager) => wager.name));
