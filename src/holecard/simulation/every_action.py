"""Charts that try everything: each cell does something else, so that no rule of a game stays unused.

A best chart avoids what costs money. A rule that is paid wrongly may be one that it never uses, and the chart itself
may be wrong for the same reason. These charts double, split, surrender and cash in cells where nobody would.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from holecard.hands import add
from holecard.sheets.tables import Tables
from holecard.strategy.chart import Chart
from holecard.strategy.exceptions import TwoCards
from holecard.strategy.layout import Layout, Row

#: Stand from here on where nothing else is tried.
_STANDS_FROM = 16


def every_action(tables: Tables, variant: int = 0) -> Chart:
    """A chart that tries every action the game offers; each `variant` does so in other cells."""
    layout = Layout.of(tables)
    chart = Chart.filled(layout, lambda row, column: _cell(row, column.dealer + variant))
    return replace(chart, exceptions=tuple(_exceptions(layout, variant)))


def _cell(row: Row, turn: int) -> str:
    """A letter other than hit and stand in two of three cells, by turns."""
    tried = [letter for letter in row.letters if letter not in "HS"]
    last = "S" if row.total >= _STANDS_FROM or "H" not in row.letters else "H"
    turn += row.total + 5 * row.soft
    if row.pair is not None:
        return "P" if turn % 4 else "".join(letter for letter in tried if letter != "P") + last
    if not tried or turn % 3 == 0:
        return last
    return tried[turn // 3 % len(tried)] + last


def _exceptions(layout: Layout, variant: int) -> list[TwoCards]:
    """Some first hands are played unlike their totals."""
    rows = {(row.total, row.soft): row for row in layout.rows if row.pair is None}
    return [
        TwoCards(low, high, column, _cell(rows[add(*add(0, False, low), high)], low + column + variant))
        for low, high in combinations(range(1, 11), 2)
        for column in range(len(layout.columns))
        if (low, high) != (1, 10) and (low + 2 * high + column + variant) % 5 == 0
    ]
