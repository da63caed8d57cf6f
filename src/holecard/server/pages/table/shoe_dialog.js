// @ts-check
// The shoe in front of you: the promise that was published before its first card, and the players' seeds.

import { h, replaceChildren } from "../core/dom.js";
import { t } from "../core/text.js";

/** @typedef {import("../felt/types.js").View} View */

/** A dialog about the shoe. */
export class ShoeDialog {
  #add;
  #dialog = h("dialog", { class: "shoe-dialog", "aria-label": t("table.shoe") });
  /** @type {View | null} */
  #view = null;

  /** @param {(seed: string) => Promise<boolean>} add */
  constructor(add) {
    this.#add = add;
  }

  /** @param {View} view */
  set view(view) {
    this.#view = view;
    if (this.#dialog.open) this.#draw();
  }

  open() {
    if (!this.#dialog.isConnected) document.body.append(this.#dialog);
    this.#draw();
    this.#dialog.showModal();
  }

  #draw() {
    const shoe = this.#view?.shoe;
    const field = h("input", { id: "seed", maxLength: 64, autocomplete: "off" });
    const form = h(
      "form",
      { class: "seed-form" },
      h("label", { htmlFor: "seed" }, t("table.seed.label")),
      field,
      h("button", { class: "gold" }, t("table.seed.add")),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (field.value) void this.#add(field.value);
    });
    const seeds = shoe?.player_seeds ?? [];
    replaceChildren(
      this.#dialog,
      h(
        "button",
        { type: "button", class: "dialog-close", "aria-label": t("common.close"), onclick: () => this.#dialog.close() },
        "×",
      ),
      h("h2", null, t("table.shoe")),
      shoe
        ? [
            h("p", null, t("table.seed.left", { left: shoe.left })),
            h("p", { class: "muted" }, t("table.seed.promise")),
            h("p", { class: "hash" }, h("code", null, shoe.commitment)),
            h("p", null, seeds.length ? t("table.seed.seeds", { seeds: seeds.join(", ") }) : t("table.seed.none")),
            shoe.open_for_seeds ? form : h("p", { class: "muted" }, t("table.seed.closed")),
          ]
        : h("p", null, t("table.seed.noShoe")),
      h("p", null, h("a", { href: "/fairness" }, t("table.seed.check"))),
    );
  }
}
