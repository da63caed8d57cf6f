// @ts-check
// Results per game and wager against exact expectations: the picture, the choice of a game, and the tables.

import { get } from "../core/api.js";
import { h, replaceChildren } from "../core/dom.js";
import { count, gain, money } from "../core/format.js";
import { houseNote, wagerName } from "../core/house_tables.js";
import { changedWords } from "../core/setting_words.js";
import { plot } from "./plot.js";
import { t } from "./text.js";

/** @typedef {import("../core/protocol").HistoryStatistics} Statistics */
/** @typedef {import("../core/protocol").GameStatistics} Game */
/** @typedef {import("../core/protocol").WagerStatistics} Wager */

/** Milliseconds until the page asks again while expectations are computed, and how often it asks. */
const AGAIN = 1_500;
const MOST = 40;
const WIDEST = 1320;
/** The columns after the name of a wager. */
const NUMBERS = ["settled", "staked", "net", "expected", "deviation", "z"];

/**
 * Return the statistics; `onMore` gets them again when expectations have been computed.
 * @param {(found: Statistics) => void} onMore
 * @returns {Promise<Statistics>}
 */
export async function loadStatistics(onMore) {
  /** @type {Statistics} */
  const found = await get("/history/statistics");
  if (!found.ready) void askAgain(onMore);
  return found;
}

/** @param {(found: Statistics) => void} onMore */
async function askAgain(onMore) {
  for (let turn = 0; turn < MOST; turn++) {
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
    const found = await get("/history/statistics").catch(() => null);
    if (found?.ready) return onMore(found);
  }
}

/**
 * Show the picture and the tables of one sheet, or of all.
 * @param {HTMLElement} place
 * @param {Statistics} found
 * @param {string} sheet its hash; empty for all
 */
export function showStatistics(place, found, sheet) {
  const games = found.games.filter((game) => !sheet || game.sheet === sheet);
  const points = sheet ? (games[0]?.points ?? []) : found.points;
  const rounds = sheet ? (games[0]?.rounds ?? 0) : found.rounds;
  const compared = points.at(-1)?.rounds ?? 0;
  // While some games are being computed, a picture of all would change under the reader's eyes.
  const isCompared = compared > 0 && (found.ready || sheet !== "");
  const width = Math.min(WIDEST, Math.max(280, place.clientWidth - 42));
  replaceChildren(
    place,
    h(
      "section",
      { class: "panel course", "aria-labelledby": "course-title" },
      h("h2", { id: "course-title" }, t("history.course")),
      isCompared ? plot(points, width) : h("p", { class: "muted" }, t(found.ready ? "history.unknown" : "history.computing")),
      isCompared && compared < rounds ? h("p", { class: "muted" }, t("history.leftOut", { n: rounds - compared })) : null,
      isCompared && h("details", { class: "how" }, h("summary", null, t("history.how")), h("p", null, t("history.howText"))),
    ),
    h(
      "section",
      { class: "statistics", "aria-labelledby": "wagers-title" },
      h("h2", { id: "wagers-title" }, t("history.wagers")),
      games.map((game) => gameTable(game, found.games)),
    ),
  );
}

/**
 * Return the name of a game with its changed settings; where two are still alike, with a part of the sheet's hash.
 * @param {Game} game
 * @param {readonly Game[]} all
 */
export function gameName(game, all) {
  const isAlone = all.filter((one) => titled(one) === titled(game)).length === 1;
  return isAlone ? titled(game) : t("history.withSettings", { title: titled(game), sheet: game.sheet.slice(0, 6) });
}

/** @param {Pick<Game, "title" | "settings">} game */
function titled({ title, settings }) {
  const changed = changedWords(settings);
  return changed ? t("history.withSettings", { title, sheet: changed }) : title;
}

/**
 * @param {Game} game
 * @param {readonly Game[]} all
 */
function gameTable(game, all) {
  return h(
    "div",
    { class: "panel scroll wagers-panel", role: "region", tabIndex: 0, "aria-label": gameName(game, all) },
    // A phone shows each row as a card. That takes the meaning of a table away, so the roles say it.
    h(
      "table",
      { class: "wagers", role: "table" },
      h("caption", null, gameName(game, all), h("span", { class: "muted" }, t("history.roundCount", { n: game.rounds }))),
      h(
        "thead",
        { role: "rowgroup" },
        h(
          "tr",
          { role: "row" },
          ["wager", ...NUMBERS].map((name, place) =>
            h("th", { scope: "col", role: "columnheader", class: place ? "number" : "" }, t(`history.columns.${name}`)),
          ),
        ),
      ),
      h("tbody", { role: "rowgroup" }, game.wagers.map(wagerRow)),
    ),
    houseNote(game.wagers),
  );
}

/** @param {Wager} wager */
function wagerRow(wager) {
  const outcome = wager.net > 0 ? "won" : wager.net < 0 ? "lost" : "";
  const unknown = t("history.notKnown");
  const values = [
    count(wager.settled),
    money(wager.staked),
    gain(wager.net),
    wager.expected === null ? unknown : gain(Math.round(wager.expected)),
    wager.deviation === null ? unknown : `±${money(Math.round(wager.deviation))}`,
    wager.z === null ? unknown : wager.z.toFixed(1).replace("-", "\u2212"),
  ];
  return h(
    "tr",
    { role: "row" },
    h("th", { scope: "row", role: "rowheader" }, wagerName(wager.wager, wager.printed)),
    NUMBERS.map((name, place) =>
      h(
        "td",
        { role: "cell", class: `number ${name === "net" ? outcome : ""}` },
        h("span", { class: "label", "aria-hidden": "true" }, t(`history.columns.${name}`)),
        values[place],
      ),
    ),
  );
}
