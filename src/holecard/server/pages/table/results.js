// @ts-check
// What each wager of yours has brought in this round, with the line or rule that paid it.

import { h } from "../core/dom.js";
import { gain } from "../core/format.js";
import { wagerName } from "../core/house_tables.js";
import { t } from "../core/text.js";

/** @typedef {import("../felt/types.js").View} View */

/**
 * Return the results of your seats; nothing while none is settled.
 * @param {View} view
 * @param {ReadonlySet<string>} house wagers with house tables
 */
export function resultList(view, house) {
  const mine = view.results.filter((result) => view.yours.includes(result.seat));
  if (!mine.length) return [];
  const several = view.yours.length > 1;
  const items = mine.map((result) => {
    const sign = result.net > 0 ? "won" : result.net < 0 ? "lost" : "push";
    const wager = wagerName(result.wager, !house.has(result.wager));
    const name = several ? t("table.seatWager", { seat: result.seat, wager }) : wager;
    return h(
      "li",
      { class: sign, "data-result": result.net },
      h("span", { class: "wager", title: house.has(result.wager) ? t("wager.house") : "" }, name),
      h("strong", null, result.net ? gain(result.net) : t("table.push")),
      h("span", { class: "line" }, result.line),
    );
  });
  // With the focus it can be scrolled, where a phone has no room for all lines.
  return [h("ul", { "aria-label": t("table.results"), tabIndex: 0 }, items)];
}
