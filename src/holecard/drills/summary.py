"""What has been learned, by kind: accuracy, cost, and how much of the spots, by frequency, is known."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from holecard.drills.kinds import TITLES
from holecard.drills.progress import KNOWN, DrillProgress
from holecard.drills.spots import DrillSpots

_CENTS = 100


@dataclass(frozen=True, slots=True)
class KindProgress:
    """The answers about the spots of one kind."""

    kind: str
    title: str
    spots: int
    """how many spots there are"""
    seen: int
    """how many of them have been asked about"""
    known: int
    """how many were answered right often enough"""
    mastery: float
    """the share of the kind, by frequency, that is known, from 0 to 1"""
    asked: int
    right: int
    cents: float
    """the average cost of an answer, in cents per dollar"""

    @property
    def accuracy(self) -> float | None:
        """The share of right answers; None without any."""
        return self.right / self.asked if self.asked else None


def by_kind(spots: DrillSpots, progress: DrillProgress) -> tuple[KindProgress, ...]:
    """Return the progress of every kind that the game has. A spot counts in each of its kinds."""
    return tuple(_of_kind(spots, progress, kind) for kind in spots.kinds)


def _of_kind(spots: DrillSpots, progress: DrillProgress, kind: str) -> KindProgress:
    pool = spots.of_kind(kind)
    seen = [(spot, progress.spots[spot.key]) for spot in pool if spot.key in progress.spots]
    known = [spot for spot, found in seen if found.box >= KNOWN]
    asked = sum(found.asked for _, found in seen)
    cost = sum(found.cost for _, found in seen)
    return KindProgress(
        kind=kind,
        title=TITLES[kind],
        spots=len(pool),
        seen=len(seen),
        known=len(known),
        mastery=sum(spot.frequency for spot in known) / sum(spot.frequency for spot in pool),
        asked=asked,
        right=sum(found.right for _, found in seen),
        cents=_CENTS * cost / asked if asked else 0.0,
    )


def summary_data(spots: DrillSpots, progress: DrillProgress) -> dict[str, Any]:
    """Return the progress for programs."""
    return {
        "answered": progress.answered,
        "right": sum(found.right for found in progress.spots.values()),
        "streak": progress.streak,
        "best_streak": progress.best_streak,
        "kinds": [{**asdict(one), "accuracy": one.accuracy} for one in by_kind(spots, progress)],
    }
