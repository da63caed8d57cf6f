// @ts-check
// t() with the words of the account page, which no other page loads.

import { addTexts } from "../core/text.js";
import english from "../text/en/account.js";

await addTexts("account", english);

export { t } from "../core/text.js";
