"""Estimates of the mean from a sample, and their errors."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.errors import Refusal
from holecard.report.render.json import json_value
from holecard.report.simulated.estimates import estimate_data
from holecard.simulation.statistics.estimates import (
    Estimate,
    Outcomes,
    ShoeSums,
    estimate,
    exact_mean,
    exact_variance,
    needed,
    outcomes,
    sd_se,
    shape,
    shoe_estimate,
    z_quantile,
)

NETS = [Fraction(3, 2), Fraction(1), Fraction(0), Fraction(-1, 2), Fraction(-1), Fraction(2), Fraction(-2)]
PROBABILITIES = [0.045, 0.35, 0.085, 0.02, 0.4, 0.05, 0.05]
SHOES = st.lists(st.tuples(st.integers(-200, 200), st.integers(0, 60)), max_size=30)


def sums(shoes: Sequence[tuple[int, int]], part: Fraction = Fraction(1)) -> ShoeSums:
    """Sums as in a simulation: net results and rounds of every shoe."""
    return ShoeSums(
        shoes=len(shoes),
        net=sum(net for net, _ in shoes),
        net_squared=sum(net**2 for net, _ in shoes),
        rounds=sum(rounds for _, rounds in shoes),
        rounds_squared=sum(rounds**2 for _, rounds in shoes),
        net_rounds=sum(net * rounds for net, rounds in shoes),
        part=part,
    )


@given(st.lists(st.sampled_from(NETS), min_size=2, max_size=60))
def test_mean_and_variance_are_exact(nets: list[Fraction]) -> None:
    """The same fractions as from single rounds."""
    histogram = Counter(nets)
    assert exact_mean(histogram) == statistics.mean(nets)
    assert exact_variance(histogram) == statistics.variance(nets)


@given(st.lists(st.sampled_from(NETS), min_size=2, max_size=60))
def test_an_estimate_is_the_mean_with_its_error(nets: list[Fraction]) -> None:
    """The sd of a round, and of the mean."""
    found = estimate(Counter(nets))
    sd = math.sqrt(statistics.variance(nets))
    assert found.ev == float(statistics.mean(nets))
    assert found.standard_deviation == pytest.approx(sd, rel=1e-15)
    assert found.standard_error == pytest.approx(sd / math.sqrt(len(nets)), rel=1e-15)
    assert found.rounds == len(nets)


def test_a_trillion_rounds_lose_nothing() -> None:
    """A standard deviation of half a unit around a mean of 10^9, where floats would cancel."""
    half, base = 5 * 10**11, 10**9
    histogram = {Fraction(base): half, Fraction(base + 1): half}
    assert exact_mean(histogram) == base + Fraction(1, 2)
    assert exact_variance(histogram) == Fraction(1, 4) * Fraction(10**12, 10**12 - 1)
    assert estimate(histogram).standard_error == pytest.approx(0.5e-6, rel=1e-11)


def test_counts_of_64_bits_do_not_overflow() -> None:
    """Counts from an array are converted to Python integers."""
    counts = np.array([2**62, 2**62, 2**62], dtype=np.int64)
    histogram = dict(zip([Fraction(-500), Fraction(0), Fraction(500)], counts, strict=True))
    found = estimate(histogram)
    assert (found.ev, found.rounds) == (0.0, 3 * 2**62)
    assert found.standard_deviation == pytest.approx(500 * math.sqrt(2 / 3), rel=1e-12)
    assert outcomes(histogram) == Outcomes(wins=2**62, pushes=2**62, losses=2**62)


@pytest.mark.parametrize(("level", "wide"), [(0.95, 1.959963984540054), (0.99, 2.5758293035489004), (0.6826895, 1.0)])
def test_the_level_sets_the_width(level: float, wide: float) -> None:
    """Quantiles of the normal distribution."""
    found = estimate({Fraction(1): 30, Fraction(-1): 70}, level)
    assert found.level == level
    assert found.high - found.ev == pytest.approx(wide * found.standard_error, rel=1e-7)
    assert found.ev - found.low == pytest.approx(wide * found.standard_error, rel=1e-7)


def test_intervals_hold_the_mean_as_often_as_they_say() -> None:
    """Of 400 intervals at 80%, about 320: within four standard deviations, 8 each."""
    truth = sum(float(net) * probability for net, probability in zip(NETS, PROBABILITIES, strict=True))
    held = 0
    for seed in range(400):
        found = estimate(Counter(Random(seed).choices(NETS, PROBABILITIES, k=500)), level=0.8)
        held += found.low <= truth <= found.high
    assert 288 <= held <= 352


def test_without_a_round_nothing_is_known() -> None:
    """Nothing raises."""
    for found in (estimate({}), estimate({Fraction(1): 0}), shoe_estimate(sums([])), shoe_estimate(sums([(0, 0)]))):
        assert found.rounds == 0
        assert all(map(math.isnan, (found.ev, found.standard_error, found.standard_deviation, found.low, found.high)))
    assert exact_mean({}) is None
    assert exact_variance({}) is None
    assert math.isnan(sd_se({}))


def test_one_round_has_a_mean_and_no_error() -> None:
    """The same holds for one shoe."""
    for found in (estimate({Fraction(3, 2): 1}), shoe_estimate(sums([(60, 40)]))):
        assert found.ev == 1.5
        assert all(map(math.isnan, (found.standard_error, found.standard_deviation, found.low, found.high)))
    assert exact_variance({Fraction(3, 2): 1}) is None


def test_equal_results_have_no_variance() -> None:
    """The interval is a point, without an exception."""
    assert estimate({Fraction(-1): 50}) == Estimate(
        ev=-1.0, standard_error=0.0, standard_deviation=0.0, rounds=50, low=-1.0, high=-1.0, level=0.95
    )
    assert sd_se({Fraction(-1): 50}) == 0.0


def test_unknown_numbers_are_null_in_data() -> None:
    """JSON has no NaN."""
    data = json_value(estimate_data(estimate({Fraction(1): 1})))
    unknown = dict.fromkeys(("standard_error", "low", "high", "standard_deviation"))
    assert data == {"ev": 1.0, "house_edge": -1.0, **unknown}


def test_outcomes_are_counted_by_sign() -> None:
    """Losing half counts as a loss."""
    histogram = {Fraction(3, 2): 2, Fraction(1): 3, Fraction(0): 5, Fraction(-1, 2): 7, Fraction(-8): 11}
    assert outcomes(histogram) == Outcomes(wins=5, pushes=5, losses=18)


def test_a_count_below_nothing_is_refused() -> None:
    """An overflow would look like this."""
    with pytest.raises(Refusal, match=r"net result -1/2 has the count -3"):
        estimate({Fraction(1): 5, Fraction(-1, 2): -3})


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0, -0.5, math.nan])
def test_a_level_is_a_probability(level: float) -> None:
    """The message corrects the most common mistake."""
    with pytest.raises(Refusal, match=r"0\.95 for 95%"):
        z_quantile(level)


def test_the_error_of_an_sd_by_hand() -> None:
    """A fair coin has m₄ = m₂², so only 2 m₂²/(n(n-1)) remains: √(2/9900) divided by twice the sd √(100/99)."""
    assert sd_se({Fraction(1): 50, Fraction(-1): 50}) == pytest.approx(math.sqrt(2 / 40_000), rel=1e-14)


def test_the_error_of_an_sd_is_how_far_it_strays() -> None:
    """Over 400 samples, whose standard deviation is known to 3.5%."""
    samples = [Counter(Random(seed).choices(NETS, PROBABILITIES, k=1000)) for seed in range(400)]
    strays = statistics.stdev(estimate(sample).standard_deviation for sample in samples)
    assert statistics.mean(map(sd_se, samples)) == pytest.approx(strays, rel=0.12)


def test_the_shape_of_a_rare_win() -> None:
    """One in a thousand, in closed form: skewness (1 - 2p)/√(p(1 - p))."""
    probability = Fraction(1, 1000)
    found = shape({Fraction(100): probability, Fraction(-1): 1 - probability})
    sd = math.sqrt(probability * (1 - probability))
    assert found.mean == pytest.approx(-0.899, rel=1e-14)
    assert found.sd == pytest.approx(101 * sd, rel=1e-14)
    assert found.skew == pytest.approx((1 - 0.002) / sd, rel=1e-14)


def test_the_shape_of_a_die_and_of_certainty() -> None:
    """Symmetric, and undefined."""
    die = shape({Fraction(face): Fraction(1, 6) for face in range(1, 7)})
    assert (die.mean, die.skew) == (3.5, 0.0)
    assert die.sd == pytest.approx(math.sqrt(35 / 12), rel=1e-15)
    sure = shape({Fraction(-1): 1.0})
    assert (sure.mean, sure.sd, sure.skew) == (-1.0, 0.0, 0.0)


@pytest.mark.parametrize("probabilities", [{}, {Fraction(1): 0.0}, {Fraction(1): -0.5, Fraction(0): 0.5}])
def test_no_shape_without_probabilities(probabilities: dict[Fraction, float]) -> None:
    """Nor with a negative one."""
    with pytest.raises(Refusal, match="between 0 and 1"):
        shape(probabilities)


@given(SHOES)
def test_shoes_are_estimated_as_shoe_by_shoe(shoes: list[tuple[int, int]]) -> None:
    """The residuals of every shoe from the ratio, squared and summed in plain floats."""
    total = sum(rounds for _, rounds in shoes)
    found = shoe_estimate(sums(shoes, Fraction(1, 2)))
    if total and len(shoes) > 1:
        ratio = sum(net for net, _ in shoes) / 2 / total
        residuals = math.fsum((net / 2 - ratio * rounds) ** 2 for net, rounds in shoes)
        se = math.sqrt(len(shoes) / (len(shoes) - 1) * residuals) / total
        assert found.ev == pytest.approx(ratio, rel=1e-14)
        assert found.standard_error == pytest.approx(se, rel=1e-12, abs=1e-13)
        assert found.standard_deviation == pytest.approx(se * math.sqrt(total), rel=1e-12, abs=1e-12)
        assert found.rounds == total


@given(st.lists(st.sampled_from([-4, -2, -1, 0, 2, 3]), min_size=2, max_size=50))
def test_a_shoe_of_one_round_is_a_round(halves: list[int]) -> None:
    """Then the two estimates are identical, to the last bit."""
    shoes = sums([(net, 1) for net in halves], part=Fraction(1, 2))
    assert shoe_estimate(shoes) == estimate(Counter(Fraction(net, 2) for net in halves))


def correlated(random: Random, shoes: int) -> list[tuple[int, int]]:
    """Good shoes and bad shoes: in a good one rounds are won more often, and are shorter, so there are more of them."""
    played = []
    for _ in range(shoes):
        win, rounds = random.choice([(0.3, 20), (0.5, 30), (0.65, 40)])
        played.append((sum(1 if random.random() < win else -1 for _ in range(rounds)), rounds))
    return played


def test_the_error_of_rounds_that_share_a_shoe() -> None:
    """It equals the standard deviation of the mean over 300 runs; the error for independent rounds would be half of
    that.
    """
    runs = [correlated(Random(seed), 100) for seed in range(300)]
    found = [shoe_estimate(sums(run)) for run in runs]
    strays = statistics.stdev(run.ev for run in found)
    assert statistics.mean(run.standard_error for run in found) == pytest.approx(strays, rel=0.15)
    wins = sum((net + rounds) // 2 for net, rounds in runs[0])
    independent = estimate({Fraction(1): wins, Fraction(-1): found[0].rounds - wins})
    assert independent.ev == found[0].ev
    assert independent.standard_error < 0.6 * strays


def test_the_mean_of_shoes_is_the_mean_of_their_rounds() -> None:
    """Not of the shoes' means, in which long shoes count too little: the true value is (20·-.4 + 30·0 + 40·.3)/90."""
    found = shoe_estimate(sums(correlated(Random(1), 6000)))
    assert abs(found.ev - 4 / 90) < 4 * found.standard_error < 0.02


def test_sums_of_no_shoes_are_refused() -> None:
    """Overflowed squares, and negative numbers of shoes or rounds."""
    with pytest.raises(Refusal, match="sum of squares is negative"):
        shoe_estimate(ShoeSums(shoes=10, net=5, net_squared=-(2**62), rounds=100, rounds_squared=1000, net_rounds=50))
    with pytest.raises(Refusal, match="neither may be negative"):
        shoe_estimate(ShoeSums(shoes=-1, net=5, net_squared=25, rounds=10, rounds_squared=100, net_rounds=50))


def test_the_rounds_needed_by_hand() -> None:
    """(1.95996 / 0.0196)² is 9999.6."""
    assert needed(sd=1, half_width=0.0196) == 10_000


@given(st.floats(0.01, 100), st.floats(1e-6, 1), st.floats(0.5, 0.9999))
def test_the_rounds_needed_are_enough_and_no_more(sd: float, half_width: float, level: float) -> None:
    """One fewer would make the interval too wide."""
    rounds = needed(sd, half_width, level)
    assert z_quantile(level) * sd / math.sqrt(rounds) <= half_width * (1 + 1e-12)
    if rounds > 2:
        assert z_quantile(level) * sd / math.sqrt(rounds - 1) > half_width * (1 - 1e-12)


def test_no_interval_before_two_rounds() -> None:
    """However small the variance is."""
    assert needed(sd=0, half_width=1e-300) == 2
    assert needed(sd=1, half_width=1000) == 2


def test_a_width_that_squares_to_nothing_still_counts() -> None:
    """The square of 1e-200 is zero as a float."""
    assert float(Fraction(needed(sd=1, half_width=1e-200), 10**400)) == pytest.approx(1.959963984540054**2, rel=1e-12)


@pytest.mark.parametrize(("sd", "half_width"), [(-1, 0.1), (math.nan, 0.1), (math.inf, 0.1), (1, 0), (1, math.nan)])
def test_what_no_rounds_can_give_is_refused(sd: float, half_width: float) -> None:
    """A negative sd, or an interval of zero width."""
    with pytest.raises(Refusal, match="0"):
        needed(sd, half_width)
