// @ts-check
// t() with the words of the lobby, which no other page loads.

import { addTexts } from "../core/text.js";
import english from "../text/en/lobby.js";

await addTexts("lobby", english);

export { t } from "../core/text.js";
