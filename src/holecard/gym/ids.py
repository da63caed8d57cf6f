"""Environment ids made from the sheets' names, and `make` for any sheet with settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium

from holecard.errors import Refusal
from holecard.gym.env import BlackjackEnv
from holecard.sheets.catalog import games
from holecard.sheets.read import RulesLike, rules

#: Raised when observations, actions or rewards change their meaning.
VERSION = 0
_ENTRY_POINT = "holecard.gym.env:BlackjackEnv"


def env_id(name: str) -> str:
    """Return the id of a sheet's environment.

    >>> env_id("classic")
    'holecard/classic-v0'
    """
    return f"holecard/{name}-v{VERSION}"


def register_games() -> None:
    """Register the environment of every sheet that comes with holecard."""
    for name in games(examples=True):
        _register(env_id(name), name)


def register(path: str | Path, name: str | None = None) -> str:
    """Register a sheet's file under its own name, or another, and return the id."""
    file = Path(path).resolve()
    rules(file)
    wanted = file.stem if name is None else name
    if not re.fullmatch(r"[\w-]+", wanted):
        raise Refusal(f"{wanted!r} cannot be part of an id; give a name of letters, digits, - and _")
    if wanted in games(examples=True):
        raise Refusal(f"{env_id(wanted)} is the game that comes with holecard; give another name")
    _register(env_id(wanted), str(file))
    return env_id(wanted)


def make(game: RulesLike, settings: Mapping[str, object] | None = None, **options: Any) -> BlackjackEnv:
    """Return an environment of any sheet, with settings laid over it and the options of `BlackjackEnv`."""
    return BlackjackEnv(game, settings=settings, **options)


def _register(full_id: str, game: str) -> None:
    if full_id not in gymnasium.registry:
        # The environment itself refuses a step out of turn, and tests run Gymnasium's checks over every sheet.
        gymnasium.register(
            id=full_id,
            entry_point=_ENTRY_POINT,
            kwargs={"game": game},
            order_enforce=False,
            disable_env_checker=True,
        )
