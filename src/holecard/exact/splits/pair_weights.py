"""What splitting is worth, from the value of single hands with more and more cards of the pair gone.

Let a_j be the value of a hand begun with a card of the pair when j others are out of the shoe, b_j the same once its
next card is one more of the pair, and r_k the chance that the next card is of the pair when k are out. Every hand is
played by one plan that does not look at the other hands, so their cards are like cards still in the shoe, except for
what a split tells: that a hand's second card was of the pair (it was split again) or was not. "Not" is subtracted out
(inclusion and exclusion), so only a_j, b_j and r_k are needed, for any number of hands.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def levels(most_hands: int) -> int:
    """How many a_j are needed: with four hands, a_1 to a_5."""
    return 2 * most_hands - 3


@lru_cache(maxsize=16)
def ways_to_end(most_hands: int) -> tuple[tuple[int, int, int], ...]:
    """(hands, second cards known not to pair, orders): the ways a pair can be split on to its end.

    Second cards come one by one, hand after hand. One of the pair makes another hand, as long as more are allowed; any
    other card leaves one hand fewer to be served.
    """
    found: list[tuple[int, int, int]] = []
    waiting = {(2, 2, 0): 1}
    while waiting:
        (hands, unserved, others), orders = waiting.popitem()
        if unserved == 0 or hands == most_hands:
            found.append((hands, others, orders))
            continue
        for key in ((hands + 1, unserved + 1, others), (hands, unserved - 1, others + 1)):
            waiting[key] = waiting.get(key, 0) + orders
    merged: dict[tuple[int, int], int] = {}
    for hands, others, orders in found:
        merged[hands, others] = merged.get((hands, others), 0) + orders
    return tuple(sorted((hands, others, orders) for (hands, others), orders in merged.items()))


def pair_chances(pair_left: Floats, cards_left: Floats, n: int) -> list[Floats]:
    """r_k for k up to n + 1: the next card is of the pair when k of it are out."""
    return [np.maximum(pair_left - k, 0.0) / (cards_left - k) for k in range(n + 2)]


def weights(pair_left: Floats, cards_left: Floats, most_hands: int, share: str = "all") -> tuple[Floats, Floats]:
    """([level, start] of a, [level, start] of b): the value of splitting is their sum with the hands' values.

    `pair_left` and `cards_left` count the shoe before the player's pair is out of it, the dealer's cards already gone.
    `share` names the hands meant: all, the original one, or those added by splitting.
    """
    n = levels(most_hands)
    chances = pair_chances(pair_left, cards_left, n)
    of_a, of_b = np.zeros((n, pair_left.size)), np.zeros((n, pair_left.size))
    for hands, others, orders in ways_to_end(most_hands):
        chance = orders * np.prod(chances[2:hands], axis=0)
        unpaired, open_ = _hands_meant(hands, others, share)
        if unpaired:
            for level, weight in none_pairs(chances, hands - 1, others - 1):
                of_a[level - 1] += chance * unpaired * weight
                of_b[level - 1] -= chance * unpaired * weight * chances[level + 1]
        if open_:
            for level, weight in none_pairs(chances, hands - 1, others):
                of_a[level - 1] += chance * open_ * weight
    return of_a, of_b


def _hands_meant(hands: int, others: int, share: str) -> tuple[int, int]:
    """How many hands whose second card is known not to pair, and how many others; the original is served first."""
    original = (1, 0) if others else (0, 1)
    if share == "original":
        return original
    if share == "added":
        return others - original[0], hands - others - original[1]
    return others, hands - others


def none_pairs(chances: list[Floats], out: int, cards: int) -> list[tuple[int, Floats]]:
    """(j, weight of the value with j out): `out` cards of the pair are out, and `cards` unseen ones are none."""
    found = []
    product = np.ones_like(chances[0])
    for more in range(cards + 1):
        found.append((out + more, (-1) ** more * comb(cards, more) * product))
        product = product * chances[out + more + 1]
    return found
