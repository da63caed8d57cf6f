// @ts-check
// What this browser remembers about how its reader likes to play; every open page hears of a change.

const KEY = "holecard.settings";
/** @typedef {"normal" | "fast" | "instant"} Speed */
/** @typedef {"after" | "asked" | "always"} CoachShows */
/** @typedef {{fourColor: boolean, speed: Speed, coach: boolean, coachShows: CoachShows, language: string, seedWords: string}} Values */
/** @type {Values} */
const DEFAULTS = { fourColor: false, speed: "normal", coach: true, coachShows: "after", language: "", seedWords: "" };
const SPEEDS = ["normal", "fast", "instant"];
const COACH_SHOWS = ["after", "asked", "always"];

/**
 * Return the settings in a stored text; what is missing or wrong has its default.
 * @param {string | null} text
 * @returns {Values}
 */
export function read(text) {
  const found = { ...DEFAULTS };
  try {
    const stored = JSON.parse(text ?? "{}") ?? {};
    for (const key of ["fourColor", "coach"]) {
      if (typeof stored[key] === "boolean") /** @type {any} */ (found)[key] = stored[key];
    }
    if (SPEEDS.includes(stored.speed)) found.speed = stored.speed;
    if (COACH_SHOWS.includes(stored.coachShows)) found.coachShows = stored.coachShows;
    for (const key of ["language", "seedWords"]) {
      if (typeof stored[key] === "string") /** @type {any} */ (found)[key] = stored[key];
    }
  } catch {
    return found; // not JSON: nothing of ours
  }
  return found;
}

class Settings {
  /** @type {Set<(settings: Settings) => void>} */
  #listeners = new Set();
  #values = read(load());

  constructor() {
    this.#mark();
    globalThis.addEventListener?.("storage", (event) => {
      if (event.key !== KEY) return;
      this.#values = read(event.newValue);
      this.#tell();
    });
  }

  /** Whether diamonds are blue and clubs green. */
  get fourColor() {
    return this.#values.fourColor;
  }

  set fourColor(value) {
    this.#set({ fourColor: value });
  }

  /** How fast cards and chips move; people who ask their system for less motion get "instant". */
  get speed() {
    const reduced = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches;
    return reduced ? "instant" : this.#values.speed;
  }

  set speed(value) {
    this.#set({ speed: value });
  }

  /** Whether the coach is on. */
  get coach() {
    return this.#values.coach;
  }

  set coach(value) {
    this.#set({ coach: value });
  }

  /** When the coach shows what actions are worth: after the decision, only when asked, or always. */
  get coachShows() {
    return this.#values.coachShows;
  }

  set coachShows(value) {
    this.#set({ coachShows: value });
  }

  /** The language that was chosen; empty for that of the browser. */
  get language() {
    return this.#values.language;
  }

  set language(value) {
    this.#set({ language: value });
  }

  /** What the seeds of this browser begin with; random digits follow. */
  get seedWords() {
    return this.#values.seedWords;
  }

  set seedWords(value) {
    this.#set({ seedWords: value });
  }

  /**
   * Call a function at every change; returns how to stop.
   * @param {(settings: Settings) => void} listener
   */
  onChange(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param {Partial<Values>} changed */
  #set(changed) {
    this.#values = { ...this.#values, ...changed };
    try {
      globalThis.localStorage?.setItem(KEY, JSON.stringify(this.#values));
    } catch {
      // A browser without storage keeps the setting until the page is left.
    }
    this.#tell();
  }

  /** Mark the page, so that every card on it has its colors. */
  #mark() {
    const root = globalThis.document?.documentElement;
    if (root) root.dataset.fourColor = String(this.fourColor);
  }

  #tell() {
    this.#mark();
    for (const listener of this.#listeners) listener(this);
  }
}

function load() {
  try {
    return globalThis.localStorage?.getItem(KEY) ?? null;
  } catch {
    return null;
  }
}

/** The settings of this browser. */
export const settings = new Settings();
