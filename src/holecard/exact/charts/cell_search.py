"""Single cells of a chart, changed until no change improves it.

One solution of the game has the exact gain of every legal cell in every place (`cell_gains`). Columns do not touch each
other. Rows do, so while many cells change at once the gains are only a guide; the search ends when not one is left.

With exceptions a gain is what a change brings while those of other rows stay as they are. Where hands of three cards or
more would be played differently, hitting other first hands has another value and may become an exception, or no longer
be one: such a change is tried in the whole game unless it loses far more than that could bring.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import numpy as np
from numpy.typing import NDArray

from holecard.charts.chart import Cells, Chart
from holecard.charts.layout import Layout
from holecard.charts.letters import AS_TOTAL
from holecard.composition import Composition
from holecard.exact.analysis import Played
from holecard.exact.charts.cell_gains import CellGains, FirstActions, SplitShoe, as_charted, column_values
from holecard.exact.charts.legal_cells import legal_cells
from holecard.exact.main.initial_hands import openings
from holecard.exact.main.policy import decide_openings, plans_of
from holecard.exact.main.solve import solve
from holecard.kernels.exact.actions import Standing
from holecard.sheets.schema import RuleSheet

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

BETTER = 1e-12
_EQUAL = 1e-14
#: So many times all cells that gain change at once; then in every column the one that gains most.
_TOGETHER = 8
#: What other exceptions could bring at the very most.
_NEAR = 1e-4


class CellSearch:
    """Charts of one game and shoe, compared by column."""

    def __init__(self, known: Played, layout: Layout, first: FirstActions = as_charted) -> None:
        """`known` is the same game and shoe, solved in any way; `first` may except the first two cards."""
        self.rules: RuleSheet = known.rules
        self.shoe: Composition = known.shoe
        self.game, self.counts = known.game, known.solution.counts
        self.stand: Standing = known.solution.standing
        self.split = SplitShoe(known)
        self.layout = layout
        self.cells = legal_cells(self.game, layout)
        self.first, self.excepting = first, first is not as_charted

    def run(self, cells: Cells) -> Cells:
        """The chart after all single changes that improve it, and none is left that would."""
        for together in count(_TOGETHER, -1):
            known = CellGains(self.play(cells), Chart(self.layout, cells), self.split, self.first)
            gains = dict(self._gains(known))
            better = self._better(cells, gains, together=together > 0)
            if better == cells and self.excepting:
                better = self._tried(cells, gains, known)
            if better == cells:
                break
            cells = better
        return cells

    def play(self, cells: Cells) -> Played:
        """The whole game played by a chart."""
        chart = Chart(self.layout, cells)
        solution = solve(self.game, self.counts, plans_of(self.game, chart), stand=self.stand)
        return Played(self.rules, self.shoe, solution, decide_openings(openings(solution, self.shoe), chart, self.game))

    def _gains(self, known: CellGains) -> Iterator[tuple[tuple[int, str], Floats]]:
        """By row and cell: [column] what it gains there."""
        pairs, is_pair = known.of_pairs(known.chart), [row.pair is not None for row in self.layout.rows]
        for number in range(max(map(len, self.cells))):
            line = [legal[min(number, len(legal) - 1)] for legal in self.cells]
            totals = known.of_totals(self._written(known.chart.cells, line, [not pair for pair in is_pair]))
            gain = np.where(
                np.array(is_pair)[:, None],
                known.of_pairs(self._written(known.chart.cells, line, is_pair)) - pairs,
                totals - known.now,
            )
            yield from zip(enumerate(line), gain, strict=True)

    def _written(self, cells: Cells, line: list[str], where: list[bool]) -> Chart:
        """A chart with other cells in some rows, the same one in every column."""
        width = len(self.layout.columns)
        rows = zip(cells, line, where, strict=True)
        return Chart(self.layout, tuple((cell,) * width if here else now for now, cell, here in rows))

    def _better(self, cells: Cells, gains: dict[tuple[int, str], Floats], *, together: bool) -> Cells:
        """Every cell that gains, or in every column the one that gains most; else shorter cells that do as well."""
        most = np.full((len(cells), len(self.layout.columns)), BETTER)
        best = np.array(cells, object)
        for (row, cell), gain in gains.items():
            here = gain > most[row]
            best[row, here], most[row, here] = cell, gain[here]
        if not together:
            best = np.where(most == most.max(axis=0), best, np.array(cells, object))
        if (
            best == np.array(cells, object)
        ).all() and not self.excepting:  # there a shorter cell may be one more exception
            for (row, cell), gain in gains.items():
                simpler = np.array([_is_simpler(cell, other) for other in best[row]])
                best[row, (gain >= -_EQUAL) & simpler] = cell
        return tuple(tuple(map(str, line)) for line in best)

    def _tried(self, cells: Cells, gains: dict[tuple[int, str], Floats], known: CellGains) -> Cells:
        """The first change that improves the chart with exceptions of its own, in all its columns."""
        values = self._values(cells)
        for (row, cell), gain in gains.items():
            near = gain > -_NEAR
            if self.layout.rows[row].pair is None and near.any():
                near &= known.changes_longer(Chart(self.layout, _changed(cells, row, near, cell)))[row]
                better = (
                    near & (self._values(_changed(cells, row, near, cell)) > values + BETTER) if near.any() else near
                )
                if better.any():
                    return _changed(cells, row, better, cell)
        return cells

    def _values(self, cells: Cells) -> Floats:
        """[column] the value of the game."""
        played = self.play(cells)
        return sum(
            (
                column_values(played, self.layout, opening, self.first(played, self.layout, opening, actions))
                for opening, actions in played.decided
            ),
            np.zeros(len(self.layout.columns)),
        )


def _is_simpler(cell: str, other: str) -> bool:
    return (cell != AS_TOTAL, len(cell)) < (other != AS_TOTAL, len(other))


def _changed(cells: Cells, row: int, at: Flags, cell: str) -> Cells:
    line = tuple(cell if change else other for change, other in zip(at.tolist(), cells[row], strict=True))
    return (*cells[:row], line, *cells[row + 1 :])
