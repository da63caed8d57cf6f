"""N0, SCORE and the risk of ruin of a sampled win rate, each with its standard error and an interval.

With w the mean win of a round, s its standard deviation and q = w / s, N0 is 1/q² and SCORE 10⁶ q². By the delta
method, with n rounds, skewness g and kurtosis k,

    se(q)² = se(w)² / s²  -  g q / n  +  q² (k - 1) / 4n

where se(w) comes from whole shoes and the two small terms, which s adds, treat rounds as independent. For the root r of
E[e^(-rX)] = 1 (see `bankroll.ruin`), an error of w moves r by r / -E[X e^(-rX)] times itself, and likewise

    se(w)² + (Var(e^(-rX)) / r² - s²) / n

is the squared error with what the rest of the distribution adds. The ends of an interval are the numbers at both ends
of the interval of q, or of w: none of the three is symmetric.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isnan, nan, sqrt

import numpy as np

from holecard.presentation import Brief
from holecard.simulation.bankroll.ruin import Walk, endless_play, walk_of
from holecard.simulation.statistics.estimates import Estimate, z_quantile

#: A player with this bankroll in dollars, who bets for a risk of ruin of e^-2, wins SCORE dollars in 100 rounds.
SCORE_BANKROLL = 10_000
_SCORE = 100 * SCORE_BANKROLL


@dataclass(frozen=True, slots=True, repr=False)
class Derived(Brief):
    """A number that follows from sampled rounds, and its confidence interval at the level of the run."""

    value: float
    standard_error: float
    """by the delta method; nan where the number has none, as an infinite N0"""
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class WinRate:
    """The mean win of a round with its error, and the rounds by what they won."""

    won: Estimate
    histogram: Mapping[Fraction, int]

    @property
    def ratio(self) -> float:
        """Mean win over standard deviation: q."""
        deviation = self.won.standard_deviation
        return self.won.ev / deviation if deviation else nan

    @property
    def ratio_error(self) -> float:
        """The standard error of `ratio`."""
        deviation, ratio = self.won.standard_deviation, self.ratio
        if isnan(ratio) or not deviation:
            return nan
        nets = np.array([float(net) for net in self.histogram])
        shares = np.array(list(self.histogram.values())) / self.won.rounds
        apart = (nets - self.won.ev) / deviation
        skewness, kurtosis = (float(shares @ apart**power) for power in (3, 4))
        small = (ratio**2 * (kurtosis - 1) / 4 - skewness * ratio) / self.won.rounds
        return sqrt(max(0.0, (self.won.standard_error / deviation) ** 2 + small))

    @property
    def _ratio_ends(self) -> tuple[float, float]:
        half_width = z_quantile(self.won.level) * self.ratio_error
        return self.ratio - half_width, self.ratio + half_width

    @property
    def n0(self) -> Derived:
        """Rounds after which the expected win equals its standard deviation; infinite without an expected win."""
        low, high = self._ratio_ends
        value = _rounds(self.ratio)
        error = 2 * self.ratio_error * value / self.ratio if self.ratio > 0 else nan
        return Derived(value, error, _rounds(high), _rounds(low))

    @property
    def score(self) -> Derived:
        """Dollars won in 100 rounds by a player with $10,000 who bets for a risk of ruin of 13.5%; 0 if none are."""
        # The first argument is returned where it is nan.
        value, low, high = (_SCORE * max(end, 0.0) ** 2 for end in (self.ratio, *self._ratio_ends))
        error = 2 * _SCORE * self.ratio * self.ratio_error if self.ratio > 0 else nan
        return Derived(value, error, low, high)

    def risk_of_ruin(self, bankroll: int) -> Derived:
        """Return the risk of ruin with this many units if play never stops, treating rounds as independent.

        The value is Lundberg's bound for the sampled results, which is a little high. The interval reaches from the
        lower bound with the better end of the win rate to the upper bound with the worse one.
        """
        walk = walk_of([(net, count / self.won.rounds) for net, count in self.histogram.items()], bankroll, 1)
        sampled = endless_play(walk)
        error = self.won.standard_error
        if sampled.adjustment is None:
            of_risk = nan
        else:
            error, of_rate = _rate_errors(walk, sampled.adjustment, self.won)
            of_risk = sampled.high * (walk.margin + 1) / walk.scale * of_rate
        if isnan(error):
            return Derived(sampled.high, nan, nan, nan)
        half_width = z_quantile(self.won.level) * error
        return Derived(sampled.high, of_risk, endless_play(walk, half_width).low, endless_play(walk, -half_width).high)


def _rounds(ratio: float) -> float:
    """Return N0 of a ratio; infinite without a positive one."""
    return ratio if isnan(ratio) else ratio**-2 if ratio > 0 else inf


def _rate_errors(walk: Walk, rate: float, won: Estimate) -> tuple[float, float]:
    """Return the error of the mean, with what the rest of the distribution adds to that of `rate`, and the latter."""
    nets = walk.moves / walk.scale
    shrunk = np.exp(-rate * nets)
    spread = float(walk.probabilities @ shrunk**2) - float(walk.probabilities @ shrunk) ** 2
    small = (spread / rate**2 - won.standard_deviation**2) / won.rounds
    error = sqrt(max(0.0, won.standard_error**2 + small))
    return error, error * rate / -float(walk.probabilities @ (nets * shrunk))
