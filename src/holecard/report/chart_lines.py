"""A strategy chart as lines for a terminal: every cell with its letters, in a tone that a terminal can color."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from holecard.charts.caption import Caption, legend, reading_notes
from holecard.charts.chart import Chart
from holecard.charts.layout import Group
from holecard.report.document import PLAIN, QUIET, STRONG, Span, plain_text
from holecard.report.render.text import TextLine, wrap

_LABEL, _GAP = 5, 3


class Panel(NamedTuple):
    """Groups of columns that are printed side by side, with the cell width of each."""

    groups: tuple[Group, ...]
    cells: tuple[int, ...]

    @property
    def width(self) -> int:
        columns = sum((group.end - group.first) * cell for group, cell in zip(*self, strict=True))
        return _LABEL + columns + len(self.groups) - 1


def chart_lines(chart: Chart, caption: Caption, width: int = 80) -> Iterator[TextLine]:
    """Yield the blocks side by side where they fit, one below the other where not, then the legend and the notes."""
    yield (Span(caption.name, STRONG),)
    for line in wrap(caption.subtitle, width):
        yield (Span(line, QUIET),)
    for panel in _panels(chart, width):
        yield ()
        yield from _arranged(chart, panel, width)
    yield ()
    yield from _legend(chart, width)
    yield ()
    for note in (*reading_notes(chart), *caption.notes):
        for line in wrap(note, width):
            yield (Span(line, QUIET),)


def _panels(chart: Chart, width: int) -> list[Panel]:
    """Return all columns at once, or each group of them by itself."""
    groups = chart.layout.column_groups
    together = _panel(chart, groups)
    return [together] if together.width <= width else [_panel(chart, (group,)) for group in groups]


def _panel(chart: Chart, groups: tuple[Group, ...]) -> Panel:
    names = [column.name for column in chart.layout.columns]
    cells = (
        1 + max(len(text) for line in (names, *chart.cells) for text in line[group.first : group.end])
        for group in groups
    )
    return Panel(groups, tuple(cells))


def _arranged(chart: Chart, panel: Panel, width: int) -> Iterator[TextLine]:
    """Yield the names of column groups if there are several, then hard totals left and the rest right, if they fit."""
    if chart.layout.both_up:
        yield (Span(" " * _LABEL + " " + ", ".join(group.name for group in panel.groups), QUIET),)
    first, *others = [list(_block(chart, panel, block)) for block in chart.layout.blocks]
    right = [line for block in others for line in ((), *block)][1:]
    if 2 * panel.width + _GAP > width:
        yield from (*first, (), *right)
        return
    for left, other in zip_longest(first, right, fillvalue=()):
        space = Span(" " * (panel.width + _GAP - len(plain_text(left))))
        yield (*left, space, *other)


def _block(chart: Chart, panel: Panel, block: Group) -> Iterator[TextLine]:
    """Yield a block's name over its columns' names, and its rows."""
    layout = chart.layout
    yield _line(panel, Span(block.name, STRONG), [Span(column.name, STRONG) for column in layout.columns])
    for index in range(block.first, block.end):
        cells = [Span(cell, cell_tone(cell)) for cell in chart.cells[index]]
        yield _line(panel, Span(f"{layout.rows[index].name:>4}"), cells)


def _line(panel: Panel, label: Span, cells: Sequence[Span]) -> TextLine:
    line = [label, Span(" " * (_LABEL - len(label.text)))]
    for number, (group, width) in enumerate(zip(*panel, strict=True)):
        line += [Span(" ")] if number else []
        line += [Span(f" {cell.text}".ljust(width), cell.tone) for cell in cells[group.first : group.end]]
    return tuple(line)


def cell_tone(cell: str) -> str:
    """Return the tone of a cell, by its first letter."""
    return f"cell {cell[0]}"


def _legend(chart: Chart, width: int) -> Iterator[TextLine]:
    """Yield the letters that the chart uses, each kept on one line with its meaning."""
    line: list[Span] = []
    for sign, words in legend(chart.layout, chart.letters):
        if line and len(plain_text(tuple(line))) + len(words) + 7 > width:
            yield tuple(line)
            line = []
        line += [Span("   ", PLAIN)] if line else []
        line += [Span(f" {sign} ", cell_tone(sign)), Span(f" {words}")]
    yield tuple(line)
