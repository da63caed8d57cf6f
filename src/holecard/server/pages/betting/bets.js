// @ts-check
// Chips that a person puts down before they are bet: by seat and wager, within the limits that the felt states.

import { money } from "../core/format.js";
import { t } from "../core/text.js";

/** @typedef {import("../felt/types.js").Felt} Felt */
/** @typedef {import("../felt/types.js").FeltWager} FeltWager */
/** @typedef {import("../felt/types.js").View} View */
/** @typedef {import("../felt/scene.js").Stakes} Stakes */

/** The chips of one person at one table. */
export class Bets {
  #felt;
  /** @type {Map<number, Stakes>} */
  #stakes = new Map();
  /** @type {Map<number, Stakes>} what was dealt last, by seat */
  #last;
  /** @type {Map<number, Stakes>[]} what was put down before each change */
  #steps = [];

  /**
   * @param {Felt} felt
   * @param {Record<string, Stakes>} [last]
   */
  constructor(felt, last = {}) {
    this.#felt = felt;
    this.#last = new Map(Object.entries(last).map(([seat, stakes]) => [Number(seat), stakes]));
  }

  /** The chips put down by seat, without the companion. */
  get stakes() {
    return this.#stakes;
  }

  /** What was dealt last, to be kept for the next visit. */
  get last() {
    return Object.fromEntries(this.#last);
  }

  /** The chips put down by seat, with the companion: what lies on the cloth. */
  get shown() {
    const { name, companion } = this.#felt.main;
    return new Map(
      [...this.#stakes].map(([seat, stakes]) => [
        seat,
        companion ? { ...stakes, [companion]: stakes[name] ?? 0 } : stakes,
      ]),
    );
  }

  /** @param {number} seat */
  of(seat) {
    return this.#stakes.get(seat) ?? {};
  }

  /** What all chips that are put down cost, in cents. */
  get total() {
    return [...this.shown.values()].flatMap((stakes) => Object.values(stakes)).reduce((sum, cents) => sum + cents, 0);
  }

  /**
   * Put a chip on a circle; returns why not, or null.
   * @param {number} seat
   * @param {string} name of the circle
   * @param {number} cents
   * @returns {string | null}
   */
  add(seat, name, cents) {
    const wager = name === this.#felt.main.companion ? this.#felt.main.name : name;
    const limits = this.limits(wager);
    const before = this.of(seat)[wager] ?? 0;
    const main = this.of(seat)[this.#felt.main.name] ?? 0;
    const most = limits.atMostMain ? Math.min(limits.max, main) : limits.max;
    if (before >= limits.max) return t("table.full", { wager, max: money(limits.max) });
    if (before >= most || limits.min > most) return t("table.atMostMain", { wager, main: this.#felt.main.name });
    this.#remember();
    this.#put(seat, { ...this.of(seat), [wager]: Math.min(reachable(before, cents, limits), most) });
    return null;
  }

  /**
   * Take everything off a circle.
   * @param {number} seat
   * @param {string} name
   */
  remove(seat, name) {
    const wager = name === this.#felt.main.companion ? this.#felt.main.name : name;
    const { [wager]: _, ...rest } = this.of(seat);
    this.#remember();
    this.#put(seat, rest);
  }

  /** Take the last chip back; returns whether there was one. */
  undo() {
    const before = this.#steps.pop();
    if (before) this.#stakes = before;
    return before !== undefined;
  }

  /** Take all chips back. */
  clear() {
    this.#stakes.clear();
    this.#steps = [];
  }

  /**
   * Put down what was dealt last.
   * @param {readonly number[]} seats
   */
  again(seats) {
    this.#remember();
    for (const seat of seats) {
      const last = this.#last.get(seat);
      if (last) this.#put(seat, { ...last });
    }
  }

  /**
   * Double what is put down, or what was dealt last, up to the limits.
   * @param {readonly number[]} seats
   */
  double(seats) {
    if (!seats.some((seat) => this.#stakes.has(seat))) this.again(seats);
    else this.#remember();
    for (const seat of seats) {
      const stakes = this.of(seat);
      const main = Math.min(2 * (stakes[this.#felt.main.name] ?? 0), this.#felt.main.max);
      const doubled = Object.entries(stakes).map(([name, cents]) => {
        const limits = this.limits(name);
        return [name, Math.min(2 * cents, limits.max, limits.atMostMain ? main : limits.max)];
      });
      if (doubled.length) this.#put(seat, Object.fromEntries(doubled));
    }
  }

  /**
   * Bet on every seat what is on one of them.
   * @param {readonly number[]} seats
   */
  everywhere(seats) {
    const from = seats.map((seat) => this.of(seat)).find((stakes) => Object.keys(stakes).length);
    const found = from ?? seats.map((seat) => this.#last.get(seat)).find(Boolean);
    this.#remember();
    if (found) for (const seat of seats) this.#put(seat, { ...found });
  }

  /**
   * Whether there is something to bet again on these seats.
   * @param {readonly number[]} seats
   */
  hasLast(seats) {
    return seats.some((seat) => this.#last.has(seat));
  }

  /**
   * Return why the chips on a seat are not a bet yet, or null; an empty seat has no bet.
   * @param {number} seat
   * @returns {string | null}
   */
  problem(seat) {
    const stakes = this.of(seat);
    const { main, wagers } = this.#felt;
    const staked = stakes[main.name] ?? 0;
    if (staked < main.min) return t("table.atLeast", { wager: main.name, min: money(main.min) });
    for (const wager of wagers) {
      const cents = stakes[wager.name] ?? 0;
      if (cents && cents < wager.min) return t("table.atLeast", { wager: wager.name, min: money(wager.min) });
      if (cents && wager.needs && !stakes[wager.needs])
        return t("table.needs", { wager: wager.name, needs: wager.needs });
      if (cents && wager.at_most_main && cents > staked)
        return t("table.atMostMain", { wager: wager.name, main: main.name });
    }
    const odd = Object.entries(stakes).find(
      ([name, cents]) => cents && (cents - this.limits(name).min) % this.limits(name).step,
    );
    return odd ? t("table.steps", { wager: odd[0], step: money(this.limits(odd[0]).step) }) : null;
  }

  /**
   * Return the command that bets what is on a seat.
   * @param {number} seat
   * @param {Stakes} [stakes]
   */
  command(seat, stakes = this.of(seat)) {
    const { [this.#felt.main.name]: main = 0, ...others } = stakes;
    // In the felt's order, so that equal bets are equal texts.
    const names = this.#felt.wagers.map((wager) => wager.name).filter((name) => others[name]);
    return { do: "bet", seat, main, sides: Object.fromEntries(names.map((name) => [name, others[name]])) };
  }

  /**
   * Return what the server says is bet on a seat; null for nothing.
   * @param {View} view
   * @param {number} number
   * @returns {Stakes | null}
   */
  betOf(view, number) {
    const seat = view.seats.find((one) => one.seat === number);
    const { name } = this.#felt.main;
    return seat?.hands.length ? { [name]: seat.hands[0].stakes[name] ?? 0, ...seat.sides } : null;
  }

  /**
   * Take over what the server says is bet, such as after the page was loaded again, or from another tab.
   * @param {View} view
   * @param {number} seat
   */
  takeOver(view, seat) {
    this.#put(seat, this.betOf(view, seat) ?? {});
  }

  /**
   * The cards are dealt: what is on the seats was the last bet.
   * @param {readonly number[]} seats that have bet
   */
  dealt(seats) {
    for (const seat of seats) {
      const stakes = this.#stakes.get(seat);
      if (stakes) this.#last.set(seat, stakes);
    }
    this.clear();
  }

  /**
   * @param {string} name
   */
  limits(name) {
    const { main, wagers } = this.#felt;
    const wager = wagers.find((one) => one.name === name);
    if (!wager) return { min: main.min, max: main.max, step: main.step, atMostMain: false };
    return { min: wager.min, max: wager.max, step: wager.step, atMostMain: wager.at_most_main };
  }

  /** Keep what is put down now, so that `undo` brings it back. */
  #remember() {
    this.#steps.push(new Map(this.#stakes));
  }

  /**
   * @param {number} seat
   * @param {Stakes} stakes
   */
  #put(seat, stakes) {
    if (Object.values(stakes).some(Boolean)) this.#stakes.set(seat, stakes);
    else this.#stakes.delete(seat);
  }
}

/**
 * Return the amount that a chip makes of another one: at most the chip's value more, but at least the next step.
 * @param {number} before
 * @param {number} chip
 * @param {{min: number, step: number}} limits
 */
function reachable(before, chip, { min, step }) {
  const next = before < min ? min : before + step;
  return Math.max(next, min + Math.floor((before + chip - min) / step) * step);
}
