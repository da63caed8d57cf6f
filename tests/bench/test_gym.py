"""The benchmark of the environments counts what it says."""

from __future__ import annotations

from typing import Any

import gymnasium
import pytest

import holecard
from bench import gym
from bench.gym import Block


class Counted(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Counts steps by itself."""

    steps = 0

    def step(self, action: Any) -> Any:
        self.steps += 1
        return super().step(action)


def test_every_step_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as the environment saw, and none of them illegal."""
    monkeypatch.setattr(gym, "ROUNDS", 50)
    env = Counted(gymnasium.make("Blackjack-v1"))
    block = gym.player(env, lambda seen, _info: int(seen[0] < 17))()
    assert block.steps == env.steps
    assert block.seconds > 0


@pytest.mark.parametrize("game", holecard.games())
def test_drawing_to_17_is_legal_in_every_game(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An illegal action would be a cheap step."""
    monkeypatch.setattr(gym, "ROUNDS", 100)
    make = gymnasium.make
    monkeypatch.setattr(gymnasium, "make", lambda name: make(name, illegal_action="raise"))
    assert 100 <= gym.drawing_to_17(game)().steps < 400


def test_a_ratio_is_the_median_of_blocks_side_by_side() -> None:
    """Not the ratio of medians."""
    theirs = [Block(1.0, 100), Block(2.0, 100), Block(4.0, 100)]
    ours = [Block(1.0, 300), Block(2.0, 200), Block(4.0, 100)]
    assert gym.ratio(ours, theirs) == 2.0
