"""What a sample of rounds says about the mean, and how surely.

Everything is summed in whole numbers and fractions; only the last division gives a float. So 10^12 rounds lose nothing
to cancellation, and equal counts give an equal mean and error to the last bit.

With n rounds of net result x, the variance is the unbiased one, and the standard error is that of the mean:

    mean = Σx / n        sd² = (n Σx² - (Σx)²) / (n (n - 1))        se = sd / √n

Rounds of one shoe depend on each other, shoes do not. There the mean is a ratio of two sums over G shoes, X the net
result of a shoe and M its rounds, and its error comes from how far each shoe lies from that ratio (the delta method):

    mean = ΣX / ΣM       se² = G / (G - 1) · Σ(X - mean · M)² / (ΣM)²

What cannot be known is nan: everything without a round; sd, se and the interval with one round (or one shoe). Where
every round ended alike sd and se are 0: no spread was seen, which does not say that there is none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from operator import index
from statistics import NormalDist
from typing import TypeAlias

from holecard.errors import Refusal, shortly

#: How often each net result came, per unit staked.
Histogram: TypeAlias = Mapping[Fraction, int]
#: How likely each net result is.
Chances: TypeAlias = Mapping[Fraction, Fraction | float]

LEVEL = 0.95
#: One round has no standard error, so no width can be promised for fewer.
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean per round and the interval that holds the true one with chance `level`."""

    mean: float
    se: float
    """Standard error of the mean."""
    sd: float
    """Of one round; where rounds share a shoe, of independent rounds that would leave the same `se`."""
    rounds: int
    low: float
    high: float
    level: float


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Rounds by how they ended for the player."""

    wins: int
    pushes: int
    losses: int


@dataclass(frozen=True, slots=True)
class Shape:
    """A distribution in three numbers; the mean of n independent rounds has sd/√n and skew/√n."""

    mean: float
    sd: float
    skew: float
    """0 where it is symmetric, positive where the rare results are wins."""


@dataclass(frozen=True, slots=True)
class ShoeSums:
    """Sums over shoes, each of net result X and M rounds; X in whole numbers of `part` of the unit staked."""

    shoes: int
    net: int
    net_squared: int
    rounds: int
    rounds_squared: int
    net_rounds: int
    """ΣXM"""
    part: Fraction = Fraction(1)


def estimate(histogram: Histogram, level: float = LEVEL) -> Estimate:
    """The mean of independent rounds.

    >>> coin = estimate({Fraction(1): 5_050, Fraction(-1): 4_950})
    >>> f"{coin.mean} ± {coin.high - coin.mean:.4f}"
    '0.01 ± 0.0196'
    """
    rounds = rounds_of(histogram)
    variance = exact_variance(histogram)
    return _estimate(exact_mean(histogram), None if variance is None else variance / rounds, rounds, level)


def shoe_estimate(sums: ShoeSums, level: float = LEVEL) -> Estimate:
    """The mean net result per round, of rounds that depend on each other within a shoe but not across shoes."""
    shoes, rounds, net = (index(number) for number in (sums.shoes, sums.rounds, sums.net))
    if shoes < 0 or rounds < 0:
        raise Refusal(f"{shoes} shoes with {rounds} rounds: neither can be less than none")
    if rounds == 0:
        return _estimate(None, None, rounds, level)
    # (ΣM)² times the squared distances of the shoes from the ratio.
    apart = rounds**2 * index(sums.net_squared) + net**2 * index(sums.rounds_squared)
    apart -= 2 * net * rounds * index(sums.net_rounds)
    if apart < 0:
        raise Refusal(f"no shoes have these sums, squares cannot add up to less than nothing: {sums}")
    squared_error = sums.part**2 * Fraction(shoes * apart, (shoes - 1) * rounds**4) if shoes > 1 else None
    return _estimate(Fraction(net, rounds) * sums.part, squared_error, rounds, level)


def rounds_of(histogram: Histogram) -> int:
    """Rounds counted; a count below nothing, as an overflow leaves it, is refused."""
    for net, count in histogram.items():
        if count < 0:
            raise Refusal(f"a net result of {net} was counted {count} times; a count is 0 or more")
    return sum(map(index, histogram.values()))


def exact_mean(histogram: Histogram) -> Fraction | None:
    """The mean net result, to the last digit; None without a round."""
    rounds = rounds_of(histogram)
    return _power_sum(histogram, 1) / rounds if rounds else None


def exact_variance(histogram: Histogram) -> Fraction | None:
    """The unbiased variance of a round, to the last digit; None where there are fewer than two."""
    rounds = rounds_of(histogram)
    if rounds < _FEWEST:
        return None
    return (rounds * _power_sum(histogram, 2) - _power_sum(histogram, 1) ** 2) / (rounds * (rounds - 1))


def sd_se(histogram: Histogram) -> float:
    """The standard error of the standard deviation itself, from the fourth moment; nan where there is no sd.

    The variance of a sample variance is (m₄ - m₂² (n-3)/(n-1)) / n, and an sd varies by 1/(2 sd) of that.
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
    """Rounds won, pushed and lost."""
    rounds = rounds_of(histogram)
    wins = sum(index(count) for net, count in histogram.items() if net > 0)
    losses = sum(index(count) for net, count in histogram.items() if net < 0)
    return Outcomes(wins=wins, pushes=rounds - wins - losses, losses=losses)


def shape(chances: Chances) -> Shape:
    """What a stated distribution promises of one round; its chances are taken as shares of their sum."""
    if not all(0 <= chance <= 1 for chance in chances.values()) or not any(chances.values()):
        raise Refusal("chances lie between 0 and 1, and not all of them are 0")
    exact = {net: Fraction(chance) for net, chance in chances.items()}
    whole = sum(exact.values())
    mean = sum((net * chance for net, chance in exact.items()), Fraction(0)) / whole
    second, third = (_central(exact, mean, power) / whole for power in (2, 3))
    sd = math.sqrt(second)
    return Shape(mean=float(mean), sd=sd, skew=float(third) / sd**3 if sd else 0.0)


def needed(sd: float, half_width: float, level: float = LEVEL) -> int:
    """Rounds after which the interval is no wider than `half_width` to each side.

    >>> needed(sd=1.15, half_width=0.001)
    5080330
    """
    if not (0 <= sd < math.inf):
        raise Refusal(f"a standard deviation of {sd} is none; it is 0 or more")
    if not (0 < half_width < math.inf):
        raise Refusal(f"no number of rounds gives an interval of ±{half_width}; ask for more than 0")
    # In fractions, so that no square overflows and a whole number is not rounded up.
    return max(_FEWEST, math.ceil((Fraction(errors_wide(level)) * Fraction(sd) / Fraction(half_width)) ** 2))


def errors_wide(level: float) -> float:
    """Standard errors from the middle of an interval to its ends: 1.96 for a level of 0.95."""
    if not 0 < level < 1:
        raise Refusal(f"a level of {shortly(level)} is none; it lies between 0 and 1, write 0.95 for 95%")
    return -NormalDist().inv_cdf((1 - level) / 2)


def _estimate(mean: Fraction | None, squared_error: Fraction | None, rounds: int, level: float) -> Estimate:
    middle = math.nan if mean is None else float(mean)
    se = math.nan if squared_error is None else math.sqrt(squared_error)
    sd = math.nan if squared_error is None else math.sqrt(squared_error * rounds)
    half_width = errors_wide(level) * se
    return Estimate(
        mean=middle, se=se, sd=sd, rounds=rounds, low=middle - half_width, high=middle + half_width, level=level
    )


def _power_sum(histogram: Histogram, power: int) -> Fraction:
    """Σx^power over all rounds, in whole steps of the grid the results lie on."""
    grid = math.lcm(*(net.denominator for net in histogram))
    steps = sum(index(count) * (net.numerator * (grid // net.denominator)) ** power for net, count in histogram.items())
    return Fraction(steps, grid**power)


def _central(weights: Mapping[Fraction, Fraction] | Histogram, mean: Fraction, power: int) -> Fraction:
    return sum((Fraction(weight) * (net - mean) ** power for net, weight in weights.items()), Fraction(0))
