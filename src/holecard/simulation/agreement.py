"""Exact numbers against simulated ones: every comparison with its own surprise, and one verdict over all of them.

A comparison's p is the chance of a difference at least as large, to either side, were the exact number right:

    mean        z = (simulated - exact) / se, by the normal curve, or a skewed one where a rare pay line is large
    frequency   z by the binomial se; p by the binomial chances themselves while the count is too small to be normal
    histogram   chi-square over all results

An exact number may itself be off by a stated `margin`; then the nearest number within it is what must agree.

Many comparisons make some large z likely, so they are judged together by Holm's method: with m comparisons, the
smallest p must lie above level/m, the next above level/(m-1), and so on until one does; from there all agree. Then a
right simulation is found wrong at most once in 1/level runs, however the comparisons depend on each other. `adjusted`
is the p to hold against `level` itself: the largest of m·p₁, (m-1)·p₂, … up to its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import index
from typing import Any, TypeAlias

from holecard.errors import Refusal
from holecard.simulation.chi_square import Fit, binomial_tails, normal_tails, pooled
from holecard.simulation.estimates import Chances, Histogram, finite, rounds_of

#: A right simulation is found wrong once in a thousand runs.
FAMILY_LEVEL = 1e-3
#: Pooling below 25 keeps p right within a factor of 2 down to p = 3e-5, which a family of thirty asks for; 5 does not.
LEAST_IN_A_CELL = 25
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


@dataclass(frozen=True, slots=True)
class HistogramClaim:
    """How often every net result came in independent rounds; `margin` is for each chance, but one of 0 is meant so."""

    name: str
    what: str
    exact: Chances
    observed: Histogram
    margin: float = 0.0
    least: float = LEAST_IN_A_CELL


Claim: TypeAlias = MeanClaim | FrequencyClaim | HistogramClaim


@dataclass(frozen=True, slots=True)
class Comparison:
    """One claim beside what was simulated."""

    name: str
    what: str
    kind: str
    """ "mean", "frequency" or "histogram"."""
    words: str
    """The difference, said."""
    p: float
    """nan where there is nothing to judge."""
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

    def to_data(self) -> dict[str, Any]:
        """As plain JSON; what is unknown, or boundless, is null."""
        return {
            "name": self.name,
            "what": self.what,
            "kind": self.kind,
            "verdict": self.verdict,
            "words": self.words,
            "exact": finite(self.exact),
            "simulated": finite(self.simulated),
            "se": finite(self.se),
            "z": finite(self.z),
            "statistic": finite(self.statistic),
            "degrees": self.degrees,
            "margin": self.margin,
            "p": finite(self.p),
            "adjusted": finite(self.adjusted),
        }


@dataclass(frozen=True, slots=True)
class Agreement:
    """All comparisons in the order they were claimed, judged together at `level`."""

    comparisons: tuple[Comparison, ...]
    level: float

    @property
    def differing(self) -> tuple[Comparison, ...]:
        """What failed, the most surprising first."""
        return tuple(sorted((c for c in self.comparisons if c.verdict == DIFFERS), key=lambda c: c.p))

    @property
    def judged(self) -> int:
        """How many could be judged."""
        return sum(c.verdict != UNJUDGED for c in self.comparisons)

    @property
    def agrees(self) -> bool:
        """Something was judged, and nothing of it differs."""
        return self.judged > 0 and not self.differing

    @property
    def verdict(self) -> str:
        """In words: what differs and by how much, or else which comparison came nearest to it."""
        unjudged = [f"Not judged: {c.name}, {c.what}: {c.words}" for c in self.comparisons if c.verdict == UNJUDGED]
        return "\n".join([*self._judgement(), *unjudged])

    def to_data(self) -> dict[str, Any]:
        """As plain JSON."""
        return {
            "agrees": self.agrees,
            "verdict": self.verdict,
            "level": self.level,
            "judged": self.judged,
            "comparisons": [comparison.to_data() for comparison in self.comparisons],
        }

    def _judgement(self) -> list[str]:
        if not self.judged:
            return ["There is nothing to judge."]
        if self.differing:
            found = f"{len(self.differing)} of {self.judged} comparisons"
            return [f"Exact and simulated differ in {found}:", *map(self._say, self.differing)]
        farthest = min((c for c in self.comparisons if c.verdict == AGREES), key=lambda c: c.p)
        return [f"Exact and simulated agree in all of {self.judged} comparisons. Farthest apart:", self._say(farthest)]

    def _say(self, found: Comparison) -> str:
        among = f", {found.adjusted:.2g} among {self.judged}" if self.judged > 1 else ""
        return f"  {found.name}, {found.what}: {found.words} (p = {found.p:.2g}{among})"


def compare(claims: Iterable[Claim], level: float = FAMILY_LEVEL) -> Agreement:
    """Every claim compared, and all judged together; `level` is how often a right simulation may be found wrong."""
    if not 0 < level < 1:
        raise Refusal(f"a level of {level} is none; it lies between 0 and 1, 0.001 is once in a thousand runs")
    comparisons = [_compared(claim) for claim in claims]
    judged = [place for place, comparison in enumerate(comparisons) if not math.isnan(comparison.p)]
    for place, adjusted in zip(judged, holm([comparisons[place].p for place in judged]), strict=True):
        verdict = DIFFERS if adjusted <= level else AGREES
        comparisons[place] = replace(comparisons[place], adjusted=adjusted, verdict=verdict)
    return Agreement(comparisons=tuple(comparisons), level=level)


def holm(chances: Sequence[float]) -> list[float]:
    """Each p adjusted for its company, by Holm's method.

    >>> holm([0.25, 0.03125, 0.125])
    [0.25, 0.09375, 0.25]
    """
    adjusted = [0.0] * len(chances)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        highest = max(highest, min(1.0, (len(chances) - rank) * chances[place]))
        adjusted[place] = highest
    return adjusted


def _compared(claim: Claim) -> Comparison:
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
        return Comparison(claim.name, claim.what, "mean", "too few rounds", math.nan, exact=float(claim.exact))
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
        raise Refusal(f"{count} in {rounds} rounds with a chance of {claim.exact} cannot be")
    exact, margin = Fraction(claim.exact), Fraction(claim.margin)
    if rounds == 0:
        return Comparison(claim.name, claim.what, "frequency", "no rounds", math.nan, exact=float(exact))
    nearest = min(max(Fraction(count, rounds), exact - margin, Fraction(0)), exact + margin, Fraction(1))
    variance = rounds * nearest * (1 - nearest)
    z = _errors(float(count - rounds * nearest), math.sqrt(variance))
    off = _say_off(f"{float(count - rounds * exact):+,.1f}", z, claim.margin)
    return Comparison(
        name=claim.name,
        what=claim.what,
        kind="frequency",
        words=f"{count:,} in {rounds:,} rounds, {_often(float(rounds * exact))} expected, {off}",
        p=binomial_tails(count, rounds, nearest) if 0 < variance < _NORMAL_FROM else normal_tails(z),
        exact=float(exact),
        simulated=count / rounds,
        se=math.sqrt(variance) / rounds,
        z=z,
        margin=claim.margin,
    )


def _histogram(claim: HistogramClaim) -> Comparison:
    fit = pooled(claim.observed, claim.exact, claim.least, claim.margin)
    compared = fit.degrees or fit.impossible
    rounds = rounds_of(claim.observed)
    return Comparison(
        name=claim.name,
        what=claim.what,
        kind="histogram",
        words=_say_fit(fit) if compared else f"no two results are expected often enough in {rounds:,} rounds",
        p=fit.p if compared else math.nan,
        statistic=fit.statistic,
        degrees=fit.degrees,
        margin=claim.margin,
    )


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
        return f"{most.name} came {most.observed:,} times with a chance of 0{others}"
    worst = f"worst {fit.worst.name}: {fit.worst.observed:,}, {_often(fit.worst.expected)} expected"
    return f"chi-square {fit.statistic:.4g} with {fit.degrees} degrees of freedom, {worst}"


def _often(expected: float) -> str:
    return f"{expected:,.1f}" if expected >= 10 else f"{expected:.2g}"
