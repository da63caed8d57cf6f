// @ts-check
// The English words of strategy charts.

/** @type {import("../../core/text.js").Catalogue} */
export default {
  strategy: {
    chooseTitle: "Strategy",
    choose: "The best chart of each game by totals and pairs, with the exact value of every action. Choose a game.",
    documentTitle: "Strategy: {game} · Holecard",
    title: "Strategy: {game}",
    toDrill: "Drill it",
    toGames: "Other games",
    computing: "The chart is being computed: every legal cell is tried in every place. This takes a few seconds, once.",
    print: "Print the card",
    asText: "Text file",
    asDrawing: "Drawing (SVG)",
    exceptions: "With exceptions for two cards",
    exceptionsTitle: "Exceptions for the first two cards",
    noExceptions: "No two-card hand is better played against its total's row.",
    edge: "House edge with this chart",
    optimum: "With the best play for each hand's cards",
    cost: "What the chart gives up",
    legend: "What the letters mean",
    notes: "About this chart",
    values: "Value of each action",
    valuesHint: "Point at a cell, or move over the chart with the arrow keys, to see what each action is worth.",
    cellTitle: "{row} against {column}",
    cellUnit: "Cents per dollar of the initial stake, {given}.",
    cellHand: "The values of {hands}.",
    cellHands: "The average of {hands}, as often as they are dealt.",
    cellDealer: "The dealer's hands of this total are averaged, too.",
    cellLonger: "With more cards the values differ by a little.",
    cellEmpty: "No hand of two cards comes to this cell.",
    spoken: "{row} against {column}: {words}. {values}",
    spokenValue: "{action} {cents} cents",
    hand: "Your hand",
    chart: "Chart",
  },
};
