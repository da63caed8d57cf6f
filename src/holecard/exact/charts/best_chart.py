"""The best total-dependent chart: what a player can carry, and what it costs against the optimum.

Cells are chosen by what they are worth over all hands that come to them, given the rest of the chart. Then they are
changed by the exact gain of every legal cell in every place (`cell_search`), until no single change improves the chart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from holecard.charts.chart import Cells, Chart
from holecard.charts.layout import Layout, Row
from holecard.charts.letters import AS_TOTAL
from holecard.composition import Composition, ShoeLike, composition, full
from holecard.exact.analysis import Played, play, value_of
from holecard.exact.charts.cell_search import BETTER, CellSearch
from holecard.exact.charts.cell_weights import Weights, weights_of
from holecard.exact.error_bound import error_bound
from holecard.exact.main.policy import start_columns
from holecard.exact.results import BY_CHART
from holecard.presentation import Drawn
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet

#: What was searched, as a caption says it.
SEARCHED = "Every legal cell was tried in every place, one at a time: no single change improves this chart."


@dataclass(frozen=True, repr=False)
class BestChart(Drawn):
    """A chart and its EV per unit of initial stake."""

    _report = "strategy"

    rules: RuleSheet
    chart: Chart
    ev: float
    optimum_ev: float
    """of the composition-dependent optimum"""
    error_bound: float
    """The exact value of the chart lies within this of `ev`."""
    convention: str = BY_CHART
    searched: str = SEARCHED
    plain_ev: float | None = None
    """of the best chart without exceptions, where this one was searched with them"""

    @property
    def house_edge(self) -> float:
        return -self.ev

    @property
    def cost(self) -> float:
        """The EV that playing by the chart gives up against composition-dependent play."""
        return self.optimum_ev - self.ev


def best_chart(game: RulesLike, shoe: ShoeLike | None = None) -> BestChart:
    """The best chart of a game, from the sheet's whole decks or another shoe."""
    sheet = rules(game)
    cards = full(sheet.shoe.decks) if shoe is None else composition(shoe)
    optimum = play(sheet, cards)
    return _Search(sheet, cards, optimum).run()


class _Search:
    def __init__(self, sheet: RuleSheet, shoe: Composition, optimum: Played) -> None:
        self.sheet, self.shoe, self.optimum = sheet, shoe, optimum
        self.layout = Layout.of(sheet.tables)
        self.column_of = np.array(start_columns(optimum.game, self.layout))
        self.single = CellSearch(optimum, self.layout)

    def run(self) -> BestChart:
        cells = self.single.run(self._cells(weights_of(self.optimum)))
        played = self.single.play(cells)
        bound = error_bound(played.solution, played.decided)
        return BestChart(self.sheet, Chart(self.layout, cells), value_of(played), value_of(self.optimum), bound)

    def _cells(self, weights: Weights) -> Cells:
        """Every cell at its best for these weights; pairs first, for one that is not split is played as its total."""
        rows = list(enumerate(self.layout.rows))
        found: dict[int, list[str]] = {}
        for index, row in reversed(rows):
            found[index] = [self._cell(index, row, column, weights) for column in range(len(self.layout.columns))]
        return tuple(tuple(found[index]) for index, _ in rows)

    def _cell(self, index: int, row: Row, column: int, weights: Weights) -> str:
        """Of equals, a pair as its total, then the shortest, closed by what would be done if somebody came to it."""
        starts = self.column_of == column
        worths = {cell: weights.worth(row, cell, starts) for cell in self.single.cells[index]}
        most = max(worths.values())
        equals = [cell for cell, worth in worths.items() if worth >= most - BETTER]
        closing = "H" if weights.hit_gain(row, starts) > 0 and "H" in row.letters else "S"
        best = min(equals, key=lambda cell: (cell != AS_TOTAL, len(cell), cell[-1] != closing))
        if row.pair is not None:
            weights.settle_pair(row.pair, best, starts)
        return best
