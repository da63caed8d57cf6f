// @ts-check
// The shoe in front of you: the promise that was published before its first card, your seed and those of others.

import { closeButton } from "../core/dialog.js";
import { h, replaceChildren } from "../core/dom.js";
import { settings } from "../core/settings.js";
import { t } from "../core/text.js";
import { LONGEST_WORDS } from "./own_seeds.js";

/** @typedef {import("../felt/types.js").View} View */

/** A dialog about the shoe. */
export class ShoeDialog {
  #seeds;
  #facts = h("div");
  #dialog = h("dialog", { class: "shoe-dialog", "aria-label": t("table.shoe") });
  /** @type {View | null} */
  #view = null;

  /** @param {import("./own_seeds.js").OwnSeeds} seeds */
  constructor(seeds) {
    this.#seeds = seeds;
  }

  /** @param {View} view */
  set view(view) {
    this.#view = view;
    if (this.#dialog.open) this.#draw();
  }

  open() {
    replaceChildren(
      this.#dialog,
      closeButton(() => this.#dialog.close()),
      h("h2", null, t("table.shoe")),
      this.#facts,
      wordsForm(),
      h("p", null, h("a", { href: "/fairness" }, t("table.seed.check"))),
    );
    document.body.append(this.#dialog);
    this.#draw();
    this.#dialog.showModal();
  }

  #draw() {
    const shoe = this.#view?.shoe;
    const own = shoe?.your_seed;
    const others = shoe?.player_seeds.filter((seed) => seed !== own) ?? [];
    replaceChildren(
      this.#facts,
      shoe
        ? [
            h("p", null, t("table.seed.left", { left: shoe.left })),
            h("p", { class: "muted" }, t("table.seed.promise")),
            hash(shoe.commitment),
            h("p", { "data-own-seed": own ?? "" }, t(`table.seed.${this.#seeds.stateOf(shoe)}`)),
            own && hash(own),
            others.length > 0 && h("p", { class: "hash" }, t("table.seed.others", { seeds: others.join(", ") })),
          ]
        : h("p", null, t("table.seed.noShoe")),
    );
  }
}

/** @param {string} text */
const hash = (text) => h("p", { class: "hash" }, h("code", null, text));

/** Return the field for words that go into the seeds of the next shoes. */
function wordsForm() {
  const field = h("input", { maxLength: LONGEST_WORDS, autocomplete: "off", value: settings.seedWords });
  const kept = h("p", { role: "status" });
  const form = h(
    "form",
    { class: "seed-form" },
    h("label", null, t("table.seed.label"), field),
    h("p", { class: "muted" }, t("table.seed.hint")),
    h("button", null, t("table.seed.keep")),
    kept,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    settings.seedWords = field.value;
    kept.textContent = t("table.seed.kept");
  });
  return form;
}
