"""Exact values and simulated rounds agree: the win of a player who counts, and what index plays add."""

from __future__ import annotations

from math import hypot

import pytest

import holecard
from holecard.advantage.counting_result import Counting
from holecard.counts import CountPlayer

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
    compared = [edge for edge in main.by_reading if abs(edge.reading) <= 4 and edge.reading in rows]
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
    gain = 100 * (with_plays.main.won.ev - without.main.won.ev)
    error = 100 * hypot(with_plays.main.won.standard_error, without.main.won.standard_error)
    assert predicted > 0.3
    assert gain == pytest.approx(predicted, abs=3 * error)
