// @ts-check
// The check of one shoe as it runs: a verdict, what was promised, and a line for each thing that was checked.

import { announce } from "../core/announce.js";
import { h, replaceChildren } from "../core/dom.js";
import { moment, withSuits } from "../core/format.js";
import { saveFile } from "../history/copy.js";
import { miniCards } from "../history/mini_cards.js";
import { checkShoe, compareSeen } from "./check.js";
import { canCheck } from "./construction.js";
import { ownSeed, seenShoe } from "./seen.js";
import { t } from "./text.js";

/** @typedef {import("../core/protocol").ShoeDocument} ShoeDocument */
/** @typedef {import("./check.js").CheckLine} CheckLine */

const SIGNS = { passed: "✓", failed: "✗", skipped: "–" };

/**
 * Show a shoe and check it.
 * @param {HTMLElement} place
 * @param {ShoeDocument} shoe
 */
export async function showCheck(place, shoe) {
  const verdict = h("p", { class: "verdict", role: "status" }, t("fairness.checking"));
  const bar = h("progress", { max: 1, value: 0, "aria-label": t("fairness.progress") });
  const lines = h("ol", { class: "check-lines" });
  const save = () => saveFile(`shoe-${shoe.shoe}.json`, JSON.stringify(shoe), "application/json");
  replaceChildren(
    place,
    verdict,
    bar,
    seenPanel(shoe),
    h("section", { class: "panel", "aria-labelledby": "lines-title" }, h("h2", { id: "lines-title" }, t("fairness.lines")), lines),
    h("section", { class: "panel", "aria-labelledby": "facts-title" }, h("h2", { id: "facts-title" }, t("fairness.facts")), facts(shoe)),
    h(
      "section",
      { class: "panel", "aria-labelledby": "again-title" },
      h("h2", { id: "again-title" }, t("fairness.again")),
      h("p", null, t("fairness.againText")),
      h("pre", { tabIndex: 0 }, `holecard verify-shoe shoe-${shoe.shoe}.json`),
      h("button", { type: "button", onclick: save }, t("fairness.download")),
    ),
  );
  if (!canCheck()) {
    bar.remove();
    verdict.classList.add("lost");
    verdict.textContent = t("fairness.insecure");
    return;
  }
  const found = await checkShoe(shoe, (line, share) => {
    bar.value = share;
    lines.append(lineItem(line, shoe));
  });
  bar.remove();
  const wrong = found.filter((line) => line.state === "failed");
  const isOther = ["commitment", "seeds"].includes(compareSeen(shoe));
  const isRight = !wrong.length && !isOther;
  verdict.classList.add(isRight ? "won" : "lost");
  const cards = shoe.rounds.reduce((sum, round) => sum + round.cards.split(" ").filter(Boolean).length, 0);
  const words = wrong.length
    ? t("fairness.broken", { what: lineWords(wrong[0]) })
    : t(isOther ? "fairness.other" : "fairness.holds", { cards, rounds: shoe.rounds.length });
  replaceChildren(verdict, h("span", { "aria-hidden": "true" }, SIGNS[isRight ? "passed" : "failed"]), " ", words);
  announce(words);
}

/**
 * Return a line in words: what was checked, and what is wrong with it.
 * @param {CheckLine} line
 */
export function lineWords(line) {
  const what = t(`fairness.checks.${line.check}`, line.values);
  const { said = "", found = "" } = line.values;
  const values = { ...line.values, said: withSuits(String(said)), found: withSuits(String(found)) };
  return line.problem ? `${what}: ${t(`fairness.problems.${line.problem}`, values)}` : what;
}

/**
 * @param {CheckLine} line
 * @param {ShoeDocument} shoe
 */
function lineItem(line, shoe) {
  const cards = line.check === "round" ? shoe.rounds.find((one) => one.number === line.values.number)?.cards : "";
  const words = line.state === "skipped" ? t("fairness.skippedLine", { what: lineWords(line) }) : lineWords(line);
  return h(
    "li",
    { class: line.state },
    h("span", { class: "sign", role: "img", "aria-label": t(`fairness.${line.state}`) }, SIGNS[line.state]),
    h("div", null, h("span", null, words), cards ? miniCards(cards.split(" ").filter(Boolean)) : null),
  );
}

/**
 * Compare with what this browser saw at the table.
 * @param {ShoeDocument} shoe
 */
function seenPanel(shoe) {
  const result = compareSeen(shoe);
  const seen = seenShoe(shoe.shoe);
  const when = seen ? moment(seen.at) : "";
  const key = result === "same" ? (seen?.early ? "seenEarly" : "seenLate") : result;
  const outcome = result === "same" ? "passed" : result === "unseen" ? "skipped" : "failed";
  return h(
    "section",
    { class: `panel seen ${outcome}`, "aria-labelledby": "seen-title" },
    h("h2", { id: "seen-title" }, t("fairness.seen")),
    h(
      "p",
      null,
      h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[outcome]),
      t(`fairness.compared.${key}`, { when, seen: seen?.commitment ?? "" }),
    ),
    outcome === "failed" ? null : seedWords(shoe),
  );
}

/**
 * Say what the players' seeds prove: whether one of them is yours, and whether it was the last.
 * @param {ShoeDocument} shoe
 */
function seedWords(shoe) {
  const own = ownSeed(shoe);
  const key = own ? (own === shoe.player_seeds.at(-1) ? "last" : "followed") : shoe.player_seeds.length ? "others" : "none";
  return h(
    "p",
    { "data-seeds": key, class: own ? "passed" : "skipped" },
    h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[own ? "passed" : "skipped"]),
    t(`fairness.seeds.${key}`, { seed: own ?? "" }),
  );
}

/** @param {ShoeDocument} shoe */
function facts(shoe) {
  const own = ownSeed(shoe);
  const seeds = shoe.player_seeds.map((seed) => [h("code", null, seed), seed === own && h("span", { class: "chip" }, t("table.you"))]);
  const rows = /** @type {[string, any][]} */ ([
    ["shoe", h("code", null, shoe.shoe)],
    ["commitment", h("code", null, shoe.commitment)],
    ["seed", h("code", null, shoe.seed)],
    ["playerSeeds", seeds.length ? seeds : t("fairness.noSeeds")],
    ["sheet", h("code", null, shoe.sheet)],
    ["burned", miniCards(shoe.burned.split(" ").filter(Boolean))],
    ["end", t(shoe.cut_short ? "fairness.cutShort" : "fairness.whole", { cut: shoe.cut_card })],
  ]);
  return h("dl", { class: "facts" }, rows.map(([name, value]) => h("div", null, h("dt", null, t(`fairness.names.${name}`)), h("dd", null, value))));
}
