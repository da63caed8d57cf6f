// Says everything that pages print about felts, which come as JSON on standard input; prints it as JSON.

import { readFileSync } from "node:fs";

import { NARROW_HEIGHT, circlesOf, narrowLayout, wideLayout } from "../../src/holecard/server/pages/felt/geometry.js";
import { payTables, sizeOf, twoColumns } from "../../src/holecard/server/pages/felt/pay_tables.js";
import { circleWords, dialogTables } from "../../src/holecard/server/pages/felt/wager_words.js";
import { unprinted } from "../../src/holecard/server/pages/table/placard.js";

const said = {};
for (const [name, felt] of Object.entries(JSON.parse(readFileSync(0, "utf8")))) {
  const columns = twoColumns(payTables(felt));
  const layouts = [wideLayout(felt, []), narrowLayout(felt, NARROW_HEIGHT, 1)];
  said[name] = {
    dialog: dialogTables(felt),
    cloth: columns.flat().map(({ table, notes }) => ({ ...table, notes })),
    sizes: columns.filter((blocks) => blocks.length).map(sizeOf),
    circles: Object.fromEntries(circlesOf(felt).map((circle) => [circle.name, circleWords(felt, circle.name)])),
    printed: Object.fromEntries(
      layouts.map((layout) => [
        layout.shape,
        [...felt.print.slice(0, layout.arcs.length).map((line) => line.text), ...unprinted(felt, layout)],
      ]),
    ),
  };
}
console.log(JSON.stringify(said));
