"""Judge all comparisons of exact and simulated numbers together.

With many comparisons, some large z is likely, so Holm's method judges them together: of m comparisons, the smallest p
must be above level/m, the next above level/(m-1), and so on until one is; from there on all agree. A correct simulation
then fails at most once in 1/level runs, however the comparisons depend on each other. `adjusted` is the p to judge
with `level` itself: the largest of m·p₁, (m-1)·p₂, … up to its own.

A comparison that does not differ counts as agreement only if there are enough rounds to detect a difference (see
`comparisons`); otherwise it is not judged.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from holecard.errors import Refusal, check_number
from holecard.presentation import Brief
from holecard.simulation.statistics.comparisons import AGREES, DIFFERS, UNJUDGED, Claim, Comparison, compared

#: A correct simulation fails about once in a thousand runs.
FAMILY_LEVEL = 1e-3


@dataclass(frozen=True, slots=True, repr=False)
class Agreement(Brief):
    """All comparisons in their original order, judged together at `level`."""

    comparisons: tuple[Comparison, ...]
    level: float

    @property
    def differing(self) -> tuple[Comparison, ...]:
        """The comparisons that failed, smallest p first."""
        return tuple(sorted((c for c in self.comparisons if c.verdict == DIFFERS), key=lambda c: c.p))

    @property
    def unjudged(self) -> tuple[Comparison, ...]:
        """The comparisons with too few rounds."""
        return tuple(c for c in self.comparisons if c.verdict == UNJUDGED)

    @property
    def judged(self) -> int:
        """How many comparisons could be judged."""
        return len(self.comparisons) - len(self.unjudged)

    @property
    def agrees(self) -> bool:
        """Whether at least one comparison was judged and none differs."""
        return self.judged > 0 and not self.differing

    @property
    def enough(self) -> int | None:
        """About how many rounds are enough to judge all; None if these are."""
        return _two_digits(max(c.enough for c in self.unjudged)) if self.unjudged else None

    @property
    def verdict(self) -> str:
        """The verdict as text: what differs and by how much, or the largest difference; what was not judged."""
        return "\n".join([*self._judgement(), *self._describe_unjudged()])

    def _judgement(self) -> list[str]:
        if not self.comparisons:
            return ["There is nothing to compare."]
        if not self.judged:
            return ["Nothing could be judged, so this is not agreement."]
        if self.differing:
            return [f"Exact and simulated differ in {self._of_judged()}:", *map(self._describe, self.differing)]
        farthest = min((c for c in self.comparisons if c.verdict == AGREES), key=lambda c: c.p)
        apart = ". Largest difference:" if self.judged > 1 else ":"
        return [f"Exact and simulated agree in {self._of_judged()}{apart}", self._describe(farthest)]

    def _of_judged(self) -> str:
        """Return "all of 5 comparisons", "2 of the 4 comparisons judged" or "the only comparison"."""
        judged = " judged" if self.unjudged else ""
        if self.judged == 1:
            return f"the only comparison{judged}"
        which = f"{len(self.differing)}" if self.differing else "all"
        return f"{which} of {'the ' if judged else ''}{self.judged} comparisons{judged}"

    def _describe(self, found: Comparison) -> str:
        family = sum(not math.isnan(c.p) for c in self.comparisons)
        among = f"; {found.adjusted:.2g} after correction for {family} comparisons" if family > 1 else ""
        return f"  {found.name}, {found.what}: {found.text} (p = {found.p:.2g}{among})"

    def _describe_unjudged(self) -> list[str]:
        """Say how many comparisons were not judged, which, and how many rounds are enough."""
        if not self.unjudged:
            return []
        names = ", ".join(dict.fromkeys(c.name for c in self.unjudged))
        few = f"{len(self.unjudged)} of {len(self.comparisons)} comparisons had too few rounds to be judged"
        return [f"{few} ({names}); about {self.enough:,} are enough for all."]


def judge(claims: Iterable[Claim], level: float = FAMILY_LEVEL) -> Agreement:
    """Compare every claim and judge all together; a correct simulation fails with probability `level` at most."""
    check_number("level", level, "0.001")
    if not 0 < level < 1:
        raise Refusal(f"level must be between 0 and 1 (0.001 for one false alarm in a thousand runs), not {level}")
    comparisons = [compared(claim) for claim in claims]
    family = [place for place, comparison in enumerate(comparisons) if not math.isnan(comparison.p)]
    for place, adjusted in zip(family, holm([comparisons[place].p for place in family]), strict=True):
        alike = AGREES if comparisons[place].has_power else UNJUDGED
        verdict = DIFFERS if adjusted <= level else alike
        comparisons[place] = replace(comparisons[place], adjusted=adjusted, verdict=verdict)
    return Agreement(comparisons=tuple(comparisons), level=level)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return every p adjusted for multiple comparisons by Holm's method.

    >>> holm([0.25, 0.03125, 0.125])
    [0.25, 0.09375, 0.25]
    """
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted


def _two_digits(number: float) -> int:
    """Round up to two digits.

    >>> _two_digits(26_012.5), _two_digits(51)
    (27000, 51)
    """
    step = int(10 ** max(0, math.ceil(math.log10(number)) - 2))
    return math.ceil(number / step) * step
