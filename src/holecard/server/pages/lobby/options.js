// @ts-check
// The dialog for a table of one's own: decks, pace, and the readings that the sheet's rulings offer.

import { get, signedIn } from "../core/api.js";
import { choice, closeButton, closeOutside } from "../core/dialog.js";
import { h, replaceChildren } from "../core/dom.js";
import { t } from "../core/text.js";
import { PACES, openTable, sitAndGo } from "./opening.js";

/** @typedef {import("../core/protocol").GameInfo} GameInfo */
/** @typedef {import("./opening.js").TableSettings} TableSettings */
/** @typedef {{on: string, reading: string, switches: string[]}} Ruling */

/** The numbers of decks where the sheet leaves them open. */
const DECKS = [1, 2, 4, 6, 8];

/**
 * Return the settings in a switch of a ruling, such as "dealer.hole_card='no peek' --set dealer.natural_takes=original".
 * @param {string} words
 * @returns {TableSettings}
 */
export function settingsOf(words) {
  return Object.fromEntries(
    words.split(" --set ").map((one) => {
      const [path = "", ...rest] = one.split("=");
      return [path, valueOf(rest.join("=").replace(/^(['"])(.*)\1$/, "$2"))];
    }),
  );
}

/**
 * @param {string} text
 * @returns {string | number | boolean}
 */
function valueOf(text) {
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

/**
 * Return a switch in words: "hole card: no peek".
 * @param {string} words
 */
export function switchWords(words) {
  const found = Object.entries(settingsOf(words)).map(([path, value]) => {
    const key = path.split(".").at(-1)?.replaceAll("_", " ") ?? path;
    if (typeof value === "boolean") return value ? key : t("lobby.without", { what: key });
    return `${key}: ${value}`;
  });
  return found.join(", ");
}

/**
 * Open the dialog.
 * @param {GameInfo} game
 * @param {(error: unknown) => void} onError
 */
export async function openOptions(game, onError) {
  /** @type {import("../core/protocol").GameRules} */
  let found;
  try {
    found = await get(`/games/${encodeURIComponent(game.game)}`);
  } catch (error) {
    onError(error);
    return;
  }
  const chosen = new Choices(game, found.rules);
  const problem = h("p", { class: "problem", role: "alert" });
  const open = h("button", { type: "button", class: "gold" }, t("lobby.openTable"));
  const dialog = h(
    "dialog",
    { class: "options", "aria-labelledby": "options-title" },
    closeButton(() => dialog.close()),
    h("h2", { id: "options-title" }, t("lobby.optionsOf", { game: game.title })),
    h("section", null, chosen.decks(), chosen.pace()),
    chosen.readings(),
    problem,
    h("div", { class: "row options-end" }, open),
  );
  open.addEventListener("click", async () => {
    open.disabled = true;
    try {
      const you = await signedIn();
      await sitAndGo(await openTable(game.game, chosen.settings(), PACES[chosen.waits]), you.name);
    } catch (error) {
      replaceChildren(problem, /** @type {Error} */ (error).message);
    } finally {
      open.disabled = false;
    }
  });
  dialog.addEventListener("close", () => dialog.remove());
  closeOutside(dialog);
  document.body.append(dialog);
  dialog.showModal();
}

/** What was chosen in the dialog. */
class Choices {
  /** @type {keyof typeof PACES} */
  waits = "relaxed";
  /** @type {Map<string, TableSettings>} */
  #readings = new Map();

  /**
   * @param {GameInfo} game
   * @param {Record<string, any>} rules
   */
  constructor(game, rules) {
    this.game = game;
    this.rules = rules;
    this.count = game.felt?.decks ?? 0;
  }

  /** The settings that make the table differ from the game. */
  settings() {
    /** @type {TableSettings} */
    const found = Object.assign({}, ...this.#readings.values());
    if (this.count !== this.game.felt?.decks) found["shoe.decks"] = this.count;
    return found;
  }

  decks() {
    const offered = /** @type {number[]} */ (this.rules.definition.shoe.decks_offered);
    const counts = offered.length ? offered : DECKS;
    if (counts.length < 2) return null;
    return choice("decks", t("lobby.decks"), String(this.count), counts.map((n) => [String(n), String(n)]), (value) => {
      this.count = Number(value);
    });
  }

  pace() {
    /** @type {[keyof typeof PACES, string][]} */
    const paces = [
      ["relaxed", t("lobby.paceRelaxed")],
      ["normal", t("lobby.paceNormal")],
      ["fast", t("lobby.paceFast")],
    ];
    return choice("pace", t("lobby.pace"), this.waits, paces, (value) => {
      this.waits = /** @type {keyof typeof PACES} */ (value);
    });
  }

  readings() {
    const rulings = /** @type {Ruling[]} */ (this.rules.rulings).filter((ruling) => ruling.switches.length > 0);
    if (rulings.length === 0) return null;
    return h(
      "details",
      { class: "readings" },
      h("summary", null, t("lobby.readings")),
      rulings.map((ruling, index) =>
        h(
          "div",
          { class: "reading" },
          choice(
            `reading-${index}`,
            ruling.on,
            "",
            [["", t("lobby.asPrinted")], ...ruling.switches.map((one) => /** @type {[string, string]} */ ([one, switchWords(one)]))],
            (value) => {
              if (value) this.#readings.set(ruling.on, settingsOf(value));
              else this.#readings.delete(ruling.on);
            },
          ),
          h("small", null, ruling.reading),
        ),
      ),
    );
  }
}
