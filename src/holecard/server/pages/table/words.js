// @ts-check
// What the dealer says, and what is announced to people who cannot see the cards.

import { cardName } from "../felt/cards.js";
import { announce, announceNow } from "../core/announce.js";
import { gain, money } from "../core/format.js";
import { t } from "../core/text.js";

/** @typedef {import("../felt/types.js").Felt} Felt */
/** @typedef {import("../felt/types.js").View} View */
/** @typedef {import("../felt/types.js").Event} Event */
/** @typedef {import("../felt/types.js").Result} Result */

/**
 * Return what the dealer says in a view.
 * @param {View} view
 * @param {boolean} waiting whether somebody has bet
 * @param {Felt | null} felt
 */
export function dealerWords(view, waiting, felt) {
  if (view.closed) return t("table.words.closed");
  const yours = view.asked !== null && view.yours.includes(view.asked);
  const who = view.asked === null ? "" : yours ? "" : nameOf(view, view.asked);
  switch (view.phase) {
    case "betting":
      return waiting ? t("table.words.betsOpen") : t("table.words.placeBets");
    case "insurance":
      return yours
        ? isEvenMoney(view, felt)
          ? t("table.words.evenMoney")
          : t("table.words.insurance")
        : t("table.words.insuranceOf", { who });
    case "early surrender":
      return yours ? t("table.words.surrender") : t("table.words.turnOf", { who });
    case "after the check":
      return yours ? t("table.words.afterCheck") : t("table.words.turnOf", { who });
    case "last call":
      return t("table.words.lastCall");
    case "acting":
      return yours ? turn(view) : t("table.words.turnOf", { who });
    case "done":
      return dealerEnd(view);
    default:
      return "";
  }
}

/**
 * Whether the largest insurance is even money: the hand asked is a blackjack, and wins its bet whatever the dealer has.
 * @param {View} view
 * @param {Felt | null} felt
 */
export function isEvenMoney(view, felt) {
  const hand = view.seats.find((one) => one.seat === view.asked)?.hands[0];
  if (!felt?.insurance?.even_money || hand?.cards.length !== 2 || hand.total !== 21) return false;
  const most = view.choices.find((choice) => choice.action === "insurance")?.high ?? 0;
  // Where chips cannot make up exactly this share of the bet, the result depends on the dealer's card.
  return most * (felt.insurance.most === "half" ? 2 : 1) === hand.stakes[felt.main.name];
}

/** @param {View} view */
function turn(view) {
  const seat = view.seats.find((one) => one.seat === view.asked);
  const hand = seat?.hands[(view.hand ?? 1) - 1];
  const total = hand ? (hand.soft ? t("table.soft", { total: hand.total ?? "" }) : String(hand.total ?? "")) : "";
  const against = view.dealer.total ?? t(`common.cards.values.${view.dealer.cards[0]?.[0] ?? "A"}`);
  const which = (seat?.hands.length ?? 1) > 1 ? t("table.words.handOf", { hand: view.hand ?? 1 }) : "";
  return t("table.words.turn", { total, against, which });
}

/** @param {View} view */
function dealerEnd(view) {
  const { total, cards } = view.dealer;
  if (total === null || !cards.length) return t("table.words.placeBets");
  if (total > 21) return t("table.words.busts", { total });
  return total === 21 && cards.length === 2 ? t("table.words.blackjack") : t("table.words.has", { total });
}

/**
 * Return what the dealer says when something happens; null for nothing.
 * @param {Event} event
 * @returns {string | null}
 */
export function eventWords(event) {
  if (event.event === "check") return event.blackjack ? t("table.words.blackjack") : t("table.words.noBlackjack");
  if (event.event === "hole card") return t("table.words.turns", { card: cardName(event.card) });
  return null;
}

/**
 * Return the cards of some events in words: who got which.
 * @param {readonly Event[]} events
 * @param {View} view
 */
export function cardsInWords(events, view) {
  /** @type {Map<number, string[]>} */
  const dealt = new Map();
  for (const event of events) {
    if (event.event === "hole card")
      dealt.set(0, [...(dealt.get(0) ?? []), t("table.words.turns", { card: cardName(event.card) })]);
    if (event.event === "card") dealt.set(event.seat, [...(dealt.get(event.seat) ?? []), cardName(event.card)]);
  }
  return [...dealt].map(([seat, cards]) => {
    const total = seat ? handTotals(view, seat) : view.dealer.total;
    return t("table.gets", {
      who: seat ? nameOf(view, seat) : t("table.dealer"),
      cards: cards.join(", "),
      total: total ?? "",
    });
  });
}

/**
 * Return a settled wager in words.
 * @param {Result} result
 * @param {View} view
 */
export function resultInWords(result, view) {
  const values = {
    who: nameOf(view, result.seat),
    wager: result.wager,
    net: money(Math.abs(result.net)),
    line: result.line,
  };
  return t(result.net > 0 ? "table.won" : result.net < 0 ? "table.lost" : "table.pushed", values);
}

/**
 * Return the whole table as lines of text.
 * @param {View} view
 */
export function tableInWords(view) {
  const dealer = view.dealer.cards.length
    ? t("table.gets", {
        who: t("table.dealer"),
        cards: view.dealer.cards.map(cardName).join(", "),
        total: view.dealer.total ?? "",
      })
    : t("table.noCards");
  const seats = view.seats.map((seat) => {
    const hands = seat.hands.map((hand) => {
      const stakes = Object.entries(hand.stakes).map(([name, cents]) => `${name} ${money(cents)}`);
      const cards = hand.cards.length ? `${hand.cards.map(cardName).join(", ")}, ${hand.total ?? ""}; ` : "";
      return cards + stakes.join(", ");
    });
    const sides = Object.entries(seat.sides).map(([name, cents]) => `${name} ${money(cents)}`);
    const settled = view.results.filter((one) => one.seat === seat.seat).map((one) => `${one.wager} ${gain(one.net)}`);
    return t("table.seatHolds", {
      seat: seat.seat,
      who: nameOf(view, seat.seat),
      what: [...hands, ...sides, ...settled].join("; "),
    });
  });
  return [dealer, ...seats];
}

/**
 * @param {View} view
 * @param {number} seat
 */
export function nameOf(view, seat) {
  if (view.yours.includes(seat)) return view.yours.length > 1 ? t("table.yourSeat", { seat }) : t("table.you");
  return view.seats.find((one) => one.seat === seat)?.name ?? t("table.seat", { seat });
}

/**
 * @param {View} view
 * @param {number} seat
 */
function handTotals(view, seat) {
  const hands = view.seats.find((one) => one.seat === seat)?.hands ?? [];
  return hands.map((hand) => hand.total ?? "").join(", ");
}

/**
 * Tell people who cannot see the table what has happened: cards, your results, your turn.
 * @param {View} view
 * @param {readonly Event[]} events
 * @param {View | null} before
 * @param {Felt | null} felt
 */
export function announceFrame(view, events, before, felt) {
  for (const line of cardsInWords(events, view)) announce(line);
  for (const event of events) {
    if (event.event === "result" && view.yours.includes(event.seat)) announce(resultInWords(event, view));
  }
  const yours = view.asked !== null && view.yours.includes(view.asked);
  const same = before && before.asked === view.asked && before.hand === view.hand && before.phase === view.phase;
  if (yours && !(same && !events.length)) announceNow(dealerWords(view, true, felt));
}

/**
 * Return what a player should know about an entry that the player did not make: the clock decided, an operator stepped
 * in, a round was voided.
 * @param {any} entry
 * @param {View | null} before
 * @returns {string | null}
 */
export function entryInWords(entry, before) {
  if (entry?.kind === "operator acted") {
    const key = entry.seat === null ? "ended" : before?.yours.includes(entry.seat) ? "freedYours" : "freed";
    return t(`table.${key}`, { seat: entry.seat ?? "", why: entry.reason });
  }
  if (entry?.kind === "round voided") return t("table.voided", { why: entry.reason });
  const asked = before?.asked ?? null;
  const yours = asked !== null && before?.yours.includes(asked);
  if (entry?.kind !== "moved" || !entry.by_clock || !yours) return null;
  return t("table.byClock", { move: entry.move });
}
