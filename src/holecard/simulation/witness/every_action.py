"""Charts that try everything: each cell does something else, so that no rule of a game stays unused.

A best chart avoids what costs money. A rule that is paid wrongly may be one that it never uses, and the chart itself
may be wrong for the same reason. These charts double, split, surrender and cash in cells where nobody would.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from holecard.charts.chart import Chart
from holecard.charts.exceptions import TwoCards
from holecard.charts.layout import Layout, Row
from holecard.hands import add
from holecard.sheets.tables import Tables

#: Stand from here on where nothing else is tried.
_STANDS_FROM = 16


def every_action(tables: Tables, variant: int = 0) -> Chart:
    """A chart that tries every action the game offers; each `variant` does so in other cells."""
    layout = Layout.of(tables)
    chart = Chart.filled(layout, lambda row, column: _cell(row, column.dealer + variant))
    return replace(chart, exceptions=tuple(_exceptions(layout, variant)))


def _cell(row: Row, turn: int) -> str:
    """Each letter the row may have by turns, and none of them once in a while: then hit or stand."""
    tried = [letter for letter in row.letters if letter not in "HSP"]
    last = "S" if row.total >= _STANDS_FROM or "H" not in row.letters else "H"
    by_turns = [*(letter + last for letter in tried), last]
    if row.pair is not None:
        by_turns = [cell for other in by_turns for cell in ("P", "P", other)]
    return by_turns[(turn + row.total + row.soft) % len(by_turns)]


def _exceptions(layout: Layout, variant: int) -> list[TwoCards]:
    """Some first hands are played unlike their totals."""
    rows = {(row.total, row.soft): row for row in layout.rows if row.pair is None}
    return [
        TwoCards(low, high, column, _cell(rows[add(*add(0, False, low), high)], low + column + variant))
        for low, high in combinations(range(1, 11), 2)
        for column in range(len(layout.columns))
        if (low, high) != (1, 10) and (low + 2 * high + column + variant) % 5 == 0
    ]
