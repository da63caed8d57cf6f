// @ts-check
// The list of rounds that somebody has played, newest first, and older ones on request.

import { get } from "../core/api.js";
import { h, replaceChildren } from "../core/dom.js";
import { gain, moment, money } from "../core/format.js";
import { changedWords } from "../core/setting_words.js";
import { copyLink } from "./copy.js";
import { miniCards } from "./mini_cards.js";
import { t } from "./text.js";

/** @typedef {import("../core/protocol").RoundInfo} RoundInfo */

/** Rounds of one page. */
const PAGE = 50;

/** A list that loads itself, page by page. */
export class RoundList {
  element = h("section", { class: "rounds", "aria-labelledby": "rounds-title" });
  #list = h("ol", { class: "round-list" });
  #status = h("p", { class: "muted", role: "status" });
  #older = h("button", { type: "button", class: "older", hidden: true, onclick: () => this.#more() });
  #sheet = "";
  /** @type {Set<string>} */
  #shown = new Set();
  /** @type {number | null} */
  #before = null;
  /** Changes with every new list, so that late answers to an old question are dropped. */
  #question = 0;

  constructor() {
    this.#older.textContent = t("history.older");
    replaceChildren(
      this.element,
      h("h2", { id: "rounds-title" }, t("history.rounds")),
      this.#list,
      this.#status,
      this.#older,
    );
  }

  /**
   * Show the rounds of a sheet, or of all.
   * @param {string} sheet its hash; empty for all
   */
  async show(sheet) {
    this.#sheet = sheet;
    this.#before = null;
    this.#shown.clear();
    this.#list.replaceChildren();
    await this.#more();
  }

  /** @param {RoundInfo} round */
  #isNew(round) {
    const address = replayAddress(round.table, round.number);
    return !this.#shown.has(address) && Boolean(this.#shown.add(address));
  }

  async #more() {
    const question = ++this.#question;
    const focus = document.activeElement === this.#older;
    this.#status.textContent = t("common.loading");
    const query = new URLSearchParams({ limit: String(PAGE) });
    if (this.#before !== null) query.set("before", String(this.#before));
    if (this.#sheet) query.set("sheet", this.#sheet);
    try {
      /** @type {RoundInfo[]} */
      const rounds = await get(`/history?${query}`);
      if (question !== this.#question) return;
      // Rounds that end at the same moment may be on two pages, so the moment is asked for again.
      const items = rounds.filter((round) => this.#isNew(round)).map(roundItem);
      this.#list.append(...items);
      this.#before = rounds.length ? rounds[rounds.length - 1].at + 1 : null;
      this.#older.hidden = rounds.length < PAGE;
      this.#status.textContent = "";
      if (focus) items[0]?.querySelector("a")?.focus();
    } catch (error) {
      this.#status.textContent = t("common.failed", { why: /** @type {Error} */ (error).message });
      this.#older.hidden = false;
    }
  }
}

/**
 * @param {RoundInfo} round
 */
function roundItem(round) {
  const { summary } = round;
  const address = replayAddress(round.table, round.number);
  const changed = changedWords(round.settings);
  const outcome = summary.net > 0 ? "won" : summary.net < 0 ? "lost" : "";
  return h(
    "li",
    { class: "round panel" },
    h(
      "div",
      { class: "round-what" },
      h("a", { class: "round-title", href: address }, round.title),
      changed && h("span", { class: "muted small" }, t("history.changed", { what: changed })),
      h("time", { class: "muted", dateTime: new Date(round.at).toISOString() }, moment(round.at)),
    ),
    h(
      "dl",
      { class: "round-cards" },
      cardRow(t("history.dealer"), summary.dealer),
      summary.hands.map((hand) => cardRow(handName(round, hand), hand.cards)),
    ),
    h(
      "div",
      { class: "round-money numbers" },
      h("strong", { class: outcome }, gain(summary.net)),
      h("span", { class: "muted" }, t("history.staked", { amount: money(summary.staked) })),
    ),
    h("div", { class: "round-links" }, h("a", { class: "button", href: address }, t("history.replay")), copyLink(address)),
  );
}

/**
 * @param {RoundInfo} round
 * @param {RoundInfo["summary"]["hands"][number]} hand
 */
function handName(round, hand) {
  const seats = new Set(round.summary.hands.map((one) => one.seat)).size;
  return seats > 1 ? t("history.yourSeat", { seat: hand.seat }) : t("history.you");
}

/**
 * @param {string} name
 * @param {readonly (string | null)[]} cards
 */
const cardRow = (name, cards) => h("div", null, h("dt", null, name), h("dd", null, miniCards(cards)));

/**
 * @param {string} table
 * @param {number} number
 */
export const replayAddress = (table, number) => `/history/${encodeURIComponent(table)}/${number}`;
