"""Estimate a mean and its standard error from a sample of rounds.

All sums are integers or fractions; only the last division gives a float. So 10^12 rounds lose nothing to cancellation,
and equal counts give the same mean and error to the last bit.

With n rounds of net result x, the unbiased variance and the standard error of the mean are

    mean = Σx / n        sd² = (n Σx² - (Σx)²) / (n (n - 1))        se = sd / √n

Rounds of one shoe are dependent, shoes are independent. There the mean is a ratio of two sums over G shoes, with X the
net result of a shoe and M its number of rounds, and its error follows from the delta method:

    mean = ΣX / ΣM       se² = G / (G - 1) · Σ(X - mean · M)² / (ΣM)²

Unknown numbers are nan: everything without a round; sd, se and the interval with one round (or one shoe). If all rounds
had the same result, sd and se are 0: no variation was seen, which does not prove that there is none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from operator import index
from statistics import NormalDist
from typing import TypeAlias

from holecard.errors import Refusal, check_number, shortly
from holecard.presentation import Brief

#: How often each net result occurred, per unit staked.
Histogram: TypeAlias = Mapping[Fraction, int]
#: The probability of each net result.
Probabilities: TypeAlias = Mapping[Fraction, Fraction | float]

LEVEL = 0.95
#: A standard error needs at least two rounds.
_FEWEST = 2


@dataclass(frozen=True, slots=True, repr=False)
class Estimate(Brief):
    """A mean per round and its confidence interval at `level`."""

    ev: float
    standard_error: float
    """Of the mean."""
    standard_deviation: float
    """Of one round; where rounds share a shoe, of independent rounds with the same standard error."""
    rounds: int
    low: float
    high: float
    level: float


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Rounds won, pushed and lost by the player."""

    wins: int
    pushes: int
    losses: int


@dataclass(frozen=True, slots=True)
class Shape:
    """Mean, sd and skewness of a distribution; the mean of n independent rounds has sd/√n and skew/√n."""

    mean: float
    sd: float
    skew: float
    """0 if symmetric, positive if the rare results are wins."""


@dataclass(frozen=True, slots=True)
class ShoeSums:
    """Sums over shoes with net result X and M rounds each; X in whole numbers of `part` of the unit staked."""

    shoes: int
    net: int
    net_squared: int
    rounds: int
    rounds_squared: int
    net_rounds: int
    """ΣXM"""
    part: Fraction = Fraction(1)


def estimate(histogram: Histogram, level: float = LEVEL) -> Estimate:
    """Return the estimate for independent rounds.

    >>> coin = estimate({Fraction(1): 5_050, Fraction(-1): 4_950})
    >>> f"{coin.ev} ± {coin.high - coin.ev:.4f}"
    '0.01 ± 0.0196'
    """
    rounds = rounds_of(histogram)
    variance = exact_variance(histogram)
    return _estimate(exact_mean(histogram), None if variance is None else variance / rounds, rounds, level)


def shoe_estimate(sums: ShoeSums, level: float = LEVEL) -> Estimate:
    """Return the estimate of the mean per round, for rounds that depend on each other only within a shoe."""
    shoes, rounds, net = (index(number) for number in (sums.shoes, sums.rounds, sums.net))
    if shoes < 0 or rounds < 0:
        raise Refusal(f"{shoes} shoes and {rounds} rounds: neither may be negative")
    if rounds == 0:
        return _estimate(None, None, rounds, level)
    # (ΣM)² times the sum of squared residuals of the shoes.
    apart = rounds**2 * index(sums.net_squared) + net**2 * index(sums.rounds_squared)
    apart -= 2 * net * rounds * index(sums.net_rounds)
    if apart < 0:
        raise Refusal(f"inconsistent sums over shoes, the sum of squares is negative: {sums}")
    squared_error = sums.part**2 * Fraction(shoes * apart, (shoes - 1) * rounds**4) if shoes > 1 else None
    return _estimate(Fraction(net, rounds) * sums.part, squared_error, rounds, level)


def rounds_of(histogram: Histogram) -> int:
    """Return the number of rounds; refuse negative counts, which an overflow would leave."""
    for net, count in histogram.items():
        if count < 0:
            raise Refusal(f"the net result {net} has the count {count}; counts must be 0 or more")
    return sum(map(index, histogram.values()))


def exact_mean(histogram: Histogram) -> Fraction | None:
    """Return the exact mean net result; None without a round."""
    rounds = rounds_of(histogram)
    return _power_sum(histogram, 1) / rounds if rounds else None


def exact_variance(histogram: Histogram) -> Fraction | None:
    """Return the exact unbiased variance of a round; None with fewer than two rounds."""
    rounds = rounds_of(histogram)
    if rounds < _FEWEST:
        return None
    return (rounds * _power_sum(histogram, 2) - _power_sum(histogram, 1) ** 2) / (rounds * (rounds - 1))


def sd_se(histogram: Histogram) -> float:
    """Return the standard error of the standard deviation, from the fourth moment; nan if there is no sd.

    The variance of a sample variance is (m₄ - m₂² (n-3)/(n-1)) / n, and the error of the sd is that of the variance
    divided by 2 sd.
    """
    rounds, variance, mean = rounds_of(histogram), exact_variance(histogram), exact_mean(histogram)
    if variance is None or mean is None:
        return math.nan
    if variance == 0:
        return 0.0
    second, fourth = (_central(histogram, mean, power) / rounds for power in (2, 4))
    spread = (fourth - second**2 * Fraction(rounds - 3, rounds - 1)) / rounds
    return math.sqrt(spread / (4 * variance))


def outcomes(histogram: Histogram) -> Outcomes:
    """Count rounds won, pushed and lost."""
    rounds = rounds_of(histogram)
    wins = sum(index(count) for net, count in histogram.items() if net > 0)
    losses = sum(index(count) for net, count in histogram.items() if net < 0)
    return Outcomes(wins=wins, pushes=rounds - wins - losses, losses=losses)


def shape(probabilities: Probabilities) -> Shape:
    """Return mean, sd and skewness of a distribution, whose probabilities are normalized to sum to 1."""
    if not all(0 <= probability <= 1 for probability in probabilities.values()) or not any(probabilities.values()):
        raise Refusal("probabilities must be between 0 and 1, and not all 0")
    exact = {net: Fraction(probability) for net, probability in probabilities.items()}
    whole = sum(exact.values())
    mean = sum((net * probability for net, probability in exact.items()), Fraction(0)) / whole
    second, third = (_central(exact, mean, power) / whole for power in (2, 3))
    sd = math.sqrt(second)
    return Shape(mean=float(mean), sd=sd, skew=float(third) / sd**3 if sd else 0.0)


def needed(sd: float, half_width: float, level: float = LEVEL) -> int:
    """Return the number of rounds for an interval of at most ±`half_width`.

    >>> needed(sd=1.15, half_width=0.001)
    5080330
    """
    if not (0 <= sd < math.inf):
        raise Refusal(f"the standard deviation must be 0 or more, not {sd}")
    if not (0 < half_width < math.inf):
        raise Refusal(f"the half width must be more than 0, not {half_width}")
    # Fractions, so that no square overflows and a whole number is not rounded up.
    return max(_FEWEST, math.ceil((Fraction(z_quantile(level)) * Fraction(sd) / Fraction(half_width)) ** 2))


def z_quantile(level: float) -> float:
    """Return the half width of an interval in standard errors: 1.96 for a level of 0.95."""
    check_number("level", level, "0.95")
    if not 0 < level < 1:
        raise Refusal(f"level must be between 0 and 1 (0.95 for 95%), not {shortly(level)}")
    return -NormalDist().inv_cdf((1 - level) / 2)


def _estimate(mean: Fraction | None, squared_error: Fraction | None, rounds: int, level: float) -> Estimate:
    middle = math.nan if mean is None else float(mean)
    se = math.nan if squared_error is None else math.sqrt(squared_error)
    sd = math.nan if squared_error is None else math.sqrt(squared_error * rounds)
    half_width = z_quantile(level) * se
    return Estimate(
        ev=middle,
        standard_error=se,
        standard_deviation=sd,
        rounds=rounds,
        low=middle - half_width,
        high=middle + half_width,
        level=level,
    )


def _power_sum(histogram: Histogram, power: int) -> Fraction:
    """Return Σx^power over all rounds, computed in integers."""
    grid = math.lcm(*(net.denominator for net in histogram))
    steps = sum(index(count) * (net.numerator * (grid // net.denominator)) ** power for net, count in histogram.items())
    return Fraction(steps, grid**power)


def _central(weights: Mapping[Fraction, Fraction] | Histogram, mean: Fraction, power: int) -> Fraction:
    return sum((Fraction(weight) * (net - mean) ** power for net, weight in weights.items()), Fraction(0))
