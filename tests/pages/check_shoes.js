// Checks the documents of shoes as the browser does: a file with one document per line, answered with a line each.

import { readFileSync } from "node:fs";

import { checkShoe, readDocument } from "../../src/holecard/server/pages/fairness/check.js";

for (const text of readFileSync(process.argv[2], "utf8").trim().split("\n")) {
  const lines = await checkShoe(readDocument(text));
  console.log(JSON.stringify(lines.map(({ check, state, problem }) => [check, state, problem ?? null])));
}
