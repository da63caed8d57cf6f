"""Dealer's hands as multisets of values, whatever order the cards came in: [value - 1] number of cards."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from holecard.hands import is_natural_total, total_of
from holecard.sheets.tables import Mask
from holecard.wagers.dealer_hands import Finished

Multiset: TypeAlias = tuple[int, ...]

VALUES = range(1, 11)


def multiset(values: tuple[int, ...]) -> Multiset:
    """Cards given by value, in any order."""
    return tuple(values.count(value) for value in VALUES)


def plus(hand: Multiset, value: int) -> Multiset:
    """The hand with one more card."""
    return (*hand[: value - 1], hand[value - 1] + 1, *hand[value:])


@cache
def total(hand: Multiset) -> tuple[int, bool]:
    """What it counts, and whether it is soft."""
    return total_of(value for value, number in zip(VALUES, hand, strict=True) for _ in range(number))


def finished(draws: Mask, hand: Multiset) -> Finished | None:
    """A hand of two or more cards as it ends, or None where the dealer draws on."""
    count, soft = total(hand)
    size = sum(hand)
    natural = is_natural_total(count, size)
    if count <= 21 and draws[count][soft] and not natural:
        return None
    return Finished(count, size, natural)
