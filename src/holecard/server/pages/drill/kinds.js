// @ts-check
// The kinds of questions as a list to choose from, each with what the reader knows of it.

import { h, replaceChildren } from "../core/dom.js";
import { percent } from "../core/format.js";
import { t } from "./text.js";
import { plain } from "./values.js";

/** @typedef {import("../core/protocol").DrillKind} DrillKind */

/**
 * Draw the kinds; the first entry stands for all of them.
 * @param {HTMLElement} list
 * @param {readonly DrillKind[]} kinds
 * @param {string | null} chosen
 * @param {(kind: string | null) => void} choose
 */
export function showKinds(list, kinds, chosen, choose) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.kind;
  replaceChildren(
    list,
    entry(null, t("drill.allKinds"), "", null, chosen, choose),
    kinds.map((kind) => entry(kind.kind, kind.title, detail(kind), kind.mastery, chosen, choose)),
  );
  if (focused !== undefined) /** @type {HTMLElement | null} */ (list.querySelector(`[data-kind="${focused}"]`))?.focus();
}

/** @param {DrillKind} kind */
function detail(kind) {
  if (!kind.asked) return "";
  return t("drill.kindDetail", { right: kind.right, asked: kind.asked, cents: plain(kind.cents) });
}

/**
 * @param {string | null} kind
 * @param {string} title
 * @param {string} words
 * @param {number | null} mastery
 * @param {string | null} chosen
 * @param {(kind: string | null) => void} choose
 */
function entry(kind, title, words, mastery, chosen, choose) {
  return h(
    "li",
    null,
    h(
      "button",
      {
        type: "button",
        class: "kind",
        "aria-pressed": String(kind === chosen),
        "data-kind": kind ?? "",
        onclick: () => choose(kind),
      },
      h("span", { class: "kind-title" }, title),
      mastery !== null && h("span", { class: "kind-share numbers" }, percent(mastery, 0)),
      mastery !== null && h("span", { class: "kind-bar", "--share": mastery, "aria-hidden": "true" }),
      words && h("small", null, words),
    ),
  );
}
