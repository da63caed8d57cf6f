// @ts-check
// Links that can be copied, and texts that can be kept as files.

import { announce } from "../core/announce.js";
import { h } from "../core/dom.js";
import { t } from "./text.js";

/**
 * Return a button that copies an address of this site.
 * @param {string} path
 * @param {string} [label]
 */
export function copyLink(path, label = t("history.copyLink")) {
  const button = h("button", { type: "button", class: "quiet copy-link", onclick: copy }, label);
  async function copy() {
    const done = (await copyText(new URL(path, location.href).href)) ? "history.copied" : "history.notCopied";
    button.textContent = t(done);
    announce(t(done));
    setTimeout(() => (button.textContent = label), 2_000);
  }
  return button;
}

/**
 * @param {string} text
 */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers offer the clipboard on secure addresses only; the old way works on the others.
    const field = h("textarea", { class: "unseen", value: text, "aria-hidden": "true" });
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

/**
 * Let the browser keep a text as a file.
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function saveFile(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
