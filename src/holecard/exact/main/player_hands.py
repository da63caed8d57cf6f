"""Every player's hand that has not bust, by value: about three thousand multisets, each with what one more card makes.

They are numbered by hard total, so a card always leads to a higher number: counting down, values of longer hands are
known before they are needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from holecard.exact.main.dealer_multisets import Multiset, plus

RANKS = 10
BUSTED = -1


@dataclass(frozen=True)
class PlayerHands:
    """[hand] arrays; hand 0 is empty."""

    cards: NDArray[np.float64]
    """[hand, rank]"""
    size: NDArray[np.int64]
    total: NDArray[np.int64]
    soft: NDArray[np.bool_]
    longer: NDArray[np.int64]
    """[hand, rank] the hand with one more card, or BUSTED"""
    two: NDArray[np.int64]
    """[rank, rank] the hand of two cards"""
    number: dict[Multiset, int]


@lru_cache(maxsize=1)
def player_hands() -> PlayerHands:
    """All of them, made once."""
    hands = sorted(_multisets(0, 21), key=lambda hand: (_hard(hand), hand))
    number = {hand: index for index, hand in enumerate(hands)}
    cards = np.array(hands, np.int64)
    hard = cards @ np.arange(1, RANKS + 1)
    soft = (cards[:, 0] > 0) & (hard <= 11)
    longer = [[number.get(plus(hand, rank + 1), BUSTED) for rank in range(RANKS)] for hand in hands]
    single = [number[tuple(int(rank == other) for other in range(RANKS))] for rank in range(RANKS)]
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
    return sum(count * (rank + 1) for rank, count in enumerate(hand))


def _multisets(rank: int, most: int) -> list[Multiset]:
    """Multisets of the ranks from this one on, every ace counted 1, up to a total."""
    if rank == RANKS:
        return [()]
    return [
        (count, *rest)
        for count in range(most // (rank + 1) + 1)
        for rest in _multisets(rank + 1, most - count * (rank + 1))
    ]
