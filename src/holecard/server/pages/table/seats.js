// @ts-check
// What people touch on the felt: circles to bet on, free seats to sit down at, names, results, and the countdown.

import { h, keyed } from "../core/dom.js";
import { gain, money } from "../core/format.js";
import { t } from "../core/text.js";

/** @typedef {import("../felt/felt.js").FeltElement} FeltElement */
/** @typedef {import("../felt/geometry.js").SeatPlace} SeatPlace */
/** @typedef {import("../felt/geometry.js").Spot} Spot */
/** @typedef {import("../felt/types.js").Felt} Felt */
/** @typedef {import("../felt/types.js").View} View */
/** @typedef {import("../felt/scene.js").Stakes} Stakes */
/**
 * @typedef {object} SeatState
 * @property {View} view
 * @property {ReadonlyMap<number, Stakes>} chips on the circles of your seats
 * @property {(seat: number, wager: string) => string | null} closed why a circle takes no chips now; null if it does
 * @property {(wager: string) => string} words limits and conditions of a circle
 */
/**
 * @typedef {object} SeatActions
 * @property {(seat: number, wager: string) => void} put
 * @property {(seat: number, wager: string) => void} take
 * @property {(seat: number) => void} sit
 * @property {(seat: number) => void} leave
 * @property {(seat: number) => void} focus
 */

/** With less time than this left, in milliseconds, the countdown changes its color. */
const HURRY = 8_000;

/** The people's side of the felt. */
export class Seats {
  #felt;
  #actions;
  #spots = h("div", { class: "spots" });
  #plates = h("div", { class: "plates" });
  #timer = h("div", { class: "timer", hidden: true }, h("div", { class: "timer-left" }));
  /** @type {Animation | undefined} */
  #countdown;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #hurrying;

  /**
   * @param {FeltElement} felt
   * @param {SeatActions} actions
   */
  constructor(felt, actions) {
    this.#felt = felt;
    this.#actions = actions;
    felt.overlay.append(this.#plates, this.#spots, this.#timer);
  }

  /** @param {SeatState} state */
  show(state) {
    const layout = this.#felt.layout;
    if (!layout) return;
    const mine = new Set(state.view.yours);
    const spots = layout.seats
      .filter((place) => mine.has(place.seat) && place.large)
      .flatMap((place) => place.spots.map((spot) => ({ place, spot })));
    keyed(
      this.#spots,
      spots,
      ({ place, spot }) => `${place.seat}:${spot.name}`,
      ({ place, spot }, old) => this.#spot(state, place, spot, old),
    );
    keyed(
      this.#plates,
      layout.seats,
      (place) => String(place.seat),
      (place, old) => this.#plate(state, place, old),
    );
  }

  /**
   * @param {SeatState} state
   * @param {SeatPlace} place
   * @param {Spot} spot
   * @param {HTMLElement | null} old
   */
  #spot(state, place, spot, old) {
    const button = old ?? this.#newSpot(place.seat, spot.name);
    const cents = state.chips.get(place.seat)?.[spot.name] ?? 0;
    const why = state.closed(place.seat, spot.name);
    button.ariaLabel = t("table.spot", { seat: place.seat, wager: spot.name, cents: money(cents) });
    const words = state.words(spot.name);
    button.ariaDescription = why === null ? words : `${why} ${words}`;
    button.title = words;
    button.setAttribute("aria-disabled", String(why !== null));
    button.dataset.cents = String(cents);
    position(button, spot);
    button.style.setProperty("--r", String(spot.r));
    return button;
  }

  /**
   * @param {number} seat
   * @param {string} wager
   */
  #newSpot(seat, wager) {
    const button = h("button", { type: "button", class: "spot", "data-spot": `${seat}:${wager}` });
    button.addEventListener("click", (event) => {
      if (event.shiftKey) this.#actions.take(seat, wager);
      else this.#actions.put(seat, wager);
    });
    button.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.#actions.take(seat, wager);
    });
    button.addEventListener("keydown", (event) => {
      if (["Backspace", "Delete", "-"].includes(event.key)) {
        this.#actions.take(seat, wager);
        event.preventDefault(); // elsewhere, Backspace clears all circles
      } else if (event.key.startsWith("Arrow")) this.#move(button, event);
    });
    return button;
  }

  /**
   * Move the focus to the next circle.
   * @param {HTMLElement} from
   * @param {KeyboardEvent} event
   */
  #move(from, event) {
    const all = /** @type {HTMLElement[]} */ ([...this.#spots.children]);
    const step = event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1;
    all[(all.indexOf(from) + step + all.length) % all.length]?.focus();
    event.preventDefault();
  }

  /**
   * @param {SeatState} state
   * @param {SeatPlace} place
   * @param {HTMLElement | null} old
   */
  #plate({ view }, place, old) {
    const plate = old ?? h("div", { class: "plate", "data-seat": place.seat });
    const seat = view.seats.find((one) => one.seat === place.seat);
    const yours = view.yours.includes(place.seat);
    const state = yours ? "yours" : seat ? "taken" : "free";
    const name = yours ? t("table.you") : (seat?.name ?? (seat ? t("table.left") : ""));
    const results = view.results.filter((one) => one.seat === place.seat);
    const net = results.reduce((sum, one) => sum + one.net, 0);
    const key = [
      state,
      name,
      place.large,
      view.asked === place.seat,
      results.length ? net : "",
      this.#felt.focusSeat === place.seat,
      view.closed,
    ].join("|");
    plate.classList.toggle("asked", view.asked === place.seat);
    plate.classList.toggle("small", !place.large);
    position(plate, state === "free" ? place.cards : place.plate);
    if (plate.dataset.state === key) return plate;
    plate.dataset.state = key;
    plate.replaceChildren(...this.#plateParts(place, state, name, view.closed !== null));
    if (results.length)
      plate.append(
        h("output", { class: `net ${net > 0 ? "won" : net < 0 ? "lost" : "push"}`, "data-result": net }, gain(net)),
      );
    return plate;
  }

  /**
   * @param {SeatPlace} place
   * @param {"yours" | "taken" | "free"} state
   * @param {string} name
   * @param {boolean} closed
   */
  #plateParts(place, state, name, closed) {
    const { seat } = place;
    /**
     * @param {"sit" | "leave" | "focus"} action
     * @param {string} label
     * @param {string} sign
     * @param {Record<string, unknown>} properties
     */
    const button = (action, label, sign, properties) =>
      h(
        "button",
        { type: "button", "aria-label": t(label, { seat }), onclick: () => this.#actions[action](seat), ...properties },
        sign,
      );
    if (state === "free")
      return closed ? [] : [button("sit", "table.sitAt", t("table.sit"), { class: "sit", "data-sit": seat })];
    if (state === "taken") return [h("span", { class: "name", title: name }, name)];
    if (!place.large) return [button("focus", "table.showSeat", name, { class: "focus-seat" })];
    const leave = { class: "leave", "data-leave": seat, title: t("table.leaveSeat", { seat }) };
    return [h("span", { class: "name" }, name), button("leave", "table.leaveSeat", "×", leave)];
  }

  /**
   * Show how much time is left for a seat, or for bets.
   * @param {number | null} seat null for bets
   * @param {number} left milliseconds; 0 or less for none
   * @param {number} whole milliseconds that there were
   */
  time(seat, left, whole) {
    const layout = this.#felt.layout;
    this.#countdown?.cancel();
    clearTimeout(this.#hurrying);
    const place = layout?.seats.find((one) => one.seat === seat);
    const hide = left <= 0 || !layout || (seat !== null && !place);
    this.#timer.hidden = hide;
    if (hide || !layout) return;
    const at = place
      ? { x: place.plate.x, y: place.plate.y - (layout.shape === "wide" ? 15 : 10) }
      : { x: layout.words.x, y: layout.words.y + (layout.shape === "wide" ? 22 : 13) };
    position(this.#timer, at);
    const bar = /** @type {HTMLElement} */ (this.#timer.firstElementChild);
    const share = Math.min(1, left / whole);
    this.#countdown = bar.animate([{ scale: `${share} 1` }, { scale: "0 1" }], { duration: left, fill: "forwards" });
    this.#timer.classList.toggle("hurry", left < HURRY);
    this.#hurrying = setTimeout(() => this.#timer.classList.add("hurry"), Math.max(0, left - HURRY));
  }
}

/**
 * @param {HTMLElement} element
 * @param {{x: number, y: number}} place
 */
function position(element, { x, y }) {
  element.style.setProperty("--x", String(x));
  element.style.setProperty("--y", String(y));
}
