"""What can be computed: check a sheet, analyze it, evaluate a hand, find the best chart."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Settings: TypeAlias = Annotated[dict[str, str | int | bool | list[int]], Field(max_length=40)]


class Request(BaseModel):
    """A game by name, or the text of a sheet, with settings."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    game: Annotated[str, Field(max_length=80)] | None = None
    """The name of a game."""
    sheet: str | None = None
    """Instead of a name: the text of a rule sheet, in TOML. It can extend a game that comes with Holecard."""
    settings: Settings = {}
    """Settings that change the sheet."""


class CheckSheet(Request):
    """How every pay line of a sheet is read, and what is wrong with it."""

    what: Literal["check"] = "check"


class AnalyzeGame(Request):
    """The house edge of the main game and of every side wager."""

    what: Literal["analyze"] = "analyze"


class EvaluateHand(Request):
    """The EV of every action with a hand, such as "T,6 v T"."""

    what: Literal["evaluate"] = "evaluate"
    hand: Annotated[str, Field(min_length=3, max_length=80)]
    """The player's cards and the upcard, such as "T,6 v T"."""


class FindStrategy(Request):
    """The best chart by totals."""

    what: Literal["strategy"] = "strategy"


JobRequest: TypeAlias = Annotated[CheckSheet | AnalyzeGame | EvaluateHand | FindStrategy, Field(discriminator="what")]
