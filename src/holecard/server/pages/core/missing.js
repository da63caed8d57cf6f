// @ts-check
// The page for addresses where nothing is.

import "./header.js";
import { h } from "./dom.js";
import { t } from "./text.js";

document
  .querySelector("main")
  ?.append(
    h("h1", null, t("common.missing")),
    h("p", { class: "muted" }, t("common.missingWords")),
    h("p", null, h("a", { class: "button gold", href: "/" }, t("common.toLobby"))),
  );
