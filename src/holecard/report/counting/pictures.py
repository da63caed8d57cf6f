"""One wager in two drawings side by side: its EV by count, and the gain by the place of the cut card.

One SVG with colors for light and dark screens. Bars and points have their standard errors as thin lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from textwrap import shorten
from typing import NamedTuple

from holecard.advantage.counting_result import Counting, SampleMean, WagerCounting
from holecard.advantage.verdict import target_title
from holecard.charts.caption import caption
from holecard.report.bankroll_svg import ticks
from holecard.report.palette import DARK, LIGHT, Scheme

_WIDTH, _HEIGHT, _MARGIN = 920, 458, 40
_TOP, _BOTTOM = 132, 350
#: The left and right edge of the two drawings.
_FIELDS = ((96, 452), (552, 880))
_KINDS = ("first", "second", "third", "fourth")
#: Letters that fit the line under the title, and half a line of the legend.
_LETTERS, _LEGEND_LETTERS = 112, 20


class _Axes(NamedTuple):
    """The coordinates of one drawing."""

    left: float
    right: float
    low: float
    high: float
    first: float
    last: float

    def x(self, value: float) -> float:
        return self.left + (self.right - self.left) * (value - self.first) / (self.last - self.first)

    def y(self, value: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * (value - self.low) / (self.high - self.low)


def wager_to_svg(found: Counting, wager: WagerCounting) -> str:
    """Return the drawing of one wager."""
    words = caption(found.rules)
    title, under = target_title(wager.target), f"{words.name}, {words.subtitle}"
    name = "".join(letter if letter.isalnum() else "-" for letter in wager.target.name)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
            f'height="{_HEIGHT}" role="img" aria-labelledby="title-{name} description-{name}">',
            f'<title id="title-{name}">{escape(words.name)}: {escape(title)}</title>',
            f'<desc id="description-{name}">{escape(wager.verdict)}</desc>',
            f"<style>{_style()}</style>",
            f'<rect class="page" width="{_WIDTH}" height="{_HEIGHT}"/>',
            f'<text class="serif" x="{_MARGIN}" y="52">{escape(title)}</text>',
            f'<text class="quiet" x="{_MARGIN}" y="76">{escape(shorten(under, _LETTERS, placeholder=" …"))}</text>',
            *_by_count(found, wager),
            *_by_cut(wager),
            "</svg>",
            "",
        ]
    )


def wagers_to_svg(found: Counting) -> str:
    """Return the drawings of all wagers in one, one below the other."""
    drawings = [wager_to_svg(found, wager) for wager in found.wagers]
    if len(drawings) == 1:
        return drawings[0]
    height = _HEIGHT * len(drawings)
    placed = [each.replace("<svg ", f'<svg y="{_HEIGHT * place}" ', 1) for place, each in enumerate(drawings)]
    first = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}">'
    )
    return "\n".join([first, *placed, "</svg>", ""])


def _by_count(found: Counting, wager: WagerCounting) -> Iterator[str]:
    """Yield the EV at each reading as bars."""
    shown = wager.by_reading
    if not shown or wager.count is None:
        why = "no count changes the EV of this wager" if wager.count is None else "too few rounds for EVs by count"
        if wager.at_cut(found.plan.cut) is None:
            why = "not known with this cut card"
        yield f'<text class="quiet" x="{_FIELDS[0][0]}" y="{_TOP}">{why}</text>'
        return
    readings = [(edge.reading + edge.up_to) / 2 for edge in shown]
    axes = _axes(0, [edge.ev for edge in shown], min(readings) - 0.7, max(readings) + 0.7)
    yield from _frame(axes, wager.target.in_dollars)
    width = 0.7 * (axes.x(1) - axes.x(0))
    for reading, edge in zip(readings, shown, strict=True):
        top, bottom = sorted((axes.y(edge.ev.mean), axes.y(0)))
        kind = "gain" if edge.ev.mean > 0 else "loss"
        x = axes.x(reading)
        yield (
            f'<rect class="{kind}" x="{x - width / 2:.1f}" y="{top:.1f}" width="{width:.1f}" '
            f'height="{max(bottom - top, 0.5):.1f}"/>'
        )
        yield from _error(axes, x, edge.ev)
    for number in ticks(axes.first, axes.last, 9):
        if number == round(number):
            yield f'<text class="mid" x="{axes.x(number):.1f}" y="{_BOTTOM + 20}">{number:g}</text>'
    words = f"{wager.count.name}, cut card at {found.plan.cut}%"
    yield from _words(0, "EV by count", words)


def _by_cut(wager: WagerCounting) -> Iterator[str]:
    """Yield the gains of a perfect player and of the counters as lines."""
    lines: list[tuple[str, list[tuple[int, SampleMean]]]] = [("perfect", [(one.cut, one.gain) for one in wager.gains])]
    for number in range(min((len(one.counts) for one in wager.gains), default=0)):
        name = wager.gains[0].counts[number].count.name
        lines.append((name, [(one.cut, one.counts[number].gain) for one in wager.gains]))
    if not wager.gains:
        return
    gains = [gain for _, points in lines for _, gain in points]
    axes = _axes(1, gains, wager.gains[0].cut - 2, wager.gains[-1].cut + 2)
    yield from _frame(axes, wager.target.in_dollars, percent=False)
    for (name, points), kind in zip(lines, _KINDS, strict=False):
        joined = " ".join(f"{axes.x(cut):.1f},{axes.y(gain.mean):.1f}" for cut, gain in points)
        yield f'<polyline class="{kind}" points="{joined}"/>'
        for cut, gain in points:
            yield from _error(axes, axes.x(cut), gain)
        yield from _legend(name, kind)
    for place in ticks(axes.first, axes.last, 6):
        yield f'<text class="mid" x="{axes.x(place):.1f}" y="{_BOTTOM + 20}">{place:g}%</text>'
    unit = "dollars" if wager.target.in_dollars else "units"
    yield from _words(1, f"Gain in {unit} per 100 rounds", "cut card, percent of the shoe")


def _legend(name: str, kind: str) -> Iterator[str]:
    """Yield the name of a line, below the drawing, where no line crosses it: two names in each row."""
    (left, right), number = _FIELDS[1], _KINDS.index(kind)
    x, y = left + number % 2 * (right - left) // 2, _BOTTOM + 66 + 19 * (number // 2)
    words = escape(shorten(name, _LEGEND_LETTERS, placeholder=" …"))
    yield f'<line class="{kind}" x1="{x}" y1="{y}" x2="{x + 24}" y2="{y}"/>'
    yield f'<text class="small" x="{x + 32}" y="{y + 4}">{words}</text>'


def _axes(field: int, shown: Sequence[SampleMean], first: float, last: float) -> _Axes:
    """Return axes that hold zero, and all numbers with their standard errors."""
    numbers = [found.mean + sign * found.standard_error for found in shown for sign in (-1, 1)]
    low, high = min(0.0, *numbers), max(0.0, *numbers)
    space = 0.06 * (high - low) or 1.0
    return _Axes(*_FIELDS[field], low - space if low < 0 else low, high + space, first, last)


def _frame(axes: _Axes, in_dollars: bool, percent: bool = True) -> Iterator[str]:
    for value in ticks(axes.low, axes.high, 6):
        y = axes.y(value)
        label = f"{value:.3g}" if in_dollars or not percent else f"{100 * value:.3g}%"
        yield f'<line class="rule" x1="{axes.left}" y1="{y:.1f}" x2="{axes.right}" y2="{y:.1f}"/>'
        yield f'<text class="end" x="{axes.left - 8}" y="{y + 4.5:.1f}">{label}</text>'


def _words(field: int, above: str, below: str) -> Iterator[str]:
    left, right = _FIELDS[field]
    yield f'<text x="{left}" y="{_TOP - 16}">{escape(above)}</text>'
    yield f'<text class="small quiet mid" x="{(left + right) / 2:g}" y="{_BOTTOM + 42}">{escape(below)}</text>'


def _error(axes: _Axes, x: float, found: SampleMean) -> Iterator[str]:
    if found.standard_error > 0:
        low, high = axes.y(found.mean - found.standard_error), axes.y(found.mean + found.standard_error)
        yield f'<line class="error" x1="{x:.1f}" y1="{low:.1f}" x2="{x:.1f}" y2="{high:.1f}"/>'


def _style() -> str:
    shared = (
        'text{font-family:"Helvetica Neue",Helvetica,Arial,"Liberation Sans",sans-serif;font-size:13px}'
        '.serif{font-family:Georgia,"Times New Roman","Liberation Serif",serif;font-size:26px}'
        ".small{font-size:12px}.mid{text-anchor:middle}.end{text-anchor:end}"
        "polyline{fill:none;stroke-linejoin:round}.first,.second,.third,.fourth{stroke-width:2.25}"
        ".third{stroke-dasharray:7 4}.fourth{stroke-dasharray:2 4}.error{stroke-width:1.25}"
    )
    return f"{shared}{_colors(LIGHT)}@media (prefers-color-scheme:dark){{{_colors(DARK)}}}"


def _colors(scheme: Scheme) -> str:
    gain, loss = scheme.cells["Q"].ground, scheme.cells["U"].ground
    return (
        f".page{{fill:{scheme.page}}}text{{fill:{scheme.ink}}}.quiet{{fill:{scheme.quiet}}}"
        f".rule{{stroke:{scheme.line}}}.gain{{fill:{gain}}}.loss{{fill:{loss}}}.error{{stroke:{scheme.quiet}}}"
        f".first{{stroke:{scheme.ink}}}.second{{stroke:{scheme.cells['P'].ground}}}"
        f".third{{stroke:{loss}}}.fourth{{stroke:{gain}}}"
    )
