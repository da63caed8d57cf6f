// Read felts as JSON from standard input, by name, and write what the pay dialog, the cloth and the circles of each say.

import { readFileSync } from "node:fs";
import { circleWords, dialogTables, payTableData } from "../../src/holecard/server/pages/felt/wager_words.js";

const felts = JSON.parse(readFileSync(0, "utf8"));
const texts = Object.entries(felts).map(([name, felt]) => [
  name,
  {
    dialog: dialogTables(felt),
    cloth: payTableData(felt),
    circles: Object.fromEntries(felt.wagers.map((wager) => [wager.name, circleWords(felt, wager.name)])),
  },
]);
process.stdout.write(JSON.stringify(Object.fromEntries(texts)));
