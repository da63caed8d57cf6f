"""Test whether counts fit their probabilities: Pearson's chi-square for many cells, a binomial tail for one.

The probability of a statistic of x or more with k degrees of freedom is the regularized upper incomplete gamma function
Q(a, y) at a = k/2, y = x/2. Below y = a + 1 it is one minus the series of its complement,

    1 - Q(a, y) = y^a e^-y / Γ(a) · Σ y^n / (a (a+1) … (a+n))

and above, where Q is small and a difference would lose all digits, the continued fraction

    Q(a, y) = y^a e^-y / Γ(a) · 1 / (y+1-a - 1(1-a) / (y+3-a - 2(2-a) / (y+5-a - …)))

Both need about √a steps in the worst case, y near a.

Chi-square is valid if every cell has a large expected count, so rare cells are pooled. An error in one rare cell would
disappear in the pool, so each is also tested alone with the binomial distribution. With r rare cells, the combined p is
1 + r times the smallest of these 1 + r values, at most 1 (Bonferroni): never too small, whatever their dependence.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from operator import index
from typing import NamedTuple, TypeVar

from holecard.errors import Refusal, shortly

Key = TypeVar("Key", bound=Hashable)

#: Cells with a smaller expected count are pooled.
LEAST = 5
#: Allowed deviation of the sum of all probabilities from 1, because they are sums of floats.
_SUM_WITHIN = Fraction(1, 10**9)
_PRECISION = 2.0**-53
#: A skewness below this changes no p by more than 3% at five standard errors.
_HARDLY_SKEWED = 1e-3


@dataclass(frozen=True, slots=True)
class Cell:
    """A result, or several rare results pooled: observed and expected counts."""

    name: str
    observed: int
    expected: float
    off: float
    """Observed minus expected, beyond what the margin of the probabilities allows."""

    @property
    def share(self) -> float:
        """Its contribution to the statistic."""
        return self.off**2 / self.expected if self.expected else 0.0


@dataclass(frozen=True, slots=True)
class Fit:
    """A statistic of 0 is a perfect fit; `p` is the probability of one this large if the probabilities are right."""

    statistic: float
    degrees: int
    """Number of cells minus one. With 0, nothing was compared and p is 1."""
    p: float
    worst: Cell
    """The worst cell: the largest contribution to the statistic, or a rare cell with a smaller p of its own."""
    impossible: tuple[Cell, ...] = ()
    """Results that occurred although their probability is 0. If there are any, p is 0."""


def survival(statistic: float, degrees: int) -> float:
    """Return the probability that chi-square with these degrees of freedom is `statistic` or more.

    >>> f"{survival(3.841458820694124, 1):.12f}"
    '0.050000000000'
    """
    if degrees < 1:
        raise Refusal(f"chi-square needs at least 1 degree of freedom, not {degrees}")
    if not statistic >= 0:
        raise Refusal(f"a chi-square statistic must be 0 or more, not {statistic}")
    return upper_gamma(degrees / 2, statistic / 2)


def upper_gamma(a: float, y: float) -> float:
    """Return Q(a, y), the probability that a gamma variable of shape a exceeds y."""
    if y == 0:
        return 1.0
    if y == math.inf:
        return 0.0
    front = math.exp(a * math.log(y) - y - math.lgamma(a))
    return 1 - front * _series(a, y) if y < a + 1 else front * _continued_fraction(a, y)


def normal_tails(z: float, skew: float = 0.0) -> float:
    """Return the two-sided probability of a deviation of z standard errors or more.

    With a skew, on the long side: twice the tail of the gamma distribution with that skewness, if that is heavier. It
    fits sums of rare large wins, for which the normal distribution makes ordinary luck look like one in a million.
    """
    normal = math.erfc(abs(z) / math.sqrt(2))
    if abs(skew) < _HARDLY_SKEWED or not z * skew > 0:
        return normal
    # A gamma distribution of shape a has mean a, sd √a and skewness 2/√a.
    a = 4 / skew**2
    return min(1.0, max(normal, 2 * upper_gamma(a, a + abs(z) * math.sqrt(a))))


def chernoff_tails(probabilities: Mapping[Fraction, Fraction], rounds: int, mean: float) -> float:
    """Return an upper bound of twice the probability that independent rounds have a mean at least this extreme.

    It is Chernoff's bound, exp(n · min over t of (K(t) - t · mean)), with K(t) = log E[exp(t x)]: never too small,
    however skewed a round is, and at five standard errors about ten times too large.
    """
    values = [(float(value), float(probability)) for value, probability in probabilities.items() if probability]
    middle = math.fsum(value * probability for value, probability in values)
    side = 1.0 if mean >= middle else -1.0
    far = max(side * value for value, _ in values)
    # Distances from the mean on this side, in units of the farthest: all at most 1.
    unit = far - side * middle
    wanted = side * (mean - middle) / unit if unit else 0.0
    if wanted <= 0:
        return 1.0
    if wanted > 1:
        return 0.0
    steps = [((side * value - side * middle) / unit, probability) for value, probability in values]
    low, high = 0.0, 1.0
    while high < 1e6 and _tilted(steps, high)[1] < wanted:
        low, high = high, 2 * high
    for _ in range(60):
        t = (low + high) / 2
        low, high = (t, high) if _tilted(steps, t)[1] < wanted else (low, t)
    log_mean, _ = _tilted(steps, high)
    return min(1.0, 2 * math.exp(min(0.0, rounds * (log_mean - high * wanted))))


def _tilted(steps: list[tuple[float, float]], t: float) -> tuple[float, float]:
    """Return log E[exp(t x)] and the mean under the probabilities tilted by exp(t x); every x is at most 1."""
    weights = [(x, probability * math.exp(t * (x - 1))) for x, probability in steps]
    whole = math.fsum(weight for _, weight in weights)
    return t + math.log(whole), math.fsum(x * weight for x, weight in weights) / whole


def binomial_tails(count: int, rounds: int, probability: Fraction) -> float:
    """Return twice the probability of a count at least as extreme on the same side, in `rounds` trials.

    Probabilities are computed relative to the most likely count, each from its neighbor by a ratio. That takes about
    forty standard deviations of steps, so it is meant for counts with an sd of a few hundred at most.
    """
    likeliest = min(rounds, math.floor((rounds + 1) * probability))
    odds = float(probability / (1 - probability))
    more = _falling(likeliest, rounds, odds)
    fewer = _falling(rounds - likeliest, rounds, 1 / odds)
    far = more[count - likeliest :] if count >= likeliest else fewer[likeliest - count :]
    return min(1.0, 2 * math.fsum(far) / (math.fsum(more) + math.fsum(fewer) - 1))


def pooled(
    observed: Mapping[Key, int],
    probabilities: Mapping[Key, Fraction | float],
    least: float = LEAST,
    margins: Mapping[Key, float] | None = None,
) -> Fit:
    """Test counts against probabilities; cells expected less than `least` times are pooled and also tested alone.

    `margins` give the possible error of each probability (0 if missing); differences within it are allowed. A
    probability of 0 is taken as exact.
    """
    if not least > 0:
        raise Refusal(f"least must be more than 0, not {least}")
    margins = margins or {}
    for key, margin in margins.items():
        if not 0 <= margin < 1:
            raise Refusal(f"{shortly(key)}: a margin must be between 0 and 1, not {margin}")
    rounds, exact = _checked(observed, probabilities)
    impossible = tuple(
        Cell(str(key), count, 0.0, float(count))
        for key, count in observed.items()
        if count and not exact.get(key, Fraction(0))
    )
    rows = [
        _Row(str(key), index(observed.get(key, 0)), rounds * probability, rounds * Fraction(margins.get(key, 0.0)))
        for key, probability in exact.items()
        if probability
    ]
    return _fit(_pool(rows, least), [row for row in rows if row.expected < least], rounds, impossible)


class _Row(NamedTuple):
    """One result: observed count, expected count, and the margin of the expected count."""

    name: str
    observed: int
    expected: Fraction
    margin: Fraction


def _fit(cells: list[Cell], rare: list[_Row], rounds: int, impossible: tuple[Cell, ...]) -> Fit:
    degrees = len(cells) - 1
    worst = max(cells, key=lambda cell: cell.share)
    if impossible:
        return Fit(statistic=math.inf, degrees=degrees, p=0.0, worst=worst, impossible=impossible)
    if not degrees:
        return Fit(statistic=0.0, degrees=0, p=1.0, worst=worst)
    statistic = math.fsum(cell.share for cell in cells)
    together = survival(statistic, degrees)
    # By p alone; the first of two equal ones.
    rarest, alone = min(((row, _tails(row, rounds)) for row in rare), key=lambda found: found[1], default=(None, 1.0))
    if rarest is not None and alone < together:
        worst = _cell([rarest])
    p = min(1.0, (1 + len(rare)) * min(together, alone))
    return Fit(statistic=statistic, degrees=degrees, p=p, worst=worst)


def _tails(row: _Row, rounds: int) -> float:
    """Return the p of one rare cell, with the most favorable probability within its margin."""
    nearest = min(max(Fraction(row.observed), row.expected - row.margin), row.expected + row.margin)
    return 1.0 if nearest == row.observed else binomial_tails(row.observed, rounds, nearest / rounds)


def _checked(
    observed: Mapping[Key, int], probabilities: Mapping[Key, Fraction | float]
) -> tuple[int, dict[Key, Fraction]]:
    """Return the number of rounds, and the probabilities normalized exactly."""
    for key, count in observed.items():
        if count < 0:
            raise Refusal(f"{shortly(key)} has the count {count}; counts must be 0 or more")
    for key, probability in probabilities.items():
        if not 0 <= probability <= 1:
            raise Refusal(f"{shortly(key)}: a probability must be between 0 and 1, not {probability}")
    exact = {key: Fraction(probability) for key, probability in probabilities.items()}
    whole = sum(exact.values(), Fraction(0))
    if abs(whole - 1) > _SUM_WITHIN:
        raise Refusal(f"the probabilities add up to {float(whole):.12g}, not 1; list every possible result")
    return sum(map(index, observed.values())), {key: probability / whole for key, probability in exact.items()}


def _pool(rows: list[_Row], least: float) -> list[Cell]:
    """Return the cells, rarest first; those below `least` are pooled with the next rarest until they reach it."""
    ordered = sorted(rows, key=lambda row: row.expected)
    rare = sum(row.expected < least for row in ordered)
    while 0 < rare < len(ordered) and sum(row.expected for row in ordered[:rare]) < least:
        rare += 1
    pool = [_cell(ordered[:rare])] if rare else []
    return pool + [_cell([row]) for row in ordered[rare:]]


def _cell(rows: list[_Row]) -> Cell:
    """Return one cell for one or more results; their margins add up."""
    name = rows[0].name if len(rows) == 1 else f"the {len(rows)} rarest together"
    observed = sum(row.observed for row in rows)
    expected = sum((row.expected for row in rows), Fraction(0))
    beyond = max(Fraction(0), abs(observed - expected) - sum(row.margin for row in rows))
    return Cell(name, observed, float(expected), math.copysign(float(beyond), float(observed - expected)))


def _falling(start: int, rounds: int, odds: float) -> list[float]:
    """Return the probabilities of start, start + 1, … relative to start, until they underflow."""
    likely = [1.0]
    for count in range(start, rounds):
        following = likely[-1] * odds * (rounds - count) / (count + 1)
        if following < sys.float_info.min:
            break
        likely.append(following)
    return likely


def _series(a: float, y: float) -> float:
    term = total = 1 / a
    step = a
    while term > total * _PRECISION:
        step += 1
        term *= y / step
        total += term
    return total


def _continued_fraction(a: float, y: float) -> float:
    """Evaluate the continued fraction by the modified Lentz method."""
    partial = y + 1 - a
    below = 1 / partial
    above = math.inf
    value = below
    step = 0
    change = 0.0
    while abs(change - 1) > 2 * _PRECISION:
        step += 1
        numerator = step * (a - step)
        partial += 2
        below = 1 / (partial + numerator * below)
        above = partial + numerator / above
        change = above * below
        value *= change
    return value
