"""Cards that a wager does not distinguish, and their names: "A", "T" for all tens, "red 7", "Kh"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from holecard.deck import RANKS, SUITS

_TENS = range(9, 13)
_RED, _BLACK = (1, 2), (0, 3)


class CardClass(NamedTuple):
    """Cards with equal effects, of one rank or all tens."""

    name: str
    """as the tags of a count's file name them"""
    cards: tuple[int, ...]


def card_classes(effects: Sequence[float]) -> tuple[CardClass, ...]:
    """Return the classes of 52 cards: suits of a rank together where their effects are equal, and tens likewise."""
    of_rank = np.array(effects, np.float64).reshape(13, 4)
    near = 1e-9 * max(float(np.abs(of_rank).max()), 1e-300)
    found: list[CardClass] = []
    tens_alike = bool((np.abs(of_rank[9:] - of_rank[9]) <= near).all())
    for rank in range(13):
        if tens_alike and rank in _TENS[1:]:
            continue
        ranks = tuple(_TENS) if tens_alike and rank == _TENS[0] else (rank,)
        found += [
            CardClass(name, tuple(4 * one + suit for one in ranks for suit in suits))
            for name, suits in _suits(RANKS[rank], of_rank[rank].tolist(), near)
        ]
    return tuple(found)


def _suits(rank: str, effects: list[float], near: float) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield names and suits of the cards of a rank that belong together."""

    def alike(suits: Sequence[int]) -> bool:
        return all(abs(effects[suit] - effects[suits[0]]) <= near for suit in suits)

    if alike(range(4)):
        yield rank, (0, 1, 2, 3)
    elif alike(_RED) and alike(_BLACK):
        yield f"red {rank}", _RED
        yield f"black {rank}", _BLACK
    else:
        for suit in range(4):
            yield f"{rank}{SUITS[suit]}", (suit,)
