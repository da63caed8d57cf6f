// @ts-check
// The list of keys, which "?" opens.

import { closeButton } from "../core/dialog.js";
import { h } from "../core/dom.js";
import { t } from "../core/text.js";
import { ACTION_KEYS, COMMAND_KEYS } from "./keys.js";

/** @typedef {import("../felt/types.js").Felt} Felt */

/**
 * Show the keys of a game in a dialog.
 * @param {Felt | null} felt
 * @param {number} chips in the rack
 */
export function showHelp(felt, chips) {
  const actions = felt?.actions ?? Object.keys(ACTION_KEYS);
  const rows = [
    ...actions.map((action) => [ACTION_KEYS[action], t(`common.actions.${action}`)]),
    ...Object.entries(COMMAND_KEYS).map(([command, key]) => [key, t(`table.command.${command}`)]),
    [chips > 1 ? `1 … ${chips}` : "1", t("table.keys.chips")],
    ["Tab, ← →", t("table.keys.circles")],
    ["E", t("table.keys.hint")],
    ["C", t("table.keys.coach")],
  ];
  const dialog = h(
    "dialog",
    { class: "keys", "aria-label": t("table.keys.title"), onclose: () => dialog.remove() },
    closeButton(() => dialog.close()),
    h("h2", null, t("table.keys.title")),
    h(
      "dl",
      null,
      rows.map(([key, what]) => h("div", null, h("dt", null, h("kbd", null, key)), h("dd", null, what))),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
