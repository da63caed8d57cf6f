"""The search for exceptions to a chart: two-card hands that are better played differently from their total.

An exception changes the first decision only; what follows goes by the chart. So the best exceptions follow from the
rows: one is made wherever another action has a higher EV over all deals of two cards in a column. A row may then be
better with another cell ("stand on 16 against a ten, but hit T,6 and 9,7"): every legal cell is priced in every place
with the exceptions that go with it, until no single change improves the whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from holecard.charts.chart import Chart
from holecard.charts.layout import Layout
from holecard.charts.letters import ACTIONS, CLOSING
from holecard.charts.two_card_exceptions import TwoCards
from holecard.composition import ShoeLike
from holecard.exact.charts.best_chart import BestChart
from holecard.exact.charts.cell_gains import column_evs
from holecard.exact.charts.cell_search import BETTER, CellSearch
from holecard.exact.error_bound import error_bound
from holecard.exact.main.initial_hands import InitialHand
from holecard.exact.main.policy import EARLY_SURRENDER, start_columns
from holecard.exact.solved_game import SolvedGame, game_ev, solve_game
from holecard.kernels.arrays import Floats
from holecard.sheets.read import RulesLike

#: What was searched, for a caption.
SEARCHED_WITH_EXCEPTIONS = (
    "Every legal cell was tried in every place, one at a time, with the exceptions that go with it: "
    "no single change improves this chart."
)


def with_exceptions(best: BestChart, game: RulesLike, shoe: ShoeLike | None = None) -> BestChart:
    """Return the rows and exceptions that are best together, starting from the rows of the best chart."""
    layout = best.chart.layout
    known = solve_game(game, shoe, best.chart)
    search = CellSearch(known, layout, _excepted)
    plain = Chart(layout, search.run(best.chart.cells))
    chart = replace(plain, exceptions=tuple(_exceptions(solve_game(game, shoe, plain), plain)))
    solved = solve_game(game, shoe, chart)
    bound = error_bound(solved.solution, solved.decisions)
    ev = game_ev(solved)
    return replace(best, chart=chart, ev=ev, error_bound=bound, searched=SEARCHED_WITH_EXCEPTIONS, plain_ev=best.ev)


def _excepted(solved: SolvedGame, layout: Layout, initial: InitialHand, actions: list[str]) -> list[str]:
    """Return [start] what is done with the first two cards, with an exception in the columns where that is better."""
    columns = start_columns(solved.game, layout)
    best, found = column_evs(solved, layout, initial, actions), actions
    for letter, other in _others(solved, layout, initial):
        better, instead = other > best + BETTER, _instead(initial, letter)
        found = [instead[start] if better[column] else found[start] for start, column in enumerate(columns)]
        best = np.where(better, other, best)
    return found


def _others(solved: SolvedGame, layout: Layout, initial: InitialHand) -> Iterator[tuple[str, Floats]]:
    """Yield the letters that may be written for two cards, with [column] what they add to the EV of the game."""
    hands = solved.game.hands
    if initial.is_natural or initial.low == initial.high:
        return
    row = layout.row(int(hands.total[initial.hand]), bool(hands.soft[initial.hand]))
    for letter in "" if row is None else layout.rows[row].letters:
        if instead := _instead(initial, letter):
            yield letter, column_evs(solved, layout, initial, instead)


def _exceptions(solved: SolvedGame, chart: Chart) -> Iterator[TwoCards]:
    """Yield the exceptions that improve a chart."""
    hands = solved.game.hands
    for initial, actions in solved.decisions:
        others = dict(_others(solved, chart.layout, initial))
        if not others:
            continue
        evs = column_evs(solved, chart.layout, initial, actions)
        row = chart.layout.row(int(hands.total[initial.hand]), bool(hands.soft[initial.hand]))
        assert row is not None
        for column, cell in enumerate(chart.cells[row]):
            letter = max(others, key=lambda other: others[other][column])
            if others[letter][column] > evs[column] + BETTER:
                yield TwoCards(initial.low, initial.high, column, letter if letter in CLOSING else letter + cell[-1])


def _instead(initial: InitialHand, letter: str) -> list[str]:
    """Return [start] the action of a letter; nothing where it is never allowed."""
    action, early = ACTIONS[letter], np.logical_not(np.isnan(initial.early_surrender_ev)).tolist()
    if action not in initial.actions:
        return []
    return [EARLY_SURRENDER if letter == "R" and asked else action for asked in early]
