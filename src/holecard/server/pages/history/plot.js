// @ts-check
// The course of a result against its expectation: an SVG with axes, a shaded band of 95%, and the numbers in a table.

import { h, svg } from "../core/dom.js";
import { count, gain, money } from "../core/format.js";
import { t } from "./text.js";

/** @typedef {import("../core/protocol").StatisticsPoint} Point */

const MARGIN = { left: 58, right: 14, top: 14, bottom: 34 };
/** Rows of the table of numbers. */
const ROWS = 20;
let made = 0;

/**
 * Return round values for an axis that cover a range.
 * @param {number} low
 * @param {number} high
 * @param {number} most how many at most
 */
export function ticks(low, high, most) {
  const span = high - low || 1;
  const power = 10 ** Math.floor(Math.log10(span / most));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => span / one <= most) ?? 10 * power;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, place) => (first + place) * step);
}

/**
 * Return the sentence that says what the picture shows.
 * @param {readonly Point[]} points
 */
export function courseWords(points) {
  const { rounds, net, expected, low, high } = points[points.length - 1];
  // A line must not end between a minus sign and its amount.
  const amount = (/** @type {number} */ cents) => gain(cents).replace("\u2212", "\u2212\u2060");
  return t("history.plot.words", {
    rounds,
    count: count(rounds),
    net: amount(net),
    expected: amount(whole(expected)),
    low: amount(whole(low)),
    high: amount(whole(high)),
  });
}

/**
 * Return the picture with its words and its table.
 * @param {readonly Point[]} points
 * @param {number} width in pixels
 */
export function plot(points, width) {
  made += 1;
  const size = { width, height: Math.round(Math.min(360, Math.max(220, width * 0.42))) };
  return h(
    "figure",
    { class: "plot" },
    picture(points, size, `plot-${made}`),
    h("figcaption", null, h("p", { class: "plot-words" }, courseWords(points)), legend()),
    numbers(points),
  );
}

/**
 * @param {readonly Point[]} points
 * @param {{width: number, height: number}} size
 * @param {string} id
 */
function picture(points, size, id) {
  const last = points[points.length - 1];
  const values = points.flatMap(({ net, low, high }) => [net, low, high]);
  const lowest = Math.min(...values, -100);
  const highest = Math.max(...values, 100);
  const inner = { x: size.width - MARGIN.left - MARGIN.right, y: size.height - MARGIN.top - MARGIN.bottom };
  const x = (/** @type {number} */ rounds) => MARGIN.left + (inner.x * rounds) / Math.max(last.rounds, 1);
  const y = (/** @type {number} */ cents) => MARGIN.top + (inner.y * (highest - cents)) / (highest - lowest);
  const line = (/** @type {(point: Point) => number} */ value) =>
    points.map((point, place) => `${place ? "L" : "M"}${x(point.rounds).toFixed(1)} ${y(value(point)).toFixed(1)}`).join("");
  const back = [...points].reverse().map((point) => `L${x(point.rounds).toFixed(1)} ${y(point.low).toFixed(1)}`);
  return svg(
    "svg",
    {
      viewBox: `0 0 ${size.width} ${size.height}`,
      width: size.width,
      height: size.height,
      role: "img",
      "aria-labelledby": `${id}-title ${id}-words`,
    },
    svg("title", { id: `${id}-title` }, t("history.plot.title")),
    svg("desc", { id: `${id}-words` }, courseWords(points)),
    ticks(lowest, highest, 6).map((cents) => [
      svg("line", { class: cents ? "grid" : "zero", x1: MARGIN.left, x2: size.width - MARGIN.right, y1: y(cents), y2: y(cents) }),
      svg("text", { class: "tick", x: MARGIN.left - 8, y: y(cents) + 4, "text-anchor": "end" }, money(cents)),
    ]),
    ticks(0, last.rounds, size.width < 500 ? 4 : 8)
      .filter(Number.isInteger)
      .map((rounds) =>
        svg("text", { class: "tick", x: x(rounds), y: size.height - 12, "text-anchor": "middle" }, count(rounds)),
      ),
    svg("path", { class: "band", d: `${line((point) => point.high)}${back.join("")}Z` }),
    svg("path", { class: "expected", d: line((point) => point.expected) }),
    svg("path", { class: "result", d: line((point) => point.net) }),
    svg("circle", { class: "now", cx: x(last.rounds), cy: y(last.net), r: 4 }),
  );
}

function legend() {
  return h(
    "ul",
    { class: "legend", "aria-hidden": "true" },
    ["result", "expected", "band"].map((name) => h("li", { class: name }, t(`history.plot.${name}`))),
  );
}

/**
 * @param {readonly Point[]} points
 */
function numbers(points) {
  const step = Math.max(1, Math.ceil((points.length - 1) / ROWS));
  const rows = points.filter((_, place) => (points.length - 1 - place) % step === 0);
  const columns = ["rounds", "result", "expected", "low", "high"];
  return h(
    "details",
    { class: "plot-numbers" },
    h("summary", null, t("history.plot.numbers")),
    h(
      "table",
      null,
      h("thead", null, h("tr", null, columns.map((name) => h("th", { class: "number", scope: "col" }, t(`history.plot.${name}`))))),
      h(
        "tbody",
        null,
        rows.map((point) =>
          h(
            "tr",
            null,
            h("td", { class: "number" }, count(point.rounds)),
            [point.net, whole(point.expected), whole(point.low), whole(point.high)].map((cents) =>
              h("td", { class: "number" }, gain(cents)),
            ),
          ),
        ),
      ),
    ),
  );
}

/**
 * Round to whole dollars where cents would pretend to be exact.
 * @param {number} cents
 */
const whole = (cents) => (Math.abs(cents) < 1000 ? Math.round(cents) : 100 * Math.round(cents / 100));
