// @ts-check
// What an operator does is confirmed with a reason, in a dialog; players see it, or the log keeps it.

import { closeButton, closeOutside } from "../core/dialog.js";
import { h, replaceChildren } from "../core/dom.js";
import { t } from "./text.js";

/**
 * @typedef {object} Step what an operator may do
 * @property {string} key of the words: "end", "free", "stop", "allow", "mute", "restore"
 * @property {import("../core/text.js").Values} [about] the values of the words
 * @property {(reason: string) => Promise<unknown>} carryOut
 */

/** The steps whose reasons players see. */
const SHOWN = ["end", "free", "stop"];

/**
 * Return the button of a step, which is carried out when it was confirmed.
 * @param {Step} step
 * @param {() => void} onDone
 */
export function stepButton(step, onDone) {
  return h(
    "button",
    { type: "button", class: "quiet", "data-step": step.key, onclick: () => confirm(step, onDone) },
    t(`operator.${step.key}`, step.about),
  );
}

/**
 * Ask for the reason of a step, and carry it out.
 * @param {Step} step
 * @param {() => void} onDone
 */
function confirm(step, onDone) {
  const words = t(`operator.${step.key}`, step.about);
  const reason = h("input", { name: "reason", required: true, maxLength: 200, autocomplete: "off", pattern: ".*\\S" });
  const problem = h("p", { class: "problem", role: "alert" });
  const done = h("button", { type: "submit", class: "gold" }, words);
  const form = h(
    "form",
    { class: "account-form" },
    h("p", null, t(`operator.${step.key}Will`)),
    h("label", null, h("span", null, t("operator.reason")), reason),
    h("small", { class: "muted" }, t(SHOWN.includes(step.key) ? "operator.shown" : "operator.kept")),
    problem,
    h("div", { class: "row" }, done, h("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, t("common.cancel"))),
  );
  const dialog = openDialog(words, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    done.disabled = true;
    try {
      await step.carryOut(reason.value.trim());
      dialog.close();
      onDone();
    } catch (error) {
      replaceChildren(problem, t("operator.failed", { why: /** @type {Error} */ (error).message }));
    } finally {
      done.disabled = false;
    }
  });
  reason.focus();
}

/**
 * Open a dialog of an operator.
 * @param {string} title
 * @param {HTMLElement} content
 */
export function openDialog(title, content) {
  const dialog = h(
    "dialog",
    { class: "menu", "aria-label": title },
    closeButton(() => dialog.close()),
    h("h2", null, title),
    content,
  );
  dialog.addEventListener("close", () => dialog.remove());
  closeOutside(dialog);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
