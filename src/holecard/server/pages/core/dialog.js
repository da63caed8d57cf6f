// @ts-check
// Parts of dialogs: the button that closes one, and a choice between a few words.

import { h } from "./dom.js";
import { t } from "./text.js";

/**
 * Return the button in the corner of a dialog.
 * @param {() => void} onclick
 */
export function closeButton(onclick) {
  return h("button", { type: "button", class: "dialog-close", "aria-label": t("common.close"), onclick }, "×");
}

/**
 * Let a click next to a dialog close it.
 * @param {HTMLDialogElement} dialog
 */
export function closeOutside(dialog) {
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}

/**
 * Return a choice between a few words, side by side.
 * @param {string} name
 * @param {string} label
 * @param {string} value
 * @param {readonly (readonly [string, string])[]} options
 * @param {(value: string) => void} onchoose
 */
export function choice(name, label, value, options, onchoose) {
  return h(
    "fieldset",
    { class: "choice" },
    h("legend", null, label),
    h(
      "div",
      { class: "choice-options" },
      options.map(([key, words]) =>
        h(
          "label",
          null,
          h("input", { type: "radio", name, value: key, checked: key === value, onchange: () => onchoose(key) }),
          h("span", null, words),
        ),
      ),
    ),
  );
}
