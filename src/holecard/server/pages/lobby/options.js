// @ts-check
// The dialog for a table of one's own: decks, pace, who finds it, and the readings that the sheet's rulings offer.

import { get, signedIn } from "../core/api.js";
import { choice, closeButton, closeOutside } from "../core/dialog.js";
import { h, replaceChildren } from "../core/dom.js";
import { changedWords } from "../core/setting_words.js";
import { PACES, openTable, sitAndGo } from "./opening.js";
import { t } from "./text.js";

/** @typedef {import("../core/protocol").GameInfo} GameInfo */
/** @typedef {import("./opening.js").TableSettings} TableSettings */
/** @typedef {import("../core/protocol").TableReading} TableReading */

/** The numbers of decks where the sheet leaves them open. */
const DECKS = [1, 2, 4, 6, 8];

/**
 * Return whether two readings cannot be chosen together: they give one setting different values.
 * @param {TableSettings} one
 * @param {TableSettings} other
 */
export function contradict(one, other) {
  return Object.entries(one).some(([path, value]) => path in other && String(other[path]) !== String(value));
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
  const chosen = new Choices(game, found);
  const problem = h("p", { class: "problem", role: "alert" });
  const open = h("button", { type: "button", class: "gold" }, t("lobby.openTable"));
  const dialog = h(
    "dialog",
    { class: "options", "aria-labelledby": "options-title" },
    closeButton(() => dialog.close()),
    h("h2", { id: "options-title" }, t("lobby.optionsOf", { game: game.title })),
    h("section", null, chosen.decks(), chosen.pace(), chosen.visibility()),
    chosen.readings(),
    problem,
    h("div", { class: "row options-end" }, open),
  );
  open.addEventListener("click", async () => {
    open.disabled = true;
    try {
      const you = await signedIn();
      await sitAndGo(await openTable(game.game, chosen.settings(), PACES[chosen.waits], chosen.isPrivate), you.name);
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
  isPrivate = false;
  /** @type {Map<TableReading, TableSettings>} */
  #chosen = new Map();
  /** @type {Map<TableReading, HTMLElement>} */
  #elements = new Map();
  #said = h("p", { class: "muted small", role: "status" });

  /**
   * @param {GameInfo} game
   * @param {import("../core/protocol").GameRules} found
   */
  constructor(game, found) {
    this.game = game;
    this.found = found;
    this.count = game.felt?.decks ?? 0;
  }

  /** The settings that make the table differ from the game. */
  settings() {
    /** @type {TableSettings} */
    const found = Object.assign({}, ...this.#chosen.values());
    if (this.count !== this.game.felt?.decks) found["shoe.decks"] = this.count;
    return found;
  }

  decks() {
    const { shoe } = /** @type {{shoe: {decks_offered: number[]}}} */ (this.found.rules.definition);
    const offered = shoe.decks_offered;
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

  visibility() {
    const words = h("small", { role: "status" }, t("lobby.publicHint"));
    /** @type {[string, string][]} */
    const both = [
      ["public", t("lobby.public")],
      ["private", t("lobby.private")],
    ];
    const chooser = choice("visibility", t("lobby.visibility"), "public", both, (value) => {
      this.isPrivate = value === "private";
      words.textContent = t(`lobby.${value}Hint`);
    });
    chooser.append(words);
    return chooser;
  }

  readings() {
    if (this.found.readings.length === 0) return null;
    return h(
      "details",
      { class: "readings" },
      h("summary", null, t("lobby.readings")),
      this.#said,
      this.found.readings.map((reading, index) => this.#reading(reading, index)),
    );
  }

  /**
   * @param {TableReading} reading
   * @param {number} index
   */
  #reading(reading, index) {
    const others = reading.choices.map((settings, place) => /** @type {[string, string]} */ ([String(place), changedWords(settings)]));
    const element = h(
      "div",
      { class: "reading" },
      choice(`reading-${index}`, reading.on, "", [["", t("lobby.asPrinted")], ...others], (value) =>
        this.#choose(reading, value === "" ? null : /** @type {TableSettings} */ (reading.choices[Number(value)])),
      ),
      h("small", null, reading.reading),
    );
    this.#elements.set(reading, element);
    return element;
  }

  /**
   * Choose a reading; others that contradict it are as described again.
   * @param {TableReading} reading
   * @param {TableSettings | null} settings
   */
  #choose(reading, settings) {
    this.#said.textContent = "";
    this.#chosen.delete(reading);
    if (settings === null) return;
    for (const [other, chosen] of [...this.#chosen]) {
      if (!contradict(settings, chosen)) continue;
      this.#chosen.delete(other);
      const described = this.#elements.get(other)?.querySelector("input");
      if (described) described.checked = true;
      this.#said.textContent = t("lobby.switchedBack", { on: other.on });
    }
    this.#chosen.set(reading, settings);
  }
}
