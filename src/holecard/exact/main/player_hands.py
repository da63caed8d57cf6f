"""Every player's hand that is not bust, by value: about 3,000 multisets, each with what one more card makes of it.

Hands are numbered by hard total, so one more card always leads to a higher number. Counting down, the EVs of longer
hands are known before they are needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from holecard.exact.main.dealer_multisets import Multiset
from holecard.exact.main.dealer_tree import N_VALUES
from holecard.kernels.arrays import Flags, Floats, Integers
from holecard.kernels.exact.actions import BUSTED

#: The highest total of a hand that is not bust.
HIGHEST_TOTAL = 21


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
    cards, hard = _multisets()
    soft = (cards[:, 0] > 0) & (hard <= 11)
    longer = _longer(cards, hard)
    return PlayerHands(
        cards=cards.astype(np.float64),
        size=cards.sum(axis=1),
        total=np.where(soft, hard + 10, hard),
        soft=soft,
        longer=longer,
        two=longer[longer[0]],
        number={tuple(hand): index for index, hand in enumerate(cards.tolist())},
    )


def _multisets() -> tuple[Integers, Integers]:
    """Return [hand, v] every multiset with a hard total of at most 21, and [hand] that total, lowest first."""
    cards, hard = np.zeros((1, N_VALUES), np.int64), np.zeros(1, np.int64)
    for v in range(N_VALUES):
        # Each multiset so far, with every number of cards of this value that its total leaves room for.
        fit = (HIGHEST_TOTAL - hard) // (v + 1) + 1
        first = np.repeat(np.cumsum(fit) - fit, fit)
        cards, hard = np.repeat(cards, fit, axis=0), np.repeat(hard, fit)
        cards[:, v] = np.arange(hard.size) - first
        hard += cards[:, v] * (v + 1)
    order = np.lexsort((*cards.T[::-1], hard))
    return cards[order], hard[order]


def _longer(cards: Integers, hard: Integers) -> Integers:
    """Return [hand, v] the number of the hand with one more card, or BUSTED."""
    digit = (HIGHEST_TOTAL + 1) ** np.arange(N_VALUES)
    key = cards @ digit
    order = np.argsort(key)
    found = order[np.searchsorted(key[order], key[:, None] + digit).clip(max=key.size - 1)]
    return np.where(hard[:, None] + np.arange(1, N_VALUES + 1) <= HIGHEST_TOTAL, found, BUSTED)
