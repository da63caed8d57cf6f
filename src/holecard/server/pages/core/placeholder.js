// @ts-check
// Says that a page is not here yet.

import "./header.js";
import { h } from "./dom.js";
import { t } from "./text.js";

document.querySelector("main")?.append(h("h1", null, t("common.soon")));
