// @ts-check
// t() with the words of what operators see, which no other page loads.

import { addTexts } from "../core/text.js";
import english from "../text/en/operator.js";

await addTexts("operator", english);

export { t } from "../core/text.js";
