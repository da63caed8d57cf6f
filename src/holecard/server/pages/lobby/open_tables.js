// @ts-check
// The open tables in the lobby: seats as dots, limits, and Sit, Watch, Copy link.

import { announce } from "../core/announce.js";
import { h, replaceChildren } from "../core/dom.js";
import { money } from "../core/format.js";
import { changedWords } from "../core/setting_words.js";
import { middleSeat, sitAndGo, tableAddress } from "./opening.js";
import { t } from "./text.js";

/** @typedef {import("../core/protocol").TableInfo} TableInfo */
/** @typedef {import("../core/protocol").GameInfo} GameInfo */

/**
 * Return a table of the lobby.
 * @param {TableInfo} table
 * @param {GameInfo | undefined} game
 * @param {string} name who looks
 * @param {(error: unknown) => void} onError
 */
export function openTableCard(table, game, name, onError) {
  const free = table.seats - Object.keys(table.taken).length;
  const isMine = Object.values(table.taken).includes(name);
  const title = table.title;
  const changed = changes(table);
  return h(
    "li",
    { class: "open-table panel" },
    h("div", { class: "open-table-head" }, h("h3", null, title), h("span", { class: "muted numbers" }, limits(table, game))),
    changed && h("p", { class: "changed small" }, changed),
    table.private && h("p", { class: "muted small" }, t("lobby.privateTable")),
    table.stopped !== null && h("p", { class: "problem small" }, t("lobby.stopped", { why: table.stopped })),
    h(
      "p",
      { class: "seat-dots", role: "img", "aria-label": t("lobby.freeSeats", { free, seats: table.seats }) },
      Array.from({ length: table.seats }, (_, index) => {
        const sitter = table.taken[index + 1];
        return h("span", { class: sitter ? (sitter === name ? "dot taken mine" : "dot taken") : "dot" });
      }),
      h("span", { class: "muted numbers" }, isMine ? t("lobby.youSit") : t("lobby.freeShort", { free })),
    ),
    h(
      "div",
      { class: "row" },
      sitButton(table, isMine, name, onError),
      !isMine && h("a", { class: "button quiet", href: tableAddress(table.id), "aria-label": t("lobby.watchTable", { game: title }) }, t("lobby.watch")),
      changed && h("a", { class: "button quiet", href: `${tableAddress(table.id)}/rules`, "aria-label": t("lobby.rulesOf", { game: title }) }, t("lobby.rules")),
      copyButton(table),
    ),
  );
}

/**
 * Return what the lobby shows of a table as one text: where it is the same, the card need not be drawn again.
 * @param {TableInfo} table
 * @param {string} name
 */
export const tableVersion = (table, name) => JSON.stringify([table.taken, table.settings, table.stopped, name]);

/**
 * @param {TableInfo} table
 * @param {boolean} isMine
 * @param {string} name
 * @param {(error: unknown) => void} onError
 */
function sitButton(table, isMine, name, onError) {
  if (!isMine && middleSeat(table) === null) return null;
  const label = t(isMine ? "lobby.backTo" : "lobby.sitAt", { game: table.title });
  const button = h("button", { type: "button", class: "gold", "aria-label": label }, t(isMine ? "lobby.back" : "lobby.sit"));
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await sitAndGo(table, name);
    } catch (error) {
      onError(error);
    } finally {
      button.disabled = false;
    }
  });
  return button;
}

/** @param {TableInfo} table */
function copyButton(table) {
  const words = t("lobby.copy");
  const button = h("button", { type: "button", class: "quiet", "aria-label": t("lobby.copyOf", { game: table.title }) }, words);
  button.addEventListener("click", async () => {
    const address = new URL(tableAddress(table.id), location.href).href;
    const copied = await copy(address);
    replaceChildren(button, t(copied ? "lobby.copied" : "lobby.notCopied"));
    announce(copied ? t("lobby.copied") : address);
    setTimeout(() => replaceChildren(button, words), 2500);
  });
  return button;
}

/**
 * Put a text on the clipboard; where the browser does not allow it, show the text to copy by hand.
 * @param {string} text
 */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Over plain HTTP from another machine there is no clipboard.
    prompt(t("lobby.copyByHand"), text);
    return false;
  }
}

/**
 * Return the limits of a table: those of the game, unless its settings changed them.
 * @param {TableInfo} table
 * @param {GameInfo | undefined} game
 */
export function limits(table, game) {
  const main = game?.felt?.main;
  const low = table.settings["main.min"] ?? (main && money(main.min));
  const high = table.settings["main.max"] ?? (main && money(main.max));
  return low && high ? `${low} – ${high}` : "";
}

/** @param {TableInfo} table */
function changes(table) {
  const words = changedWords(table.settings);
  return words ? t("lobby.changed", { what: words }) : null;
}
