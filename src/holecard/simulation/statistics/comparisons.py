"""What the exact side says, and each such claim beside what was simulated: the difference, and how surprising it is.

A comparison's p is the chance of a difference at least as large, to either side, were the exact number right:

    mean        z = (simulated - exact) / se, by the normal curve, or a skewed one where a rare pay line is large
    frequency   z by the binomial se; p by the binomial chances themselves while the count is too small to be normal
    histogram   chi-square over all results, and the binomial chances of each rare one, see `chi_square`

An exact number may itself be off by a stated `margin`; then the nearest number within it is what must agree. A
histogram has a margin for each of its probabilities.

That nothing surprising was seen says little after too few rounds: a line that is expected half a time is not missed. So
every comparison knows after how many rounds it can be held for agreement.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from operator import index
from typing import Any, TypeAlias

from holecard.errors import Refusal
from holecard.simulation.statistics.chi_square import Fit, binomial_tails, normal_tails, pooled

#: Pooling below 25 keeps p right within a factor of 2 down to p = 3e-5, which a family of thirty asks for; 5 does not.
LEAST_IN_A_CELL = 25
#: What is expected so often and never comes has p = 1.2e-5: found at one in a thousand among eighty comparisons.
LEAST_OFTEN = 12
#: With this variance and more a count is as good as normal: p is right to 5% at four standard errors.
_NORMAL_FROM = 100_000

AGREES, DIFFERS, UNJUDGED = "agrees", "differs", "not judged"


@dataclass(frozen=True, slots=True)
class MeanClaim:
    """A mean, or any number whose error is about normal; `simulated` or `se` is nan after too few rounds."""

    name: str
    """Of what: the main game, or a wager's name."""
    what: str
    exact: float | Fraction
    simulated: float | Fraction
    se: float
    """Best from the exact sd: a sample that missed a rare pay line knows nothing of it. 0: both must be equal."""
    margin: float = 0.0
    skew: float = 0.0
    """Of the simulated mean: a round's skewness divided by the root of the rounds."""


@dataclass(frozen=True, slots=True)
class FrequencyClaim:
    """How often something came in independent rounds; a chance of 0 or 1 must hold exactly."""

    name: str
    what: str
    exact: float | Fraction
    count: int
    rounds: int
    margin: float = 0.0
    share: float = 1.0
    """Of all rounds that were dealt, those that count here: where a wager could be placed."""


@dataclass(frozen=True, slots=True)
class HistogramClaim:
    """How often every result came in independent rounds; a chance of 0 is meant so, whatever its margin."""

    name: str
    what: str
    exact: Mapping[Any, Fraction | float]
    """By net result, or by what the result is called."""
    observed: Mapping[Any, int]
    margins: Mapping[Any, float] = field(default_factory=dict)
    """How far each probability may be off, 0 where nothing is said."""
    least: float = LEAST_IN_A_CELL
    share: float = 1.0
    """As above."""

    @property
    def margin(self) -> float:
        """The largest of the margins."""
        return max(self.margins.values(), default=0.0)


Claim: TypeAlias = MeanClaim | FrequencyClaim | HistogramClaim


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """One claim beside what was simulated."""

    name: str
    what: str
    kind: str
    """ "mean", "frequency" or "histogram"."""
    words: str
    """The difference, said."""
    p: float
    """nan where nothing can be said at all."""
    exact: float = math.nan
    simulated: float = math.nan
    se: float = math.nan
    z: float = math.nan
    """Standard errors beyond the margin; like the three above, nan for a histogram."""
    statistic: float = math.nan
    degrees: int | None = None
    margin: float = 0.0
    adjusted: float = math.nan
    verdict: str = UNJUDGED
    is_enough: bool = True
    """There are rounds enough to call it agreement; a difference is one after any number of them."""
    enough: float = LEAST_OFTEN
    """So many are, about, of all rounds dealt."""

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, Comparison) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values)

    @property
    def _values(self) -> tuple[object, ...]:
        """All fields, with one value for every nan: nan itself equals nothing, not even its copy."""
        values = (getattr(self, one.name) for one in fields(self))
        return tuple(None if value != value else value for value in values)


def compared(claim: Claim) -> Comparison:
    """A claim beside what was simulated, not judged yet; refused, by its name, where it is none."""
    try:
        if not 0 <= claim.margin < math.inf:
            raise Refusal(f"a margin of {claim.margin} is none; it is 0 or more")
        if isinstance(claim, MeanClaim):
            return _mean(claim)
        return _frequency(claim) if isinstance(claim, FrequencyClaim) else _histogram(claim)
    except Refusal as wrong:
        raise Refusal(f"{claim.name}, {claim.what}: {wrong}") from wrong


def _mean(claim: MeanClaim) -> Comparison:
    if not math.isfinite(claim.exact) or claim.se < 0 or math.isinf(claim.se):
        raise Refusal(f"{claim.exact} with a standard error of {claim.se} is no claim; both are finite")
    if math.isnan(claim.se) or math.isnan(claim.simulated):
        exact = float(claim.exact)
        return Comparison(claim.name, claim.what, "mean", "too few rounds", math.nan, exact, is_enough=False)
    off = float(claim.simulated - claim.exact)
    z = _errors(math.copysign(max(0.0, abs(off) - claim.margin), off), claim.se)
    said = _say_off(f"{off:+.3g}", z, claim.margin)
    return Comparison(
        name=claim.name,
        what=claim.what,
        kind="mean",
        words=f"simulated {float(claim.simulated):.7g}, exact {float(claim.exact):.7g}, {said}",
        p=normal_tails(z, claim.skew),
        exact=float(claim.exact),
        simulated=float(claim.simulated),
        se=claim.se,
        z=z,
        margin=claim.margin,
    )


def _frequency(claim: FrequencyClaim) -> Comparison:
    count, rounds = index(claim.count), index(claim.rounds)
    if not (0 <= claim.exact <= 1 and 0 <= count <= rounds):
        raise Refusal(f"{count} in {_rounds(rounds)} with a chance of {claim.exact} cannot be")
    exact, margin = Fraction(claim.exact), Fraction(claim.margin)
    # Both that it comes and that it stays away have to be missed; never and always show in every round.
    enough = LEAST_OFTEN / float(min(exact, 1 - exact) or 1)
    if rounds == 0:
        return Comparison(
            claim.name,
            claim.what,
            "frequency",
            "no rounds",
            math.nan,
            exact=float(exact),
            is_enough=False,
            enough=enough / claim.share,
        )
    nearest = min(max(Fraction(count, rounds), exact - margin, Fraction(0)), exact + margin, Fraction(1))
    variance = rounds * nearest * (1 - nearest)
    z = _errors(float(count - rounds * nearest), math.sqrt(variance))
    off = _say_off(f"{float(count - rounds * exact):+,.1f}", z, claim.margin)
    return Comparison(
        name=claim.name,
        what=claim.what,
        kind="frequency",
        words=f"{count:,} in {_rounds(rounds)}, {_often(float(rounds * exact))} expected, {off}",
        p=binomial_tails(count, rounds, nearest) if 0 < variance < _NORMAL_FROM else normal_tails(z),
        exact=float(exact),
        simulated=count / rounds,
        se=math.sqrt(variance) / rounds,
        z=z,
        margin=claim.margin,
        is_enough=rounds >= enough,
        enough=enough / claim.share,
    )


def _histogram(claim: HistogramClaim) -> Comparison:
    fit = pooled(claim.observed, claim.exact, claim.least, claim.margins)
    enough, rounds = _two_cells(claim), sum(claim.observed.values())
    # Not by the rounds where there are two cells, for a sum of floats may be off by a hair.
    is_enough = bool(fit.degrees or fit.impossible) or (_certain(claim) and rounds >= enough)
    few = f"no two results are expected often enough in {_rounds(rounds)}"
    return Comparison(
        name=claim.name,
        what=claim.what,
        kind="histogram",
        words=_say_fit(fit) if is_enough else few,
        p=fit.p if is_enough else math.nan,
        statistic=fit.statistic,
        degrees=fit.degrees,
        margin=claim.margin,
        is_enough=is_enough,
        enough=enough / claim.share,
    )


def _certain(claim: HistogramClaim) -> bool:
    """Only one result can come; any other is found at once."""
    return sum(chance > 0 for chance in claim.exact.values()) == 1


def _two_cells(claim: HistogramClaim) -> float:
    """Rounds that leave two cells: rare results are pooled, so the likeliest and all others must come often enough."""
    likeliest = float(max(claim.exact.values()))
    return LEAST_OFTEN if _certain(claim) else claim.least / min(likeliest, 1 - likeliest)


def _errors(off: float, se: float) -> float:
    """How many standard errors; where there is none to measure by, every difference is boundless."""
    if se == 0:
        return math.copysign(math.inf, off) if off else 0.0
    return off / se


def _say_off(off: str, z: float, margin: float) -> str:
    far = f"{abs(z):.1f} standard errors" if math.isfinite(z) else "where nothing may be"
    return f"off by {off}, {far}" + (f" beyond a margin of {margin:.2g}" if margin else "")


def _say_fit(fit: Fit) -> str:
    if fit.impossible:
        most = max(fit.impossible, key=lambda cell: cell.observed)
        others = f", and {len(fit.impossible) - 1} more such results" if len(fit.impossible) > 1 else ""
        return f"{most.name} came {_times(most.observed)} with a chance of 0{others}"
    if not fit.degrees:
        return "always the one result that can come"
    worst = f"worst {fit.worst.name}: {fit.worst.observed:,}, {_often(fit.worst.expected)} expected"
    degrees = "1 degree" if fit.degrees == 1 else f"{fit.degrees} degrees"
    return f"chi-square {fit.statistic:.4g} with {degrees} of freedom, {worst}"


def _often(expected: float) -> str:
    return f"{expected:,.1f}" if expected >= 10 else f"{expected:.2g}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _rounds(number: int) -> str:
    return "1 round" if number == 1 else f"{number:,} rounds"
