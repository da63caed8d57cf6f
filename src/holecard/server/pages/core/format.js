// @ts-check
// Numbers, money and times as people read them.

import { language } from "./text.js";

const MINUS = "\u2212";
const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };

/**
 * Return cents as dollars: "$1,145", "$7.50", "−$12".
 * @param {number} cents
 */
export function money(cents) {
  const amount = Math.abs(cents) / 100;
  const digits = Number.isInteger(amount) ? 0 : 2;
  const text = amount.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${cents < 0 && !/^0(\.0*)?$/.test(text) ? MINUS : ""}$${text}`;
}

/**
 * Return the limits of a wager: "$5 – $500", or one amount.
 * @param {number} min in cents
 * @param {number} max in cents
 */
export function range(min, max) {
  return min === max ? money(min) : `${money(min)} – ${money(max)}`;
}

/**
 * Return cents as dollars with a sign: "+$12", "−$12", "$0".
 * @param {number} cents
 */
export function gain(cents) {
  return cents > 0 ? `+${money(cents)}` : money(cents);
}

/**
 * Return a share as a percentage: 0.0032 is "0.32%".
 * @param {number} share
 * @param {number} [digits]
 */
export function percent(share, digits = 2) {
  return `${signed(100 * share, digits, "")}%`;
}

/**
 * Return a value in cents per dollar with its sign: 4.9 is "+4.9¢".
 * @param {number} value
 * @param {number} [digits]
 */
export function cents(value, digits = 1) {
  return `${signed(value, digits, "+")}¢`;
}

/**
 * Return a number with a real minus sign, and a sign of its own for numbers above zero.
 * @param {number} value
 * @param {number} digits
 * @param {string} plus
 */
function signed(value, digits, plus) {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return (value < 0 ? MINUS : plus) + text;
}

/**
 * Return a text with its cards written with suits: "As Js" is "A♠ J♠".
 * @param {string} text
 */
export function withSuits(text) {
  return text.replace(/\b(10|[2-9TJQKA])([shdc])\b/g, (_, rank, suit) => (rank === "T" ? "10" : rank) + SUITS[/** @type {keyof typeof SUITS} */ (suit)]);
}

/**
 * Return a count with separators: 12345 is "12,345".
 * @param {number} value
 */
export function count(value) {
  return value.toLocaleString(language);
}

/**
 * Return a moment as date and time.
 * @param {number} milliseconds since 1970
 */
export function moment(milliseconds) {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(milliseconds);
}

/**
 * Return the date of a moment.
 * @param {number} milliseconds since 1970
 */
export function date(milliseconds) {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(milliseconds);
}

/**
 * Return the time of a moment.
 * @param {number} milliseconds since 1970
 */
export function time(milliseconds) {
  return new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(milliseconds);
}
