"""Search of a chart by single cells, changed until no change improves it.

One solution of the game gives the exact gain of every legal cell in every place (`cell_gains`). Columns are independent
of each other. Rows are not, so while many cells change at once the gains are only a guide; the search ends when none is
left.

With exceptions, a gain is that of a change while the exceptions of other rows stay as they are. Where hands of three or
more cards would be played differently, hitting other first hands has another EV and may become an exception, or stop
being one: such a change is tried in the whole game unless it loses far more than that could gain.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import numpy as np

from holecard.charts.chart import Cells, Chart
from holecard.charts.layout import Layout
from holecard.charts.letters import AS_TOTAL
from holecard.composition import Composition
from holecard.exact.charts.cell_gains import CellGains, FirstActions, SplitShoe, as_charted, column_evs
from holecard.exact.charts.legal_cells import legal_cells
from holecard.exact.main.initial_hands import initial_hands
from holecard.exact.main.policy import decide_initial_hands, policies_of
from holecard.exact.main.solve import solve
from holecard.exact.results import OnStage
from holecard.exact.solved_game import SolvedGame
from holecard.kernels.arrays import Flags, Floats
from holecard.kernels.exact.actions import StandEVs
from holecard.sheets.schema import RuleSheet

BETTER = 1e-12
_EQUAL = 1e-14
#: Rounds in which all cells that gain change at once; after them, only the cell of each column that gains most.
_TOGETHER = 8
#: The most that other exceptions could gain.
_NEAR = 1e-4


class CellSearch:
    """Charts of one game and shoe, compared by column."""

    def __init__(self, known: SolvedGame, layout: Layout, first: FirstActions = as_charted) -> None:
        """Prepare a search: `known` is the same game and shoe, solved in any way; `first` may make exceptions."""
        self.rules: RuleSheet = known.rules
        self.shoe: Composition = known.shoe
        self.game, self.counts = known.game, known.solution.counts
        self.stand_evs: StandEVs = known.solution.stand_evs
        self.split = SplitShoe(known)
        self.layout = layout
        self.cells = legal_cells(self.game, layout)
        self.first, self.with_exceptions = first, first is not as_charted

    def run(self, cells: Cells, on_stage: OnStage | None = None) -> Cells:
        """Return the chart after every single change that improves it; none is left that would."""
        for together in count(_TOGETHER, -1):
            if on_stage is not None:
                # Nobody knows how many rounds are left: each does half of what seems to be left.
                searched = _TOGETHER - together + 1
                on_stage(f"search of the chart, round {searched}", 1 - 0.5**searched)
            known = CellGains(self.solve(cells), Chart(self.layout, cells), self.split, self.first)
            gains = dict(self._gains(known))
            better = self._better(cells, gains, together=together > 0)
            if better == cells and self.with_exceptions:
                better = self._tried(cells, gains, known)
            if better == cells:
                break
            cells = better
        return cells

    def solve(self, cells: Cells) -> SolvedGame:
        """Solve the whole game played by a chart."""
        chart = Chart(self.layout, cells)
        solution = solve(self.game, self.counts, policies_of(self.game, chart), stand_evs=self.stand_evs)
        return SolvedGame(
            self.rules, self.shoe, solution, decide_initial_hands(initial_hands(solution, self.shoe), chart, self.game)
        )

    def _gains(self, known: CellGains) -> Iterator[tuple[tuple[int, str], Floats]]:
        """Yield by row and cell: [column] its gain."""
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
        """Return a chart with other cells in some rows, the same one in every column."""
        width = len(self.layout.columns)
        rows = zip(cells, line, where, strict=True)
        return Chart(self.layout, tuple((cell,) * width if here else now for now, cell, here in rows))

    def _better(self, cells: Cells, gains: dict[tuple[int, str], Floats], *, together: bool) -> Cells:
        """Return every cell that gains, or in each column the one that gains most; else equally good shorter cells."""
        most = np.full((len(cells), len(self.layout.columns)), BETTER)
        best = np.array(cells, object)
        for (row, cell), gain in gains.items():
            here = gain > most[row]
            best[row, here], most[row, here] = cell, gain[here]
        if not together:
            best = np.where(most == most.max(axis=0), best, np.array(cells, object))
        if (
            best == np.array(cells, object)
        ).all() and not self.with_exceptions:  # with exceptions, a shorter cell may mean one more exception
            for (row, cell), gain in gains.items():
                simpler = np.array([_is_simpler(cell, other) for other in best[row]])
                best[row, (gain >= -_EQUAL) & simpler] = cell
        return tuple(tuple(map(str, line)) for line in best)

    def _tried(self, cells: Cells, gains: dict[tuple[int, str], Floats], known: CellGains) -> Cells:
        """Return the first change that improves the chart together with its exceptions, in all its columns."""
        evs = self._column_evs(cells)
        for (row, cell), gain in gains.items():
            near = gain > -_NEAR
            if self.layout.rows[row].pair is None and near.any():
                near &= known.changes_longer(Chart(self.layout, _changed(cells, row, near, cell)))[row]
                better = (
                    near & (self._column_evs(_changed(cells, row, near, cell)) > evs + BETTER) if near.any() else near
                )
                if better.any():
                    return _changed(cells, row, better, cell)
        return cells

    def _column_evs(self, cells: Cells) -> Floats:
        """Return [column] its part of the EV of the game."""
        solved = self.solve(cells)
        return sum(
            (
                column_evs(solved, self.layout, initial, self.first(solved, self.layout, initial, actions))
                for initial, actions in solved.decisions
            ),
            np.zeros(len(self.layout.columns)),
        )


def _is_simpler(cell: str, other: str) -> bool:
    return (cell != AS_TOTAL, len(cell)) < (other != AS_TOTAL, len(other))


def _changed(cells: Cells, row: int, at: Flags, cell: str) -> Cells:
    line = tuple(cell if change else other for change, other in zip(at.tolist(), cells[row], strict=True))
    return (*cells[:row], line, *cells[row + 1 :])
