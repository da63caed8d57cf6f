"""Compare exact numbers ("claims") with simulated ones: the difference, and its p-value.

A comparison's p is the two-sided probability of a difference at least this large if the exact number is right:

    mean        z = (simulated - exact) / se; normal distribution, or a skewed one where a rare pay line is large
    deviation   as for the mean, of the squared distance from the exact mean; see `DeviationClaim`
    frequency   z with the binomial se; p from the binomial distribution while the count is too small to be normal
    histogram   chi-square over all results, and the binomial distribution for each rare one, see `chi_square`

An exact number may have a stated error, its `margin`; then the nearest number within the margin has to agree. A
histogram has a margin for each probability.

After too few rounds, the absence of a difference proves little: a line that is expected 0.5 times is not
missed. So each comparison knows how many rounds it needs before it counts as agreement (`has_power`, `enough`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from operator import index
from typing import Any, TypeAlias

from holecard.errors import Refusal
from holecard.presentation import Brief
from holecard.simulation.statistics.chi_square import Fit, binomial_tails, chernoff_tails, normal_tails, pooled
from holecard.simulation.statistics.estimates import Histogram, Probabilities, rounds_of, shape

#: Pooling below 25 keeps p right within a factor of 2 down to p = 3e-5, as thirty comparisons need; 5 does not.
LEAST_IN_A_CELL = 25
#: A result expected this often that never occurs has p = 1.2e-5: detected at level 0.001 among eighty comparisons.
LEAST_OFTEN = 12
#: From this variance on a count is treated as normal: p is right to 5% at four standard errors.
_NORMAL_FROM = 100_000

#: From this skewness of a mean on, a hundred rare rounds or fewer decide it, and its p is an upper bound.
_FEW_DECIDE = 0.1

AGREES, DIFFERS, UNJUDGED = "agrees", "differs", "not judged"


@dataclass(frozen=True, slots=True)
class MeanClaim:
    """A mean, or any number with a roughly normal error; `simulated` or `se` is nan after too few rounds."""

    name: str
    """The main game, or a wager's name."""
    what: str
    exact: float | Fraction
    simulated: float | Fraction
    se: float
    """Preferably from the exact sd: a sample may have missed a rare pay line. 0: both must be equal."""
    margin: float = 0.0
    skew: float = 0.0
    """Skewness of the simulated mean: that of a round divided by √rounds."""


@dataclass(frozen=True, slots=True)
class FrequencyClaim:
    """How often something occurs in independent rounds; a probability of 0 or 1 must hold exactly."""

    name: str
    what: str
    exact: float | Fraction
    count: int
    rounds: int
    margin: float = 0.0
    share: float = 1.0
    """The share of all rounds that count here: those in which the wager could be placed."""


@dataclass(frozen=True, slots=True)
class HistogramClaim:
    """How often every result occurs in independent rounds; a probability of 0 is exact, whatever its margin."""

    name: str
    what: str
    exact: Mapping[Any, Fraction | float]
    """By net result, or by the result's name."""
    observed: Mapping[Any, int]
    margins: Mapping[Any, float] = field(default_factory=dict)
    """The possible error of each probability; 0 if missing."""
    least: float = LEAST_IN_A_CELL
    share: float = 1.0
    """As for `FrequencyClaim`."""

    @property
    def margin(self) -> float:
        """The largest margin."""
        return max(self.margins.values(), default=0.0)


@dataclass(frozen=True, slots=True)
class DeviationClaim:
    """The standard deviation of independent rounds; its error follows from the fourth moment of the exact distribution.

    The sampled variance is the mean of (x - exact mean)², so it is judged like any mean. Where a few rare results
    decide it, its distribution is far from normal, and p is an upper bound.
    """

    name: str
    what: str
    exact: float
    """The stated deviation."""
    probabilities: Probabilities
    """By net result."""
    observed: Histogram
    margin: float = 0.0


Claim: TypeAlias = MeanClaim | FrequencyClaim | HistogramClaim | DeviationClaim


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison(Brief):
    """One claim compared with the simulation."""

    name: str
    what: str
    kind: str
    """ "mean", "deviation", "frequency" or "histogram"."""
    text: str
    """The difference in words."""
    p: float
    """nan if nothing can be said."""
    exact: float = math.nan
    simulated: float = math.nan
    standard_error: float = math.nan
    z: float = math.nan
    """Difference beyond the margin in standard errors; like the three above, nan for a histogram."""
    statistic: float = math.nan
    degrees: int | None = None
    margin: float = 0.0
    adjusted: float = math.nan
    verdict: str = UNJUDGED
    has_power: bool = True
    """Whether there are enough rounds to call it agreement; a difference counts after any number."""
    enough: float = LEAST_OFTEN
    """About how many rounds, of all dealt, are enough."""

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
    """Return a comparison of a claim with its simulated value, not judged yet. Name an invalid claim in the refusal."""
    try:
        if not 0 <= claim.margin < math.inf:
            raise Refusal(f"margin must be 0 or more, not {claim.margin}")
        if isinstance(claim, MeanClaim):
            return _mean(claim)
        if isinstance(claim, DeviationClaim):
            return _deviation(claim)
        return _frequency(claim) if isinstance(claim, FrequencyClaim) else _histogram(claim)
    except Refusal as wrong:
        raise Refusal(f"{claim.name}, {claim.what}: {wrong}") from wrong


def _mean(claim: MeanClaim) -> Comparison:
    if not math.isfinite(claim.exact) or claim.se < 0 or math.isinf(claim.se):
        raise Refusal(f"{claim.exact} with standard error {claim.se}: both must be finite, and the error 0 or more")
    if math.isnan(claim.se) or math.isnan(claim.simulated):
        exact = float(claim.exact)
        return Comparison(claim.name, claim.what, "mean", "too few rounds", math.nan, exact, has_power=False)
    off = float(claim.simulated - claim.exact)
    z = _errors(math.copysign(max(0.0, abs(off) - claim.margin), off), claim.se)
    said = _describe_difference(f"{off:+.3g}", z, claim.margin)
    return Comparison(
        name=claim.name,
        what=claim.what,
        kind="mean",
        text=f"simulated {float(claim.simulated):.7g}, exact {float(claim.exact):.7g}, {said}",
        p=normal_tails(z, claim.skew),
        exact=float(claim.exact),
        simulated=float(claim.simulated),
        standard_error=claim.se,
        z=z,
        margin=claim.margin,
    )


def _deviation(claim: DeviationClaim) -> Comparison:
    rounds, mean = rounds_of(claim.observed), shape(claim.probabilities).mean
    squares = {net: (float(net) - mean) ** 2 for net in {*claim.probabilities, *claim.observed}}
    promised = shape(_merged(squares, claim.probabilities))
    if rounds < LEAST_OFTEN or not claim.exact or not promised.sd:
        return Comparison(claim.name, claim.what, "deviation", "too few rounds", math.nan, claim.exact, has_power=False)
    sampled = math.fsum(squares[net] * count for net, count in claim.observed.items()) / rounds
    # Errors of variances, divided by 2 sd, are those of standard deviations.
    se = promised.sd / math.sqrt(rounds) / (2 * claim.exact)
    simulated, skew = math.sqrt(sampled), promised.skew / math.sqrt(rounds)
    off = (sampled - claim.exact**2) / (2 * claim.exact)
    z = _errors(math.copysign(max(0.0, abs(off) - claim.margin), off), se)
    if abs(skew) < _FEW_DECIDE:
        p = normal_tails(z, skew)
    else:
        p = chernoff_tails(
            _merged(squares, claim.probabilities), rounds, sampled - math.copysign(2 * claim.exact * claim.margin, off)
        )
    said = _describe_difference(f"{simulated - claim.exact:+.3g}", z, claim.margin)
    return Comparison(
        name=claim.name,
        what=claim.what,
        kind="deviation",
        text=f"simulated {simulated:.7g}, exact {claim.exact:.7g}, {said}",
        p=p,
        exact=claim.exact,
        simulated=simulated,
        standard_error=se,
        z=z,
        margin=claim.margin,
    )


def _merged(values: Mapping[Fraction, float], probabilities: Probabilities) -> dict[Fraction, Fraction]:
    """Return the probability of each value of a function of the net result."""
    merged: dict[Fraction, Fraction] = {}
    for net, probability in probabilities.items():
        value = Fraction(values[net])
        merged[value] = merged.get(value, Fraction(0)) + Fraction(probability)
    return merged


def _frequency(claim: FrequencyClaim) -> Comparison:
    count, rounds = index(claim.count), index(claim.rounds)
    if not (0 <= claim.exact <= 1 and 0 <= count <= rounds):
        raise Refusal(f"a count of {count} in {_rounds(rounds)} with probability {claim.exact} is impossible")
    exact, margin = Fraction(claim.exact), Fraction(claim.margin)
    # Both occurrences and absences must be frequent enough to be missed; "never" and "always" show in every round.
    enough = LEAST_OFTEN / float(min(exact, 1 - exact) or 1)
    if rounds == 0:
        return Comparison(
            claim.name,
            claim.what,
            "frequency",
            "no rounds",
            math.nan,
            exact=float(exact),
            has_power=False,
            enough=enough / claim.share,
        )
    nearest = min(max(Fraction(count, rounds), exact - margin, Fraction(0)), exact + margin, Fraction(1))
    variance = rounds * nearest * (1 - nearest)
    z = _errors(float(count - rounds * nearest), math.sqrt(variance))
    off = _describe_difference(f"{float(count - rounds * exact):+,.1f}", z, claim.margin)
    return Comparison(
        name=claim.name,
        what=claim.what,
        kind="frequency",
        text=f"{count:,} in {_rounds(rounds)}, {_often(float(rounds * exact))} expected, {off}",
        p=binomial_tails(count, rounds, nearest) if 0 < variance < _NORMAL_FROM else normal_tails(z),
        exact=float(exact),
        simulated=count / rounds,
        standard_error=math.sqrt(variance) / rounds,
        z=z,
        margin=claim.margin,
        has_power=rounds >= enough,
        enough=enough / claim.share,
    )


def _histogram(claim: HistogramClaim) -> Comparison:
    fit = pooled(claim.observed, claim.exact, claim.least, claim.margins)
    enough, rounds = _two_cells(claim), sum(claim.observed.values())
    # Not by the number of rounds where there are two cells, because a sum of floats may be slightly off.
    has_power = bool(fit.degrees or fit.impossible) or (_certain(claim) and rounds >= enough)
    few = f"no two results are expected often enough in {_rounds(rounds)}"
    return Comparison(
        name=claim.name,
        what=claim.what,
        kind="histogram",
        text=_describe_fit(fit) if has_power else few,
        p=fit.p if has_power else math.nan,
        statistic=fit.statistic,
        degrees=fit.degrees,
        margin=claim.margin,
        has_power=has_power,
        enough=enough / claim.share,
    )


def _certain(claim: HistogramClaim) -> bool:
    """Return whether only one result is possible; any other is detected at once."""
    return sum(probability > 0 for probability in claim.exact.values()) == 1


def _two_cells(claim: HistogramClaim) -> float:
    """Return the rounds needed for two cells after pooling: the most likely result, and all others together."""
    likeliest = float(max(claim.exact.values()))
    return LEAST_OFTEN if _certain(claim) else claim.least / min(likeliest, 1 - likeliest)


def _errors(off: float, se: float) -> float:
    """Return a difference in standard errors; infinite if the standard error is 0."""
    if se == 0:
        return math.copysign(math.inf, off) if off else 0.0
    return off / se


def _describe_difference(off: str, z: float, margin: float) -> str:
    far = f"{abs(z):.1f} standard errors" if math.isfinite(z) else "but nothing is allowed"
    return f"off by {off}, {far}" + (f" beyond a margin of {margin:.2g}" if margin else "")


def _describe_fit(fit: Fit) -> str:
    if fit.impossible:
        most = max(fit.impossible, key=lambda cell: cell.observed)
        others = f", and {len(fit.impossible) - 1} more such results" if len(fit.impossible) > 1 else ""
        return f"{most.name} occurred {_times(most.observed)} although its probability is 0{others}"
    if not fit.degrees:
        return "always the only possible result"
    worst = f"worst {fit.worst.name}: {fit.worst.observed:,}, {_often(fit.worst.expected)} expected"
    degrees = "1 degree" if fit.degrees == 1 else f"{fit.degrees} degrees"
    return f"chi-square {fit.statistic:.4g} with {degrees} of freedom, {worst}"


def _often(expected: float) -> str:
    return f"{expected:,.1f}" if expected >= 10 else f"{expected:.2g}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _rounds(number: int) -> str:
    return "1 round" if number == 1 else f"{number:,} rounds"
