// @ts-check
// t() with the words of the history and the replay of a round, which no other page loads.

import { addTexts } from "../core/text.js";
import english from "../text/en/history.js";

await addTexts("history", english);

export { t } from "../core/text.js";
