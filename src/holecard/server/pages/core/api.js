// @ts-check
// Requests to the server: JSON in and out, refusals as exceptions, and the session of this browser.

import { t } from "./text.js";

const BASE = "/api/v1";

/** @typedef {{name: string, role: "guest" | "player" | "operator", balance: number, held?: number, buy_in_below: number, notice?: string | null}} Person */

/** What the server has refused, with its code for programs and its words for people. */
export class Refused extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {number} status
   */
  constructor(code, message, status) {
    super(message);
    this.name = "Refused";
    this.code = code;
    this.status = status;
  }
}

/**
 * Send a request and return what it answers; refusals are thrown. Where the server cannot be reached, the code is
 * "unreachable".
 * @param {string} method
 * @param {string} path below /api/v1
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
export async function send(method, path, body) {
  /** @type {RequestInit} */
  const request = { method, credentials: "same-origin", headers: { Accept: "application/json" } };
  if (body !== undefined) {
    request.body = JSON.stringify(body);
    request.headers = { ...request.headers, "Content-Type": "application/json" };
  }
  let answer;
  try {
    answer = await fetch(BASE + path, request);
  } catch {
    throw new Refused("unreachable", t("common.unreachable"), 0);
  }
  const text = await answer.text();
  const isJson = (answer.headers.get("Content-Type") ?? "").includes("json");
  const found = isJson && text ? JSON.parse(text) : text || null;
  if (!answer.ok) throw new Refused(found?.code ?? "refused", found?.message ?? answer.statusText, answer.status);
  return found;
}

/**
 * @param {string} path
 * @returns {Promise<any>}
 */
export const get = (path) => send("GET", path);

/**
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
export const post = (path, body) => send("POST", path, body);

/** Return a new id for a command or a table: sent twice, it has the effect of one. */
export function commandId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Who uses this page.

/** @type {Person | null} */
let person = null;
/** @type {Promise<Person> | null} */
let arriving = null;
/** @type {Set<(person: Person | null) => void>} */
const listeners = new Set();

/**
 * Return who uses this page; a guest session begins where there is none. The server is asked once per page.
 * @returns {Promise<Person>}
 */
export function signedIn() {
  arriving ??= arrive().catch((error) => {
    arriving = null; // so that the next call tries again
    throw error;
  });
  return arriving;
}

/** Sent again after a lost answer, so that there is one guest. A secret: for some minutes it is as good as a session. */
let guestId = commandId();

async function newGuest() {
  const found = await post("/guest", { id: guestId });
  guestId = commandId();
  return found;
}

async function arrive() {
  // Tabs that a browser opens at once would each make a guest; the lock lets the first one make the only guest.
  const once = async () => (await get("/visitor")).person ?? newGuest();
  const found = navigator.locks ? await navigator.locks.request("holecard.guest", once) : await once();
  setPerson(found);
  return /** @type {Person} */ (found);
}

/**
 * Say who uses this page from now on, after signing in or out.
 * @param {Person | null} found
 */
export function setPerson(found) {
  person = found;
  arriving = found ? Promise.resolve(found) : null;
  for (const listener of listeners) listener(found);
}

/**
 * Say what the person has now, in cents, where a message of the server brings it.
 * @param {number} balance
 */
export function setBalance(balance) {
  if (person) setPerson({ ...person, balance });
}

/** Ask the server again who this is and what the person has. */
export async function refreshPerson() {
  const found = /** @type {Person} */ (await get("/me"));
  setPerson(found);
  return found;
}

/**
 * Call a function now, if it is known who uses this page, and at every change; returns how to stop.
 * @param {(person: Person | null) => void} listener
 */
export function onPerson(listener) {
  listeners.add(listener);
  if (person) listener(person);
  return () => listeners.delete(listener);
}
