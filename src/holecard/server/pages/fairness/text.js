// @ts-check
// t() with the words of the check of shoes, which no other page loads.

import { addTexts } from "../core/text.js";
import english from "../text/en/fairness.js";

await addTexts("fairness", english);

export { t } from "../core/text.js";
