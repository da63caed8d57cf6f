// @ts-check
// The page about fair shoes: how they are made, the shoes you have played from, and the check of any of them.

import "../core/header.js";
import { get, signedIn } from "../core/api.js";
import { h, replaceChildren } from "../core/dom.js";
import { moment } from "../core/format.js";
import { copyLink } from "../history/copy.js";
import { readDocument } from "./check.js";
import { showCheck } from "./checker.js";
import { t } from "./text.js";

/** @typedef {import("../core/protocol").PlayedShoe} PlayedShoe */

/** The longest document that is read, in characters. */
const LONGEST = 20_000_000;

class Fairness extends HTMLElement {
  connectedCallback() {
    document.title = t("fairness.documentTitle");
    const [, table, shoe] = /^\/tables\/([^/]+)\/shoes\/([^/]+)/.exec(location.pathname) ?? [];
    if (shoe) void this.#showShoe(decodeURIComponent(table), decodeURIComponent(shoe));
    else this.#explain();
  }

  /**
   * @param {string} table
   * @param {string} shoe
   */
  async #showShoe(table, shoe) {
    const place = h("div", { class: "check" }, h("p", { role: "status" }, t("common.loading")));
    const title = h("p", { class: "muted" });
    replaceChildren(
      this,
      h("header", { class: "fairness-head" }, h("div", null, h("h1", null, t("fairness.shoeTitle")), title), copyLink(location.pathname)),
      place,
      h("p", null, h("a", { href: "/fairness" }, t("fairness.about"))),
    );
    try {
      await signedIn();
      const answer = await get(`/tables/${encodeURIComponent(table)}/shoes/${encodeURIComponent(shoe)}`);
      const found = readDocument(JSON.stringify(answer));
      title.textContent = gameOf(found.rules);
      await showCheck(place, found);
    } catch (error) {
      const isOpen = /** @type {any} */ (error).status === 404;
      const words = isOpen ? t("fairness.stillOpen") : t("common.failed", { why: /** @type {Error} */ (error).message });
      replaceChildren(place, h("p", { class: "panel", role: "alert" }, words));
    }
  }

  #explain() {
    const shoes = h("div", { role: "status" }, t("common.loading"));
    const step = (/** @type {number} */ number) =>
      h("li", { class: "panel" }, h("h2", null, t(`fairness.step${number}`)), h("p", null, t(`fairness.step${number}Text`)));
    const list = (/** @type {string} */ name, /** @type {number} */ length) =>
      h("ul", null, Array.from({ length }, (_, place) => h("li", null, t(`fairness.${name}${place + 1}`))));
    replaceChildren(
      this,
      h("h1", null, t("fairness.title")),
      h("p", { class: "lead" }, t("fairness.lead")),
      h("ol", { class: "fair-steps" }, [1, 2, 3].map(step)),
      h(
        "div",
        { class: "fair-columns" },
        h("section", { class: "panel", "aria-labelledby": "shoes-title" }, h("h2", { id: "shoes-title" }, t("fairness.shoes")), shoes),
        h(
          "section",
          { class: "panel proved", "aria-labelledby": "proved-title" },
          h("h2", { id: "proved-title" }, t("fairness.provedTitle")),
          h("h3", null, t("fairness.proved")),
          list("proved", 2),
          h("h3", null, t("fairness.trust")),
          list("trust", 1),
          h("h3", null, t("fairness.notProved")),
          list("notProved", 5),
        ),
      ),
      this.#anyDocument(),
    );
    this.#listShoes(shoes).catch((error) => {
      shoes.textContent = t("common.failed", { why: error.message });
    });
  }

  /** @param {HTMLElement} place */
  async #listShoes(place) {
    await signedIn();
    /** @type {PlayedShoe[]} */
    const shoes = await get("/history/shoes");
    if (!shoes.length) {
      replaceChildren(place, h("p", { class: "muted" }, t("fairness.noShoes")), h("p", null, h("a", { class: "button gold", href: "/" }, t("fairness.play"))));
      return;
    }
    replaceChildren(place, h("ul", { class: "shoe-list" }, shoes.map(shoeItem)));
  }

  /** A document from elsewhere, which is checked here and sent nowhere. */
  #anyDocument() {
    const result = h("div", { class: "check" });
    const problem = h("p", { class: "problem", role: "alert" });
    const check = (/** @type {string} */ text) => {
      problem.textContent = "";
      result.replaceChildren();
      try {
        void showCheck(result, readDocument(text));
      } catch {
        problem.textContent = t("fairness.noDocument");
      }
    };
    const field = h("textarea", { id: "shoe-text", rows: 5, maxLength: LONGEST, spellcheck: false });
    const file = h("input", { type: "file", accept: ".json,application/json", id: "shoe-file" });
    file.addEventListener("change", async () => {
      const [chosen] = file.files ?? [];
      if (chosen && chosen.size <= LONGEST) check(await chosen.text());
      else if (chosen) problem.textContent = t("fairness.noDocument");
    });
    return h(
      "section",
      { class: "panel any", "aria-labelledby": "any-title" },
      h("h2", { id: "any-title" }, t("fairness.any")),
      h("p", { class: "muted" }, t("fairness.anyText")),
      h("div", { class: "any-file" }, h("label", { htmlFor: "shoe-file" }, t("fairness.file")), file),
      h("label", { htmlFor: "shoe-text" }, t("fairness.paste")),
      field,
      h("button", { type: "button", class: "gold", onclick: () => check(field.value) }, t("fairness.check")),
      problem,
      result,
    );
  }
}

/** @param {PlayedShoe} shoe */
function shoeItem(shoe) {
  const address = `/tables/${encodeURIComponent(shoe.table)}/shoes/${encodeURIComponent(shoe.shoe)}`;
  const rounds = shoe.first === shoe.last ? t("fairness.oneRound", { n: shoe.first }) : t("fairness.someRounds", { first: shoe.first, last: shoe.last });
  return h(
    "li",
    null,
    h("div", null, h("strong", null, shoe.title), h("span", { class: "muted" }, `${moment(shoe.at)} · ${rounds}`)),
    shoe.ended
      ? h("a", { class: "button", href: address, "aria-label": t("fairness.checkShoe", { title: shoe.title, rounds }) }, t("fairness.check"))
      : h("span", { class: "chip" }, t("fairness.inPlay")),
  );
}

/**
 * Return the name of the game in a document's rules.
 * @param {string} rules
 */
function gameOf(rules) {
  try {
    return String(JSON.parse(rules)?.name ?? "");
  } catch {
    return "";
  }
}

customElements.define("hc-fairness", Fairness);
