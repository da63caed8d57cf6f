"""Problems of a chart, each with the cell and what it could contain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holecard.charts.layout import Layout, Row
from holecard.charts.letters import ACTIONS, AS_TOTAL, CLOSING, letter_name
from holecard.errors import shortly


def shape_problems(layout: Layout, cells: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield wrong numbers of rows and cells."""
    if len(cells) != len(layout.rows):
        yield f"a chart of this game has {len(layout.rows)} rows, not {len(cells)}"
        return
    for row, line in zip(layout.rows, cells, strict=True):
        if len(line) != len(layout.columns):
            yield f"{row.title}: the row has {len(layout.columns)} cells, not {len(line)}"


def cell_problem(cell: str, row: Row, layout: Layout) -> str | None:
    """Return why a row cannot contain a cell, or None."""
    if row.pair and cell == AS_TOTAL:
        return None
    for letter in cell:
        if letter not in row.letters:
            return f"{_not_offered(letter, row, layout)}; it can be {_possible(row)}"
    for number, letter in enumerate(cell):
        if letter in cell[:number]:
            return f"{shortly(cell)} contains {letter} twice"
        if letter in CLOSING and number < len(cell) - 1:
            return f"{shortly(cell)}: nothing after {letter} is ever used; end with {letter}"
    return _open_end(cell, row)


def _not_offered(letter: str, row: Row, layout: Layout) -> str:
    if letter == AS_TOTAL:
        return f"{letter!r} is only for pairs, which are then played as their total"
    if letter not in ACTIONS:
        return f"{letter!r} is not a letter of a chart"
    if letter == "P" and "P" in layout.letters:
        return f"{letter!r} is split, which is only for pairs"
    if letter == "H":
        return f"{letter!r} is hit, but a hand of {row.total} takes no card"
    where = f" on {row.title}" if letter in layout.letters else ""
    return f"{letter!r} is {letter_name(letter)}, which this game does not offer{where}"


def _open_end(cell: str, row: Row) -> str | None:
    """Return what is missing at the end: a total needs H or S, a pair can fall back on the row of its total."""
    ends = "" if row.pair else "".join(letter for letter in CLOSING if letter in row.letters)
    if not cell:
        return f"the cell is empty; it can be {_possible(row)}"
    if not ends or cell[-1] in ends:
        return None
    examples = " or ".join(repr(cell + letter) for letter in ends)
    return f"{shortly(cell)} does not say what to do if that is not allowed; write {examples}"


def _possible(row: Row) -> str:
    return ", ".join((*row.letters, AS_TOTAL) if row.pair else row.letters)
