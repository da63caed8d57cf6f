"""Which spot is asked next: wrong ones after three questions, right ones after more and more, new ones in between.

The choice depends on the progress, the seed and the kind alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from holecard.drills.progress import DrillProgress, SpotProgress
from holecard.drills.questions import Question, make_question
from holecard.drills.spots import DrillSpot, DrillSpots, drill_spots
from holecard.errors import Refusal
from holecard.sheets.schema import RuleSheet


def next_question(sheet: RuleSheet, progress: DrillProgress, seed: str, kind: str | None = None) -> Question:
    """Return the next question of a kind; without one, of all kinds in turn at random."""
    spot = next_spot(drill_spots(sheet), progress, seed, kind)
    return make_question(sheet, spot, f"{seed} {progress.answered}")


def next_spot(spots: DrillSpots, progress: DrillProgress, seed: str, kind: str | None = None) -> DrillSpot:
    """Return the spot to ask about."""
    pool = spots.of_kind(kind)
    if not pool:
        raise Refusal("this game leaves nothing to ask about")
    seen = [(progress.spots[spot.key], spot) for spot in pool if spot.key in progress.spots]
    due = [(found, spot) for found, spot in seen if found.due <= progress.answered]
    if due:
        return min(due, key=_urgency)[1]
    new = [spot for spot in pool if spot.key not in progress.spots]
    if not new:
        return min(seen, key=lambda pair: (pair[0].due, pair[1].key))[1]
    return _draw(new, Random(f"{seed} {progress.answered} {kind}"), kind)


def _urgency(pair: tuple[SpotProgress, DrillSpot]) -> tuple[bool, int, str]:
    """Return the order of spots that are due: those answered wrong first, then the longest due."""
    found, spot = pair
    return found.box > 0, found.due, spot.key


def _draw(new: Sequence[DrillSpot], random: Random, kind: str | None) -> DrillSpot:
    """Return a new spot, drawn by frequency; without a kind, each kind has the same chance first."""
    if kind is None:
        kinds = sorted({kind for spot in new for kind in spot.kinds})
        drawn = random.choice(kinds)
        new = [spot for spot in new if drawn in spot.kinds]
    return random.choices(new, [spot.frequency for spot in new])[0]
