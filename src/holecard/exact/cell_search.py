"""Single cells of a chart, changed one at a time until no change improves it.

Columns do not touch each other, so one trial changes a row in every column at once and each column is judged by itself.
A pair's row is met by that pair alone; every other row by all hands. What standing hands are worth does not depend on
the chart and is computed once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from holecard.exact.analysis import Played, deal_worths
from holecard.exact.composition import Composition
from holecard.exact.legal_cells import legal_cells
from holecard.exact.openings import EVERY_DEAL, Opening, openings
from holecard.exact.plans import decide_openings, plans_of, start_columns
from holecard.exact.solve import solve
from holecard.kernels.deciding import Standing
from holecard.sheets.schema import RuleSheet
from holecard.strategy.chart import Cells, Chart
from holecard.strategy.layout import Layout
from holecard.strategy.letters import AS_TOTAL

Floats = NDArray[np.float64]
#: [column] what the deals of an opening, with what is done, add to the value of the game.
DealValue = Callable[[Played, Layout, Opening, list[str]], Floats]

BETTER = 1e-12
_EQUAL = 1e-14


def column_values(played: Played, layout: Layout, opening: Opening, actions: list[str]) -> Floats:
    """[column] what the deals of an opening add to the value of the game; an illegal action is the worst there is."""
    worths = deal_worths(played, opening, actions)
    weighed = np.where(opening.chance > 0, opening.chance * np.where(np.isnan(worths), -np.inf, worths), 0.0)
    found = np.zeros(len(layout.columns))
    np.add.at(found, list(start_columns(played.game, layout)), weighed)
    return found


class CellSearch:
    """Charts of one game and shoe, compared by column."""

    def __init__(self, known: Played, layout: Layout, deal_value: DealValue = column_values) -> None:
        """`known` is the same game and shoe, solved in any way."""
        self.rules: RuleSheet = known.rules
        self.shoe: Composition = known.shoe
        self.game, self.counts = known.game, known.solution.counts
        self.stand: Standing = known.solution.standing
        self.layout = layout
        self.cells = legal_cells(self.game, layout)
        self.deal_value, self.excepting = deal_value, deal_value is not column_values

    def run(self, cells: Cells) -> Cells:
        """The chart after all single changes that improve it, and none is left that would."""
        waiting = np.ones(len(self.layout.columns), np.bool_)
        while waiting.any():
            better = self._pass(cells, waiting)
            waiting = (np.array(cells) != np.array(better)).any(axis=0)
            cells = better
        return cells

    def play(self, cells: Cells, only: int | None = None) -> Played:
        """The whole game played by a chart; or one pair alone, by its rank."""
        chart = Chart(self.layout, cells)
        ranks, deals = (None, EVERY_DEAL) if only is None else ((only,), ((only + 1, only + 1),))
        solution = solve(self.game, self.counts, plans_of(self.game, chart), only=ranks, stand=self.stand)
        decided = decide_openings(openings(solution, self.shoe, deals), chart, self.game)
        return Played(self.rules, self.shoe, solution, decided)

    def _values(self, cells: Cells, pair: int | None) -> Floats:
        """[column] the value of the game, or the part of it that a pair has."""
        played = self.play(cells, None if pair is None else pair - 1)
        return sum(
            (self.deal_value(played, self.layout, opening, actions) for opening, actions in played.decided),
            np.zeros(len(self.layout.columns)),
        )

    def _pass(self, cells: Cells, waiting: NDArray[np.bool_]) -> Cells:
        """Every legal cell once in every place of the columns that are waiting."""
        whole = self._values(cells, None)
        for index, row in enumerate(self.layout.rows):
            values = whole if row.pair is None else self._values(cells, row.pair)
            for cell in self.cells[index]:
                at = waiting & (np.array(cells[index]) != cell)
                if at.any():
                    trial = _changed(cells, index, at, cell)
                    tried = self._values(trial, row.pair)
                    better = at & (tried > values + BETTER)
                    if not self.excepting:  # there a shorter cell may only mean one more exception
                        better |= at & (tried >= values - _EQUAL) & [_is_simpler(cell, other) for other in cells[index]]
                    cells = _changed(cells, index, better, cell)
                    values = np.where(better, tried, values)
            whole = values if row.pair is None else whole
        return cells


def _is_simpler(cell: str, other: str) -> bool:
    return (cell != AS_TOTAL, len(cell)) < (other != AS_TOTAL, len(other))


def _changed(cells: Cells, row: int, at: NDArray[np.bool_], cell: str) -> Cells:
    line = tuple(cell if change else other for change, other in zip(at.tolist(), cells[row], strict=True))
    return (*cells[:row], line, *cells[row + 1 :])
