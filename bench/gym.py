"""Steps per second of `holecard.gym` environments compared with Gymnasium's Blackjack-v1.

Both are made by `gymnasium.make` and played through `reset` and `step` alone. Blackjack-v1 deals from an endless deck,
offers hit and stand and pays one number; here every round comes from a full shoe, with the whole game and an action
mask.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import gymnasium

import holecard
import holecard.gym
from holecard.gym.observation import OBSERVED_PHASES

ROUNDS = 1_000
BLOCKS = 15

#: An action for an observation and its info.
Policy = Callable[[Any, dict[str, Any]], int]


class Block(NamedTuple):
    """One block of rounds: seconds and steps."""

    seconds: float
    steps: int

    @property
    def rate(self) -> float:
        return self.steps / self.seconds


def player(env: gymnasium.Env[Any, Any], policy: Policy) -> Callable[[], Block]:
    """Blocks of rounds by one policy; resets take their time, but only steps count."""
    env.reset(seed=1)

    def play() -> Block:
        steps = 0
        begun = time.thread_time()
        for _ in range(ROUNDS):
            observation, info = env.reset()
            done = False
            while not done:
                observation, _, done, _, info = env.step(policy(observation, info))
                steps += 1
        return Block(time.thread_time() - begun, steps)

    return play


def blackjack_v1() -> Callable[[], Block]:
    """Blackjack-v1, drawing to 17."""
    return player(gymnasium.make("Blackjack-v1", natural=True), lambda seen, _info: int(seen[0] < 17))


def drawing_to_17(game: str) -> Callable[[], Block]:
    """The same policy in a game of ours; whatever else is asked is declined."""
    env = gymnasium.make(holecard.gym.env_id(game))
    actions = env.unwrapped.actions  # type: ignore[attr-defined]
    fields = env.unwrapped.fields  # type: ignore[attr-defined]
    total, phase = fields.index("total"), fields.index("phase")
    decline = {OBSERVED_PHASES.index("insurance"): "no insurance", OBSERVED_PHASES.index("done"): "stand"}
    instead = {number: actions.index(action) for number, action in decline.items() if action in actions}

    def policy(seen: Any, _info: dict[str, Any]) -> int:
        found = instead.get(seen[phase])
        return int(seen[total] < 17) if found is None else found

    return player(env, policy)


def alternate(*players: Callable[[], Block]) -> list[list[Block]]:
    """Blocks of all players in turn, after one of each to warm up."""
    for play in players:
        play()
    blocks: list[list[Block]] = [[] for _ in players]
    for _ in range(BLOCKS):
        for play, found in zip(players, blocks, strict=True):
            found.append(play())
    return blocks


def ratio(ours: list[Block], theirs: list[Block]) -> float:
    """Steps per second of ours divided by theirs, measured in alternating blocks: the median."""
    return statistics.median(mine.rate / yours.rate for mine, yours in zip(ours, theirs, strict=True))


def environments() -> None:
    """Every game compared with Blackjack-v1, with the same policy; the ratio must be at least 1.5."""
    names = holecard.games()
    theirs, *ours = alternate(blackjack_v1(), *(drawing_to_17(name) for name in names))
    print("\nEnvironments, one seat drawing to 17 (alternating blocks, medians)")
    _print("Blackjack-v1", theirs, theirs)
    for name, blocks in zip(names, ours, strict=True):
        _print(holecard.gym.env_id(name), blocks, theirs)


def _print(name: str, blocks: list[Block], baseline: list[Block]) -> None:
    steps = sum(block.steps for block in blocks)
    rate = statistics.median(block.rate for block in blocks)
    print(
        f"  {name:28} {rate:9,.0f} steps/s   {steps:7,} steps   {steps / (ROUNDS * BLOCKS):5.2f} steps/round"
        f"   {ratio(blocks, baseline):5.2f}"
    )
