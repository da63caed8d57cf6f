"""Charts as text that can be read back.

    hard    2  3  4  5  6  7  8  9  T  A
        4   H  H  H  H  H  H  H  H  H  H
        …
    soft    2  3  4  …
    pairs   2  3  4  …

Each block has a heading with its columns and a line for each row; a block with many columns can be split into several.
Exceptions for two cards can follow (see `two_card_exceptions`). Text after # is a comment. Spacing, capitals
and the order of blocks, rows and columns do not matter.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from holecard.charts.caption import Caption, legend, reading_notes
from holecard.charts.chart import Chart
from holecard.charts.chart_reader import ChartReader
from holecard.charts.layout import Layout
from holecard.charts.two_card_exceptions import write_exceptions

_WIDTH = 78
_LABEL = 5


def read_chart_text(text: str, layout: Layout, origin: str = "the chart") -> Chart:
    """Return the chart that a text defines. An error lists everything that is wrong; `origin` names the text in it."""
    reading = ChartReader(layout, origin)
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        words = line.partition("#")[0].split()
        if words:
            reading.line(number, words)
    return reading.chart()


def write_chart_text(chart: Chart, caption: Caption | None = None) -> str:
    """Return the chart as text under a caption of comments; `read_chart_text` reads it back."""
    heading = [] if caption is None else [*_comments(caption, chart), ""]
    return "\n".join([*heading, *_blocks(chart), *write_exceptions(chart.layout, chart.exceptions)])


def _blocks(chart: Chart) -> Iterator[str]:
    """Yield the lines of all blocks, for each group of columns."""
    layout = chart.layout
    for group in layout.column_groups:
        columns = slice(group.first, group.end)
        names = [column.name for column in layout.columns[columns]]
        width = max(len(cell) for cells in (names, *chart.cells) for cell in cells)
        for block in layout.blocks:
            yield _line(f"{block.name:<{_LABEL}}", names, width)
            for index in range(block.first, block.end):
                yield _line(f"{layout.rows[index].name:>{_LABEL}}", chart.cells[index][columns], width)
            yield ""


def _line(label: str, cells: Iterable[str], width: int) -> str:
    return f"{label} " + "".join(f"  {cell:<{width}}" for cell in cells).rstrip()


def _comments(caption: Caption, chart: Chart) -> Iterator[str]:
    yield from _wrapped(caption.name)
    yield from _wrapped(caption.subtitle)
    yield "#"
    for sign, words in legend(chart.layout, chart.layout.letters):
        yield f"#   {sign}  {words}"
    for note in (*reading_notes(chart), *caption.notes):
        yield "#"
        yield from _wrapped(note)


def _wrapped(words: str) -> list[str]:
    return textwrap.wrap(words, _WIDTH, initial_indent="# ", subsequent_indent="# ") or ["#"]
