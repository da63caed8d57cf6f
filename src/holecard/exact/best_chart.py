"""The best total-dependent chart: what a player can carry, and what it costs against the optimum.

Cells are chosen by what they are worth over all hands that come to them, given the rest of the chart, until nothing
changes. Then every close cell is tried the other way in the whole game, exactly, and kept if it is better.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from holecard.exact.analysis import Played, play, start_values, value_of
from holecard.exact.chart_weights import Weights, weights_of
from holecard.exact.composition import Composition, ShoeLike, composition, full
from holecard.exact.error_bound import error_bound
from holecard.exact.results import BY_CHART
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.strategy.chart import Chart
from holecard.strategy.layout import Layout, Row
from holecard.strategy.letters import AS_TOTAL

Floats = NDArray[np.float64]

_ROUNDS = 8
#: A cell is close if another choice would lose less than this per hand that comes to it.
_CLOSE = 0.004
_BETTER = 1e-12


@dataclass(frozen=True)
class BestChart:
    """A chart and its values per unit of initial stake."""

    chart: Chart
    ev: float
    optimum_ev: float
    """of the composition-dependent optimum"""
    error_bound: float
    """The exact value of the chart lies within this of `ev`."""
    convention: str = BY_CHART

    @property
    def cost(self) -> float:
        """What carrying only the chart costs."""
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
        shown = optimum.game.dealer.shown
        self.column_of = np.array([self.layout.column(values) for values in shown])
        self.close: list[tuple[int, int, str]] = []

    def run(self) -> BestChart:
        played = self.optimum
        cells = self._cells(weights_of(played))
        for _ in range(_ROUNDS):
            played = self._play(cells)
            better = self._cells(weights_of(played))
            if better == cells:
                break
            cells = better
        cells = self._try_close(cells)
        played = self._play(cells)
        bound = error_bound(played.solution, played.decided)
        return BestChart(Chart(self.layout, cells), value_of(played), value_of(self.optimum), bound)

    def _play(self, cells: tuple[tuple[str, ...], ...]) -> Played:
        return play(self.sheet, self.shoe, Chart(self.layout, cells))

    def _cells(self, weights: Weights) -> tuple[tuple[str, ...], ...]:
        """Every cell at its best for these weights; pairs first, for one that is not split is played as its total."""
        self.close = []
        rows = list(enumerate(self.layout.rows))
        found: dict[int, list[str]] = {}
        for index, row in reversed(rows):
            found[index] = [self._cell(index, row, column, weights) for column in range(len(self.layout.columns))]
        return tuple(tuple(found[index]) for index, _ in rows)

    def _cell(self, index: int, row: Row, column: int, weights: Weights) -> str:
        starts = self.column_of == column
        worths = {cell: weights.worth(row, cell, starts) for cell in _candidates(row)}
        hits = weights.hit_gain(row, starts) > 0
        best = self._best(row, worths, hits)
        coming = weights.coming(row, starts)
        self.close += [
            (index, column, cell) for cell, worth in worths.items() if _BETTER < worths[best] - worth < _CLOSE * coming
        ]
        if row.pair is not None:
            weights.settle_pair(row.pair, best, starts)
            if best == AS_TOTAL:
                # Its total's row may say something else than is best for the pair: its own best is tried as well.
                self.close.append((index, column, self._best(row, _without(worths, AS_TOTAL), hits)))
        return best

    def _best(self, row: Row, worths: dict[str, float], hits: bool) -> str:
        """Of equals, a pair as its total, then the shortest, closed by what would be done if somebody came to it."""
        most = max(worths.values())
        equals = [cell for cell, worth in worths.items() if worth >= most - _BETTER]
        closing = "H" if hits and "H" in row.letters else "S"
        return min(equals, key=lambda cell: (cell != AS_TOTAL, len(cell), cell[-1] != closing))

    def _try_close(self, cells: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
        """Columns do not touch each other, so one trial changes a cell in each of them."""
        values = self._by_column(cells)
        by_row: dict[int, dict[int, list[str]]] = {}
        for row, column, cell in self.close:
            by_row.setdefault(row, {}).setdefault(column, []).append(cell)
        for row, columns in by_row.items():
            for turn in range(max(map(len, columns.values()))):
                trial = [list(line) for line in cells]
                for column, others in columns.items():
                    if turn < len(others):
                        trial[row][column] = others[turn]
                tried = self._by_column(tuple(map(tuple, trial)))
                kept = [list(line) for line in cells]
                for column in np.flatnonzero(tried > values + _BETTER).tolist():
                    kept[row][column] = trial[row][column]
                cells = tuple(map(tuple, kept))
                values = np.maximum(tried, values)
        return cells

    def _by_column(self, cells: tuple[tuple[str, ...], ...]) -> Floats:
        by_start = start_values(self._play(cells))
        found = np.zeros(len(self.layout.columns))
        np.add.at(found, self.column_of, by_start)
        return found


def _without(worths: dict[str, float], cell: str) -> dict[str, float]:
    return {other: worth for other, worth in worths.items() if other != cell}


def _candidates(row: Row) -> list[str]:
    """What a cell may say: something for the first two cards alone, something for two cards, then hit or stand."""
    first = ["", *(letter for letter in "QR" if letter in row.letters)]
    two = ["", *(letter for letter in "DU" if letter in row.letters)]
    closing = [letter for letter in "SH" if letter in row.letters]
    cells = ["".join(letters) for letters in product(first, two, closing)]
    if row.pair is not None:
        cells += [AS_TOTAL, "P", *(letter for letter in first if letter)]
    return cells
