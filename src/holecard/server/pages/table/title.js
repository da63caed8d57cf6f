// @ts-check
// The table's title: the game, its limits and house edge, and what a table offers besides playing.

import { closeButton } from "../core/dialog.js";
import { h } from "../core/dom.js";
import { money } from "../core/format.js";
import { changedWords } from "../core/setting_words.js";
import { t } from "../core/text.js";
import { dialogParts } from "../felt/pay_tables.js";
import { edgeWords, edgesOf } from "../lobby/edges.js";

/** @typedef {import("../felt/types.js").Felt} Felt */

/**
 * Return the address of a table's rules.
 * @param {string} table
 */
export const rulesAddress = (table) => `/tables/${encodeURIComponent(table)}/rules`;

/**
 * Return the title of a table.
 * @param {{id: string, game: string, title: string, felt: Felt, settings: import("../core/setting_words.js").Settings, chips: number}} rules
 * @param {() => void} openShoe
 */
export function titleParts(rules, openShoe) {
  const { felt } = rules;
  const facts = [
    t("table.decks", { decks: felt.decks }),
    t("table.range", { min: money(felt.main.min), max: money(felt.main.max) }),
  ];
  const mark = h("strong", { class: "private" }, t("table.private"), " · ");
  const line = h("p", { class: "facts" }, mark, h("span", null, `${facts[0]} · `), facts[1]);
  if (Object.keys(rules.settings).length) line.append(" · ", h("strong", { class: "changed" }, t("table.changedRules")));
  else void addEdge(rules.game, line);
  if (rules.chips) line.append(" · ", h("strong", { class: "own-chips" }, t("table.ownChips")));
  const copy = h("button", { type: "button", class: "quiet", onclick: () => share(copy) }, t("table.share"));
  const more = h(
    "button",
    { type: "button", class: "more-links", "aria-expanded": "false", "aria-label": t("table.moreLinks") },
    "⋯",
  );
  more.addEventListener("click", () => more.setAttribute("aria-expanded", String(title.classList.toggle("open"))));
  const title = h(
    "div",
    { class: "title" },
    more,
    h("div", { class: "title-words" }, h("h1", null, rules.title), line),
    h(
      "div",
      { class: "title-links" },
      payDialog(felt, changedWords(rules.settings)),
      h("a", { class: "button quiet", href: rulesAddress(rules.id), target: "_blank" }, t("table.rules")),
      h("button", { type: "button", class: "quiet", "data-shoe": "", onclick: openShoe }, t("table.shoe")),
      copy,
    ),
  );
  return title;
}

/**
 * Return a button that shows the pay tables, for screens on which the cloth has no room for them.
 * @param {Felt} felt
 * @param {string} changed settings that differ from the game's; empty where there are none
 */
function payDialog(felt, changed) {
  const dialog = h(
    "dialog",
    { class: "pay-dialog", "data-cloth": felt.cloth, "aria-label": t("table.payTables") },
    closeButton(() => dialog.close()),
    changed && h("p", { class: "changed" }, t("game.changed", { what: changed })),
    dialogParts(felt),
  );
  const button = h(
    "button",
    { type: "button", class: "quiet pay-button", onclick: () => dialog.showModal() },
    t("table.payTables"),
  );
  return [button, dialog];
}

/**
 * @param {string} game
 * @param {HTMLElement} line
 */
async function addEdge(game, line) {
  try {
    const edges = await edgesOf(game);
    const found = edges.wagers.find((one) => one.kind === "main");
    if (found) line.append(` · ${edgeWords(found)}`);
  } catch {
    // The title does without it.
  }
}

/** @param {HTMLElement} button */
async function share(button) {
  const { href } = location;
  try {
    await navigator.clipboard.writeText(href);
    button.textContent = t("table.shared");
  } catch {
    button.textContent = href;
  }
  setTimeout(() => (button.textContent = t("table.share")), 4_000);
}
