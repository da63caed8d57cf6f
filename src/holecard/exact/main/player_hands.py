"""Every player's hand that is not bust, by value: about 3,000 multisets, each with what one more card makes of it.

Hands are numbered by hard total, so one more card always leads to a higher number. Counting down, the EVs of longer
hands are known before they are needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from holecard.exact.main.dealer_multisets import Multiset, plus
from holecard.exact.main.dealer_tree import N_VALUES
from holecard.kernels.arrays import Flags, Floats, Integers
from holecard.kernels.exact.actions import BUSTED


@dataclass(frozen=True)
class PlayerHands:
    """[hand] arrays; hand 0 is empty."""

    cards: Floats
    """[hand, v]"""
    size: Integers
    total: Integers
    soft: Flags
    longer: Integers
    """[hand, v] the hand with one more card, or BUSTED"""
    two: Integers
    """[v, v] the hand of two cards"""
    number: dict[Multiset, int]
    """the number of each hand"""


@lru_cache(maxsize=1)
def player_hands() -> PlayerHands:
    """Return all hands; they are made once."""
    hands = sorted(_multisets(0, 21), key=lambda hand: (_hard(hand), hand))
    number = {hand: index for index, hand in enumerate(hands)}
    cards = np.array(hands, np.int64)
    hard = cards @ np.arange(1, N_VALUES + 1)
    soft = (cards[:, 0] > 0) & (hard <= 11)
    longer = [[number.get(plus(hand, v + 1), BUSTED) for v in range(N_VALUES)] for hand in hands]
    single = [number[tuple(int(v == other) for other in range(N_VALUES))] for v in range(N_VALUES)]
    table = np.array(longer, np.int64)
    return PlayerHands(
        cards=cards.astype(np.float64),
        size=cards.sum(axis=1),
        total=np.where(soft, hard + 10, hard),
        soft=soft,
        longer=table,
        two=table[single],
        number=number,
    )


def _hard(hand: Multiset) -> int:
    return sum(count * (v + 1) for v, count in enumerate(hand))


def _multisets(v: int, most: int) -> list[Multiset]:
    """Return multisets of the values from v on, every ace counted as 1, up to a total."""
    if v == N_VALUES:
        return [()]
    return [
        (count, *rest) for count in range(most // (v + 1) + 1) for rest in _multisets(v + 1, most - count * (v + 1))
    ]
