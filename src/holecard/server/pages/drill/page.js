// @ts-check
// The drill page: a game's drill, or the choice of a game.

import "../core/header.js";
import "./drill.js";
import { h } from "../core/dom.js";

document.querySelector("main")?.append(h("hc-drill"));
