// @ts-check
// Opens tables and sits down: one click from the lobby to a seat.

import { commandId, get, post, signedIn } from "../core/api.js";

/** @typedef {import("../core/protocol").TableInfo} TableInfo */
/** @typedef {import("../core/protocol").Pace} Pace */
/** @typedef {Record<string, string | number | boolean | number[]>} TableSettings */

/** How long tables wait, in seconds. */
export const PACES = {
  relaxed: { bet: 60, act: 180, idle: 1800 },
  normal: { bet: 20, act: 30, idle: 900 },
  fast: { bet: 8, act: 12, idle: 600 },
};
const LAST_GAME = "holecard.last-game";

/** The address of a table's page. @param {string} id */
export const tableAddress = (id) => `/tables/${encodeURIComponent(id)}`;

/**
 * Return the free seat that is nearest to the middle; null where all are taken.
 * @param {Pick<TableInfo, "seats" | "taken">} table
 * @returns {number | null}
 */
export function middleSeat(table) {
  const middle = (table.seats + 1) / 2;
  const free = Array.from({ length: table.seats }, (_, index) => index + 1).filter((seat) => !table.taken[seat]);
  free.sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle) || one - other);
  return free[0] ?? null;
}

/**
 * Return a table of the game, without changed settings, where this person sits, or nobody does and there is no hurry.
 * @param {readonly TableInfo[]} tables
 * @param {string} game
 * @param {string} sheet
 * @param {string} name
 */
export function tableToReuse(tables, game, sheet, name) {
  const same = tables.filter(
    (table) => table.game === game && table.sheet === sheet && Object.keys(table.settings).length === 0,
  );
  const mine = same.find((table) => Object.values(table.taken).includes(name));
  const open = same.filter((table) => !table.private);
  const calm = open.filter((table) => table.pace.bet >= PACES.relaxed.bet && table.pace.act >= PACES.relaxed.act);
  return mine ?? calm.find((table) => Object.keys(table.taken).length === 0) ?? null;
}

/**
 * Sit down at a game alone and go to its table: one that is there and empty, or a new one.
 * @param {{game: string, sheet: string}} game
 */
export async function playAlone(game) {
  const you = await signedIn();
  const tables = /** @type {TableInfo[]} */ (await get("/tables"));
  const found = tableToReuse(tables, game.game, game.sheet, you.name);
  await sitAndGo(found ?? (await openTable(game.game, {}, PACES.relaxed)), you.name);
}

/**
 * Open a table.
 * @param {string} game
 * @param {TableSettings} settings
 * @param {Pace} pace
 * @param {boolean} [isPrivate] whether only those who have its link find it
 * @returns {Promise<TableInfo>}
 */
export async function openTable(game, settings, pace, isPrivate = false) {
  await signedIn();
  return post("/tables", { id: commandId(), game, settings, pace, private: isPrivate });
}

/**
 * Sit down at the middle of a table, unless this person sits there, and go to it.
 * @param {TableInfo} table
 * @param {string} name
 */
export async function sitAndGo(table, name) {
  if (!Object.values(table.taken).includes(name)) {
    const seat = middleSeat(table);
    if (seat !== null) {
      const command = { do: "sit", seat };
      await post(`/tables/${encodeURIComponent(table.id)}/commands`, { id: commandId(), command });
    }
  }
  remember(table.game);
  location.assign(tableAddress(table.id));
}

/** The game that was played last in this browser; empty where there is none. */
export function lastGame() {
  try {
    return localStorage.getItem(LAST_GAME) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} game */
function remember(game) {
  try {
    localStorage.setItem(LAST_GAME, game);
  } catch {
    // A browser without storage offers the first game next time.
  }
}
