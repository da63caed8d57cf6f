// @ts-check
// The page of one round: the felt with every card again, the steps in words, and the results.

import "../core/header.js";
import { get, signedIn } from "../core/api.js";
import { h, replaceChildren } from "../core/dom.js";
import { moment } from "../core/format.js";
import { houseWagers } from "../core/house_tables.js";
import { changedWords } from "../core/setting_words.js";
import { copyLink, saveFile } from "./copy.js";
import { showPlainTable } from "./plain_table.js";
import { Player } from "./player.js";
import { resultTable, reviewPanel } from "./review.js";
import { replayAddress } from "./rounds.js";
import { stepsOf } from "./steps.js";
import { t } from "./text.js";

/** @typedef {import("../core/protocol").RoundReplay} RoundReplay */
/** @typedef {import("../felt/felt.js").FeltElement} FeltElement */
/** @typedef {import("./steps.js").Step} Step */

class RoundPage extends HTMLElement {
  #table = "";
  #number = 0;
  /** @type {FeltElement | null} */
  #felt = null;
  #plain = h("dl", { class: "plain-table" });
  #player = new Player((step, before) => this.#show(step, before));
  #keys = (/** @type {KeyboardEvent} */ event) => {
    if (this.#player.key(event)) event.preventDefault();
  };

  connectedCallback() {
    const [, , table = "", number = ""] = location.pathname.split("/");
    this.#table = decodeURIComponent(table);
    this.#number = Number(number);
    document.title = t("history.replayTitle", { number });
    document.addEventListener("keydown", this.#keys);
    replaceChildren(this, h("h1", null, t("history.replayTitle", { number })), h("p", { role: "status" }, t("common.loading")));
    this.#load().catch((error) => {
      replaceChildren(
        this,
        h("h1", null, t("history.replayTitle", { number })),
        h("p", { class: "problem", role: "alert" }, error.message),
        h("p", null, h("a", { class: "button", href: "/history" }, t("history.toHistory"))),
      );
    });
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.#keys);
  }

  async #load() {
    await signedIn();
    /** @type {RoundReplay} */
    const replay = await get(`/tables/${encodeURIComponent(this.#table)}/rounds/${this.#number}/replay`);
    await this.#makeFelt(replay);
    const last = replay.frames[replay.frames.length - 1].view;
    const review = h("div", { class: "review-place" });
    replaceChildren(
      this,
      this.#head(replay),
      h("div", { class: "replay-table" }, this.#felt, this.#player.controls),
      h("section", { class: "panel step-panel", "aria-labelledby": "steps-title" }, h("h2", { id: "steps-title" }, t("history.steps")), this.#player.list),
      h("div", { class: "replay-results" }, resultTable(last, houseWagers(replay.felt)), review),
      h("details", { class: "panel plain", open: !this.#felt }, h("summary", null, t("history.plain")), this.#plain),
      this.#links(replay),
    );
    const steps = stepsOf(replay.frames);
    const wanted = Number(new URLSearchParams(location.search).get("step") ?? "1") - 1;
    this.#player.load(steps, Number.isInteger(wanted) ? wanted : 0);
    const found = await reviewPanel(this.#table, this.#number);
    if (found) review.append(found);
  }

  /** @param {RoundReplay} replay */
  async #makeFelt(replay) {
    try {
      await import("../felt/felt.js");
      this.#felt = /** @type {FeltElement} */ (h("hc-felt"));
      this.#felt.setAttribute("aria-hidden", "true");
      const [yours] = replay.frames[replay.frames.length - 1].view.yours;
      this.#felt.focusSeat = yours ?? replay.frames[0].view.seats[0]?.seat ?? 0;
      this.#felt.describe(replay.felt);
    } catch {
      this.#felt = null; // the plain table shows the round
    }
  }

  /** @param {RoundReplay} replay */
  #head(replay) {
    const changed = changedWords(replay.settings);
    const to = (/** @type {number | null} */ number, /** @type {string} */ key) =>
      number ? h("a", { class: "button quiet", href: replayAddress(this.#table, number) }, t(key, { number })) : null;
    return h(
      "header",
      { class: "replay-head" },
      h(
        "div",
        null,
        h("h1", null, replay.title),
        h("p", { class: "muted" }, t("history.roundAt", { number: replay.number, when: moment(replay.at) })),
        changed && h("p", { class: "changed small" }, t("history.changed", { what: changed })),
      ),
      h(
        "nav",
        { class: "row", "aria-label": t("history.aboutRound") },
        to(replay.previous, "history.previousRound"),
        to(replay.next, "history.nextRound"),
      ),
    );
  }

  /** @param {RoundReplay} replay */
  #links(replay) {
    const shoe = `/tables/${encodeURIComponent(this.#table)}/shoes/${encodeURIComponent(replay.shoe)}`;
    return h(
      "p",
      { class: "row replay-links" },
      copyLink(replayAddress(this.#table, this.#number)),
      h("a", { class: "button quiet", href: `/tables/${encodeURIComponent(this.#table)}/rules` }, t("history.toRules")),
      h("button", { type: "button", class: "quiet", onclick: () => this.#save() }, t("history.download")),
      h("a", { class: "button quiet", href: shoe }, t("history.toShoe")),
      h("a", { class: "button quiet", href: "/history" }, t("history.toHistory")),
    );
  }

  async #save() {
    const info = await get(`/tables/${encodeURIComponent(this.#table)}/rounds/${this.#number}`);
    saveFile(`round-${this.#number}.toml`, info.record, "application/toml");
  }

  /**
   * @param {Step} step
   * @param {Step | null} before where the step is shown after another one, in motion
   */
  async #show(step, before) {
    showPlainTable(this.#plain, step.view);
    await this.#felt?.show(step.view, { events: before ? step.events : [], animate: before !== null });
  }
}

customElements.define("hc-replay", RoundPage);
