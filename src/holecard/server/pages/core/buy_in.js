// @ts-check
// New chips from the bank, for people who have lost almost all of theirs.

import { announce } from "./announce.js";
import { Refused, commandId, post, setPerson } from "./api.js";
import { money } from "./format.js";
import { t } from "./text.js";

/** @typedef {import("./api.js").Person} Person */

/**
 * Whether the bank gives new chips to somebody with this much money; stakes on tables count.
 * @param {Pick<Person, "balance" | "buy_in_below"> & Partial<Pick<Person, "held">>} person
 */
export function mayBuyIn({ balance, held = 0, buy_in_below: below }) {
  return balance + held < below;
}

/** The id of a request whose answer was lost: sent again, it gives new chips once. */
let unanswered = "";

/** Take new chips; returns why there are none, or null. */
export async function buyIn() {
  try {
    unanswered ||= commandId();
    const person = /** @type {Person} */ (await post("/buy-in", { id: unanswered }));
    unanswered = "";
    setPerson(person);
    announce(t("header.boughtIn", { balance: money(person.balance) }));
    return null;
  } catch (error) {
    if (error instanceof Refused && error.status && error.status < 500) unanswered = "";
    return /** @type {Error} */ (error).message;
  }
}
