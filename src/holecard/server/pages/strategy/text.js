// @ts-check
// t() with the words of strategy charts, which no other page loads.

import { addTexts } from "../core/text.js";
import english from "../text/en/strategy.js";

await addTexts("strategy", english);

export { t } from "../core/text.js";
