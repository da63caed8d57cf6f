"""Read charts independently, for the `referee`.

This reads the rows, columns, cells and exceptions of a `Chart`, and calls none of its methods.
"""

from __future__ import annotations

from collections.abc import Sequence

from holecard.charts.chart import Chart
from holecard.deck import Card
from holecard.simulation.witness.plain_hands import counts, value


class PlainChart:
    """A chart as lookup tables by total, by pair and by the first two cards."""

    def __init__(self, chart: Chart) -> None:
        layout = chart.layout
        self.both_up, self.pairs_by_rank = layout.both_up, layout.pairs_by_rank
        self.columns = {(column.dealer, column.soft): number for number, column in enumerate(layout.columns)}
        rows = list(zip(layout.rows, chart.cells, strict=True))
        self.totals = {(row.total, row.soft): cells for row, cells in rows if row.pair is None}
        self.pairs = {row.pair: cells for row, cells in rows if row.pair is not None}
        self.exceptions = {(one.low, one.high, one.column): one.cell for one in chart.exceptions}

    def letters(self, cards: Sequence[Card], from_split: bool, dealer: Sequence[Card]) -> str:
        """Return the letters for a hand, in the order they are tried."""
        column = self.columns[counts(dealer[:2]) if self.both_up else (value(dealer[0]), False)]
        by_total = self.totals[counts(cards)][column] if counts(cards) in self.totals else "S"
        first = self._pair(cards, column)
        if not first and len(cards) == 2 and not from_split:
            low, high = sorted(map(value, cards))
            first = self.exceptions.get((low, high, column), "")
        return first.replace("-", "") + by_total

    def _pair(self, cards: Sequence[Card], column: int) -> str:
        """Return the cell of a pair's row, or an empty string."""
        one, two = cards[:2]
        alike = int(one) // 4 == int(two) // 4 if self.pairs_by_rank else value(one) == value(two)
        is_pair = len(cards) == 2 and alike and value(one) in self.pairs
        return self.pairs[value(one)][column] if is_pair else ""
