"""The bankroll over time as a drawing: bands of quantiles, the median, some paths, and the line of ruin.

One SVG with colors for light and dark screens, like strategy charts. It embeds no fonts, so widths of words are upper
estimates.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10

from holecard.charts.caption import Caption
from holecard.money import dollars
from holecard.report.palette import DARK, LIGHT, Scheme
from holecard.simulation.bankroll.bankroll_report import QUANTILES, BankrollReport

_WIDTH, _MARGIN = 920, 40
#: The height of the curves, measured from the line under the heading.
_TOP, _BOTTOM = 36, 360
#: The distance from there to the first note.
_NOTES = 62
_UNDER_LINE, _NOTE_LINE = 20, 17
#: Upper estimates of the average letter width in the title, the subtitle, a note and an amount.
_TITLE_LETTER, _UNDER_LETTER, _NOTE_LETTER, _DIGIT = 16.5, 7.7, 6.9, 8
#: The smallest distance between labels at the right end.
_APART = 17
#: The line of ruin is drawn unless it is farther below the curves than this fraction of their height.
_FAR_BELOW = 0.6
_TICKS = 9


@dataclass(frozen=True, slots=True)
class _Field:
    """The coordinates of rounds and cents in the picture."""

    rounds: int
    low: float
    high: float
    left: float
    right: float

    def x(self, played: float) -> float:
        return self.left + (self.right - self.left) * played / self.rounds

    def y(self, owned: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * (owned - self.low) / (self.high - self.low)

    def shows(self, owned: float) -> bool:
        return self.low <= owned <= self.high

    def line(self, points: Iterable[tuple[int, float]]) -> str:
        return " ".join(f"{self.x(played):.1f},{self.y(owned):.1f}" for played, owned in points)


def bankroll_to_svg(found: BankrollReport, caption: Caption) -> str:
    """Return the whole drawing."""
    field = _field(found)
    under = _wrapped((caption.subtitle, _session(found)), _UNDER_LETTER)
    notes = _wrapped(_say(found, field), _NOTE_LETTER)
    rule = 76 + len(under) * _UNDER_LINE
    below = rule + _BOTTOM + _NOTES
    curves = [
        *_money_axis(field),
        *_time_axis(found, field),
        *_bands(found, field),
        *_ruin_line(found, field),
        *_paths(found, field),
        *_median(found, field),
        *_ruin_label(found, field),
        *_end_labels(found, field),
    ]
    parts = [
        *_opening(found, caption, below + len(notes) * _NOTE_LINE + _MARGIN - _NOTE_LINE),
        *_heading(caption.name, under, rule),
        f'<g transform="translate(0 {rule})">',
        *curves,
        "</g>",
        *_lines("small quiet", notes, below, _NOTE_LINE),
    ]
    return "\n".join([*parts, "</svg>", ""])


def _field(found: BankrollReport) -> _Field:
    """Return the range of amounts: high enough for bands and paths, low enough for the line of ruin if it is near."""
    owned = [amount for point in found.points for amount in point.quantiles]
    owned += [amount for line in found.lines for _, amount in line]
    low, high, ruin = float(min(owned)), float(max(owned)), found.plan.stake
    if ruin > low - _FAR_BELOW * (high - low):
        low = min(low, ruin)
    space = 0.04 * (high - low) or found.plan.stake
    low, high = low - space, high + space
    left = _MARGIN + 12 + _DIGIT * max(len(dollars(round(amount))) for amount in ticks(low, high, _TICKS))
    right = _WIDTH - _MARGIN - 48 - _DIGIT * max(len(_whole(amount)) for amount in found.points[-1].quantiles)
    return _Field(found.plan.rounds, low, high, left, right)


def _whole(amount: int) -> str:
    return dollars(round(amount, -2))


def _opening(found: BankrollReport, caption: Caption, height: int) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" '
        f'height="{height}" role="img" aria-labelledby="title description">'
    )
    yield f'<title id="title">{escape(caption.name)}: the bankroll over time</title>'
    low, _, median, _, high = map(dollars, found.points[-1].quantiles)
    words = f"From {dollars(found.plan.bankroll)}, half of the players end with no more than {median}, "
    yield f'<desc id="description">{words}and nine of ten between {low} and {high}.</desc>'
    yield f"<style>{_style()}</style>"
    yield f'<rect class="page" width="{_WIDTH}" height="{height}"/>'


def _style() -> str:
    shared = (
        'text{font-family:"Helvetica Neue",Helvetica,Arial,"Liberation Sans",sans-serif;font-size:13px}'
        '.serif{font-family:Georgia,"Times New Roman","Liberation Serif",serif}'
        ".under{font-size:14px}.small{font-size:12px}.mid{text-anchor:middle}.end{text-anchor:end}"
        "polyline{fill:none;stroke-linejoin:round;stroke-linecap:round}.outer{fill-opacity:.28}.inner{fill-opacity:.5}"
        ".path{stroke-width:1;stroke-opacity:.75}.median{stroke-width:2.25}"
        ".ruin{stroke-width:1.75;stroke-dasharray:6 4}.halo{paint-order:stroke;stroke-width:4px;stroke-linejoin:round}"
    )
    return f"{shared}{_colors(LIGHT)}@media (prefers-color-scheme:dark){{{_colors(DARK)}}}"


def _colors(scheme: Scheme) -> str:
    band, ruin = scheme.cells["P"].ground, scheme.cells["U"].ground
    return (
        f".page{{fill:{scheme.page}}}text{{fill:{scheme.ink}}}.quiet{{fill:{scheme.quiet}}}"
        f".rule{{stroke:{scheme.line}}}.band{{fill:{band}}}.path{{stroke:{scheme.quiet}}}"
        f".median{{stroke:{scheme.ink}}}.ruin{{stroke:{ruin}}}.halo{{stroke:{scheme.page}}}"
    )


# Words


def _heading(name: str, under: Sequence[str], rule: int) -> Iterator[str]:
    """Yield the title, made smaller where it would not fit, what is played, and a rule."""
    size = min(28.0, 28 * (_WIDTH - 2 * _MARGIN) / (_TITLE_LETTER * len(name)))
    yield f'<text class="serif" style="font-size:{size:.3g}px" x="{_MARGIN}" y="58">{escape(name)}</text>'
    yield from _lines("under quiet", under, 84, _UNDER_LINE)
    yield f'<line class="rule" x1="{_MARGIN}" y1="{rule}" x2="{_WIDTH - _MARGIN}" y2="{rule}"/>'


def _session(found: BankrollReport) -> str:
    plan = found.plan
    hours = "1 hour" if plan.hours == 1 else f"{plan.hours:.4g} hours"
    return (
        f"{dollars(plan.bankroll)} at {dollars(plan.stake)} a round for {hours} of {plan.rounds_per_hour:,} rounds: "
        f"{_percent(found.points[-1].ruined)} ruined, {_percent(found.ending.ahead)} ahead at the end"
    )


def _percent(chance: float) -> str:
    """Return a percentage with two decimals, or four if two would show only zeros."""
    if chance < 1e-6:
        return "under 0.0001%"
    return f"{100 * chance:.2f}%" if chance >= 1e-4 else f"{100 * chance:.4f}%"


def _say(found: BankrollReport, field: _Field) -> Iterator[str]:
    """Yield the legend, the strategy and the convention."""
    yield (
        "Wide band: nine of ten players; narrow band: the middle half; thick line: the median. These are exact, and "
        "include ruined players with the money they have left. Thin lines: "
        f"{len(found.lines)} sampled sessions, seed {found.sampled.seed}."
    )
    if not field.shows(found.plan.stake):
        yield f"A player with less than {dollars(found.plan.stake)}, which is far below this picture, is ruined."
    yield f"Strategy: {found.analysis.strategy}. Convention: {found.convention}."


def _wrapped(said: Iterable[str], letter: float) -> list[str]:
    return [line for words in said for line in textwrap.wrap(words, int((_WIDTH - 2 * _MARGIN) / letter))]


def _lines(kind: str, lines: Iterable[str], y: int, step: int) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f'<text class="{kind}" x="{_MARGIN}" y="{y + number * step}">{escape(line)}</text>'


# Axes


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers between two, in steps of 1, 2 or 5 times a power of ten, up to a maximum number."""
    raw = (high - low) / most
    power = 10.0 ** floor(log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw)
    first = -floor(-low / step)
    return [number * step for number in range(first, floor(high / step + 1e-9) + 1)]


def _money_axis(field: _Field) -> Iterator[str]:
    for amount in ticks(field.low, field.high, _TICKS):
        y = field.y(amount)
        yield f'<line class="rule" x1="{field.left:g}" y1="{y:.1f}" x2="{field.right:g}" y2="{y:.1f}"/>'
        yield f'<text class="end" x="{field.left - 10:g}" y="{y + 4.5:.1f}">{dollars(round(amount))}</text>'
    yield f'<text class="small quiet end" x="{field.left - 10:g}" y="{_TOP - 12}">bankroll</text>'


def _time_axis(found: BankrollReport, field: _Field) -> Iterator[str]:
    pace = found.plan.rounds_per_hour
    for hours in ticks(0, found.plan.hours, 10):
        x = field.x(hours * pace)
        yield f'<line class="rule" x1="{x:.1f}" y1="{_BOTTOM}" x2="{x:.1f}" y2="{_BOTTOM + 6}"/>'
        yield f'<text class="mid" x="{x:.1f}" y="{_BOTTOM + 22}">{hours:,.6g}</text>'
    words = f"hours played, at {pace:,} rounds an hour"
    yield f'<text class="small quiet mid" x="{(field.left + field.right) / 2:g}" y="{_BOTTOM + 40}">{words}</text>'


# Curves


def _bands(found: BankrollReport, field: _Field) -> Iterator[str]:
    for name, below, above in (("outer", 0, -1), ("inner", 1, -2)):
        edge = [(point.played, point.quantiles[above]) for point in found.points]
        edge += [(point.played, point.quantiles[below]) for point in reversed(found.points)]
        yield f'<polygon class="band {name}" points="{field.line(edge)}"/>'


def _median(found: BankrollReport, field: _Field) -> Iterator[str]:
    points = field.line((point.played, point.quantiles[len(QUANTILES) // 2]) for point in found.points)
    yield f'<polyline class="median" points="{points}"/>'


def _paths(found: BankrollReport, field: _Field) -> Iterator[str]:
    for line in found.lines:
        yield f'<polyline class="path" points="{field.line(line)}"/>'


def _ruin_line(found: BankrollReport, field: _Field) -> Iterator[str]:
    if field.shows(found.plan.stake):
        y = field.y(found.plan.stake)
        yield f'<line class="ruin" x1="{field.left:g}" y1="{y:.1f}" x2="{field.right:g}" y2="{y:.1f}"/>'


def _ruin_label(found: BankrollReport, field: _Field) -> Iterator[str]:
    if field.shows(found.plan.stake):
        x, y = field.left + 8, field.y(found.plan.stake) - 7
        yield f'<text class="small halo" x="{x:g}" y="{y:.1f}">ruined below {dollars(found.plan.stake)}</text>'


def _end_labels(found: BankrollReport, field: _Field) -> Iterator[str]:
    """Yield the final amount of each quantile, next to the end of its curve, without overlaps."""
    last = found.points[-1].quantiles
    places = _apart([field.y(amount) for amount in last])
    for share, amount, y in zip(QUANTILES, last, places, strict=True):
        yield f'<text class="small quiet" x="{field.right + 8:g}" y="{y + 4:.1f}">{100 * share:.0f}%</text>'
        yield f'<text class="small end" x="{_WIDTH - _MARGIN}" y="{y + 4:.1f}">{_whole(amount)}</text>'


def _apart(falling: Sequence[float]) -> list[float]:
    """Return the heights from the lowest label up, moved up only as far as needed and kept above the axis."""
    places: list[float] = []
    for y in falling:
        places.append(min(y, _BOTTOM, *(place - _APART for place in places[-1:])))
    return places
