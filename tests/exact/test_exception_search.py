"""Exceptions for two cards: their EV is what the engine plays, and each of them is a gain."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import holecard
from holecard.charts.chart import Chart
from holecard.charts.letters import ACTIONS
from holecard.charts.two_card_exceptions import TwoCards
from holecard.exact.charts.best_chart import BestChart, best_chart
from holecard.exact.charts.exception_search import with_exceptions
from holecard.exact.solved_game import game_ev, main_ev, solve_game
from holecard.sheets.schema import RuleSheet
from tests.exact.test_charts import SHOE, agrees, two_hands

SLOW = pytest.mark.slow


def excepted(game: str | Path, **settings: object) -> tuple[RuleSheet, BestChart, BestChart]:
    """A sheet, its best chart for full decks, and that chart with the exceptions of a small shoe."""
    sheet = two_hands(game, **settings)
    best = best_chart(sheet)
    return sheet, best, with_exceptions(best, sheet, SHOE)


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    ["classic", *(pytest.param(game, marks=SLOW) for game in ("double-up", "quick-pay", "early-bird", "european"))],
)
def test_they_are_priced_as_the_engine_plays_them(game: str) -> None:
    sheet, _, found = excepted(game)
    assert found.chart.exceptions
    agrees(sheet, found.chart)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["classic", *(pytest.param(game, marks=SLOW) for game in ("face-up", "early-bird"))])
def test_each_gains_something_and_no_other_would(game: str) -> None:
    sheet, best, found = excepted(game)
    chart, value = found.chart, main_ev(sheet, SHOE, found.chart)
    assert found.ev == value > main_ev(sheet, SHOE, best.chart)
    for one in chart.exceptions:
        fewer = replace(chart, exceptions=tuple(other for other in chart.exceptions if other != one))
        assert main_ev(sheet, SHOE, fewer) < value, one.title(chart.layout)
    for low, high in ((1, 6), (1, 9), (6, 9), (6, 10), (9, 10)):
        for column in range(0, len(chart.layout.columns), 1 + len(chart.layout.columns) // 12):
            others = tuple(one for one in chart.exceptions if one[:3] != (low, high, column))
            for cell in "HS":
                tried = replace(chart, exceptions=(*others, TwoCards(low, high, column, cell)))
                assert main_ev(sheet, SHOE, tried) <= value + 1e-12, (low, high, column, cell)


@pytest.mark.slow
@pytest.mark.parametrize(("decks", "gain", "share"), [(6, 1.57e-5, 0.57), (1, 2.4e-4, 0.7)])
def test_sixteen_stands_against_a_ten_but_not_with_two_cards(decks: int, gain: float, share: float) -> None:
    """This is known for six decks and for one: two cards hit, three stand, and that is most of the chart's cost."""
    sheet = holecard.rules("classic", decks=decks)
    best = best_chart(sheet)
    found = with_exceptions(best, sheet)
    layout = found.chart.layout
    row, column = layout.row(16, False), layout.column((10,))
    assert row is not None
    assert (best.chart.cells[row][column], found.chart.cells[row][column]) == ("H", "S")
    titles = {one.title(layout): one.cell for one in found.chart.exceptions}
    assert titles["T,6 v T"] == titles["9,7 v T"] == "H"
    assert found.ev == main_ev(sheet, strategy=found.chart)
    assert found.ev - best.ev > gain
    assert (found.ev - best.ev) / best.cost > share
    for one in found.chart.exceptions:
        assert holecard.evaluate(sheet, one.title(layout)).choices[0].action == ACTIONS[one.cell[0]]


@pytest.mark.slow
@pytest.mark.parametrize("decks", [1, 6])
def test_no_other_row_with_its_exceptions_is_better(decks: int) -> None:
    sheet = holecard.rules("classic", decks=decks)
    found = with_exceptions(best_chart(sheet), sheet)
    rows, column = found.chart.layout.rows, found.chart.layout.column((10,))
    for index, row in enumerate(rows):
        for cell in "HS" if not row.pair else ("P", "PH", "PS", "PD", "-", "H", "S"):
            line = [*found.chart.cells[index]]
            line[column] = cell
            cells = (*found.chart.cells[:index], tuple(line), *found.chart.cells[index + 1 :])
            assert best_with_exceptions(sheet, Chart(found.chart.layout, cells)) <= found.ev + 1e-12, (row, cell)


def best_with_exceptions(sheet: RuleSheet, chart: Chart) -> float:
    """Every first hand of two different cards at its best, deal by deal; everything else by the chart."""
    played = solve_game(sheet, strategy=chart)
    value = game_ev(played)
    for opening, actions in played.decisions:
        if opening.low != opening.high and not opening.is_natural:
            done = [float(opening.actions[action][start]) for start, action in enumerate(actions)]
            most = np.nanmax(np.array(list(opening.actions.values())), axis=0)
            value += float(opening.probability @ (most - done))
    return value
