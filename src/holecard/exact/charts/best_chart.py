"""The search for the best total-dependent chart, and how much it gives up against composition-dependent play.

Cells are first chosen by their EV over all hands that reach them, given the rest of the chart. Then they are changed
by the exact gain of every legal cell in every place (`cell_search`), until no single change improves the chart.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from holecard.charts.chart import Cells, Chart
from holecard.charts.layout import Layout, Row
from holecard.charts.letters import AS_TOTAL
from holecard.composition import Composition, ShoeLike, composition, full
from holecard.exact.charts.cell_search import BETTER, CellSearch
from holecard.exact.charts.cell_weights import CellWeights, cell_weights
from holecard.exact.error_bound import error_bound
from holecard.exact.main.policy import start_columns
from holecard.exact.results import CHART_CONVENTION, OnStage
from holecard.exact.solved_game import SolvedGame, game_ev, solve_game
from holecard.presentation import Drawn
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet

#: What was searched, for a caption.
SEARCHED_ROWS = "Every legal cell was tried in every place, one at a time: no single change improves this chart."


@dataclass(frozen=True, repr=False)
class BestChart(Drawn):
    """A chart and its EVs per unit of initial stake."""

    _report = "exact.strategy"

    rules: RuleSheet
    chart: Chart
    ev: float
    optimum_ev: float
    """EV of the composition-dependent optimum"""
    error_bound: float
    """The exact EV of the chart is within this of `ev`."""
    convention: str = CHART_CONVENTION
    searched: str = SEARCHED_ROWS
    """what was searched, in words"""
    plain_ev: float | None = None
    """EV of the best chart without exceptions, where this one was searched with them"""

    @property
    def house_edge(self) -> float:
        return -self.ev

    @property
    def cost(self) -> float:
        """The EV that playing by totals gives up."""
        return self.optimum_ev - self.ev


def best_chart(game: RulesLike, shoe: ShoeLike | None = None, on_stage: OnStage | None = None) -> BestChart:
    """Return the best chart of a game, from the sheet's full decks or another shoe."""
    if on_stage is not None:
        on_stage("best play of every hand", 0.0)
    sheet = rules(game)
    cards = full(sheet.shoe.decks) if shoe is None else composition(shoe)
    optimum = solve_game(sheet, cards)
    return _Search(sheet, cards, optimum).run(on_stage)


class _Search:
    """The search for the best chart of one game and shoe."""

    def __init__(self, sheet: RuleSheet, shoe: Composition, optimum: SolvedGame) -> None:
        self.sheet, self.shoe, self.optimum = sheet, shoe, optimum
        self.layout = Layout.of(sheet.tables)
        self.column_of = np.array(start_columns(optimum.game, self.layout))
        self.single = CellSearch(optimum, self.layout)

    def run(self, on_stage: OnStage | None) -> BestChart:
        cells = self.single.run(self._cells(cell_weights(self.optimum)), on_stage)
        solved = self.single.solve(cells)
        bound = error_bound(solved.solution, solved.decisions)
        return BestChart(self.sheet, Chart(self.layout, cells), game_ev(solved), game_ev(self.optimum), bound)

    def _cells(self, weights: CellWeights) -> Cells:
        """Return the best cells for these weights; pairs first: one that is not split is played as its total."""
        rows = list(enumerate(self.layout.rows))
        found: dict[int, list[str]] = {}
        for index, row in reversed(rows):
            found[index] = [self._cell(index, row, column, weights) for column in range(len(self.layout.columns))]
        return tuple(tuple(found[index]) for index, _ in rows)

    def _cell(self, index: int, row: Row, column: int, weights: CellWeights) -> str:
        """Return the best cell; of equal ones a pair as its total, then the shortest, then the best last letter."""
        starts = self.column_of == column
        evs = {cell: weights.ev(row, cell, starts) for cell in self.single.cells[index]}
        most = max(evs.values())
        equals = [cell for cell, ev in evs.items() if ev >= most - BETTER]
        closing = "H" if weights.hit_gain(row, starts) > 0 and "H" in row.letters else "S"
        best = min(equals, key=lambda cell: (cell != AS_TOTAL, len(cell), cell[-1] != closing))
        if row.pair is not None:
            weights.settle_pair(row.pair, best, starts)
        return best
