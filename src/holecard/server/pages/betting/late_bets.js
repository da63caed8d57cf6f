// @ts-check
// Wagers on the dealer's hand that are placed while the round is played: chips on circles, then "place".

import { money } from "../core/format.js";
import { t } from "../core/text.js";
import { COMMAND_KEYS } from "../table/keys.js";

/** @typedef {import("../felt/types.js").View} View */
/** @typedef {import("../felt/scene.js").Stakes} Stakes */
/** @typedef {import("../table/controls.js").Command} Command */
/** @typedef {(command: Record<string, unknown>) => Promise<boolean>} Send */

/** Chips of one person that are put down during a round and not placed yet. */
export class LateBets {
  #send;
  #changed;
  /** @type {Map<number, Stakes>} */
  #chips = new Map();

  /**
   * @param {Send} send
   * @param {() => void} changed
   */
  constructor(send, changed) {
    this.#send = send;
    this.#changed = changed;
  }

  /**
   * Forget chips of seats to which nothing is offered any more.
   * @param {View} view
   */
  follow(view) {
    for (const seat of [...this.#chips.keys()]) if (!view.offered[seat]) this.#chips.delete(seat);
  }

  /**
   * Return the chips on the cloth that the server does not know yet, with those below them.
   * @param {View} view
   */
  shown(view) {
    return new Map([...this.#chips].map(([seat, stakes]) => [seat, withPlaced(view, seat, stakes)]));
  }

  /**
   * Put a chip on a circle; returns why not, or null.
   * @param {View} view
   * @param {number} seat
   * @param {string} name
   * @param {number} cents
   * @param {{min: number, max: number, step: number}} limits
   * @param {number} balance free money, in cents
   */
  put(view, seat, name, cents, { min, max, step }, balance) {
    const placed = view.seats.find((one) => one.seat === seat)?.sides[name] ?? 0;
    const before = this.#chips.get(seat)?.[name] ?? 0;
    if (placed + before >= max) return t("table.full", { wager: name, max: money(max) });
    const least = placed ? step : min;
    const wanted = Math.min(Math.max(before + Math.max(cents, step), least), max - placed);
    if (this.#total() + wanted - before > balance) return t("table.noMoney", { balance: money(balance) });
    this.#chips.set(seat, { ...this.#chips.get(seat), [name]: wanted });
    this.#changed();
    return null;
  }

  /**
   * Take the chips off a circle.
   * @param {number} seat
   * @param {string} name
   */
  take(seat, name) {
    const { [name]: _, ...rest } = this.#chips.get(seat) ?? {};
    if (Object.keys(rest).length) this.#chips.set(seat, rest);
    else this.#chips.delete(seat);
    this.#changed();
  }

  /**
   * Return what the person can do with these chips now.
   * @param {View} view
   * @returns {Command[]}
   */
  commands(view) {
    if (this.#chips.size) {
      return [
        {
          id: "place",
          label: t("table.command.place"),
          key: COMMAND_KEYS.place,
          gold: true,
          run: () => void this.#place(view),
        },
        { id: "clear", label: t("table.command.clear"), key: COMMAND_KEYS.clear, run: () => this.#clear() },
      ];
    }
    if (!isAsked(view)) return [];
    const pass = () => void this.#send({ do: "place", seat: view.asked, sides: {} });
    return [{ id: "pass", label: t("table.command.pass"), key: COMMAND_KEYS.pass, gold: true, run: pass }];
  }

  #total() {
    return [...this.#chips.values()].flatMap((stakes) => Object.values(stakes)).reduce((sum, cents) => sum + cents, 0);
  }

  #clear() {
    this.#chips.clear();
    this.#changed();
  }

  /** @param {View} view */
  async #place(view) {
    const waiting = [...this.#chips];
    this.#chips.clear();
    for (const [seat, sides] of waiting) {
      const done = await this.#send({ do: "place", seat, sides });
      if (!done) this.#chips.set(seat, sides);
    }
    if (!this.#chips.size && isAsked(view) && !waiting.some(([seat]) => seat === view.asked)) {
      await this.#send({ do: "place", seat: view.asked, sides: {} });
    }
    this.#changed();
  }
}

/**
 * Return what lies on a seat's circles, with more chips on top.
 * @param {View} view
 * @param {number} number
 * @param {Stakes} more
 */
export function withPlaced(view, number, more) {
  const seat = view.seats.find((one) => one.seat === number);
  /** @type {Stakes} */
  const found = { ...(seat?.hands[0]?.stakes ?? {}), ...(seat?.sides ?? {}) };
  for (const [name, cents] of Object.entries(more)) found[name] = (found[name] ?? 0) + cents;
  return found;
}

/**
 * Whether one of your seats is asked for wagers, not for an action.
 * @param {View} view
 */
function isAsked(view) {
  return view.asked !== null && view.yours.includes(view.asked) && !view.choices.length;
}
