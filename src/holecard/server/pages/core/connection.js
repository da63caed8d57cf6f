// @ts-check
// The connection to a table: it resumes after a dropped network or a restart, and each command has one effect.

import { commandId, signedIn, setPerson } from "./api.js";

/** @typedef {import("../felt/types.js").View} View */
/** @typedef {import("../felt/types.js").Event} Event */
/** @typedef {{number: number, view: View, events: Event[], entry: any, now?: number | null, wentBack?: boolean}} Frame */
/** @typedef {"connecting" | "open" | "lost" | "ended"} State */
/**
 * @typedef {object} Listener
 * @property {(message: any) => void} hello
 * @property {(frame: Frame) => void} frame
 * @property {(cents: number, chips?: boolean) => void} balance `chips`: of this table
 * @property {(state: State, why: string) => void} state
 */
/** @typedef {{text: string, done: (message: any) => void, refused: (error: CommandRefused) => void}} Unanswered */

/** Milliseconds until the next attempt, from the first to the last. */
const WAITS = [200, 500, 1_000, 2_000, 4_000];
/** How often a silent connection is tested, and how long the answer may take. */
const TEST = 8_000;
const ANSWER = 4_000;
/** Close codes after which there is nothing to connect to. */
const REFUSED = 4000;
const SESSION_ENDED = 4001;

/** A command that the table has refused. */
export class CommandRefused extends Error {
  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** One person's connection to one table. */
export class Connection {
  /** @type {Listener} */
  #listener;
  #address;
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {number | null} the last entry that was seen */
  #number = null;
  /** @type {Map<string, Unanswered>} */
  #unanswered = new Map();
  #attempts = 0;
  #ended = false;
  #heard = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {(address: string) => WebSocket} */
  #make;

  /**
   * @param {string} table
   * @param {Listener} listener
   * @param {(address: string) => WebSocket} [make] for tests
   */
  constructor(table, listener, make = (address) => new WebSocket(address)) {
    this.#listener = listener;
    this.#make = make;
    this.#address = `/api/v1/tables/${encodeURIComponent(table)}/socket`;
    globalThis.addEventListener?.("online", () => this.#again(0));
    globalThis.addEventListener?.("offline", () => this.#drop());
  }

  /** Connect, and stay connected until `end`. */
  open() {
    if (this.#ended) return;
    clearTimeout(this.#timer);
    this.#listener.state("connecting", "");
    const after = this.#number === null ? "" : `?after=${this.#number}`;
    const base = globalThis.location ? location.origin.replace(/^http/, "ws") : "";
    const socket = this.#make(base + this.#address + after);
    this.#socket = socket;
    socket.onopen = () => this.#opened(socket);
    socket.onmessage = (event) => this.#read(JSON.parse(event.data));
    socket.onclose = (event) => this.#closed(socket, event.code, event.reason);
  }

  /** Disconnect for good. */
  end() {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  /**
   * Send a command; resolves when it is done, rejects when it is refused. It is sent again after a dropped connection.
   * @param {Record<string, unknown>} command
   * @returns {Promise<any>}
   */
  send(command) {
    const id = commandId();
    return new Promise((done, refused) => {
      const text = JSON.stringify({ type: "command", id, command });
      this.#unanswered.set(id, { text, done, refused });
      if (this.#socket?.readyState === 1) this.#socket.send(text);
    });
  }

  /** @param {WebSocket} socket */
  #opened(socket) {
    this.#attempts = 0;
    this.#heard = Date.now();
    for (const { text } of this.#unanswered.values()) socket.send(text);
    this.#watch(socket);
  }

  /**
   * Find out that the network is gone even if nobody says so.
   * @param {WebSocket} socket
   */
  #watch(socket) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (socket.readyState !== 1) return;
      const asked = Date.now();
      socket.send('{"type":"ping"}');
      this.#timer = setTimeout(() => {
        if (this.#heard < asked) this.#drop();
        else this.#watch(socket);
      }, ANSWER);
    }, TEST);
  }

  /** @param {any} message */
  #read(message) {
    this.#heard = Date.now();
    const { type } = message;
    if (type === "hello") {
      this.#listener.hello(message);
      this.#listener.state("open", "");
    } else if (type === "snapshot" || type === "entry") {
      this.#number = message.number;
      this.#listener.frame({
        number: message.number,
        view: message.view,
        events: message.events ?? [],
        entry: message.entry ?? null,
        now: message.now,
        wentBack: message.went_back,
      });
    } else if (type === "balance") this.#listener.balance(message.cents, message.chips);
    else if (type === "done") this.#take(message.id)?.done(message);
    else if (type === "refused") this.#refused(message);
  }

  /** @param {any} message */
  #refused(message) {
    if (message.code === "unavailable" && message.id) {
      const again = this.#unanswered.get(message.id);
      setTimeout(() => again && this.#socket?.readyState === 1 && this.#socket.send(again.text), WAITS[1]);
      return;
    }
    this.#take(message.id)?.refused(new CommandRefused(message.code, message.message));
  }

  /** @param {string | null} id */
  #take(id) {
    const found = id ? this.#unanswered.get(id) : undefined;
    if (id) this.#unanswered.delete(id);
    return found;
  }

  /** Give up a connection without waiting for its end, and open a new one. */
  #drop() {
    const socket = this.#socket;
    if (!socket || this.#ended) return;
    socket.onclose = socket.onmessage = socket.onopen = null;
    socket.close();
    this.#closed(socket, 1006, "");
  }

  /**
   * @param {WebSocket} socket
   * @param {number} code
   * @param {string} reason
   */
  #closed(socket, code, reason) {
    if (socket !== this.#socket || this.#ended) return;
    this.#socket = null;
    clearTimeout(this.#timer);
    if (code === REFUSED) {
      this.#ended = true;
      this.#listener.state("ended", reason);
    } else {
      this.#listener.state("lost", reason);
      if (code === SESSION_ENDED) setPerson(null);
      this.#again(WAITS[Math.min(this.#attempts++, WAITS.length - 1)], code === SESSION_ENDED);
    }
  }

  /**
   * @param {number} wait
   * @param {boolean} [signIn]
   */
  #again(wait, signIn = false) {
    if (this.#socket || this.#ended) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      if (signIn) await signedIn().catch(() => null);
      this.open();
    }, wait);
  }
}
