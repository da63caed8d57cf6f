"""Policies to compare an agent with: random, by a chart, and the best play for the visible cards.

A policy takes an observation and an action mask and returns an action. It looks at nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from numpy.typing import NDArray

from holecard.charts.chart import Chart
from holecard.deck import RANKS, value_name, value_of
from holecard.errors import Refusal
from holecard.gym.actions import PASS, STAND
from holecard.gym.env import BlackjackEnv
from holecard.gym.observation import OBSERVED_PHASES, Observation

ActionMask: TypeAlias = NDArray[np.int8]
GymPolicy: TypeAlias = Callable[[Observation, ActionMask], int]

_DONE = OBSERVED_PHASES.index("done")
_TEN = RANKS.index("T")


class Reader:
    """The numbers of an observation by name, and the actions of an environment by name."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        inner = env.unwrapped
        if not isinstance(inner, BlackjackEnv):
            raise TypeError(f"{env} is not an environment of holecard; make one with holecard.gym.make")
        self.env = inner
        self.place = {name: place for place, name in enumerate(inner.fields)}
        self.number = {name: number for number, name in enumerate(inner.actions)}
        self._hand = self.place["hand_A"]
        self.unseen_from = self.place["unseen_A"]

    def hand(self, seen: Observation) -> tuple[int, ...]:
        """Return the cards of the hand by rank, the ace first."""
        return tuple(seen[self._hand : self._hand + len(RANKS)].tolist())

    def unseen(self, seen: Observation) -> tuple[int, ...]:
        """Return the cards not seen by rank, the ace first."""
        return tuple(seen[self.unseen_from : self.unseen_from + len(RANKS)].tolist())

    def dealer(self, seen: Observation) -> tuple[int, ...]:
        """Return the values of the visible dealer cards: the upcard, and the hole card if it is face up."""
        hole = int(seen[self.place["hole"]])
        return (int(seen[self.place["upcard"]]), *([hole] if hole else []))

    def legal(self, mask: ActionMask) -> list[str]:
        """Return the names of the legal actions."""
        return [self.env.actions[number] for number in np.flatnonzero(mask)]

    def declined(self, mask: ActionMask) -> int | None:
        """Return the action that stakes nothing more where no hand is being played; None where one is."""
        for action in (PASS, "no insurance"):
            number = self.number.get(action)
            if number is not None and mask[number]:
                return number
        bets = [number for number in np.flatnonzero(mask) if self.env.actions[number].startswith("bet ")]
        return int(bets[0]) if bets else None


def random_policy(seed: int | None = None) -> GymPolicy:
    """Return a policy that takes any legal action, all equally likely."""
    generator = np.random.default_rng(seed)
    return lambda _seen, mask: int(generator.choice(np.flatnonzero(mask)))


def chart_policy(env: gymnasium.Env[Any, Any], chart: Chart | None = None) -> GymPolicy:
    """Return a policy that plays by a chart, by default the game's best one; no insurance and no side wagers.

    A chart of this environment's rules for its full decks is found once and kept.
    """
    read = Reader(env)
    if chart is None:
        from holecard.exact.charts.chart_cache import cached_best_chart

        chart = cached_best_chart(read.env.rules).chart
    total, soft, pair = read.place["total"], read.place["soft"], read.place["pair"]
    hands, cards, phase = read.place["hands"], read.place["cards"], read.place["phase"]

    known: dict[tuple[bytes, bytes], int] = {}

    def policy(seen: Observation, mask: ActionMask) -> int:
        key = seen[: read.unseen_from].tobytes(), mask.tobytes()
        found = known.get(key)
        if found is None:
            found = known[key] = decide(seen, mask)
        return found

    def decide(seen: Observation, mask: ActionMask) -> int:
        declined = read.declined(mask)
        if declined is not None:
            return declined
        if seen[phase] == _DONE:
            return STAND
        values = _values(read.hand(seen))
        first_two = (values[0], values[1]) if seen[cards] == 2 and seen[hands] == 1 else None
        pair_value = values[0] if seen[pair] else None
        action = chart.choose(
            int(seen[total]), bool(seen[soft]), pair_value, read.dealer(seen), read.legal(mask), first_two
        )
        return read.number[action]

    return policy


def optimal_policy(env: gymnasium.Env[Any, Any]) -> GymPolicy:
    """Return a policy that plays each hand best for its cards, as `holecard.evaluate` does; no side wagers.

    Insurance is taken where it gains. Cards seen in earlier rounds of the shoe and in the seat's other hands count.
    Near the end of a shoe, where the cards left may not be enough for a round, full decks are assumed. Every situation
    is evaluated once, in milliseconds, and kept.
    """
    from holecard.exact.evaluate import evaluate

    read = Reader(env)
    phase, from_split = read.place["phase"], read.place["from_split"]
    known: dict[tuple[object, ...], int] = {}

    def policy(seen: Observation, mask: ActionMask) -> int:
        if seen[phase] == _DONE:
            return STAND
        if "insurance" in read.legal(mask):
            return read.number["insurance" if _insurance_gains(read, seen) else "no insurance"]
        declined = read.declined(mask)
        if declined is not None:
            return declined
        key = seen[1:].tobytes(), mask.tobytes()
        if key not in known:
            known[key] = decide(seen, read.legal(mask))
        return known[key]

    def decide(seen: Observation, legal: list[str]) -> int:
        hand, dealer = _names(read.hand(seen)), [value_name(value) for value in read.dealer(seen)]
        split = bool(seen[from_split])
        if split and "hit" in legal:
            hand = sorted(hand, key="A".__eq__)  # only an ace that gets no more cards is named first
        dealt_from = Counter(dict(zip(RANKS, read.unseen(seen), strict=True))) + Counter(hand) + Counter(dealer)
        if split:
            dealt_from[hand[0]] += 1  # the other card of the pair, which `evaluate` takes out
        spot = f"{','.join(hand)} v {','.join(dealer)}{' after split' if split else ''}"
        try:
            choices = evaluate(read.env.rules, spot, dealt_from).choices
        except Refusal:  # the shoe is too small to play every round out
            choices = evaluate(read.env.rules, spot).choices
        if "no surrender" in legal:
            return read.number["surrender" if choices[0].action == "surrender" else "no surrender"]
        return next(read.number[choice.action] for choice in choices if choice.action in legal)

    return policy


def _insurance_gains(read: Reader, seen: Observation) -> bool:
    """Return whether insurance pays more than it costs, by the cards not seen, the hole card among them."""
    pays = read.env.tables.insurance
    assert pays is not None
    unseen = read.unseen(seen)
    tens = sum(unseen[_TEN:])
    return tens * pays > sum(unseen) - tens


def _names(by_rank: tuple[int, ...]) -> list[str]:
    return [rank for rank, count in zip(RANKS, by_rank, strict=True) for _ in range(count)]


def _values(by_rank: tuple[int, ...]) -> list[int]:
    return [value_of(name) for name in _names(by_rank)]


def play_policy(
    env: gymnasium.Env[Any, Any], policy: GymPolicy, rounds: int, seed: int | None = None
) -> NDArray[np.float64]:
    """Return the rewards of some rounds, one number for each."""
    rewards = np.zeros(rounds)
    for index in range(rounds):
        seen, info = env.reset(seed=seed if index == 0 else None)
        done = False
        while not done:
            seen, reward, done, _, info = env.step(policy(seen, info["action_mask"]))
            rewards[index] += float(reward)
    return rewards
