"""The only approximation, confirmed by simulation: pairs split to three and four hands, through the engine."""

from __future__ import annotations

import random
from math import sqrt

import numpy as np
import pytest

import holecard
from holecard.charts.chart import Chart
from holecard.charts.named_strategies import mimic_the_dealer
from holecard.deck import DECK, Card
from holecard.exact.analysis import analyze
from holecard.exact.charts.best_chart import best_chart
from holecard.exact.distribution.split_distribution import SplitPair, split_distribution
from holecard.exact.main.dealer_outcomes import dealer_outcomes
from holecard.exact.solved_game import SolvedGame, solve_game
from holecard.table.advance import advance, start
from holecard.table.events import Act, Bet, Deal, NoMoreBets

ROUNDS = 400_000
_RANKS = "A23456789T"


def _second_moment(played: SolvedGame, rank: int, upcard: int) -> float:
    """E[net²] of a split pair, given that the dealer has no blackjack, from the analysis."""
    game, counts = played.game, played.solution.counts
    pair_left = float(counts[rank] - game.dealer.starts.cards[upcard, rank])
    pair = SplitPair(rank, upcard, 1.0, pair_left)
    split = split_distribution(game, dealer_outcomes(game), counts, played.solution.policies, pair)
    found = split.net_results.distribution()
    return sum(float(net) ** 2 * probability for net, probability in found) / sum(
        probability for _, probability in found
    )


def _play_one(sheet: holecard.RuleSheet, chart: Chart, rank: int, upcard: int, shoe: random.Random) -> float | None:
    """Net result in units of one round that begins with the pair; None if the dealer has a natural."""
    left = list(DECK) * sheet.shoe.decks

    def take(value: int) -> Card:
        return left.pop(next(i for i, card in enumerate(left) if card.value == value))

    fixed = [take(rank + 1), take(upcard + 1), take(rank + 1)]
    state = advance(advance(start(sheet.tables), Bet(1, "$10")), NoMoreBets())
    while state.phase != "done":
        if state.wants_card:
            card = fixed.pop(0) if fixed else left.pop(shoe.randrange(len(left)))
            state = advance(state, Deal(card))
        else:
            state = advance(state, Act(1, chart.act(state)))
    natural = len(state.dealer) == 2 and state.dealer_total == 21
    return None if natural else sum(int(result.net) for result in state.results) / 1000


@pytest.mark.slow
def test_the_deviation_of_resplit_pairs_is_within_1e_4() -> None:
    """Every pair that the chart splits is played in proportion to its weight; together they give the deviation to about
    1e-4.
    """
    sheet = holecard.rules("classic")
    chart = best_chart(sheet).chart
    played, whole = solve_game(sheet, strategy=chart), analyze(sheet, strategy=chart, wagers=False).main
    spots = [
        (opening.low - 1, upcard, float(opening.probability[upcard] * opening.no_natural[upcard]))
        for opening, actions in played.decisions
        for upcard, action in enumerate(actions)
        if action == "split"
    ]
    every = sum(probability for _, _, probability in spots)
    shoe = random.Random(20261115)
    gap, variance = 0.0, 0.0
    for rank, upcard, probability in spots:
        wanted = max(200, round(ROUNDS * probability / every))
        nets = [_play_one(sheet, chart, rank, upcard, shoe) for _ in range(wanted)]
        squares = np.array([net**2 for net in nets if net is not None])
        expected = _second_moment(played, rank, upcard)
        error = float(squares.std(ddof=1)) / sqrt(squares.size)
        assert abs(float(squares.mean()) - expected) < 5 * error, f"{_RANKS[rank]} v {_RANKS[upcard]}"
        gap += probability * (float(squares.mean()) - expected)
        variance += (probability * error) ** 2
    off, known_to = gap / (2 * whole.standard_deviation), sqrt(variance) / (2 * whole.standard_deviation)
    stated = whole.standard_deviation_error
    print(f"sd {whole.standard_deviation:.7f}, off by {off:+.1e} +- {known_to:.1e}, stated within {stated:.1e}")
    assert known_to < 1.3e-4
    assert abs(off) < whole.standard_deviation_error + 3 * known_to


@pytest.mark.slow
def test_a_wrong_chart_would_be_noticed() -> None:
    """The same comparison fails clearly with a chart other than the analyzed one."""
    sheet = holecard.rules("classic")
    played, other = solve_game(sheet, strategy=best_chart(sheet).chart), mimic_the_dealer(sheet.tables)
    shoe = random.Random(1)
    nets = [_play_one(sheet, other, 7, 9, shoe) for _ in range(4000)]
    squares = np.array([net**2 for net in nets if net is not None])
    error = float(squares.std(ddof=1)) / sqrt(squares.size)
    assert abs(float(squares.mean()) - _second_moment(played, 7, 9)) > 5 * error
