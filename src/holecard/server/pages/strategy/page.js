// @ts-check
// The strategy page: a game's best chart, or the choice of a game.

import "../core/header.js";
import "./strategy.js";
import { h } from "../core/dom.js";

document.querySelector("main")?.append(h("hc-strategy"));
