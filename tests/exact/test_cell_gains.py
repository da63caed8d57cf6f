"""The gain of changing one cell, computed from a single solution, equals the gain found by solving the game again."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import holecard
from holecard.charts.chart import Chart
from holecard.charts.layout import Column, Layout, Row
from holecard.exact.charts import cell_search
from holecard.exact.charts.best_chart import best_chart
from holecard.exact.charts.cell_gains import CellGains, SplitShoe
from holecard.exact.charts.exception_search import with_exceptions
from holecard.exact.charts.legal_cells import legal_cells
from holecard.exact.main.prepared_game import prepared_game
from holecard.exact.solved_game import solve_game
from tests.exact.test_charts import column_values
from tests.selection import one_in

GAMES = {
    "six decks": ("classic", {}),
    "one deck, tens by rank": ("classic", {"split_by": "rank", "decks": 1}),
    "a natural takes the original": ("classic", {"hole_card": "no peek", "natural_takes": "original", "decks": 2}),
    "doubling up": ("double-up", {}),
    "two wagers": ("quick-pay", {}),
    "both up, tens by rank": ("face-up", {"split_by": "rank", "split_hands": 3, "decks": 2}),
}


@pytest.mark.parametrize("game", one_in(len(GAMES), GAMES))
def test_a_gain_is_what_the_whole_game_gains(game: str) -> None:
    """From a chart of random cells, so that every row is used and every action occurs."""
    name, settings = GAMES[game]
    sheet, random = holecard.rules(name, **settings), Random(1)
    layout = Layout.of(sheet.tables)
    cells = dict(zip(layout.rows, legal_cells(prepared_game(sheet.tables), layout), strict=True))

    def fill(row: Row, _column: Column) -> str:
        if row.pair or random.random() < 0.3:
            return random.choice(cells[row])
        return "H" if row.total < 15 and "H" in cells[row] else "S"

    chart = Chart.filled(sheet.tables, fill)
    played = solve_game(sheet, strategy=chart)
    gains = CellGains(played, chart, SplitShoe(played))
    pairs, before = gains.of_pairs(chart), column_values(sheet, chart)
    changes = [(index, row, cell) for index, row in enumerate(layout.rows) for cell in cells[row]]
    tens = [change for change in changes if change[1].pair == 10 or change[1].title == "hard 20"]
    for index, row, cell in [*random.sample(changes, 8), *random.sample(tens, 4)]:
        line = (cell,) * len(layout.columns)
        other = Chart(layout, (*chart.cells[:index], line, *chart.cells[index + 1 :]))
        gain = gains.of_totals(other) - gains.now if row.pair is None else gains.of_pairs(other) - pairs
        assert gain[index] == pytest.approx(column_values(sheet, other) - before, abs=1e-14), (row.title, cell)
        assert np.count_nonzero(np.delete(gain, index, axis=0)) == 0


@pytest.mark.slow
def test_the_search_solves_the_game_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not once for each of about 180 cells and rows; with exceptions, once for each change that is close."""
    solved: list[object] = []
    solve = cell_search.solve

    def counted(*args: object, **options: object) -> object:
        solved.append(args)
        return solve(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(cell_search, "solve", counted)
    sheet = holecard.rules("classic", decks=1, split_hands=2)
    best = best_chart(sheet)
    assert len(solved) <= 6
    solved.clear()
    with_exceptions(best, sheet)
    assert len(solved) <= 60
