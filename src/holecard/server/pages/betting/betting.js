// @ts-check
// Betting: chips go to the server when they are a bet; the cards are dealt on request; late wagers are placed.

import { mayBuyIn } from "../core/buy_in.js";
import { money } from "../core/format.js";
import { t } from "../core/text.js";
import { lastBets, keepBets } from "./bet_memory.js";
import { Bets } from "./bets.js";
import { COMMAND_KEYS } from "../table/keys.js";
import { heldInWords, limitsInWords, notYet, whyNotOffered } from "./bet_words.js";
import { LateBets, withPlaced } from "./late_bets.js";

/** @typedef {import("../felt/types.js").Felt} Felt */
/** @typedef {import("../felt/types.js").View} View */
/** @typedef {import("../felt/scene.js").Stakes} Stakes */
/** @typedef {import("../table/controls.js").Command} Command */
/** @typedef {(command: Record<string, unknown>) => Promise<boolean>} Send */

/** Milliseconds after the last chip until the bet is sent. */
const SOON = 350;

/** The bets of one person at one table. */
export class Betting {
  #felt;
  #table;
  #send;
  #changed;
  #buyIn;
  #bets;
  #late;
  /** @type {Map<number, string>} the last command that was sent, by seat */
  #sent = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {View | null} */
  #view = null;
  #dealing = false;
  /** Commands without an answer. */
  #sending = 0;
  /** Free money, in cents. */
  balance = 0;
  /** @type {number | null} with less free money than this, the bank gives new chips; null: at the next sitting */
  buyInBelow = 0;

  /**
   * @param {Felt} felt
   * @param {string} table
   * @param {Send} send
   * @param {() => void} changed
   * @param {() => void} buyIn
   */
  constructor(felt, table, send, changed, buyIn) {
    this.#felt = felt;
    this.#table = table;
    this.#send = send;
    this.#changed = changed;
    this.#buyIn = buyIn;
    this.#bets = new Bets(felt, lastBets(table));
    this.#late = new LateBets(send, changed);
  }

  /**
   * Take notice of a new view.
   * @param {View} view
   * @param {View | null} before
   */
  follow(view, before) {
    this.#view = view;
    const open = isOpen(view);
    // By the number of rounds: a round that the dealer's blackjack ends at once is never seen in between.
    if (before ? view.round !== before.round : !open) {
      const dealt = view.yours.filter((seat) => view.seats.some((one) => one.seat === seat && one.hands.length));
      for (const seat of dealt) if (!this.#bets.stakes.has(seat)) this.#bets.takeOver(before ?? view, seat);
      this.#bets.dealt(dealt);
      this.#sent.clear();
      keepBets(this.#table, this.#bets.last);
    }
    this.#late.follow(view);
    if (view.phase === "betting" && !this.#sending && this.#timer === undefined) this.#takeOver(view);
  }

  /**
   * Take over bets that differ from what this page has sent: they were made before it was loaded, or in another tab.
   * @param {View} view
   */
  #takeOver(view) {
    for (const seat of view.yours) {
      const bet = this.#bets.betOf(view, seat);
      const text = bet && JSON.stringify(this.#bets.command(seat, bet));
      const known = this.#sent.get(seat) ?? null;
      if (text === known) continue;
      this.#bets.takeOver(view, seat);
      if (text) this.#sent.set(seat, text);
      else this.#sent.delete(seat);
    }
  }

  /**
   * Return the chips on the cloth that the server does not know yet.
   * @param {View} view
   */
  shown(view) {
    return isOpen(view) ? this.#bets.shown : this.#late.shown(view);
  }

  /**
   * Return the chips on the circles of your seats.
   * @param {View} view
   * @returns {Map<number, Stakes>}
   */
  chips(view) {
    const shown = this.shown(view);
    return new Map(view.yours.map((seat) => [seat, shown.get(seat) ?? withPlaced(view, seat, {})]));
  }

  /** @param {string} wager */
  limits(wager) {
    return this.#bets.limits(wager === this.#felt.main.companion ? this.#felt.main.name : wager);
  }

  /**
   * Return why a circle takes no chips now; null if it does.
   * @param {View} view
   * @param {number} seat
   * @param {string} name
   */
  closed(view, seat, name) {
    if (view.closed) return t("table.words.closed");
    const wager = this.#felt.wagers.find((one) => one.name === name);
    const isLate = wager !== undefined && wager.placed !== "before the deal";
    if (isLate) return view.offered[seat]?.includes(name) ? null : whyNotOffered(view, wager);
    return isOpen(view) ? null : t("table.betsClosed");
  }

  /**
   * Put a chip on a circle; returns why not, or null.
   * @param {View} view
   * @param {number} seat
   * @param {string} name
   * @param {number} cents
   */
  put(view, seat, name, cents) {
    if (isOpen(view)) {
      if (cents > this.balance - this.#unsent()) return t("table.noMoney", { balance: money(this.balance) });
      const why = this.#bets.add(seat, name, cents);
      this.#later();
      return why;
    }
    return this.#late.put(view, seat, name, cents, this.limits(name), this.balance);
  }

  /**
   * Take the chips off a circle.
   * @param {number} seat
   * @param {string} name
   */
  take(seat, name) {
    if (this.#view && isOpen(this.#view)) {
      this.#bets.remove(seat, name);
      this.#later();
    } else this.#late.take(seat, name);
  }

  /**
   * Return what the person can do with chips now.
   * @param {View} view
   * @returns {Command[]}
   */
  commands(view) {
    if (view.closed) {
      return [{ id: "lobby", label: t("table.toLobby"), key: "", gold: true, run: () => location.assign("/") }];
    }
    if (!view.yours.length) return [];
    if (!isOpen(view)) return this.#late.commands(view);
    if (this.#isBroke && mayBuyIn({ balance: this.balance, buy_in_below: this.buyInBelow ?? 0 }))
      return [{ id: "buy-in", label: t("table.command.buyIn"), key: COMMAND_KEYS.deal, gold: true, run: this.#buyIn }];
    const seats = view.yours;
    const placed = this.#bets.stakes.size > 0;
    const again = this.#bets.hasLast(seats);
    /** @type {Command[]} */
    const found = [];
    /**
     * @param {keyof typeof COMMAND_KEYS} id
     * @param {() => unknown} run
     * @param {Partial<Command>} [more]
     */
    const add = (id, run, more) =>
      found.push({ id, label: t(`table.command.${id}`), key: COMMAND_KEYS[id], run: () => void run(), ...more });
    /** @param {() => unknown} change */
    const changing = (change) => () => this.#do(change);
    if (placed) add("deal", () => this.#deal(seats), { gold: true, reason: this.#notYet(view) });
    else if (again) add("deal", () => this.#again(seats, true), { gold: true, label: t("table.command.sameAgain") });
    if (again) add("rebet", () => this.#again(seats, false));
    if (placed || again) add("double", changing(() => this.#bets.double(seats)));
    if (seats.length > 1 && (placed || again)) add("all", changing(() => this.#bets.everywhere(seats)));
    if (placed) {
      add("undo", changing(() => this.#bets.undo()));
      add("clear", changing(() => this.#bets.clear()));
    }
    return found;
  }

  /**
   * Return what the person should know about the bets.
   * @param {View} view
   */
  note(view) {
    if (!isOpen(view)) return Object.keys(view.offered).length && !view.choices.length ? t("table.lateNote") : "";
    const unfinished = [...this.#bets.stakes.keys()].map((seat) => this.#bets.problem(seat)).find(Boolean);
    if (unfinished) return unfinished;
    if (this.#isBroke) {
      const broke = t("table.broke", { balance: money(this.balance), min: money(this.#smallest) });
      return this.buyInBelow === null ? `${broke} ${t("table.newChips")}` : broke;
    }
    if (!this.#bets.stakes.size)
      return view.phase === "done" ? "" : t("table.betNote", { limits: limitsInWords(this.#felt) });
    const total = t("table.total", { total: money(this.#bets.total) });
    return this.#notYet(view) ?? [total, heldInWords(this.#felt, this.#bets.stakes)].join(" ").trim();
  }

  /** @param {View} view */
  #notYet(view) {
    return notYet(this.#bets, view);
  }

  /** The smallest bet, in cents; a game with two equal bets takes both. */
  get #smallest() {
    return this.#felt.main.min * (this.#felt.main.companion ? 2 : 1);
  }

  /** Whether nothing is bet and the free money is not enough for a bet. */
  get #isBroke() {
    return !this.#bets.stakes.size && this.balance < this.#smallest;
  }

  /** @param {() => unknown} change */
  #do(change) {
    change();
    this.#later();
  }

  /** Send the bets soon, when no more chips follow. */
  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#flush(), SOON);
    this.#changed();
  }

  /** Send every bet that has changed; returns whether all were taken. */
  async #flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#view || !isOpen(this.#view)) return false;
    let all = true;
    for (const seat of this.#view.yours) {
      const complete = this.#bets.stakes.has(seat) && this.#bets.problem(seat) === null;
      const command = complete ? this.#bets.command(seat) : { do: "withdraw", seat };
      const text = JSON.stringify(command);
      const known = this.#sent.get(seat);
      if (known === text || (!complete && known === undefined)) continue;
      if (complete) this.#sent.set(seat, text);
      else this.#sent.delete(seat);
      this.#sending++;
      const done = await this.#send(command);
      this.#sending--;
      if (!done) {
        all = false;
        this.#sent.delete(seat);
      }
    }
    return all;
  }

  /** @param {readonly number[]} seats */
  async #deal(seats) {
    if (this.#dealing) return;
    this.#dealing = true;
    try {
      if (seats.length && (await this.#flush())) await this.#send({ do: "deal" });
    } finally {
      this.#dealing = false;
    }
  }

  /**
   * @param {readonly number[]} seats
   * @param {boolean} deal
   */
  async #again(seats, deal) {
    this.#bets.again(seats);
    this.#later();
    if (deal && this.#view && !this.#notYet(this.#view)) await this.#deal(seats);
  }

  /** Chips that are put down but not paid for yet, in cents. */
  #unsent() {
    const paid = (this.#view?.seats ?? []).filter(
      (seat) => this.#view?.phase === "betting" && this.#view.yours.includes(seat.seat),
    );
    const known = paid.reduce(
      (sum, seat) =>
        sum +
        Object.values(seat.hands[0]?.stakes ?? {}).reduce((a, b) => a + b, 0) +
        Object.values(seat.sides).reduce((a, b) => a + b, 0),
      0,
    );
    return Math.max(0, this.#bets.total - known);
  }
}

/**
 * Whether a table takes bets for the next round.
 * @param {View} view
 */
export function isOpen(view) {
  return view.phase === "betting" || view.phase === "done";
}
