"""How often each first deal comes: two cards to the player, and what the dealer shows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.composition import Composition
from holecard.exact.main.dealer_tree import Dealer
from holecard.exact.main.prepared_game import ACE, TEN, Game

Floats = NDArray[np.float64]


def counts_of(shoe: Composition) -> Floats:
    """The shoe as the kernels count it."""
    return np.array(shoe.values, np.float64)


def cards_left(counts: Floats, low: NDArray[np.int64], high: NDArray[np.int64]) -> Floats:
    """[deal, rank] the shoe once the player has cards of these values."""
    left = np.tile(counts, (low.size, 1))
    deal = np.arange(low.size)
    left[deal, low - 1] -= 1
    left[deal, high - 1] -= 1
    return left


def deal_chances(dealer: Dealer, counts: Floats, low: NDArray[np.int64], high: NDArray[np.int64]) -> Floats:
    """[deal, start] chance that the player gets these two values, in either order, and the dealer shows that start."""
    cards = counts.sum()
    pair = low == high
    player = counts[low - 1] * np.maximum(counts[high - 1] - pair, 0.0) * np.where(pair, 1, 2) / (cards * (cards - 1))
    left = np.maximum(cards_left(counts, low, high), 0.0)
    shown = np.array(dealer.shown)
    chance = left[:, shown[:, 0] - 1] / (cards - 2)
    if shown.shape[1] == 2:
        alike = shown[:, 0] == shown[:, 1]
        chance = chance * np.maximum(left[:, shown[:, 1] - 1] - alike, 0.0) / (cards - 3) * np.where(alike, 1, 2)
    found: Floats = player[:, None] * chance
    return found


def no_natural_chances(dealer: Dealer, left: Floats) -> Floats:
    """[deal, start] given the cards left, the dealer's among them: chance of no natural the players know of."""
    natural = dealer.starts.natural
    return np.where(natural >= 0, 1 - left[:, natural] / (left.sum(axis=1, keepdims=True) - 1), 1.0)


def seen_naturals(counts: Floats) -> tuple[float, float]:
    """Where both cards are up: chance of a dealer's natural with a player's natural, and without one."""
    cards = counts.sum()
    dealer = 2 * counts[ACE] * counts[TEN] / (cards * (cards - 1))
    both = dealer * 2 * (counts[ACE] - 1) * (counts[TEN] - 1) / ((cards - 2) * (cards - 3)) if dealer else 0.0
    return float(both), float(dealer - both)


def splits_by_rank(game: Game) -> bool:
    """Whether a king and a queen are not a pair."""
    return game.tables.pairs_by_rank


def tens_of_one_rank(game: Game, shoe: Composition) -> list[list[tuple[float, float]]]:
    """[start] for two tens of one rank: (cards of that rank in the shoe but for the dealer's, chance) of every case."""
    return [
        [
            (float(of_rank - used), chance)
            for of_rank in shoe.ranks[9:]
            for used in range(shown.count(10) + 1)
            if (chance := _chance_of_tens(shoe, shown, of_rank, used)) > 0
        ]
        for shown in game.dealer.shown
    ]


def _chance_of_tens(shoe: Composition, shown: tuple[int, ...], of_rank: int, used: int) -> float:
    """The player has two tens of a rank with `of_rank` cards, the dealer shows a start with `used` more of them."""
    cards = shoe.total
    left = [*shoe.values[:9], of_rank - 2, shoe.values[9] - of_rank]
    others = [value - 1 for value in shown if value != 10]
    kinds = [9] * used + [10] * (shown.count(10) - used) + others
    chance = of_rank * (of_rank - 1) / (cards * (cards - 1))
    for drawn, kind in enumerate(kinds):
        chance *= max(left[kind], 0) / (cards - 2 - drawn)
        left[kind] -= 1
    return chance * (2 if len(set(kinds)) == 2 else 1)
