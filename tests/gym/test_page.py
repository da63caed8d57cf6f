"""`docs/gym.md` names every field, action and option."""

from __future__ import annotations

import inspect
from pathlib import Path

import holecard
import holecard.gym
from holecard.deck import RANKS
from holecard.gym.observation import OBSERVED_PHASES

PAGE = (Path(__file__).parents[2] / "docs" / "gym.md").read_text(encoding="utf-8")


def test_every_field_and_phase_is_explained() -> None:
    """One entry covers all fields by rank, and one all fields by wager."""
    fields = set(holecard.gym.make("quick-pay").fields)
    plain = {name for name in fields if name[-2:-1] != "_" and not name.startswith(("placed ", "line "))}
    for name in plain | {f"hand_{RANKS[0]}", f"unseen_{RANKS[-1]}", "placed …", "line …"}:
        assert f"`{name}`" in PAGE, name
    for number, phase in enumerate(OBSERVED_PHASES):
        assert f"{number} {phase}" in PAGE


def test_every_action_is_explained() -> None:
    """Of every game."""
    for game in holecard.games(examples=True):
        for name in holecard.gym.make(game).actions:
            shown = "place …" if name.startswith("place ") else name
            assert f"`{shown}`" in PAGE, name


def test_every_option_is_explained() -> None:
    """These are all parameters of the environment."""
    for name in list(inspect.signature(holecard.gym.BlackjackEnv).parameters)[1:]:
        assert f"`{name}`" in PAGE, name
