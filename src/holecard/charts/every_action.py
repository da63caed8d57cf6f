"""Charts that try every action, so that every rule of a game is used.

A best chart avoids costly actions. It may never use the rule that is paid wrongly, or be wrong itself for that reason.
These charts double, split, surrender and cash out in cells where no player would.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from holecard.charts.chart import Chart
from holecard.charts.layout import Layout, Row
from holecard.charts.two_card_exceptions import TwoCards
from holecard.hands import add
from holecard.sheets.tables import Tables

#: Stand from this total on if nothing else is tried.
_STANDS_FROM = 16


def every_action(tables: Tables, variant: int = 0) -> Chart:
    """Return a chart that tries every action of the game; each `variant` uses different cells."""
    layout = Layout.of(tables)
    chart = Chart.filled(layout, lambda row, column: _cell(row, column.dealer + variant))
    return replace(chart, exceptions=tuple(_exceptions(layout, variant)))


def _cell(row: Row, turn: int) -> str:
    """Return the row's letters in turn, and plain hit or stand from time to time."""
    tried = [letter for letter in row.letters if letter not in "HSP"]
    last = "S" if row.total >= _STANDS_FROM or "H" not in row.letters else "H"
    in_turn = [*(letter + last for letter in tried), last]
    if row.pair is not None:
        in_turn = [cell for other in in_turn for cell in ("P", "P", other)]
    return in_turn[(turn + row.total + row.soft) % len(in_turn)]


def _exceptions(layout: Layout, variant: int) -> list[TwoCards]:
    """Return exceptions for some two-card hands."""
    rows = {(row.total, row.soft): row for row in layout.rows if row.pair is None}
    return [
        TwoCards(low, high, column, _cell(rows[add(*add(0, False, low), high)], low + column + variant))
        for low, high in combinations(range(1, 11), 2)
        for column in range(len(layout.columns))
        if (low, high) != (1, 10) and (low + 2 * high + column + variant) % 5 == 0
    ]
