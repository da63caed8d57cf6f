"""The shoe that a count leads its player to expect, and the game solved from it.

With U cards not seen, p the share of a card in a full shoe, T its tag, m and v the mean and the variance of the tags of
a deck, and d the excess of the tags seen over their mean, per card not seen (a true count per deck is 52 d), the
expected number of such cards among those not seen is

    U p (1 - d (T - m) / v)

This is the best linear prediction. It is the exact mean where a count has two different tags, and close to it for all
others: the cards not seen are a random part of the shoe, and the mean given their sum of tags is nearly linear in it. A
shoe of expected numbers has fractions of cards, from which the game is solved like from whole cards.

The game is solved from a full shoe with the expected shares: the cards left are a random part of the shoe, and a round
from a random part, averaged over all parts, is a round from the whole. For the same reason, a hand and the dealer's
visible cards are taken out of the full shoe: they are known not to be among the cards seen earlier. The excess d is
then that of the cards seen earlier over their mean in a full shoe without these cards.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from holecard.charts.chart import Chart
from holecard.composition import Composition
from holecard.counts import Count
from holecard.exact.main.initial_hands import initial_hands
from holecard.exact.main.policy import decide_initial_hands, policies_of
from holecard.exact.main.prepared_game import prepared_game
from holecard.exact.main.solve import solve
from holecard.exact.solved_game import SolvedGame
from holecard.kernels.arrays import Floats
from holecard.sheets.schema import RuleSheet

#: A value of which fewer cards than this are expected leaves too little room for a round.
_FEWEST = 3.0


def tag_moments(count: Count) -> tuple[float, float]:
    """Return the mean and the variance of the tags of a deck."""
    tags = np.array(count.tags, np.float64)
    return float(tags.mean()), float(tags.var())


def expected_cards(count: Count, unseen: float, excess: float) -> Floats:
    """Return [card] the expected cards among `unseen`, given the excess of the tags seen per card not seen."""
    tags = np.array(count.tags, np.float64)
    mean, variance = tag_moments(count)
    cards: Floats = unseen / 52 * (1 - excess * (tags - mean) / variance)
    return cards


def expected_excess_limits(count: Count, unseen: float) -> tuple[float, float]:
    """Return the lowest and highest excess with which every value is still expected in the shoe."""
    slopes = _values((np.array(count.tags, np.float64) - tag_moments(count)[0]) / tag_moments(count)[1] * unseen / 52)
    average = _values(np.full(52, unseen / 52))
    room = np.maximum(average - _FEWEST, 0.25 * average)
    high = min((float(r / s) for r, s in zip(room, slopes, strict=True) if s > 0), default=np.inf)
    low = max((float(r / s) for r, s in zip(room, slopes, strict=True) if s < 0), default=-np.inf)
    return low, high


def solve_expected(sheet: RuleSheet, cards: Floats, chart: Chart | None = None) -> SolvedGame:
    """Solve the game from expected numbers of the 52 cards, played by a chart if one is given."""
    ranks = cards.reshape(13, 4).sum(axis=1)
    # A Composition counts whole cards; the solver only adds, subtracts and divides what it holds.
    shoe = Composition(cast(tuple[int, ...], tuple(float(number) for number in ranks)))
    game = prepared_game(sheet.tables)
    solution = solve(game, _values(cards), None if chart is None else policies_of(game, chart))
    return SolvedGame(sheet, shoe, solution, decide_initial_hands(initial_hands(solution, shoe), chart, game))


def expected_factors(count: Count, excess: float) -> Floats:
    """Return [v] the expected cards of each value, divided by those of an average shoe of the same size."""
    return _values(expected_cards(count, 52.0, excess)) / _values(np.ones(52))


def _values(cards: Floats) -> Floats:
    """Return [v] from [card]."""
    ranks = cards.reshape(13, 4).sum(axis=1)
    values: Floats = np.append(ranks[:9], ranks[9:].sum())
    return values
