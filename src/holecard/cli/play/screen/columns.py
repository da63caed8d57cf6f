"""Rows of text and amounts in columns; only the last column wraps, and lines have no trailing spaces."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Sequence

from rich.text import Text

_GAP = 2
_NARROWEST = 12


def columns(rows: Sequence[Sequence[Text]], width: int, right: Collection[int] = ()) -> list[Text]:
    """Return the rows as lines; `right` are the right-aligned columns."""
    widths = [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]
    room = max(width - sum(widths[:-1]) - _GAP * (len(widths) - 1), _NARROWEST)
    return [line for row in rows for line in _row(row, widths, room, right)]


def _row(row: Sequence[Text], widths: Sequence[int], room: int, right: Collection[int]) -> list[Text]:
    head = Text()
    for number, cell in enumerate(row[:-1]):
        padding = " " * (widths[number] - cell.cell_len)
        head.append_text(Text(padding).append_text(cell) if number in right else cell.copy().append(padding))
        head.append(" " * _GAP)
    last = row[-1]
    if len(row) - 1 in right:
        last = Text(" " * (widths[-1] - last.cell_len)).append_text(last)
    first, *rest = textwrap.wrap(last.plain, room) if last.cell_len > room else [last]
    lines = [head.append_text(Text(first, last.style) if isinstance(first, str) else first)]
    indent = " " * (sum(widths[:-1]) + _GAP * (len(widths) - 1))
    lines += [Text.assemble(indent, (str(line), last.style)) for line in rest]
    for line in lines:
        line.rstrip()
    return lines
