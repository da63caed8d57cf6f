// @ts-check
// t() with the words of drills, which no other page loads.

import { addTexts } from "../core/text.js";
import english from "../text/en/drill.js";

await addTexts("drill", english);

export { t } from "../core/text.js";
