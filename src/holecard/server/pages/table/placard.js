// @ts-check
// The sign next to a table: settings that differ from the game's, and what the cloth has no room for.

import { h, replaceChildren } from "../core/dom.js";
import { changedWords } from "../core/setting_words.js";
import { t } from "../core/text.js";
import { conditionMarks } from "../felt/wager_words.js";

/** @typedef {import("../felt/types.js").Felt} Felt */
/** @typedef {import("../felt/geometry.js").Layout} Layout */
/** @typedef {import("../core/setting_words.js").Settings} Settings */

/**
 * Return what the cloth has no room for: lines of print, and on a phone the conditions of wagers.
 * @param {Felt} felt
 * @param {Pick<Layout, "shape" | "arcs">} layout
 * @returns {string[]}
 */
export function unprinted(felt, { shape, arcs }) {
  const lines = felt.print.slice(arcs.length).map((line) => line.text);
  return shape === "narrow" ? [...lines, ...wagerLines(felt)] : lines;
}

/**
 * Return the wagers that have conditions, those with the same ones on one line.
 * @param {Felt} felt
 */
function wagerLines(felt) {
  /** @type {Map<string, string[]>} */
  const names = new Map();
  for (const wager of felt.wagers) {
    const words = conditionMarks(wager, felt).join(" · ");
    if (words) names.set(words, [...(names.get(words) ?? []), wager.name]);
  }
  return [...names].map(([words, who]) => t("wager.circle", { name: who.join(", "), words }));
}

/**
 * Return the sign of a table.
 * @param {Felt} felt
 * @param {Settings} settings
 */
export function placard(felt, settings) {
  const element = h("aside", { class: "placard", tabIndex: 0, "aria-label": t("table.placard"), hidden: true });
  return {
    element,
    /** @param {Layout} layout */
    show(layout) {
      const lines = unprinted(felt, layout);
      const changed = changedWords(settings);
      element.hidden = !lines.length && !changed;
      replaceChildren(
        element,
        changed && h("div", { class: "sign" }, h("p", { class: "changed" }, h("strong", null, t("table.changed")), " ", changed)),
        lines.length > 0 && h("div", { class: "sign" }, lines.map((line) => h("p", null, line))),
      );
    },
  };
}
