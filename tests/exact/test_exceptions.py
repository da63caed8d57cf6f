"""Exceptions for two cards: priced as the engine plays them, and each of them worth it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import holecard
from holecard.exact.analysis import main_value
from holecard.exact.best_chart import BestChart, best_chart
from holecard.exact.exceptions import with_exceptions
from holecard.sheets.schema import RuleSheet
from holecard.strategy.exceptions import TwoCards
from holecard.strategy.letters import ACTIONS
from tests.exact.test_charts import EXAMPLES, SHOE, agrees, two_hands


def excepted(game: str | Path, **settings: object) -> tuple[RuleSheet, BestChart, BestChart]:
    """A sheet, its best chart for full decks, and that chart with what the small shoe excepts from it."""
    sheet = two_hands(game, **settings)
    best = best_chart(sheet)
    return sheet, best, with_exceptions(best, sheet, SHOE)


@pytest.mark.parametrize("game", ["classic", "double-up", "quick-pay", "face-up", "early-bird", "european"])
def test_they_are_priced_as_the_engine_plays_them(game: str) -> None:
    sheet, _, found = excepted(EXAMPLES.get(game, game))
    assert found.chart.exceptions
    agrees(sheet, found.chart)


@pytest.mark.parametrize("game", ["classic", "face-up", "early-bird"])
def test_each_gains_something_and_no_other_would(game: str) -> None:
    sheet, best, found = excepted(EXAMPLES.get(game, game))
    chart, value = found.chart, main_value(sheet, SHOE, found.chart)
    assert found.ev == value > main_value(sheet, SHOE, best.chart)
    for one in chart.exceptions:
        fewer = replace(chart, exceptions=tuple(other for other in chart.exceptions if other != one))
        assert main_value(sheet, SHOE, fewer) < value, one.title(chart.layout)
    for low, high in ((1, 6), (1, 9), (6, 9), (6, 10), (9, 10)):
        for column in range(0, len(chart.layout.columns), 1 + len(chart.layout.columns) // 12):
            others = tuple(one for one in chart.exceptions if one[:3] != (low, high, column))
            for cell in "HS":
                tried = replace(chart, exceptions=(*others, TwoCards(low, high, column, cell)))
                assert main_value(sheet, SHOE, tried) <= value + 1e-12, (low, high, column, cell)


def test_a_single_deck_has_four() -> None:
    """And what they say is what one spot after the other says, by another way of reckoning."""
    sheet = holecard.rules("classic", decks=1)
    best = best_chart(sheet)
    found = with_exceptions(best, sheet)
    titles = [one.title(found.chart.layout) for one in found.chart.exceptions]
    assert titles == ["6,2 v 6", "T,2 v 4", "8,4 v 3", "7,5 v 3"]
    assert best.ev < found.ev < found.optimum_ev
    for one, title in zip(found.chart.exceptions, titles, strict=True):
        assert holecard.evaluate(title, sheet).choices[0].action == ACTIONS[one.cell[0]]
