"""Charts as drawings: one SVG with colors for light and dark screens.

Hard totals are on the left, soft totals and pairs on the right, and the legend below the shorter column; a chart with
many columns is stacked. The SVG embeds no fonts, so widths of words are upper estimates.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from holecard.charts.caption import Caption, legend, reading_notes
from holecard.charts.chart import Chart
from holecard.charts.layout import Group, Layout
from holecard.report.palette import DARK, LIGHT, Scheme, css_class

BLOCK_TITLES = {"hard": "Hard totals", "soft": "Soft totals", "pairs": "Pairs"}

_MARGIN, _GUTTER = 48, 40
_CELL, _HEIGHT, _SEAM = 34, 26, 2
_LABEL, _GROUP_GAP, _BLOCK_GAP = 44, 14, 28
#: Above the cells of a block: its title and the names of its columns.
_HEAD = 50
_LEGEND_LINE, _NOTE_LINE, _SUBTITLE_LINE = 26, 17, 20
#: Upper estimates of the average letter width in the title, the subtitle and a note.
_TITLE_LETTER, _SUBTITLE_LETTER, _NOTE_LETTER = 17.5, 7.7, 7.1
#: A chart with more columns than this is stacked.
SIDE_BY_SIDE = 12


@dataclass(frozen=True, slots=True)
class _Box:
    """A part of the drawing, drawn from its own corner."""

    width: float
    height: float
    marks: tuple[str, ...]

    def at(self, x: float, y: float) -> str:
        return f'<g transform="translate({x:g} {y:g})">{"".join(self.marks)}</g>'


def chart_to_svg(chart: Chart, caption: Caption) -> str:
    """Return the whole drawing."""
    columns = _columns(chart)
    width = sum(column[0].width for column in columns) + _GUTTER * (len(columns) - 1)
    heading = _heading(caption, width)
    notes = _notes([*reading_notes(chart), *caption.notes], width)
    top = _MARGIN + heading.height
    below = top + max(map(_stack_height, columns)) + _BLOCK_GAP
    parts = [heading.at(_MARGIN, _MARGIN), *_placed(columns, top), notes.at(_MARGIN, below)]
    opening = _opening(caption, chart, width + 2 * _MARGIN, below + notes.height + _MARGIN)
    return "\n".join([*opening, *parts, "</svg>", ""])


def _opening(caption: Caption, chart: Chart, width: float, height: float) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" aria-labelledby="title description">'
    )
    yield f'<title id="title">{escape(caption.name)}: strategy</title>'
    words = f"{caption.subtitle}. {len(chart.layout.rows)} hands against {len(chart.layout.columns)} dealer's hands."
    yield f'<desc id="description">{escape(words)}</desc>'
    yield f"<style>{_style()}</style>"
    yield f'<rect class="page" width="{width:g}" height="{height:g}"/>'


def _style() -> str:
    shared = (
        'text{font-family:"Helvetica Neue",Helvetica,Arial,"Liberation Sans",sans-serif;font-size:13px}'
        '.serif{font-family:Georgia,"Times New Roman","Liberation Serif",serif}'
        ".under{font-size:14px}.block{font-size:17px}.small{font-size:12px}"
        ".cell{text-anchor:middle;font-size:14px;font-weight:bold}.else{font-size:10px}"
        ".mid{text-anchor:middle}.end{text-anchor:end}"
    )
    return f"{shared}{_colors(LIGHT)}@media (prefers-color-scheme:dark){{{_colors(DARK)}}}"


def _colors(scheme: Scheme) -> str:
    page = (
        f".page{{fill:{scheme.page}}}text{{fill:{scheme.ink}}}.quiet{{fill:{scheme.quiet}}}"
        f".rule{{stroke:{scheme.line}}}"
    )
    cells = "".join(
        f"rect.{css_class(sign)}{{fill:{tint.ground}}}text.{css_class(sign)}{{fill:{tint.ink}}}"
        for sign, tint in scheme.cells.items()
    )
    return page + cells


def _heading(caption: Caption, width: float) -> _Box:
    """Return the title, made smaller where it would not fit, the subtitle in as many lines as it takes, and a rule."""
    size = min(31.0, 31 * width / (_TITLE_LETTER * len(caption.name)))
    lines = textwrap.wrap(caption.subtitle, int(width / _SUBTITLE_LETTER))
    rule = 42 + len(lines) * _SUBTITLE_LINE
    marks = [f'<text class="serif" style="font-size:{size:.3g}px" x="0" y="20">{escape(caption.name)}</text>']
    marks += [
        f'<text class="under quiet" x="0" y="{46 + number * _SUBTITLE_LINE}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    ]
    marks.append(f'<line class="rule" x1="0" y1="{rule}" x2="{width:g}" y2="{rule}"/>')
    return _Box(width, rule + 18, tuple(marks))


# Arrangement


def _columns(chart: Chart) -> list[list[_Box]]:
    """Return the boxes in one column or two; the legend ends the shorter one."""
    blocks = [_block(chart, group) for group in chart.layout.blocks]
    signs = _legend(chart)
    if len(chart.layout.columns) > SIDE_BY_SIDE:
        return [[*blocks, signs]]
    columns = [blocks[:1], blocks[1:]]
    min(columns, key=_stack_height).append(signs)
    return columns


def _stack_height(boxes: Sequence[_Box]) -> float:
    return sum(box.height for box in boxes) + _BLOCK_GAP * (len(boxes) - 1)


def _placed(columns: Sequence[Sequence[_Box]], top: float) -> Iterator[str]:
    x = float(_MARGIN)
    for boxes in columns:
        y = top
        for box in boxes:
            yield box.at(x, y)
            y += box.height + _BLOCK_GAP
        x += boxes[0].width + _GUTTER


# Blocks


def _block(chart: Chart, block: Group) -> _Box:
    layout = chart.layout
    marks = [f'<text class="serif block" x="0" y="18">{BLOCK_TITLES[block.name]}</text>', *_column_names(layout)]
    for number, index in enumerate(range(block.first, block.end)):
        marks += _row(layout, layout.rows[index].name, chart.cells[index], _HEAD + number * _HEIGHT)
    return _Box(_width(layout), _HEAD + (block.end - block.first) * _HEIGHT, tuple(marks))


def _left(layout: Layout, column: int) -> float:
    """Return the left edge of a column; there is a gap between groups of columns."""
    before = sum(1 for group in layout.column_groups if group.end <= column)
    return _LABEL + column * _CELL + before * _GROUP_GAP


def _width(layout: Layout) -> float:
    return _left(layout, len(layout.columns) - 1) + _CELL


def _column_names(layout: Layout) -> Iterator[str]:
    for group in layout.column_groups:
        middle = (_left(layout, group.first) + _left(layout, group.end - 1) + _CELL) / 2
        yield f'<text class="small quiet mid" x="{middle:g}" y="18">{escape(group.name)}</text>'
    for index, column in enumerate(layout.columns):
        yield f'<text class="mid" x="{_left(layout, index) + _CELL / 2:g}" y="42">{column.name}</text>'


def _row(layout: Layout, name: str, cells: Sequence[str], y: int) -> Iterator[str]:
    yield f'<text class="end" x="{_LABEL - 10}" y="{y + 18}">{name}</text>'
    for index, cell in enumerate(cells):
        yield from _cell(cell, _left(layout, index), y)


def _cell(cell: str, x: float, y: float) -> Iterator[str]:
    kind, first, rest = css_class(cell), cell[:1].replace("-", "–"), cell[1:]
    others = f'<tspan class="else" dx="1">{rest}</tspan>' if rest else ""
    yield (
        f'<rect class="{kind}" x="{x + _SEAM / 2:g}" y="{y + _SEAM / 2:g}" width="{_CELL - _SEAM}" '
        f'height="{_HEIGHT - _SEAM}" rx="3"/>'
    )
    yield f'<text class="cell {kind}" x="{x + _CELL / 2:g}" y="{y + 18:g}">{first}{others}</text>'


# Legend and notes


def _legend(chart: Chart) -> _Box:
    """Return the letters the chart uses, in two columns where the chart is narrow, else in one row."""
    signs = legend(chart.layout, chart.letters)
    across = 2 if len(chart.layout.columns) <= SIDE_BY_SIDE else 5
    step = _width(chart.layout) / across
    marks: list[str] = []
    for number, (sign, words) in enumerate(signs):
        x, y = (number % across) * step, (number // across) * _LEGEND_LINE
        marks += _cell(sign, x, y)
        marks.append(f'<text x="{x + _CELL + 8:g}" y="{y + 18}">{escape(words)}</text>')
    return _Box(_width(chart.layout), -(-len(signs) // across) * _LEGEND_LINE, tuple(marks))


def _notes(notes: Sequence[str], width: float) -> _Box:
    lines = [line for note in notes for line in textwrap.wrap(note, int(width / _NOTE_LETTER))]
    marks = tuple(
        f'<text class="small quiet" x="0" y="{number * _NOTE_LINE + 12}">{escape(line)}</text>'
        for number, line in enumerate(lines)
    )
    return _Box(width, len(lines) * _NOTE_LINE, marks)
