"""Exact risk of ruin: against every sequence of results in fractions, against closed forms, within its error."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import comb, exp, log, prod, sqrt
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.kernels.play import bankroll_paths
from holecard.simulation.bankroll import ruin
from holecard.simulation.bankroll.ruin import course, endless_play, moments, on_a_grid, rounds_to_detect, walk_of

F = Fraction
Probabilities = dict[Fraction, Fraction]

FAIR: Probabilities = {F(1): F(1, 2), F(-1): F(1, 2)}
#: With dyadic probabilities, so that the floats equal the fractions.
TINY: dict[str, tuple[Probabilities, int, int]] = {
    "a fair coin": (FAIR, 300, 100),
    "one bet only": (FAIR, 100, 100),
    "halves, a double and a push": (
        {F(-2): F(1, 8), F(-1): F(3, 8), F(0): F(1, 8), F(1): F(1, 4), F(3, 2): F(1, 16), F(2): F(1, 16)},
        250,
        100,
    ),
    "a bankroll between the parts": ({F(-3): F(1, 4), F(-1, 2): F(1, 4), F(3, 5): F(1, 2)}, 333, 100),
    "a round that always loses": ({F(-1): F(1, 2), F(-2): F(1, 2)}, 450, 100),
    "a round that never loses": ({F(0): F(1, 2), F(1, 3): F(1, 2)}, 100, 100),
}


def floats(probabilities: Probabilities) -> list[tuple[Fraction, float]]:
    return [(net, float(probability)) for net, probability in probabilities.items()]


def every_sequence(probabilities: Probabilities, bankroll: int, stake: int, rounds: int) -> Probabilities:
    """The bankroll in cents after a number of rounds, by playing each sequence of results to its end or to ruin."""
    owned_by: Probabilities = {}
    for sequence in product(probabilities, repeat=rounds):
        owned = F(bankroll)
        for net in sequence:
            if owned >= stake:
                owned += net * stake
        owned_by[owned] = owned_by.get(owned, F(0)) + prod(probabilities[net] for net in sequence)
    return owned_by


@pytest.mark.parametrize("name", TINY)
def test_the_course_is_that_of_every_sequence(name: str) -> None:
    """After each of five rounds: every bankroll has its probability, ruined or not, within the stated error."""
    probabilities, bankroll, stake = TINY[name]
    walk = walk_of(floats(probabilities), bankroll, stake)
    for moment in course(walk, range(6)):
        expected = every_sequence(probabilities, bankroll, stake, moment.played)
        found = {
            bankroll + F((int(spare) - walk.margin) * stake, walk.scale): probability
            for spare, probability in zip(moment.spares, moment.probabilities, strict=True)
            if probability
        }
        assert set(found) == set(expected)
        assert all(abs(found[owned] - float(probability)) <= moment.error for owned, probability in expected.items())
        ruined = sum(probability for owned, probability in expected.items() if owned < stake)
        assert abs(moment.ruined - float(ruined)) <= moment.error
        assert moment.error < 1e-12


@pytest.mark.parametrize("name", TINY)
@pytest.mark.parametrize("share", [0.05, 0.25, 0.5, 0.9])
def test_a_quantile_is_the_least_amount_not_exceeded(name: str, share: float) -> None:
    """By definition, from every sequence; and amounts are those of the spare money, to the cent."""
    probabilities, bankroll, stake = TINY[name]
    walk = walk_of(floats(probabilities), bankroll, stake)
    (moment,) = course(walk, [4])
    expected = every_sequence(probabilities, bankroll, stake, 4)
    least = min(
        o for o in expected if sum(probability for other, probability in expected.items() if other <= o) >= share
    )
    assert walk.cents(moment.quantile(share)) == round(least)


def test_half_of_the_players_is_enough_for_the_median() -> None:
    """After one toss of a fair coin, half of the players own a bet less, so that is the median."""
    (moment,) = course(walk_of(floats(FAIR), 300, 100), [1])
    assert (moment.quantile(0.5), moment.quantile(0.51)) == (1, 3)


@given(st.integers(1, 12), st.integers(0, 60))
def test_a_fair_coin_by_reflection(units: int, rounds: int) -> None:
    """The probability of having been `units` down within n tosses is P(S <= -units) + P(S < -units)."""
    (moment,) = course(walk_of(floats(FAIR), 100 * units, 100), [rounds])
    ends = [(2 * up - rounds, comb(rounds, up)) for up in range(rounds + 1)]
    ways = sum(ways for end, ways in ends if end <= -units) + sum(ways for end, ways in ends if end < -units)
    assert moment.ruined == pytest.approx(ways / 2**rounds, abs=1e-12)


@pytest.mark.parametrize(("up", "units"), [(0.52, 50), (0.6, 3), (0.75, 1), (0.501, 100)])
def test_the_gamblers_ruin(up: float, units: int) -> None:
    """A coin that favors the player: ((1 - p) / p)^units, and both bounds equal this number."""
    walk = walk_of([(F(1), up), (F(-1), 1 - up)], 100 * units, 100)
    risk = endless_play(walk)
    known = ((1 - up) / up) ** units
    assert risk.low == pytest.approx(known, rel=1e-9)
    assert risk.high == pytest.approx(known, rel=1e-9)
    assert risk.adjustment == pytest.approx(log(up / (1 - up)), rel=1e-9)


def test_a_long_session_converges_to_the_gamblers_ruin() -> None:
    """From below, and close."""
    walk = walk_of([(F(1), 0.55), (F(-1), 0.45)], 1000, 100)
    ruined = [moment.ruined for moment in course(walk, [10, 100, 1000, 5000])]
    assert ruined == sorted(ruined)
    assert ruined[-1] == pytest.approx((0.45 / 0.55) ** 10, rel=1e-9)


def test_rounds_that_lose_more_than_a_stake_keep_within_the_bounds() -> None:
    """Ruin overshoots, so the bounds differ; the long course is between them."""
    probabilities = [(F(-4), 0.02), (F(-1), 0.4), (F(3, 2), 0.1), (F(1), 0.48)]
    walk = walk_of(probabilities, 2000, 100)
    risk = endless_play(walk)
    (moment,) = course(walk, [20_000])
    assert risk.low < moment.ruined < risk.high
    # Ruin overshoots by at least half a bet and by at most four bets.
    assert risk.high / risk.low == pytest.approx(exp(risk.adjustment * 3.5))
    assert sum(p * exp(-risk.adjustment * float(net)) for net, p in probabilities) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(
    ("probabilities", "certain"),
    [([(F(1), 0.49), (F(-1), 0.51)], 1.0), ([(F(1), 0.5), (F(-1), 0.5)], 1.0), ([(F(1), 0.5), (F(0), 0.5)], 0.0)],
)
def test_without_an_edge_ruin_is_certain(probabilities: list[tuple[Fraction, float]], certain: float) -> None:
    """Also in a fair game; a player who cannot lose is never ruined."""
    risk = endless_play(walk_of(probabilities, 1000, 100))
    assert (risk.low, risk.high, risk.adjustment) == (certain, certain, None)


def test_the_average_follows_from_the_rounds_played() -> None:
    """Wald: the average loss is the edge times the average number of rounds before ruin."""
    probabilities = [(F(-2), 0.1), (F(-1), 0.4), (F(1), 0.45), (F(3, 2), 0.05)]
    walk = walk_of(probabilities, 500, 100)
    course_ = list(course(walk, range(201)))
    ev = sum(float(net) * probability for net, probability in probabilities)
    rounds_played = sum(1 - moment.ruined for moment in course_[:-1])
    assert course_[-1].mean_from(walk.margin) / walk.scale == pytest.approx(ev * rounds_played, abs=1e-10)
    assert 0.1 < course_[50].ruined < course_[-1].ruined < 0.99


def test_what_is_left_out_stays_within_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against the whole grid, probability by probability; cutting the rims makes the grid much smaller."""
    walk = walk_of([(F(-8), 1e-6), (F(-1), 0.5), (F(1), 0.499999)], 5000, 100)
    (short,) = course(walk, [400])
    monkeypatch.setattr(ruin, "LEFT_OUT", 0.0)
    (whole,) = course(walk, [400])
    assert 0 < short.left_out <= 1e-12
    assert whole.left_out == 0
    assert len(short.spares) < len(whole.spares) / 2
    for spare in (0, walk.margin, walk.margin + 1, walk.margin + 40):
        assert short.below(spare) != whole.below(spare)
        assert abs(short.below(spare) - whole.below(spare)) <= short.error


def test_probabilities_of_a_bankroll_sum_to_one() -> None:
    """Only what was left out and rounding are missing."""
    for moment in course(walk_of([(F(-1), 0.53), (F(3, 2), 0.47)], 700, 100), [0, 50, 3000]):
        assert abs(moment.probabilities.sum() + moment.left_out - 1) <= moment.rounding + 1e-15


def test_bankrolls_between_the_parts_are_cut_to_what_can_be_bet() -> None:
    """$35.99 is two whole bets of $12 and a rest; a part is half a bet."""
    walk = walk_of([(F(-1), 0.5), (F(3, 2), 0.5)], 3599, 1200)
    assert (walk.scale, walk.margin) == (2, 3)
    assert [walk.cents(spare) for spare in (-1, 0, 3, 6)] == [3599 - 4 * 600, 3599 - 3 * 600, 3599, 3599 + 3 * 600]


def test_a_wide_grid_is_spread_like_a_narrow_one() -> None:
    """Bets of five stakes on a coin, far from ruin: binomial probabilities over more cells than one pass handles."""
    walk = walk_of([(F(5), 0.5), (F(-5), 0.5)], 10**9, 100)
    (moment,) = course(walk, [1000])
    assert len(moment.spares) > 2 * bankroll_paths._BLOCK
    found = dict(zip((moment.spares - walk.margin).tolist(), moment.probabilities.tolist(), strict=True))
    for wins in range(400, 601):
        assert found[5 * (2 * wins - 1000)] == pytest.approx(comb(1000, wins) / 2**1000, abs=moment.error)
    assert sum(probability > 0 for spare, probability in found.items() if spare % 10) == 0


def test_an_enormous_bankroll_takes_no_more_room() -> None:
    """The grid has the amounts that can be reached, not all amounts up to the bankroll."""
    (moment,) = course(walk_of(floats(FAIR), 10**14, 500), [100])
    assert moment.ruined == 0
    assert len(moment.spares) <= 202


# Moments


@given(st.integers(1, 10**6))
def test_moments_are_evenly_spaced_and_nested(rounds: int) -> None:
    """From none to all; the table's moments are among those of the bands."""
    many, few = moments(rounds, 96), moments(rounds, 8)
    assert (many[0], many[-1]) == (0, rounds)
    assert len(many) == min(rounds, 96) + 1
    assert set(few) <= set(many)
    gaps = {after - before for before, after in pairwise(few)}
    assert max(gaps) - min(gaps) <= 1


# Until the edge shows


@pytest.mark.parametrize("confidence", [0.6, 0.95, 0.999])
def test_the_edge_is_detectable_when_the_interval_is_narrower(confidence: float) -> None:
    """From that round on, and not the round before."""
    ev, sd = -0.0061538912, 1.1604489
    rounds = rounds_to_detect(ev, sd, confidence).edge_detectable
    assert rounds is not None
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    assert z * sd / sqrt(rounds) <= abs(ev) < z * sd / sqrt(rounds - 1)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_win_is_as_unlikely_as_it_says(sign: int) -> None:
    """A coin of 45%: the exact probability of being ahead passes 5% within a few rounds of the approximation; and
    mirrored.
    """
    up = 0.45
    rounds = rounds_to_detect(sign * (2 * up - 1), sqrt(1 - (2 * up - 1) ** 2), 0.95).outcome_sure
    assert rounds is not None

    def ahead(tosses: int) -> float:
        ways = range(tosses // 2 + 1, tosses + 1)
        # Half of the even ones, because the approximation has no ties.
        even = comb(tosses, tosses // 2) * (up * (1 - up)) ** (tosses // 2) if tosses % 2 == 0 else 0
        return sum(comb(tosses, win) * up**win * (1 - up) ** (tosses - win) for win in ways) + even / 2

    assert ahead(rounds) == pytest.approx(0.05, abs=0.001)
    assert ahead(rounds - 20) > 0.05 > ahead(rounds + 20)


def test_without_an_edge_nothing_ever_shows() -> None:
    """Not after any number of rounds; and a confidence of one half is reached at once."""
    assert rounds_to_detect(0.0, 1.0, 0.95) == ruin.RoundsToDetect(None, None)
    assert rounds_to_detect(-0.01, 1.0, 0.5).outcome_sure == 1


# Kernels, uncompiled


def plain(function: object) -> object:
    return getattr(function, "py_func", function)


def test_the_kernels_say_the_same_uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """As plain Python, on a short course."""
    walk = walk_of(floats(TINY["halves, a double and a push"][0]), 250, 100)
    (compiled,) = course(walk, [6])
    monkeypatch.setattr(ruin, "spread_round", plain(bankroll_paths.spread_round))
    monkeypatch.setattr(ruin, "edges", plain(bankroll_paths.edges))
    (uncompiled,) = course(walk, [6])
    assert uncompiled.probabilities == pytest.approx(compiled.probabilities, abs=1e-15)


# A grid of bounded size

FINE_NATURAL = [(F(-1), 0.48), (F(0), 0.05), (F(1), 0.42), (F(13333, 10_000), 0.05)]


def test_a_walk_with_ordinary_odds_keeps_its_own_grid() -> None:
    """So does one with fine odds if there are few rounds."""
    ordinary, fine = walk_of([(F(-1), 0.5), (F(6, 5), 0.5)], 500, 5), walk_of(FINE_NATURAL, 500, 5)
    for walk, rounds in ((ordinary, 250_000), (fine, 50)):
        assert on_a_grid(walk, rounds) is walk


@pytest.mark.parametrize("denominator", [10_000, 10**9])
@pytest.mark.parametrize("rounds", [2_000, 100_000])
def test_the_grid_does_not_grow_with_the_odds(denominator: int, rounds: int) -> None:
    """It has no more cells per stake with a thousand millionths than with ten thousandths; the mean stays."""
    outcomes = [*FINE_NATURAL[:-1], (F(4 * denominator // 3, denominator), 0.05)]
    walk = walk_of(outcomes, 50_000, 500)
    grid = on_a_grid(walk, rounds)
    assert walk.scale == denominator
    assert grid.scale <= 4096
    assert len(grid.moves) == len(walk.moves) + 1
    mean = sum(float(net) * probability for net, probability in outcomes)
    assert grid.moves @ grid.probabilities / grid.scale == pytest.approx(mean, abs=1e-14)


def test_a_coarser_grid_hardly_moves_the_probabilities(monkeypatch: pytest.MonkeyPatch) -> None:
    """200 rounds on 10,000 cells per stake, and on 32: equal to a thousandth, except where amounts meet."""
    walk = walk_of(FINE_NATURAL, 10_030, 500)
    monkeypatch.setattr(ruin, "_WORK", 1)
    grid = on_a_grid(walk, 200)
    assert (walk.scale, grid.scale) == (10_000, 32)
    (fine,), (coarse,) = (list(course(each, [200])) for each in (walk, grid))
    assert 0.01 < fine.ruined == pytest.approx(coarse.ruined, abs=1e-3)
    assert fine.mean_from(walk.margin) / walk.scale == pytest.approx(
        coarse.mean_from(grid.margin) / grid.scale, abs=0.02
    )
