"""Exact numbers against simulated ones: every comparison with its own surprise, and one verdict over all of them.

Many comparisons make some large z likely, so they are judged together by Holm's method: with m comparisons, the
smallest p must lie above level/m, the next above level/(m-1), and so on until one does; from there all agree. Then a
right simulation is found wrong at most once in 1/level runs, however the comparisons depend on each other. `adjusted`
is the p to hold against `level` itself: the largest of m·p₁, (m-1)·p₂, … up to its own.

What does not differ agrees only where there are rounds enough to say so, see `claims`; else it is not judged.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from holecard.errors import Refusal
from holecard.simulation.statistics.comparisons import AGREES, DIFFERS, UNJUDGED, Claim, Comparison, compared

#: A right simulation is found wrong once in a thousand runs.
FAMILY_LEVEL = 1e-3


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
    def unjudged(self) -> tuple[Comparison, ...]:
        """What had too few rounds."""
        return tuple(c for c in self.comparisons if c.verdict == UNJUDGED)

    @property
    def judged(self) -> int:
        """How many could be judged."""
        return len(self.comparisons) - len(self.unjudged)

    @property
    def agrees(self) -> bool:
        """Something was judged, and nothing of it differs."""
        return self.judged > 0 and not self.differing

    @property
    def enough(self) -> int | None:
        """About how many rounds judge all; None where these do."""
        return _two_digits(max(c.enough for c in self.unjudged)) if self.unjudged else None

    @property
    def verdict(self) -> str:
        """In words: what differs and by how much, or else which comparison came nearest to it; what was not judged."""
        return "\n".join([*self._judgement(), *self._say_unjudged()])

    def _judgement(self) -> list[str]:
        if not self.comparisons:
            return ["There is nothing to compare."]
        if not self.judged:
            return ["Nothing could be judged, which is no agreement."]
        if self.differing:
            return [f"Exact and simulated differ in {self._of_judged()}:", *map(self._say, self.differing)]
        farthest = min((c for c in self.comparisons if c.verdict == AGREES), key=lambda c: c.p)
        apart = ". Farthest apart:" if self.judged > 1 else ":"
        return [f"Exact and simulated agree in {self._of_judged()}{apart}", self._say(farthest)]

    def _of_judged(self) -> str:
        """Which comparisons: "all of 5 comparisons", "2 of the 4 comparisons judged", "the only comparison"."""
        judged = " judged" if self.unjudged else ""
        if self.judged == 1:
            return f"the only comparison{judged}"
        which = f"{len(self.differing)}" if self.differing else "all"
        return f"{which} of {'the ' if judged else ''}{self.judged} comparisons{judged}"

    def _say(self, found: Comparison) -> str:
        family = sum(not math.isnan(c.p) for c in self.comparisons)
        among = f", {found.adjusted:.2g} among {family}" if family > 1 else ""
        return f"  {found.name}, {found.what}: {found.words} (p = {found.p:.2g}{among})"

    def _say_unjudged(self) -> list[str]:
        """How many, of what, and how many rounds are enough for them."""
        if not self.unjudged:
            return []
        names = ", ".join(dict.fromkeys(c.name for c in self.unjudged))
        few = f"{len(self.unjudged)} of {len(self.comparisons)} comparisons had too few rounds to be judged"
        return [f"{few} ({names}); about {self.enough:,} are enough for all."]


def compare(claims: Iterable[Claim], level: float = FAMILY_LEVEL) -> Agreement:
    """Every claim compared, and all judged together; `level` is how often a right simulation may be found wrong."""
    if not 0 < level < 1:
        raise Refusal(f"a level of {level} is none; it lies between 0 and 1, 0.001 is once in a thousand runs")
    comparisons = [compared(claim) for claim in claims]
    family = [place for place, comparison in enumerate(comparisons) if not math.isnan(comparison.p)]
    for place, adjusted in zip(family, holm([comparisons[place].p for place in family]), strict=True):
        alike = AGREES if comparisons[place].is_enough else UNJUDGED
        verdict = DIFFERS if adjusted <= level else alike
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


def _two_digits(number: float) -> int:
    """Rounded up.

    >>> _two_digits(26_012.5), _two_digits(51)
    (27000, 51)
    """
    step = int(10 ** max(0, math.ceil(math.log10(number)) - 2))
    return math.ceil(number / step) * step
