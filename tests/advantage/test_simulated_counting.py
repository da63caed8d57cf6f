"""Exact values and simulated rounds agree: the win of a player who counts, and what index plays add."""

from __future__ import annotations

from fractions import Fraction
from math import hypot

import numpy as np
import pytest

import holecard
from holecard.advantage.counting_result import Counting
from holecard.advantage.index_plays.index_search import index_plays
from holecard.counts import CountPlayer, Ramp, count_of

ROUNDS = 40_000_000


@pytest.fixture(scope="module")
def found() -> Counting:
    return holecard.counting("classic", wagers=("main",), shoes=300)


@pytest.mark.slow
def test_the_win_of_a_hi_lo_player_is_the_simulated_one(found: Counting) -> None:
    """Bets by the count and play by the chart, in units per 100 rounds; and the EV at each common reading."""
    plays = found.index_plays
    assert plays is not None
    main = found.wager("main")
    gains = main.at_cut(75)
    assert gains is not None
    exact = gains.counts[0].spread_gain
    assert exact is not None
    player = CountPlayer(plays.count, plays.ramp, cut=75)
    sampled = holecard.simulate_count("classic", player, ROUNDS)
    won = sampled.main.won
    assert 100 * won.ev == pytest.approx(exact.mean, abs=4 * hypot(exact.standard_error, 100 * won.standard_error))
    rows = {row.reading: row.estimate for row in sampled.main.rows if not row.ends}
    compared = [edge for edge in main.by_reading if abs(edge.reading) <= 4 and edge.up_to == edge.reading in rows]
    assert len(compared) >= 7
    for edge in compared:
        simulated = rows[edge.reading]
        assert edge.ev.mean == pytest.approx(
            simulated.ev, abs=4.5 * hypot(edge.ev.standard_error, simulated.standard_error)
        )


@pytest.mark.slow
def test_index_plays_gain_what_was_found(found: Counting) -> None:
    """All of them, on top of the chart, with the same bets and the same shoes."""
    plays = found.index_plays
    assert plays is not None
    predicted = sum(one.spread_gain for one in plays.plays)
    without = holecard.simulate_count("classic", CountPlayer(plays.count, plays.ramp, cut=75), ROUNDS)
    with_plays = holecard.simulate_count("classic", plays.player(), ROUNDS)
    gain = 100 * (with_plays.total.won.ev - without.total.won.ev)
    error = 100 * hypot(with_plays.total.won.standard_error, without.total.won.standard_error)
    assert predicted > 0.3
    assert gain == pytest.approx(predicted, abs=3 * error)


@pytest.mark.slow
@pytest.mark.parametrize(("decks", "cuts"), [(1, (60, 75, 90)), (2, (90,))])
def test_the_win_from_few_decks_is_the_simulated_one(decks: int, cuts: tuple[int, ...]) -> None:
    """Many rounds have too few cards for an exact value: up to a third of one deck at 90%, the most valuable ones.

    Without them, the win from one deck would be 4.0 units at each of these cut cards.
    """
    sheet = holecard.rules("classic", decks=decks)
    main = holecard.counting(sheet, wagers="main", shoes=500, plays=False).wager("main")
    for cut in cuts:
        gains = main.at_cut(cut)
        assert gains is not None
        assert gains.rounds_approximated > 0
        exact, large_from = gains.counts[0].spread_gain, gains.counts[0].bet_at
        assert exact is not None
        assert large_from is not None
        bets = Ramp((large_from,), (Fraction(1), Fraction(8)))
        won = holecard.simulate_count(sheet, CountPlayer(count_of("hi-lo"), bets, cut=cut), ROUNDS // 4).main.won
        error = hypot(exact.standard_error, 100 * won.standard_error)
        assert error < 0.5
        assert exact.mean == pytest.approx(100 * won.ev, abs=3 * error)


@pytest.mark.slow
def test_a_neutral_count_of_one_deck_pays() -> None:
    """Most rounds at 0 come after the first, and are worth more than a full deck: large bets begin there."""
    sheet = holecard.rules("classic", decks=1)
    sampled = holecard.simulate_count(sheet, CountPlayer(count_of("hi-lo"), Ramp(), cut=75), ROUNDS)
    evs = {row.reading: row.estimate for row in sampled.main.rows}
    assert evs[0].ev > 3 * evs[0].standard_error
    assert evs[-2].ev < -3 * evs[-2].standard_error
    assert index_plays(sheet, count_of("hi-lo"), cut=75).large_bet_from == 0


@pytest.mark.slow
def test_errors_of_a_counter_with_a_reading_for_each_upcard_are_those_of_other_seeds() -> None:
    """Hedge 18, with 16 seeds: the spread of the gains is the error that each states, within the luck of 16."""
    found = [holecard.counting("quick-pay", wagers="Hedge 18", shoes=2, seed=seed).wagers[0] for seed in range(16)]
    gains = [one.at_cut(75) for one in found]
    for which in range(2):
        means = [one.counts[which].gain for one in gains if one is not None]
        assert len(means) == 16
        stated = np.mean([one.standard_error for one in means])
        assert 0.5 < np.std([one.mean for one in means], ddof=1) / stated < 1.7
