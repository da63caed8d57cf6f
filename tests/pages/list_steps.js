// Lists the steps of replays as the browser shows them: a file with the frames of a round per line, a line each.

import { readFileSync } from "node:fs";

import { stepsOf } from "../../src/holecard/server/pages/history/steps.js";

for (const text of readFileSync(process.argv[2], "utf8").trim().split("\n")) {
  const frames = JSON.parse(text);
  const steps = stepsOf(frames);
  console.log(JSON.stringify(steps.map(({ frame, begins, events, view }) => ({ frame, begins, events, view }))));
}
