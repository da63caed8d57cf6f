// @ts-check
// Texts of the pages: t("lobby.title", {n: 3}) in the reader's language, in English where a translation lacks the key.

import shared from "../text/en/shared.js";

/** @typedef {Record<string, string | number>} Values */
/** @typedef {string | ((values: any) => string)} Text */
/** @typedef {{[key: string]: Text | Catalogue}} Catalogue */

/**
 * Return the best of the languages offered for a reader, such as "de" for "de-AT"; English where none fits.
 * @param {readonly string[]} offered
 * @param {readonly string[]} wanted
 */
export function bestLanguage(offered, wanted) {
  for (const tag of wanted) {
    const lower = tag.toLowerCase();
    const found =
      offered.find((one) => one.toLowerCase() === lower) ??
      offered.find((one) => one.toLowerCase() === lower.split("-")[0]);
    if (found) return found;
  }
  return "en";
}

/**
 * Return the text of a key with its values; the key itself where no catalogue has it.
 * @param {string} key
 * @param {Values} values
 * @param {readonly Catalogue[]} catalogues the first that has the key wins
 */
export function textOf(key, values, catalogues) {
  for (const catalogue of catalogues) {
    /** @type {any} */
    let found = catalogue;
    for (const part of key.split(".")) found = found?.[part];
    if (typeof found === "function") return String(found(values));
    if (typeof found === "string") return found.replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all));
  }
  return key;
}

const root = globalThis.document?.documentElement;
/** The languages that the server has catalogues for. */
export const languages = (root?.dataset.languages ?? "en").split(" ");
/** The language of the page. */
export const language = bestLanguage(languages, [stored(), ...(globalThis.navigator?.languages ?? [])]);
/** @type {Catalogue} */
const translated = {};
/** @type {Catalogue} */
const english = {};
if (root) root.lang = language;
await addTexts("shared", shared);

/**
 * Add the texts of a file, such as "history", and their translation where there is one.
 * @param {string} file
 * @param {Catalogue} texts those in English
 */
export async function addTexts(file, texts) {
  Object.assign(english, texts);
  if (language === "en") return;
  const found = await import(`../text/${language}/${file}.js`).catch(() => null); // not translated yet
  Object.assign(translated, found?.default);
}

/** The language that the reader has chosen in the menu; empty where there was no choice. */
function stored() {
  try {
    return JSON.parse(globalThis.localStorage?.getItem("holecard.settings") ?? "{}").language ?? "";
  } catch {
    return ""; // no storage, or not ours
  }
}

/**
 * Return a text of the pages in the reader's language.
 * @param {string} key such as "lobby.title"
 * @param {Values} [values] for the places in braces
 */
export function t(key, values = {}) {
  return textOf(key, values, [translated, english]);
}
