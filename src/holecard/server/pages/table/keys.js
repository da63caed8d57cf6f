// @ts-check
// The keyboard: one key for each action and command, the same at the table and in drills.

/** The key of each action. @type {Record<string, string>} */
export const ACTION_KEYS = {
  hit: "H",
  stand: "S",
  double: "D",
  split: "P",
  "double up": "U",
  surrender: "R",
  "quick pay": "Q",
  insurance: "I",
  "no insurance": "N",
  "no surrender": "N",
};

/** The key of each command at the table, in the order in which the help lists them. */
export const COMMAND_KEYS = /** @type {const} */ ({
  deal: "Enter",
  rebet: "A",
  double: "X",
  undo: "Z",
  clear: "Backspace",
  all: "L",
  place: "B",
  pass: "N",
});

/** How keys with long names are printed on buttons. @type {Record<string, string>} */
const SIGNS = { Enter: "↵", Backspace: "⌫" };

/**
 * Return a key as it is printed on a button.
 * @param {string} key
 */
export function keySign(key) {
  return SIGNS[key] ?? key;
}

/**
 * Call functions for keys that are pressed outside of fields and without modifiers; returns how to stop.
 * @param {(key: string, event: KeyboardEvent) => boolean} pressed gets letters in upper case; returns whether it used the key
 */
export function onKeys(pressed) {
  /** @param {KeyboardEvent} event */
  const listener = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest?.("input, textarea, select, dialog[open], [contenteditable]")) return;
    // Enter and space belong to the button that has the focus; but on circles and chips, only space does.
    const button = target.closest?.("button, a, summary");
    if (button && (event.key === " " || (event.key === "Enter" && !button.matches("[data-spot], [data-chip]")))) return;
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    if (pressed(key, event)) event.preventDefault();
  };
  document.addEventListener("keydown", listener);
  return () => document.removeEventListener("keydown", listener);
}
