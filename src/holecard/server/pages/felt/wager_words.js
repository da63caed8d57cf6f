// @ts-check
// The wagers of a felt in words: conditions, pay tables and taxes, as data without a page. Cloth, dialog and circles show
// these words and no others.

import { money } from "../core/format.js";
import { t } from "../core/text.js";

/** @typedef {import("./types.js").Felt} Felt */
/** @typedef {import("./types.js").FeltWager} FeltWager */
/** @typedef {FeltWager["lines"][number]} FeltLine */
/**
 * @typedef {object} PayTable
 * @property {string} caption
 * @property {string[]} notes conditions in a few words each
 * @property {string[]} head empty, or a heading for each column: that of the lines, then upcards
 * @property {string[][]} rows each a line, then what it pays in each column
 */

/** The upcards in the order of tables. */
const UPCARDS = [..."23456789TA"];

/**
 * Return an upcard as people write it.
 * @param {string} upcard
 */
export const upcardName = (upcard) => (upcard === "T" ? "10" : upcard);

/**
 * Return upcards in words: "2 to 7", "9, 10 or A".
 * @param {readonly string[]} upcards
 */
export function upcardWords(upcards) {
  const places = upcards.map((one) => UPCARDS.indexOf(one)).sort((one, other) => one - other);
  /** @type {number[][]} neighbors */
  const runs = [];
  for (const place of places) {
    const last = runs.at(-1);
    if (last && last[last.length - 1] === place - 1) last.push(place);
    else runs.push([place]);
  }
  const name = (/** @type {number} */ place) => upcardName(UPCARDS[place]);
  const words = runs.flatMap((run) =>
    run.length > 2 ? [t("wager.range", { from: name(run[0]), to: name(run[run.length - 1]) })] : run.map(name),
  );
  const last = words.pop() ?? "";
  return words.length ? t("wager.or", { first: words.join(", "), last }) : last;
}

/**
 * Return the conditions of a wager as sentences, for the dialog.
 * @param {FeltWager} wager
 * @param {Felt} felt
 * @returns {string[]}
 */
export function conditionSentences(wager, felt) {
  const main = felt.main.name;
  const all = wager.upcards.length === UPCARDS.length;
  return [
    !wager.printed && t("wager.house"),
    t(wager.at_most_main ? "wager.stakeAtMost" : "wager.stake", { limits: limitWords(wager), main }),
    t(`wager.placed.${wager.placed}`),
    wager.needs !== null && t("wager.needs", { needs: wager.needs }),
    wager.lines.some((line) => line.hand !== null) && t(`wager.on.${wager.on}`),
    !all && t(`wager.${shown(wager)}`, { upcards: shownUpcards(wager) }),
    t(`wager.settled.${wager.settled}`),
    wager.token && t("wager.token"),
    wager.tax.length > 0 && t("wager.tax", { upcards: taxUpcards(wager) }),
    wager.lines.length > 1 && t("wager.first"),
  ].filter((sentence) => sentence !== false);
}

/**
 * Return the conditions of a wager in a few words each, for the cloth and for a tap on its circle.
 * @param {FeltWager} wager
 * @param {Felt} felt
 * @returns {string[]}
 */
export function conditionMarks(wager, felt) {
  return [
    !wager.printed && t("wager.marks.house"),
    wager.upcards.length < UPCARDS.length &&
      t(`wager.marks.${late(wager) ? "showOffered" : "show"}`, { upcards: shownUpcards(wager) }),
    wager.needs !== null && t("wager.marks.needs", { needs: wager.needs }),
    wager.at_most_main && t("wager.marks.atMost", { main: felt.main.name }),
    wager.placed !== "before the deal" && t(`wager.marks.placed.${wager.placed}`),
    wager.settled === "end of round" && wager.placed === "before the deal" && t("wager.marks.atEnd"),
    wager.token && t("wager.marks.token"),
    wager.tax.length > 0 && t("wager.marks.tax", { upcards: taxUpcards(wager) }),
  ].filter((words) => words !== false);
}

/** @param {FeltWager} wager */
const late = (wager) => wager.placed !== "before the deal";

/** @param {FeltWager} wager */
const shown = (wager) => (late(wager) ? "showOffered" : wager.token ? "showToken" : "show");

/** @param {FeltWager} wager */
export const shownUpcards = (wager) => (wager.upcards.length ? upcardWords(wager.upcards) : t("wager.noUpcard"));

/** @param {FeltWager} wager */
const taxUpcards = (wager) =>
  wager.tax_upcards.length === UPCARDS.length ? t("wager.anyUpcard") : upcardWords(wager.tax_upcards);

/**
 * Return what may be staked: "$1 to $100 in steps of $5", "exactly $1".
 * @param {{min: number, max: number, step: number}} limits
 */
export function limitWords({ min, max, step }) {
  if (min === max) return t("wager.exactly", { min: money(min) });
  const values = { min: money(min), max: money(max), step: money(step) };
  return t(step === 100 ? "wager.limits" : "wager.limitsInSteps", values);
}

/**
 * Return how the second main wager is settled where it differs from the first; nothing where there is none.
 * @param {Felt} felt
 * @returns {string[]}
 */
export function companionSentences({ main }) {
  const { companion: name, companion_rules: rules } = main;
  if (name === null || rules === null) return [];
  const keys = /** @type {const} */ (["natural", "dealer_natural", "two_naturals", "surrender", "quick_pay"]);
  return [
    t("wager.companion.equal", { name, main: main.name }),
    ...keys.flatMap((key) => {
      const terms = rules[key];
      return terms === null ? [] : [t(`wager.companion.${key}`, { name, result: result(terms) })];
    }),
  ];
}

/**
 * Return what may be insured; nothing where there is no insurance.
 * @param {Felt} felt
 * @returns {string[]}
 */
export function insuranceSentences({ insurance, main }) {
  if (insurance === null) return [];
  const values = { min: money(insurance.min), step: money(insurance.step), main: main.name };
  return [t(`wager.insurance.${insurance.most}`, values)];
}

/**
 * Return odds as a verb: "pushes", "loses half", "pays 3 to 2".
 * @param {string} terms
 */
function result(terms) {
  if (terms === "push") return t("wager.pushes");
  return terms.startsWith("lose") ? terms.replace("lose", t("wager.loses")) : t("wager.pays", { odds: terms });
}

/**
 * Return what a tap on a circle says: the name, the limits, and the conditions.
 * @param {Felt} felt
 * @param {string} name of the circle
 */
export function circleWords(felt, name) {
  const wager = felt.wagers.find((one) => one.name === name);
  if (wager) return t("wager.circle", { name, words: [limitWords(wager), ...conditionMarks(wager, felt)].join(" · ") });
  if (name === felt.main.companion) return companionSentences(felt).join(" ");
  return t("wager.circle", { name, words: limitWords(felt.main) });
}

/**
 * Return the pay tables of a game with their conditions, and the tax schedules. Wagers whose lines all pay by upcard
 * share one table, with a row for each line.
 * @param {Felt} felt
 * @param {(wager: FeltWager, felt: Felt) => string[]} [conditions] their words
 * @returns {PayTable[]}
 */
export function payTableData(felt, conditions = conditionMarks) {
  const byUpcard = felt.wagers.filter(paysByUpcard);
  return felt.wagers.flatMap((wager) => {
    if (!paysByUpcard(wager)) return plainTables(wager, conditions(wager, felt));
    const shared = wager === byUpcard[0] ? [upcardTable(byUpcard, sharedNotes(byUpcard, felt, conditions))] : [];
    return [...shared, ...taxTables(wager)];
  });
}

/**
 * Return everything that the dialog of a table says: the rules printed on the cloth, then each wager with its conditions,
 * pay lines and taxes.
 * @param {Felt} felt
 * @returns {PayTable[]}
 */
export function dialogTables(felt) {
  const stake = t("wager.circle", { name: felt.main.name, words: limitWords(felt.main) });
  const printed = felt.print.flatMap((line) => line.text.split(" · "));
  const notes = [stake, ...printed, ...insuranceSentences(felt), ...companionSentences(felt)];
  return [{ caption: t("wager.printed"), notes, head: [], rows: [] }, ...payTableData(felt, conditionSentences)];
}

/** @param {FeltWager} wager */
function paysByUpcard(wager) {
  return wager.lines.length > 0 && wager.lines.every((line) => typeof line.pays !== "string");
}

/**
 * @param {FeltWager} wager
 * @param {string[]} notes
 * @returns {PayTable[]}
 */
function plainTables(wager, notes) {
  const rows = wager.lines.map((line) => [
    lineWords(line),
    typeof line.pays === "string" ? line.pays : oddsByUpcard(line.pays),
  ]);
  return [{ caption: wager.name, notes, head: [], rows }, ...taxTables(wager)];
}

/**
 * Return the tax schedule of a wager, if it has one.
 * @param {FeltWager} wager
 * @returns {PayTable[]}
 */
function taxTables(wager) {
  if (!wager.tax.length) return [];
  const due = [t("wager.marks.taxDue", { upcards: taxUpcards(wager) })];
  return [{ caption: t("table.tax", { wager: wager.name }), notes: due, head: [], rows: taxRows(wager) }];
}

/**
 * Return the name of a line, and what it asks for where the name does not say it: "royal match (suited K and Q)".
 * @param {FeltLine} line
 */
export function lineWords({ line, hand, dealer }) {
  const asks = [hand, dealer && t("wager.dealerHas", { hand: dealer })].filter(Boolean).join(t("wager.and"));
  return plainWords(asks) === plainWords(line) ? line : t("wager.namedLine", { line, asks });
}

/** @param {string} words */
const plainWords = (words) => words.toLowerCase().replaceAll(" and ", " ").replaceAll(",", "");

/**
 * Return the hands of each tax as one line; only neighbors share one, because the first line that matches is due.
 * @param {FeltWager} wager
 */
function taxRows(wager) {
  /** @type {string[][]} */
  const rows = [];
  for (const { line, tax } of wager.tax) {
    const last = rows.at(-1);
    if (last && last[1] === tax) last[0] += ` · ${line}`;
    else rows.push([line, tax]);
  }
  return rows;
}

/** @param {Record<string, string>} pays */
const oddsByUpcard = (pays) =>
  Object.entries(pays)
    .map(([upcard, odds]) => `${upcardName(upcard)}: ${shortOdds(odds)}`)
    .join(", ");

/**
 * @param {readonly FeltWager[]} wagers
 * @param {string[]} notes
 * @returns {PayTable}
 */
function upcardTable(wagers, notes) {
  const all = wagers.flatMap((wager) => wager.lines.map((line) => /** @type {Record<string, string>} */ (line.pays)));
  const upcards = UPCARDS.filter((upcard) => all.some((pays) => upcard in pays));
  const rows = wagers.flatMap((wager) =>
    wager.lines.map((line) => [
      t("wager.lineOf", { wager: wager.name, line: lineWords(line) }),
      ...upcards.map((upcard) => {
        const odds = /** @type {Record<string, string>} */ (line.pays)[upcard];
        return odds === undefined ? t("wager.nothing") : shortOdds(odds);
      }),
    ]),
  );
  return {
    caption: t("table.byUpcard"),
    notes,
    head: [t("table.upcard"), ...upcards.map(upcardName)],
    rows,
  };
}

/**
 * Return the conditions of several wagers: each once, with the names of those it holds for where that is not all.
 * @param {readonly FeltWager[]} wagers
 * @param {Felt} felt
 * @param {(wager: FeltWager, felt: Felt) => string[]} [conditions]
 */
export function sharedNotes(wagers, felt, conditions = conditionMarks) {
  /** @type {Map<string, string[]>} */
  const holders = new Map();
  for (const wager of wagers) {
    for (const words of conditions(wager, felt)) holders.set(words, [...(holders.get(words) ?? []), wager.name]);
  }
  return [...holders].map(([words, names]) =>
    names.length === wagers.length ? words : t("wager.circle", { name: names.join(", "), words }),
  );
}

/**
 * Return odds as a cloth prints them: "13:2".
 * @param {string} odds
 */
export function shortOdds(odds) {
  return odds.replace(/ to /, ":");
}
