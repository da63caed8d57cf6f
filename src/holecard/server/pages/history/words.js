// @ts-check
// The steps of a replay in words, for the list of steps and for people who hear the page.

import { gain } from "../core/format.js";
import { cardName } from "../felt/cards.js";
import { t } from "./text.js";

/** @typedef {import("./steps.js").Step} Step */
/** @typedef {import("../core/protocol").ShownTable} ShownTable */
/** @typedef {import("../core/protocol").ShownEvent} ShownEvent */

/**
 * Return who sits at a seat: you, a name, or the seat's number; 0 is the dealer.
 * @param {number} seat
 * @param {ShownTable} view
 */
export function whoIs(seat, view) {
  if (!seat) return t("history.step.dealer");
  if (view.yours.includes(seat)) return view.yours.length > 1 ? t("history.step.youAt", { seat }) : t("history.step.you");
  return view.seats.find((one) => one.seat === seat)?.name ?? t("history.step.seat", { seat });
}

/**
 * Return a step in words: what was decided, then what it caused.
 * @param {Step} step
 */
export function stepWords(step) {
  const decided = step.begins ? decision(step) : "";
  const decider = decided && step.entry.kind === "moved" ? Number(/^seat (\d+):/.exec(step.entry.move)?.[1] ?? 0) : 0;
  const caused = step.events.length ? eventWords(step, decider) : "";
  return [decided, caused].filter(Boolean).join(" · ");
}

/**
 * Return the decision that an entry records.
 * @param {Pick<Step, "entry" | "view">} step
 */
export function decision({ entry, view }) {
  if (entry.kind !== "moved") return otherEntry(entry, view);
  const [, seat, words] = /^seat (\d+): (.*)$/.exec(entry.move) ?? [];
  if (!seat) return t("history.step.deal");
  const values = { who: whoIs(Number(seat), view), words };
  const isBet = words.startsWith("$");
  const said = isBet ? t("history.step.bet", values) : t("history.step.act", values);
  return entry.by_clock ? t("history.step.byClock", { said }) : said;
}

/**
 * @param {Step["entry"]} entry
 * @param {ShownTable} view
 */
function otherEntry(entry, view) {
  if (entry.kind === "seat taken") return t("history.step.sat", { name: entry.name, seat: entry.seat });
  if (entry.kind === "seat left") return t("history.step.left", { seat: entry.seat });
  if (entry.kind === "bet withdrawn") return t("history.step.withdrew", { who: whoIs(entry.seat, view) });
  return t("history.step.other");
}

/**
 * @param {Step} step
 * @param {number} decider the seat whose decision is named before, or 0
 */
function eventWords({ events, view }, decider) {
  const [first] = events;
  if (first.event === "card") {
    const hand = view.seats.find((one) => one.seat === first.seat)?.hands[first.hand - 1];
    const total = first.seat ? hand?.total : view.dealer.total;
    const values = { who: whoIs(first.seat, view), card: cardName(first.card), total: total ?? 0 };
    const count = first.seat ? hand?.cards.length : view.dealer.cards.length;
    const words = total && count && count > 1 ? t("history.step.cardTotal", values) : values.card;
    return decider === first.seat && decider ? words : t("history.step.card", { ...values, card: words });
  }
  if (first.event === "hole card") return t("history.step.hole", { card: cardName(first.card) });
  if (first.event === "check") return t(first.blackjack ? "history.step.blackjack" : "history.step.noBlackjack");
  const words = events.map((event) =>
    event.event === "result" ? t("history.step.result", { wager: event.wager, line: event.line, net: gain(event.net) }) : "",
  );
  return t("history.step.results", { who: whoIs(first.seat, view), words: words.join("; ") });
}
