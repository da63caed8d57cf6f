"""Play a chart through the engine, over every deal of a small shoe: the only arithmetic is counting cards.

`walk` does this in the simplest way; `ChartGame` caches states, for rounds with many hands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction

from holecard.charts.chart import Chart
from holecard.deck import card
from holecard.sheets.read import RulesLike
from holecard.sheets.schema import RuleSheet
from holecard.table.advance import advance, start
from holecard.table.events import Act, Action, Bet, Deal, NoMoreBets, Place
from holecard.table.state import State
from tests.exact.slow_oracle import SlowGame


def walk(sheet: RuleSheet, chart: Chart, shoe: Mapping[str, int], stake: int) -> dict[Fraction, Fraction]:
    """The net results of a round per unit of the stake (in dollars) with their probabilities, when a seat follows the
    chart.
    """
    state = advance(advance(start(sheet.tables), Bet(1, stake)), NoMoreBets())
    found: dict[Fraction, Fraction] = defaultdict(Fraction)
    _on(state, chart, dict(shoe), Fraction(1), found)
    units = sum(state.seats[0].hands[0].stakes)
    return {Fraction(net, units): probability for net, probability in found.items()}


def _on(
    state: State, chart: Chart, left: dict[str, int], probability: Fraction, found: dict[Fraction, Fraction]
) -> None:
    if state.phase == "done":
        found[Fraction(sum(result.net for result in state.results))] += probability
    elif state.wants_card:
        cards = sum(left.values())
        for rank, count in left.items():
            if count:
                rest = {**left, rank: count - 1}
                _on(advance(state, Deal(card(f"{rank}s"))), chart, rest, probability * Fraction(count, cards), found)
    elif state.phase in ("after the check", "last call"):
        _on(advance(state, Place(1)), chart, left, probability, found)
    else:
        _on(advance(state, Act(1, chart.act(state))), chart, left, probability, found)


class ChartGame(SlowGame):
    """A game played by a chart instead of the best play, in integers and through the engine."""

    def __init__(self, game: RulesLike, chart: Chart, shoe: Mapping[str, int]) -> None:
        super().__init__(game, shoe)
        self.chart = chart

    def choose(self, state: State) -> Action:
        """The action of the chart."""
        return self.chart.act(state)

    def distribution(self) -> dict[Fraction, Fraction]:
        """The net results of a round in units of the initial stake, with their probabilities."""
        found: dict[Fraction, Fraction] = defaultdict(Fraction)
        for (net, _), orders in self.play(self.begun, self.full).items():
            found[Fraction(net, self.unit)] += Fraction(orders, self.orders)
        return found

    def value(self) -> Fraction:
        """The EV per unit of initial stake."""
        return sum((net * probability for net, probability in self.distribution().items()), Fraction(0))
