"""Weights that turn the EVs of single split hands into the EV of splitting, resplits included.

Let a_j be the EV of a hand begun with a card of the pair when j others are out of the shoe, b_j the same once its next
card is one more of the pair, and r_k the probability that the next card is of the pair when k are out. Every hand
follows one policy that does not look at the other hands, so their cards are like cards still in the shoe, except for
what a split reveals: that a hand's second card was of the pair (it was split again) or was not. "Not" is subtracted out
(inclusion and exclusion), so a_j, b_j and r_k suffice for any number of hands.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np

from holecard.kernels.arrays import Floats


def levels(most_hands: int) -> int:
    """Return how many a_j are needed: with four hands, a_1 to a_5."""
    return 2 * most_hands - 3


@lru_cache(maxsize=16)
def ways_to_end(most_hands: int) -> tuple[tuple[int, int, int], ...]:
    """Return (hands, second cards known not to pair, orders) for every way in which splitting a pair can end.

    Second cards come one by one, hand after hand. A card of the pair makes another hand, as long as more are allowed;
    any other card leaves one hand fewer to be served.
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


def pair_probabilities(pair_left: Floats, cards_left: Floats, n: int) -> list[Floats]:
    """Return r_k for k = 0 … n + 1: P(the next card is of the pair) when k of them are out."""
    return [np.maximum(pair_left - k, 0.0) / (cards_left - k) for k in range(n + 2)]


def weights(pair_left: Floats, cards_left: Floats, most_hands: int, share: str = "all") -> tuple[Floats, Floats]:
    """Return [level, start] the weights of a, and of b: their sum with the hands' EVs is the EV of splitting.

    `pair_left` and `cards_left` count the shoe with the player's pair and without the dealer's cards. `share` selects
    the hands: all, the original one, or those added by splitting.
    """
    n = levels(most_hands)
    r = pair_probabilities(pair_left, cards_left, n)
    of_a, of_b = np.zeros((n, pair_left.size)), np.zeros((n, pair_left.size))
    for hands, others, orders in ways_to_end(most_hands):
        probability = orders * np.prod(r[2:hands], axis=0)
        unpaired, open_ = _selected_hands(hands, others, share)
        if unpaired:
            for level, weight in none_pairs(r, hands - 1, others - 1):
                of_a[level - 1] += probability * unpaired * weight
                of_b[level - 1] -= probability * unpaired * weight * r[level + 1]
        if open_:
            for level, weight in none_pairs(r, hands - 1, others):
                of_a[level - 1] += probability * open_ * weight
    return of_a, of_b


def _selected_hands(hands: int, others: int, share: str) -> tuple[int, int]:
    """Return how many of the selected hands have a second card known not to pair, and how many do not.

    The original hand is served first.
    """
    original = (1, 0) if others else (0, 1)
    if share == "original":
        return original
    if share == "added":
        return others - original[0], hands - others - original[1]
    return others, hands - others


def none_pairs(r: list[Floats], out: int, cards: int) -> list[tuple[int, Floats]]:
    """Return (j, weight of the EV with j out): `out` cards of the pair are out, and `cards` unseen ones are not."""
    found = []
    product = np.ones_like(r[0])
    for more in range(cards + 1):
        found.append((out + more, (-1) ** more * comb(cards, more) * product))
        product = product * r[out + more + 1]
    return found
