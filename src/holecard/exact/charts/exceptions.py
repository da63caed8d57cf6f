"""Exceptions to a chart: two cards that are better played otherwise than their total, searched together with the rows.

An exception changes the first decision only, and what follows goes by the chart. So the best exceptions follow from the
rows: one is made wherever another action is worth more over all deals of two cards in a column. A row may then be
better otherwise ("stand on 16 against a ten, but hit T,6 and 9,7"): every legal cell is priced in every place with the
exceptions that go with it, until no single change improves the whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from holecard.charts.chart import Chart
from holecard.charts.exceptions import TwoCards
from holecard.charts.layout import Layout
from holecard.charts.letters import ACTIONS, CLOSING
from holecard.composition import ShoeLike
from holecard.exact.analysis import Played, play, value_of
from holecard.exact.charts.best_chart import BestChart
from holecard.exact.charts.cell_gains import column_values
from holecard.exact.charts.cell_search import BETTER, CellSearch
from holecard.exact.error_bound import error_bound
from holecard.exact.main.initial_hands import Opening
from holecard.exact.main.policy import EARLY_SURRENDER, start_columns
from holecard.sheets.read import RulesLike

Floats = NDArray[np.float64]


#: What was searched, as a caption says it.
SEARCHED = (
    "Every legal cell was tried in every place, one at a time, with the exceptions that go with it: "
    "no single change improves this chart."
)


def with_exceptions(best: BestChart, game: RulesLike, shoe: ShoeLike | None = None) -> BestChart:
    """Rows and exceptions that are best together, beginning with the rows of the best chart."""
    layout = best.chart.layout
    known = play(game, shoe, best.chart)
    search = CellSearch(known, layout, _excepted)
    plain = Chart(layout, search.run(best.chart.cells))
    chart = replace(plain, exceptions=tuple(_exceptions(play(game, shoe, plain), plain)))
    played = play(game, shoe, chart)
    bound = error_bound(played.solution, played.decided)
    ev = value_of(played)
    return replace(best, chart=chart, ev=ev, error_bound=bound, searched=SEARCHED, plain_ev=best.ev)


def _excepted(played: Played, layout: Layout, opening: Opening, actions: list[str]) -> list[str]:
    """[start] what is done with the first two cards, excepted in the columns where that is better."""
    columns = start_columns(played.game, layout)
    best, found = column_values(played, layout, opening, actions), actions
    for letter, other in _others(played, layout, opening):
        better, instead = other > best + BETTER, _instead(opening, letter)
        found = [instead[start] if better[column] else found[start] for start, column in enumerate(columns)]
        best = np.where(better, other, best)
    return found


def _others(played: Played, layout: Layout, opening: Opening) -> Iterator[tuple[str, Floats]]:
    """Letters that may be written for two cards, with [column] what they add to the value of the game."""
    hands = played.game.hands
    if opening.is_natural or opening.low == opening.high:
        return
    row = layout.row(int(hands.total[opening.hand]), bool(hands.soft[opening.hand]))
    for letter in "" if row is None else layout.rows[row].letters:
        if instead := _instead(opening, letter):
            yield letter, column_values(played, layout, opening, instead)


def _exceptions(played: Played, chart: Chart) -> Iterator[TwoCards]:
    hands = played.game.hands
    for opening, actions in played.decided:
        others = dict(_others(played, chart.layout, opening))
        if not others:
            continue
        values = column_values(played, chart.layout, opening, actions)
        row = chart.layout.row(int(hands.total[opening.hand]), bool(hands.soft[opening.hand]))
        assert row is not None
        for column, cell in enumerate(chart.cells[row]):
            letter = max(others, key=lambda other: others[other][column])
            if others[letter][column] > values[column] + BETTER:
                yield TwoCards(opening.low, opening.high, column, letter if letter in CLOSING else letter + cell[-1])


def _instead(opening: Opening, letter: str) -> list[str]:
    """[start] what a letter comes to; nothing where it is never allowed."""
    action, early = ACTIONS[letter], np.logical_not(np.isnan(opening.before_check)).tolist()
    if action not in opening.actions:
        return []
    return [EARLY_SURRENDER if letter == "R" and asked else action for asked in early]
