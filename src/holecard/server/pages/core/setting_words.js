// @ts-check
// Settings of a table in words: "blackjack pays 6 to 5", "no peek", "Upcard Luck table: B".

import { t } from "./text.js";

/** @typedef {Record<string, string | number | boolean | readonly number[]>} Settings */

/**
 * Return a setting in words; one that the catalogue does not know as its path and its value.
 * @param {string} path such as "dealer.hole_card"
 * @param {Settings[string]} value
 */
export function settingWords(path, value) {
  const words = t(`setting.${path}`, { value: shown(value) });
  if (words !== `setting.${path}`) return words;
  const [section = "", ...rest] = path.split(".");
  const name = (section === "wager" ? rest : [section, ...rest]).join(" ").replaceAll("_", " ");
  return t("setting.other", { name, value: shown(value) });
}

/**
 * Return settings in words, with a point between them; empty where there are none.
 * @param {Settings} settings
 */
export function changedWords(settings) {
  return Object.entries(settings)
    .map(([path, value]) => settingWords(path, value))
    .join(" · ");
}

/**
 * Return settings as the addresses of strategy charts and drills name them: "shoe.decks=8".
 * @param {Settings} settings
 */
export function settingTexts(settings) {
  return Object.entries(settings).map(([path, value]) => `${path}=${written(value)}`);
}

/**
 * Return the settings in a switch of a ruling or in an address, such as "dealer.hole_card='no peek' --set shoe.decks=8".
 * @param {string} words
 * @returns {Record<string, string | number | boolean>}
 */
export function settingsOf(words) {
  return Object.fromEntries(
    words.split(" --set ").map((one) => {
      const [path = "", ...rest] = one.split("=");
      return [path, valueOf(rest.join("=").replace(/^(['"])(.*)\1$/, "$2"))];
    }),
  );
}

/**
 * @param {string} text
 * @returns {string | number | boolean}
 */
function valueOf(text) {
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

/** @param {Settings[string]} value */
const shown = (value) => (Array.isArray(value) ? value.join(", ") : String(value));

/**
 * Return a value as a sheet writes it; a text without quotation marks where it cannot be taken for anything else.
 * @param {Settings[string]} value
 */
function written(value) {
  const isPlain = typeof value === "string" && valueOf(value) === value && !/^['"[{]/.test(value);
  return isPlain ? value : JSON.stringify(value);
}
