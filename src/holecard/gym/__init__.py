"""Gymnasium environments of the whole game, one for every rule sheet.

import gymnasium
import holecard.gym

env = gymnasium.make("holecard/classic-v0")
env = holecard.gym.make("classic", {"shoe.decks": 2}, wagers={"Pairs": 5})
"""

from __future__ import annotations

try:
    import gymnasium as _gymnasium
except ModuleNotFoundError as missing:
    if missing.name != "gymnasium":
        raise
    from holecard.errors import install_extra

    raise ModuleNotFoundError(
        f"holecard.gym needs Gymnasium, which is not installed; {install_extra('gym')}", name="gymnasium"
    ) from None

from holecard.gym.env import BlackjackEnv
from holecard.gym.ids import env_id, make, register, register_games

__all__ = ["BlackjackEnv", "env_id", "make", "register"]

register_games()
del _gymnasium
