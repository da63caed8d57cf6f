"""What two cards are worth playing otherwise than their total: exceptions to a chart, and what they gain.

Only the first decision changes, and what follows goes by the chart, so each exception stands for itself: it is made
where another action is worth more over all deals of these two cards in its column.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from holecard.exact.analysis import Played, deal_worths, play, value_of
from holecard.exact.best_chart import BestChart
from holecard.exact.composition import ShoeLike
from holecard.exact.error_bound import error_bound
from holecard.exact.openings import Opening
from holecard.exact.plans import EARLY_SURRENDER
from holecard.sheets.read import RulesLike
from holecard.strategy.chart import Chart
from holecard.strategy.exceptions import TwoCards
from holecard.strategy.letters import ACTIONS, CLOSING

_BETTER = 1e-12


def with_exceptions(best: BestChart, game: RulesLike, shoe: ShoeLike | None = None) -> BestChart:
    """The same chart with every exception that gains something, and its value with them."""
    played = play(game, shoe, best.chart)
    chart = replace(best.chart, exceptions=tuple(_exceptions(played, best.chart)))
    played = play(game, shoe, chart)
    bound = error_bound(played.solution, played.decided)
    return replace(best, chart=chart, ev=value_of(played), error_bound=bound)


def _exceptions(played: Played, chart: Chart) -> Iterator[TwoCards]:
    hands = played.game.hands
    columns = np.array([chart.layout.column(shown) for shown in played.game.dealer.shown])
    for opening, actions in played.decided:
        if opening.is_natural or opening.low == opening.high:
            continue
        row = chart.layout.row(int(hands.total[opening.hand]), bool(hands.soft[opening.hand]))
        if row is None:
            continue
        weighed = _weighed(played, opening, columns, actions)
        others = {
            letter: _weighed(played, opening, columns, wanted)
            for letter in chart.layout.rows[row].letters
            if (wanted := _instead(opening, letter))
        }
        for column, cell in enumerate(chart.cells[row]):
            letter = max(others, key=lambda other: others[other][column])
            if others[letter][column] > weighed[column] + _BETTER:
                yield TwoCards(opening.low, opening.high, column, letter if letter in CLOSING else letter + cell[-1])


def _weighed(played: Played, opening: Opening, columns: NDArray[np.int64], actions: list[str]) -> NDArray[np.float64]:
    """[column] what these actions are worth over all deals in it; nothing is worse than one that is not allowed."""
    worths = deal_worths(played, opening, actions)
    weighed = np.where(opening.chance > 0, opening.chance * np.where(np.isnan(worths), -np.inf, worths), 0.0)
    found = np.zeros(columns.max() + 1)
    np.add.at(found, columns, weighed)
    return found


def _instead(opening: Opening, letter: str) -> list[str]:
    """[start] what a letter comes to; nothing where it is never allowed."""
    action, early = ACTIONS[letter], np.logical_not(np.isnan(opening.before_check)).tolist()
    if action not in opening.actions:
        return []
    return [EARLY_SURRENDER if letter == "R" and asked else action for asked in early]
