"""Exact risk of ruin: the probability of every bankroll, round by round, on the grid of the net results.

A round's net result is a whole number of *parts*, `scale` parts per stake. A player with s >= 0 parts beyond the next
stake plays on; a player with s < 0 is ruined and stops. Starting at s = margin,

    P_(n+1)(s) = Σ_k  p_k · P_n(s - x_k)      over s - x_k >= 0,

with p_k the probability of net result x_k; probability that reaches s < 0 stays there. Money to double or split is
always available, so the last round can leave debts.

For endless play, let X be a round's net result and r > 0 the solution of E[e^(-rX)] = 1, which is unique if E[X] > 0.
Then e^(-rS) is a martingale, with S the winnings. Ruin means a loss between margin + 1 and margin + d parts, with d the
largest loss of a round, so its probability is between e^(-r(margin + d)) and e^(-r(margin + 1)), r per part. The upper
bound is Lundberg's. With E[X] <= 0, ruin is certain unless no round can lose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, expm1, fsum, lcm
from statistics import NormalDist

import numpy as np

from holecard.kernels.arrays import Floats, Integers
from holecard.kernels.play.bankroll_paths import edges, spread_round

#: Total probability that may be dropped at the edges of the grid, over all rounds.
LEFT_OUT = 1e-12
#: Kernel steps that a computation may take (some seconds); the coarsest grid; and the width of the grid in stakes after
#: one round, which grows with the square root of the rounds.
_WORK, _COARSEST, _WIDTH = 12 * 10**9, 32, 11
#: The relative rounding error of float64.
_UNIT = 2.0**-53


@dataclass(frozen=True, eq=False)
class Walk:
    """A bankroll played with equal stakes, in parts of the stake."""

    moves: Integers
    """[outcome] net result of a round in parts, most likely first"""
    probabilities: Floats
    """[outcome] sum to 1"""
    scale: int
    """Parts per stake."""
    margin: int
    """Parts that can be lost with a full stake left."""
    bankroll: int
    """Initial bankroll in cents."""
    stake: int
    """Initial stake of a round in cents."""

    @property
    def deepest(self) -> int:
        """The largest loss of a round in parts."""
        return max(0, -int(self.moves.min()))

    def cents(self, spare: int) -> int:
        """Return the bankroll of a player with this spare, to the nearest cent (half to even)."""
        return round(self.bankroll + Fraction((spare - self.margin) * self.stake, self.scale))


def walk_of(
    distribution: Sequence[tuple[Fraction, float]], bankroll: int, stake: int, scale: int | None = None
) -> Walk:
    """Return the walk of a bankroll for a distribution of net results per unit staked; money in cents.

    `scale` is the least common denominator of the net results unless given.
    """
    likely = sorted(
        ((net, probability) for net, probability in distribution if probability > 0),
        key=lambda each: (-each[1], each[0]),
    )
    scale = scale or lcm(*(net.denominator for net, _ in likely))
    probabilities = np.array([probability for _, probability in likely])
    return Walk(
        moves=np.array([int(net * scale) for net, _ in likely], np.int64),
        probabilities=probabilities / fsum(probabilities),
        scale=scale,
        margin=(bankroll - stake) * scale // stake,
        bankroll=bankroll,
        stake=stake,
    )


def on_a_grid(walk: Walk, rounds: int) -> Walk:
    """Return the walk on a grid coarse enough to compute in seconds; the walk itself if it already is.

    A net result between two points of the coarser grid is split between both so that its mean is kept.
    """
    scale = max(_COARSEST, _WORK // ceil(len(walk.moves) * _WIDTH * rounds**1.5))
    if walk.scale <= scale:
        return walk
    scale = 1 << (scale.bit_length() - 1)
    found: dict[int, Fraction] = {}
    for move, probability in zip(walk.moves.tolist(), walk.probabilities.tolist(), strict=True):
        low, beyond = divmod(move * scale, walk.scale)
        for place, share in ((low, walk.scale - beyond), (low + 1, beyond)):
            if share:
                found[place] = found.get(place, Fraction(0)) + Fraction(probability) * Fraction(share, walk.scale)
    return walk_of(
        [(Fraction(place, scale), float(probability)) for place, probability in found.items()],
        walk.bankroll,
        walk.stake,
        scale,
    )


@dataclass(frozen=True, eq=False)
class Moment:
    """The distribution of the bankroll after some rounds."""

    played: int
    spares: Integers
    """Ascending, from the deepest ruin."""
    probabilities: Floats
    left_out: float
    """Probability dropped at the edges."""
    rounding: float
    """Bound on the rounding error of a probability."""

    @property
    def ruined(self) -> float:
        return self.below(0)

    @property
    def error(self) -> float:
        """Bound on the error of every probability, given the distribution of a round."""
        return self.left_out + self.rounding

    def below(self, spare: int) -> float:
        """Return the probability of a smaller spare than this."""
        return float(self.probabilities[: np.searchsorted(self.spares, spare)].sum())

    def quantile(self, share: float) -> int:
        """Return the quantile: the smallest spare that this share of players does not exceed."""
        place = np.searchsorted(np.cumsum(self.probabilities), share * self.probabilities.sum())
        return int(self.spares[min(int(place), len(self.spares) - 1)])

    def mean_from(self, origin: int) -> float:
        """Return the mean spare beyond `origin`, in parts."""
        return float((self.spares - origin) @ self.probabilities)


def moments(rounds: int, most: int) -> list[int]:
    """Return evenly spaced numbers of rounds from 0 to all; those for a divisor of `most` are among them."""
    return sorted({(rounds * step + most // 2) // most for step in range(most + 1)})


def course(walk: Walk, marks: Sequence[int]) -> Iterator[Moment]:
    """Yield the distribution of the bankroll after each of the marks, which ascend."""
    mass, first = np.ones(1), walk.margin
    ended = np.zeros(walk.deepest)
    played, left_out = 0, 0.0
    allowance = LEFT_OUT / 2 / max(1, marks[-1])
    for mark in marks:
        while played < mark and mass.size:
            mass, first = _one_round(walk, mass, first, ended)
            mass, first, lost = _trimmed(mass, first, allowance)
            left_out += lost
            played += 1
        rounding = mark * (len(walk.moves) + 3) * _UNIT
        spares = np.concatenate([np.arange(-walk.deepest, 0), np.arange(first, first + len(mass))])
        yield Moment(mark, spares, np.concatenate([ended[::-1], mass]), left_out, rounding)


def _one_round(walk: Walk, mass: Floats, first: int, ended: Floats) -> tuple[Floats, int]:
    """Return the distribution after one more round and its first spare; add the ruined to `ended` [parts short - 1]."""
    lowest, highest = int(walk.moves.min()), int(walk.moves.max())
    fresh = np.zeros(len(mass) + highest - lowest)
    spread_round(mass, walk.moves, walk.probabilities, fresh)
    first += lowest
    if first >= 0:
        return fresh, first
    short = fresh[:-first]
    ended[-first - len(short) : -first] += short[::-1]
    return fresh[-first:], 0


def _trimmed(mass: Floats, first: int, allowance: float) -> tuple[Floats, int, float]:
    """Drop the negligible edges; return what is left, its first spare, and the probability dropped."""
    if not mass.size:
        return mass, first, 0.0
    begin, end = edges(mass, allowance)
    return mass[begin:end], first + begin, float(mass[:begin].sum() + mass[end:].sum())


@dataclass(frozen=True, slots=True)
class EndlessPlay:
    """The risk of ruin for a player who never stops: between `low` and `high`."""

    low: float
    high: float
    adjustment: float | None
    """r per stake, the root of E[e^(-rX)] = 1; None if ruin is certain or impossible."""


def endless_play(walk: Walk, shift: float = 0.0) -> EndlessPlay:
    """Return the risk of ruin in endless play: certain without a player edge, else bounded on both sides.

    `shift`, in stakes, is added to every net result: for a mean that is known only to within an error.
    """
    parts = shift * walk.scale
    if walk.deepest <= max(0.0, parts):
        return EndlessPlay(0.0, 0.0, None)
    if fsum(walk.moves * walk.probabilities) + parts <= 0:
        return EndlessPlay(1.0, 1.0, None)
    below, above = _adjustment(walk, parts)
    return EndlessPlay(
        low=exp(-above * (walk.margin + walk.deepest)),
        high=exp(-below * (walk.margin + 1)),
        adjustment=(below + above) / 2 * walk.scale,
    )


def _adjustment(walk: Walk, shift: float) -> tuple[float, float]:
    """Return two adjacent floats around the root, per part: E[e^(-rX)] <= 1 at the first and >= 1 at the second.

    With a shift s of all net results, E[e^(-r(X + s))] = 1 where E[e^(-rX)] = e^(rs).
    """
    outcomes = list(zip(walk.moves.tolist(), walk.probabilities.tolist(), strict=True))

    def beyond_one(rate: float) -> float:
        return fsum([*(probability * expm1(-rate * move) for move, probability in outcomes), -expm1(rate * shift)])

    below, above = 0.0, 1 / walk.deepest
    while beyond_one(above) < 0:
        below, above = above, 2 * above
    while below < (middle := (below + above) / 2) < above:
        below, above = (middle, above) if beyond_one(middle) < 0 else (below, middle)
    return below, above


@dataclass(frozen=True, slots=True)
class RoundsToDetect:
    """Rounds until the edge is detectable, by the normal approximation, without ruin; None: never."""

    edge_detectable: int | None
    """Until the confidence interval of the mean is narrower to each side than the edge."""
    outcome_sure: int | None
    """Until a total win (a loss, if the player has the edge) is less likely than 1 - confidence."""


def rounds_to_detect(ev: float, sd: float, confidence: float) -> RoundsToDetect:
    """Return the rounds to detect the edge: after n rounds the mean is √n · |ev| / sd standard errors from zero."""
    if ev == 0:
        return RoundsToDetect(None, None)
    deviations = (NormalDist().inv_cdf(share) for share in ((1 + confidence) / 2, confidence))
    return RoundsToDetect(*(max(1, ceil((max(0.0, needed) * sd / ev) ** 2)) for needed in deviations))
