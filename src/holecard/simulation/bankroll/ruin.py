"""Risk of ruin, exactly: the chances of every bankroll, round by round, on the grid of the net results.

A round's net result is a whole number of *parts*, `scale` of them to a stake. Who has s parts to spare beyond the next
stake plays on; who has fewer than none is ruined and stops. From all chances on s = margin,

    P_(n+1)(s) = Σ_k  p_k · P_n(s - x_k)      over s - x_k >= 0,

with p_k the chance of net result x_k; what falls on s < 0 stays there. Money to double or split is always found, and so
the last round can leave debts.

For play without end let X be a round's net result and r > 0 solve E[e^(-rX)] = 1, which it does once if E[X] > 0. Then
e^(-rS) is a martingale of the winnings S. Ruin comes with a loss between margin + 1 and margin + d parts, d being the
largest loss of a round; so its chance lies between e^(-r(margin + d)) and e^(-r(margin + 1)), r per part. The upper one
is Lundberg's bound. With E[X] <= 0 ruin is certain, unless no round can lose.
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

#: The chances that may be left out at the rims of the grid, all rounds together.
LEFT_OUT = 1e-12
#: Steps of the kernel that a course may take, some seconds; a grid that is never too fine; and stakes that the grid is
#: wide after one round, which grow with the root of the rounds.
_WORK, _COARSEST, _WIDTH = 12 * 10**9, 32, 11
#: float64 rounds a result by at most this part of it.
_UNIT = 2.0**-53


@dataclass(frozen=True, eq=False)
class Walk:
    """A bankroll that is bet by equal stakes, in parts of the stake."""

    moves: Integers
    """[outcome] net result of a round in parts; the likeliest first"""
    chances: Floats
    """[outcome] sum to one"""
    scale: int
    """Parts to a stake."""
    margin: int
    """Parts that can be lost with a whole stake left."""
    bankroll: int
    """Cents at the beginning."""
    stake: int
    """Cents a round begins with."""

    @property
    def deepest(self) -> int:
        """Parts the worst round loses."""
        return max(0, -int(self.moves.min()))

    def cents(self, spare: int) -> int:
        """What a player with so many parts to spare owns, to the nearest cent; half a cent goes to the even one."""
        return round(self.bankroll + Fraction((spare - self.margin) * self.stake, self.scale))


def walk_of(
    distribution: Sequence[tuple[Fraction, float]], bankroll: int, stake: int, scale: int | None = None
) -> Walk:
    """The walk of a bankroll, given what a round wins per unit staked and with which chance; money in cents.

    `scale` is the least common denominator of the net results unless given.
    """
    likely = sorted(((net, chance) for net, chance in distribution if chance > 0), key=lambda each: (-each[1], each[0]))
    scale = scale or lcm(*(net.denominator for net, _ in likely))
    chances = np.array([chance for _, chance in likely])
    return Walk(
        moves=np.array([int(net * scale) for net, _ in likely], np.int64),
        chances=chances / fsum(chances),
        scale=scale,
        margin=(bankroll - stake) * scale // stake,
        bankroll=bankroll,
        stake=stake,
    )


def on_a_grid(walk: Walk, rounds: int) -> Walk:
    """The walk on a grid that so many rounds can be spread over within seconds; the walk itself where its own is one.

    A net result between two places of the coarser grid goes to both, with probabilities that keep its mean.
    """
    scale = max(_COARSEST, _WORK // ceil(len(walk.moves) * _WIDTH * rounds**1.5))
    if walk.scale <= scale:
        return walk
    scale = 1 << (scale.bit_length() - 1)
    found: dict[int, Fraction] = {}
    for move, chance in zip(walk.moves.tolist(), walk.chances.tolist(), strict=True):
        low, beyond = divmod(move * scale, walk.scale)
        for place, share in ((low, walk.scale - beyond), (low + 1, beyond)):
            if share:
                found[place] = found.get(place, Fraction(0)) + Fraction(chance) * Fraction(share, walk.scale)
    return walk_of(
        [(Fraction(place, scale), float(chance)) for place, chance in found.items()], walk.bankroll, walk.stake, scale
    )


@dataclass(frozen=True, eq=False)
class Moment:
    """Every bankroll there can be after some rounds, and its chance."""

    played: int
    spares: Integers
    """Rising, from the deepest ruin."""
    chances: Floats
    left_out: float
    """Probabilities that were left out at the rims."""
    rounding: float
    """How far rounding can have moved a chance."""

    @property
    def ruined(self) -> float:
        return self.below(0)

    @property
    def error(self) -> float:
        """Every chance lies within this, given the chances of a round."""
        return self.left_out + self.rounding

    def below(self, spare: int) -> float:
        """The chance to have less than this to spare."""
        return float(self.chances[: np.searchsorted(self.spares, spare)].sum())

    def quantile(self, share: float) -> int:
        """The smallest spare that this share of players does not exceed."""
        place = np.searchsorted(np.cumsum(self.chances), share * self.chances.sum())
        return int(self.spares[min(int(place), len(self.spares) - 1)])

    def mean_from(self, origin: int) -> float:
        """Of what is spare beyond `origin`, in parts."""
        return float((self.spares - origin) @ self.chances)


def moments(rounds: int, most: int) -> list[int]:
    """Rounds played, evenly spaced from none to all; the moments of a divisor of `most` are among them."""
    return sorted({(rounds * step + most // 2) // most for step in range(most + 1)})


def course(walk: Walk, marks: Sequence[int]) -> Iterator[Moment]:
    """The chances of every bankroll after so many rounds, for each of the marks, which rise."""
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
    """The chances after one more round, and where they begin; `ended` [parts short - 1] takes up the ruined."""
    lowest, highest = int(walk.moves.min()), int(walk.moves.max())
    fresh = np.zeros(len(mass) + highest - lowest)
    spread_round(mass, walk.moves, walk.chances, fresh)
    first += lowest
    if first >= 0:
        return fresh, first
    short = fresh[:-first]
    ended[-first - len(short) : -first] += short[::-1]
    return fresh[-first:], 0


def _trimmed(mass: Floats, first: int, allowance: float) -> tuple[Floats, int, float]:
    """Without the rims that hold next to nothing: what is left, where it begins, and what was left out."""
    if not mass.size:
        return mass, first, 0.0
    begin, end = edges(mass, allowance)
    return mass[begin:end], first + begin, float(mass[:begin].sum() + mass[end:].sum())


@dataclass(frozen=True, slots=True)
class WithoutEnd:
    """The risk of ruin for somebody who never stops: its chance lies between `low` and `high`."""

    low: float
    high: float
    adjustment: float | None
    """r, per stake: the root of E[e^(-rX)] = 1; None where ruin is certain or impossible."""


def without_end(walk: Walk) -> WithoutEnd:
    """Certain with an edge against the player or none, bounded on both sides with one in favour."""
    if walk.deepest == 0:
        return WithoutEnd(0.0, 0.0, None)
    if fsum(walk.moves * walk.chances) <= 0:
        return WithoutEnd(1.0, 1.0, None)
    below, above = _adjustment(walk)
    return WithoutEnd(
        low=exp(-above * (walk.margin + walk.deepest)),
        high=exp(-below * (walk.margin + 1)),
        adjustment=(below + above) / 2 * walk.scale,
    )


def _adjustment(walk: Walk) -> tuple[float, float]:
    """Two neighbours of the root, per part: E[e^(-rX)] is at most one at the first, at least one at the second."""
    outcomes = list(zip(walk.moves.tolist(), walk.chances.tolist(), strict=True))

    def beyond_one(rate: float) -> float:
        return fsum(chance * expm1(-rate * move) for move, chance in outcomes)

    below, above = 0.0, 1 / walk.deepest
    while beyond_one(above) < 0:
        below, above = above, 2 * above
    while below < (middle := (below + above) / 2) < above:
        below, above = (middle, above) if beyond_one(middle) < 0 else (below, middle)
    return below, above


@dataclass(frozen=True, slots=True)
class Patience:
    """Rounds until the edge shows, by the normal approximation, for a player who is never ruined; None: never."""

    told_apart: int | None
    """Until the confidence interval of the mean result is narrower to each side than the edge."""
    outcome_sure: int | None
    """Until a total win (a loss, where the player has the edge) is less likely than 1 - confidence."""


def patience(ev: float, sd: float, confidence: float) -> Patience:
    """After n rounds the mean has a standard error of sd / √n, and lies √n · |ev| / sd of these away from zero."""
    if ev == 0:
        return Patience(None, None)
    deviations = (NormalDist().inv_cdf(share) for share in ((1 + confidence) / 2, confidence))
    return Patience(*(max(1, ceil((max(0.0, needed) * sd / ev) ** 2)) for needed in deviations))
