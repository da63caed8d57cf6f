"""Probabilities of the initial deal: the player's two cards and the cards the dealer shows."""

from __future__ import annotations

import numpy as np

from holecard.composition import Composition
from holecard.exact.main.dealer_tree import DealerModel
from holecard.exact.main.prepared_game import ACE, TEN, PreparedGame
from holecard.kernels.arrays import Floats, Integers


def counts_of(shoe: Composition) -> Floats:
    """Return the shoe as the kernels count it: [v] number of cards."""
    return np.array(shoe.values, np.float64)


def counts_after(counts: Floats, low: Integers, high: Integers) -> Floats:
    """Return [deal, v] the shoe once the player holds cards of these two values."""
    left = np.tile(counts, (low.size, 1))
    deal = np.arange(low.size)
    left[deal, low - 1] -= 1
    left[deal, high - 1] -= 1
    return left


def deal_probabilities(dealer: DealerModel, counts: Floats, low: Integers, high: Integers) -> Floats:
    """Return [deal, start] the probability that the player gets these two values and the dealer shows that start."""
    cards = counts.sum()
    pair = low == high
    player = counts[low - 1] * np.maximum(counts[high - 1] - pair, 0.0) * np.where(pair, 1, 2) / (cards * (cards - 1))
    left = np.maximum(counts_after(counts, low, high), 0.0)
    shown = np.array(dealer.shown)
    dealt = left[:, shown[:, 0] - 1] / (cards - 2)
    if shown.shape[1] == 2:
        alike = shown[:, 0] == shown[:, 1]
        dealt = dealt * np.maximum(left[:, shown[:, 1] - 1] - alike, 0.0) / (cards - 3) * np.where(alike, 1, 2)
    found: Floats = player[:, None] * dealt
    return found


def no_natural_probabilities(dealer: DealerModel, left: Floats) -> Floats:
    """Return [deal, start] P(no known natural), given the cards left, the dealer's among them."""
    natural = dealer.starts.natural
    return np.where(natural >= 0, 1 - left[:, natural] / (left.sum(axis=1, keepdims=True) - 1), 1.0)


def seen_naturals(counts: Floats) -> tuple[float, float]:
    """Return, where both dealer's cards are up, P(both have a natural) and P(only the dealer has one)."""
    cards = counts.sum()
    dealer = 2 * counts[ACE] * counts[TEN] / (cards * (cards - 1))
    both = dealer * 2 * (counts[ACE] - 1) * (counts[TEN] - 1) / ((cards - 2) * (cards - 3)) if dealer else 0.0
    return float(both), float(dealer - both)


def splits_by_rank(game: PreparedGame) -> bool:
    """Return whether pairs go by rank, so that a king and a queen are not a pair."""
    return game.tables.pairs_by_rank


def tens_of_one_rank(game: PreparedGame, shoe: Composition) -> list[list[tuple[float, float]]]:
    """Return [start] the cases of two tens of one rank: (cards of that rank without the dealer's, probability)."""
    return [
        [
            (float(of_rank - used), probability)
            for of_rank in shoe.ranks[9:]
            for used in range(shown.count(10) + 1)
            if (probability := _probability_of_tens(shoe, shown, of_rank, used)) > 0
        ]
        for shown in game.dealer.shown
    ]


def _probability_of_tens(shoe: Composition, shown: tuple[int, ...], of_rank: int, used: int) -> float:
    """Return P(the player has two tens of a rank of `of_rank` cards, and the dealer shows `used` more of them)."""
    cards = shoe.total
    left = [*shoe.values[:9], of_rank - 2, shoe.values[9] - of_rank]
    others = [value - 1 for value in shown if value != 10]
    kinds = [9] * used + [10] * (shown.count(10) - used) + others
    probability = of_rank * (of_rank - 1) / (cards * (cards - 1))
    for drawn, kind in enumerate(kinds):
        probability *= max(left[kind], 0) / (cards - 2 - drawn)
        left[kind] -= 1
    return probability * (2 if len(set(kinds)) == 2 else 1)
