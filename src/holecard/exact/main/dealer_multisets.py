"""Dealer's hands as multisets of card values, in whatever order the cards came: [value - 1] number of cards."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from holecard.hands import DealerDraws, Mask, add, is_natural_total, total_of
from holecard.wagers.dealer_hands import Finished

Multiset: TypeAlias = tuple[int, ...]

EVERY_VALUE = range(1, 11)


def multiset(values: tuple[int, ...]) -> Multiset:
    """Return the multiset of some cards given by value, in any order."""
    return tuple(values.count(value) for value in EVERY_VALUE)


def plus(hand: Multiset, value: int) -> Multiset:
    """Return the hand with one more card."""
    return (*hand[: value - 1], hand[value - 1] + 1, *hand[value:])


@cache
def total(hand: Multiset) -> tuple[int, bool]:
    """Return the hand's total, and whether it is soft."""
    return total_of(value for value, number in zip(EVERY_VALUE, hand, strict=True) for _ in range(number))


def finished_by(draws: DealerDraws, hand: Multiset, value: int) -> Finished | None:
    """Return what one more card makes of an unfinished hand: a finished hand, or None where the dealer draws on."""
    before, cards = total(hand), sum(hand)
    return finished(draws.after(*before, cards), *add(*before, value), cards + 1)


def finished(draws: Mask, count: int, soft: bool, size: int) -> Finished | None:
    """Return the finished hand with this total and this number of cards, or None where the dealer draws on."""
    natural = is_natural_total(count, size)
    if count <= 21 and draws[count][soft] and not natural:
        return None
    return Finished(count, size, natural)
