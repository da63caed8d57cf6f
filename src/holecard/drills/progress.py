"""What a person has learned about one game: a small JSON document that is checked when it is read."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, NonNegativeFloat, NonNegativeInt, ValidationError

from holecard.errors import Refusal

#: Boxes of cards to learn: each right answer moves a spot one box up, a wrong one moves it to the first.
BOXES = 6
#: Questions until a spot in this box is asked again.
WAITS = (3, 8, 20, 50, 120, 300)
#: From this box on, a spot counts as known.
KNOWN = 2
_LONGEST_KEY = 120
_MOST_SPOTS = 20_000


class _Document(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class SpotProgress(_Document):
    """The answers about one spot."""

    box: Annotated[int, Field(ge=0, lt=BOXES)]
    due: NonNegativeInt
    """The number of the question from which it should be asked again."""
    asked: Annotated[int, Field(ge=1)]
    right: NonNegativeInt
    cost: Annotated[NonNegativeFloat, Field(allow_inf_nan=False)]
    """what the wrong answers cost together, per unit"""


class DrillProgress(_Document):
    """The answers about one game."""

    version: Literal[1] = 1
    sheet: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    """The SHA-256 of the rule sheet: with other rules, other answers are right."""
    answered: NonNegativeInt = 0
    streak: NonNegativeInt = 0
    best_streak: NonNegativeInt = 0
    spots: Annotated[
        dict[Annotated[str, Field(max_length=_LONGEST_KEY)], SpotProgress], Field(max_length=_MOST_SPOTS)
    ] = {}


def with_answer(progress: DrillProgress, key: str, cost: float) -> DrillProgress:
    """Return the progress after an answer that cost this much; a right answer costs nothing."""
    is_right = cost == 0.0
    before = progress.spots.get(key)
    box = 0 if not is_right else 1 if before is None else min(before.box + 1, BOXES - 1)
    after = SpotProgress(
        box=box,
        due=progress.answered + WAITS[box],
        asked=1 if before is None else before.asked + 1,
        right=int(is_right) if before is None else before.right + is_right,
        cost=cost if before is None else before.cost + cost,
    )
    streak = progress.streak + 1 if is_right else 0
    return progress.model_copy(
        update={
            "answered": progress.answered + 1,
            "streak": streak,
            "best_streak": max(progress.best_streak, streak),
            "spots": {**progress.spots, key: after},
        }
    )


def read_progress(text: str | bytes, sheet: str, source: str) -> DrillProgress:
    """Return the progress that a text holds; refuse a text that is damaged or about other rules."""
    try:
        found = DrillProgress.model_validate_json(text)
    except ValidationError as error:
        problem = error.errors()[0]
        place = ".".join(map(str, problem["loc"])) or "the document"
        raise Refusal(f"{source} is damaged, so it is left as it is ({place}: {problem['msg']})") from None
    if found.sheet != sheet:
        raise Refusal(f"{source} is about other rules than these, so it is left as it is")
    return found
