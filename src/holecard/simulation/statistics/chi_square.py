"""Do counts fit the chances they were drawn with? Pearson's chi-square for many, a tail of its distribution for one.

The chance of a statistic of x or more with k degrees of freedom is the regularised upper incomplete gamma function
Q(a, y) at a = k/2, y = x/2. Below y = a + 1 it is one less the series of its complement,

    1 - Q(a, y) = y^a e^-y / Γ(a) · Σ y^n / (a (a+1) … (a+n))

and above, where Q is small and a difference would lose it, the continued fraction

    Q(a, y) = y^a e^-y / Γ(a) · 1 / (y+1-a - 1(1-a) / (y+3-a - 2(2-a) / (y+5-a - …)))

Both need about √a steps where they are slowest, at y near a.

Chi-square holds where every cell is expected often. So rare cells are taken together there. A mistake in one of them
would drown in their sum, so each is also judged by itself, by the binomial distribution. With r rare cells the p of the
whole is 1 + r times the smallest of these 1 + r, at most 1 (Bonferroni): never too small, however they depend.
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

#: Cells expected less often than this are pooled.
LEAST = 5
#: How far from 1 the sum of all chances may lie: they are sums of floats.
_SUM_WITHIN = Fraction(1, 10**9)
_PRECISION = 2.0**-53
#: A skewness below this changes no p by more than 3% at five standard errors.
_HARDLY_SKEWED = 1e-3


@dataclass(frozen=True, slots=True)
class Cell:
    """A result, or several rare ones together: how often it came and how often it should."""

    name: str
    observed: int
    expected: float
    off: float
    """Observed less expected, as far as the chances' margin does not explain it."""

    @property
    def share(self) -> float:
        """What it adds to the statistic."""
        return self.off**2 / self.expected if self.expected else 0.0


@dataclass(frozen=True, slots=True)
class Fit:
    """A statistic of 0 is a perfect fit; `p` is the chance of one as large as this, were the chances right."""

    statistic: float
    degrees: int
    """Cells compared, less one. 0 when there was but one: then nothing was compared, and p is 1."""
    p: float
    worst: Cell
    """The most surprising cell: the one that adds most to the statistic, or a rare one that says more by itself."""
    impossible: tuple[Cell, ...] = ()
    """Results that came though their chance is 0. With any of them nothing fits: p is 0, whatever the rest."""


def survival(statistic: float, degrees: int) -> float:
    """The chance that chi-square with so many degrees of freedom is `statistic` or more.

    >>> f"{survival(3.841458820694124, 1):.12f}"
    '0.050000000000'
    """
    if degrees < 1:
        raise Refusal(f"chi-square has 1 degree of freedom or more, not {degrees}")
    if not statistic >= 0:
        raise Refusal(f"chi-square is 0 or more, not {statistic}")
    return upper_gamma(degrees / 2, statistic / 2)


def upper_gamma(a: float, y: float) -> float:
    """Q(a, y), the share of the gamma distribution of shape a that lies above y."""
    if y == 0:
        return 1.0
    if y == math.inf:
        return 0.0
    front = math.exp(a * math.log(y) - y - math.lgamma(a))
    return 1 - front * _series(a, y) if y < a + 1 else front * _continued_fraction(a, y)


def normal_tails(z: float, skew: float = 0.0) -> float:
    """The chance of lying z standard errors or more from the middle, to either side.

    With a skew, on its long side: twice the tail of the gamma distribution with that skewness, if that is heavier. It
    follows a sum of rare large wins, where the normal curve calls ordinary luck a thing of one in a million.
    """
    normal = math.erfc(abs(z) / math.sqrt(2))
    if abs(skew) < _HARDLY_SKEWED or not z * skew > 0:
        return normal
    # A gamma distribution of shape a has mean a, sd √a and skewness 2/√a.
    a = 4 / skew**2
    return min(1.0, max(normal, 2 * upper_gamma(a, a + abs(z) * math.sqrt(a))))


def binomial_tails(count: int, rounds: int, chance: Fraction) -> float:
    """Twice the chance of `count` and all farther out on its side, in `rounds` rounds of `chance` each.

    All are taken relative to the likeliest count, from where each next one follows by a ratio; so it takes some forty
    standard deviations' steps, and is meant for counts whose sd is in the hundreds at most.
    """
    likeliest = min(rounds, math.floor((rounds + 1) * chance))
    odds = float(chance / (1 - chance))
    more = _falling(likeliest, rounds, odds)
    fewer = _falling(rounds - likeliest, rounds, 1 / odds)
    far = more[count - likeliest :] if count >= likeliest else fewer[likeliest - count :]
    return min(1.0, 2 * math.fsum(far) / (math.fsum(more) + math.fsum(fewer) - 1))


def pooled(
    observed: Mapping[Key, int],
    chances: Mapping[Key, Fraction | float],
    least: float = LEAST,
    margins: Mapping[Key, float] | None = None,
) -> Fit:
    """Counts against chances, cells expected less than `least` times taken together and each by itself.

    `margins` say how far each chance may be off, 0 where nothing is said: so much of a difference is forgiven. A chance
    of 0 is meant so.
    """
    if not least > 0:
        raise Refusal(f"cells expected less than {least} times cannot be pooled; give a number above 0")
    margins = margins or {}
    for key, margin in margins.items():
        if not 0 <= margin < 1:
            raise Refusal(f"{shortly(key)}: a chance cannot be off by {margin}; a margin lies between 0 and 1")
    rounds, exact = _checked(observed, chances)
    impossible = tuple(
        Cell(str(key), count, 0.0, float(count))
        for key, count in observed.items()
        if count and not exact.get(key, Fraction(0))
    )
    rows = [
        _Row(str(key), index(observed.get(key, 0)), rounds * chance, rounds * Fraction(margins.get(key, 0.0)))
        for key, chance in exact.items()
        if chance
    ]
    return _fit(_pool(rows, least), [row for row in rows if row.expected < least], rounds, impossible)


class _Row(NamedTuple):
    """One result: how often it came, how often it should, and how far that may be off."""

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
    # Sorted by p alone: of two equal ones the first.
    rarest, alone = min(((row, _tails(row, rounds)) for row in rare), key=lambda found: found[1], default=(None, 1.0))
    if rarest is not None and alone < together:
        worst = _cell([rarest])
    p = min(1.0, (1 + len(rare)) * min(together, alone))
    return Fit(statistic=statistic, degrees=degrees, p=p, worst=worst)


def _tails(row: _Row, rounds: int) -> float:
    """The p of one rare cell, with the chance within its margin that suits it best."""
    nearest = min(max(Fraction(row.observed), row.expected - row.margin), row.expected + row.margin)
    return 1.0 if nearest == row.observed else binomial_tails(row.observed, rounds, nearest / rounds)


def _checked(observed: Mapping[Key, int], chances: Mapping[Key, Fraction | float]) -> tuple[int, dict[Key, Fraction]]:
    """Rounds, and the chances as exact shares of their sum."""
    for key, count in observed.items():
        if count < 0:
            raise Refusal(f"{shortly(key)} was counted {count} times; a count is 0 or more")
    for key, chance in chances.items():
        if not 0 <= chance <= 1:
            raise Refusal(f"{shortly(key)} has a chance of {chance}; a chance lies between 0 and 1")
    exact = {key: Fraction(chance) for key, chance in chances.items()}
    whole = sum(exact.values(), Fraction(0))
    if abs(whole - 1) > _SUM_WITHIN:
        raise Refusal(f"the chances add up to {float(whole):.12g}, not to 1; every possible result needs its own")
    return sum(map(index, observed.values())), {key: chance / whole for key, chance in exact.items()}


def _pool(rows: list[_Row], least: float) -> list[Cell]:
    """Cells rarest first: those below `least` in one, with the next rarest for as long as that one stays below."""
    ordered = sorted(rows, key=lambda row: row.expected)
    rare = sum(row.expected < least for row in ordered)
    while 0 < rare < len(ordered) and sum(row.expected for row in ordered[:rare]) < least:
        rare += 1
    pool = [_cell(ordered[:rare])] if rare else []
    return pool + [_cell([row]) for row in ordered[rare:]]


def _cell(rows: list[_Row]) -> Cell:
    """One cell of one result or more; the margins of its results add up."""
    name = rows[0].name if len(rows) == 1 else f"the {len(rows)} rarest together"
    observed = sum(row.observed for row in rows)
    expected = sum((row.expected for row in rows), Fraction(0))
    beyond = max(Fraction(0), abs(observed - expected) - sum(row.margin for row in rows))
    return Cell(name, observed, float(expected), math.copysign(float(beyond), float(observed - expected)))


def _falling(start: int, rounds: int, odds: float) -> list[float]:
    """How likely start, start + 1, … are beside start, until they are as good as never."""
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
    """From the top down: `below` is the tail's denominator, `above` the quotient of two convergents' numerators."""
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
