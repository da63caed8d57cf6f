// @ts-check
// Pay tables as casinos print them on the cloth, left and right of the dealer, and as a dialog shows them.

import { h } from "../core/dom.js";
import { t } from "../core/text.js";
import { dialogTables, payTableData } from "./wager_words.js";

/** @typedef {import("./types.js").Felt} Felt */
/** @typedef {import("./wager_words.js").PayTable} PayTable */
/** @typedef {{table: PayTable, caption: string[], notes: string[], lines: number, width: number}} Block */

/** The room of a column and the sizes of its letters, in units of the felt. */
const [WIDTH, HEIGHT, LARGEST, SMALLEST] = [330, 166, 13.5, 8];
/** The most letters of a line of conditions, and of a caption. */
const [NOTE, CAPTION] = [46, 28];
/** How wide a letter of a caption is: bold capitals with space between them. */
const CAPITAL = 1.9;

/**
 * Return the pay tables of a game, with the room that each takes on the cloth.
 * @param {Felt} felt
 * @returns {Block[]}
 */
export function payTables(felt) {
  return payTableData(felt).map((table) => {
    const notes = packed(table.notes, NOTE);
    const caption = packed(table.caption.split(" "), CAPTION, " ");
    const rows = [table.head, ...table.rows].filter((row) => row.length > 0);
    const widths = rows.map((row) => row.reduce((sum, cell) => sum + Math.max(cell.length, 3) + 1.6, 0));
    const width = Math.max(captionWidth(caption), ...notes.map((note) => note.length * 0.92), ...widths);
    return { table, caption, notes, lines: rows.length + notes.length + caption.length, width };
  });
}

/**
 * Return the two columns of a cloth in readable letters. Tables that do not fit, the longest first, keep their name and
 * their conditions, and say where they are.
 * @param {readonly Block[]} blocks
 * @returns {[Block[], Block[]]}
 */
export function twoColumns(blocks) {
  const columns = divided(blocks);
  const longest = blocks.reduce((most, block) => (block.table.rows.length > (most?.table.rows.length ?? 0) ? block : most), blocks[0]);
  if (!longest?.table.rows.length || columns.every((column) => sizeOf(column) >= SMALLEST)) return columns;
  return twoColumns(blocks.map((block) => (block === longest ? named(block) : block)));
}

/**
 * Return blocks in two columns: one by one to the side that has fewer lines.
 * @param {readonly Block[]} blocks
 * @returns {[Block[], Block[]]}
 */
function divided(blocks) {
  /** @type {[Block[], Block[]]} */
  const columns = [[], []];
  const lines = [0, 0];
  for (const block of blocks) {
    const side = lines[0] <= lines[1] ? 0 : 1;
    columns[side].push(block);
    lines[side] += block.lines + 1.5;
  }
  return columns;
}

/**
 * @param {Block} block
 * @returns {Block}
 */
function named({ table, caption, notes }) {
  const words = [...notes, t("wager.inDialog", { n: table.rows.length })];
  const width = Math.max(captionWidth(caption), ...words.map((note) => note.length));
  return { table: { ...table, head: [], rows: [] }, caption, notes: words, lines: words.length + caption.length, width };
}

/** @param {readonly string[]} caption */
const captionWidth = (caption) => Math.max(...caption.map((line) => line.length * CAPITAL));

/**
 * Return the size of the letters of a column.
 * @param {readonly Block[]} blocks
 */
export function sizeOf(blocks) {
  const lines = blocks.reduce((sum, block) => sum + block.lines + 0.6, 0);
  const widest = Math.max(...blocks.map((block) => block.width), 1);
  return Math.min(LARGEST, HEIGHT / (lines * 1.24), WIDTH / (widest * 0.52));
}

/**
 * Return a pay table for the cloth.
 * @param {Block} block
 */
export function clothTable({ table, caption, notes }) {
  return tableElement({ ...table, caption: caption.join("\n") }, notes);
}

/**
 * Return everything that the dialog shows.
 * @param {Felt} felt
 */
export function dialogParts(felt) {
  return dialogTables(felt).map((table) =>
    h(
      "section",
      null,
      h("h2", null, table.caption),
      h("ul", { class: "conditions" }, table.notes.map((note) => h("li", null, note))),
      table.rows.length > 0 && h("div", { class: "scroll" }, tableElement({ ...table, caption: "" }, [])),
    ),
  );
}

/**
 * @param {PayTable} table
 * @param {readonly string[]} notes
 */
function tableElement({ caption, head, rows }, notes) {
  return h(
    "table",
    { class: head.length ? "pay-table by-upcard" : "pay-table" },
    caption && h("caption", null, caption, notes.map((note) => h("small", null, note))),
    head.length > 0 && h("thead", null, h("tr", null, h("td", null, head[0]), head.slice(1).map((one) => h("th", { scope: "col" }, one)))),
    h("tbody", null, rows.map(([line, ...cells]) => h("tr", null, h("th", { scope: "row" }, line), cells.map((cell) => h("td", null, cell))))),
  );
}

/**
 * Return words on lines: as many on a line as fit.
 * @param {readonly string[]} words
 * @param {number} most letters of a line
 * @param {string} [between]
 * @returns {string[]}
 */
export function packed(words, most, between = " · ") {
  /** @type {string[]} */
  const lines = [];
  for (const one of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + one.length + between.length <= most) lines[lines.length - 1] = `${last}${between}${one}`;
    else lines.push(one);
  }
  return lines;
}
