"""Totals of hands, and how one more card changes them.

A hand's *total* counts one ace as 11 where that does not bust; the hand is then *soft*.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from holecard.deck import VALUES, Card
from holecard.errors import Unreadable

#: [total][soft], with totals 0..21.
Mask: TypeAlias = tuple[tuple[bool, bool], ...]

#: Values of an upcard under which the dealer may have a natural.
NATURAL_UPCARDS = frozenset({1, 10})


def add(total: int, soft: bool, value: int) -> tuple[int, bool]:
    """Return the total after one more card of `value` (1 = ace), and whether it is soft."""
    if value == 1 and total <= 10:
        return total + 11, True
    total += value
    if total > 21 and soft:
        return total - 10, False
    return total, soft


def total_of(values: Iterable[int]) -> tuple[int, bool]:
    """Return the total of some values (1 = ace), and whether it is soft."""
    total, soft = 0, False
    for value in values:
        total, soft = add(total, soft, value)
    return total, soft


def count(cards: Iterable[Card]) -> tuple[int, bool]:
    """Return the total of a hand, and whether it is soft.

    >>> from holecard.deck import cards
    >>> count(cards("As 6d")), count(cards("As 6d Kc")), count(cards("As Ah"))
    ((17, True), (17, False), (12, True))
    """
    return total_of(map(VALUES.__getitem__, cards))


def is_natural_total(total: int, cards: int) -> bool:
    """Return whether this total of this many cards is a natural (blackjack), unless a split made the hand."""
    return total == 21 and cards == 2


def is_natural(cards: Collection[Card]) -> bool:
    """Return whether these are an ace and a ten-value card, and nothing else."""
    return is_natural_total(count(cards)[0], len(cards))


class DealerDraws(NamedTuple):
    """When the dealer draws to two cards or more, as masks. A natural never draws, even where a drawn soft 21 does.

    Some dealers, once they have hit certain hands, must go on to a hard total, so a total can stand or not by the way
    it came about. It is enough to know the hand before its last card: if that hand was *committing*, the mask
    `committed` decides, otherwise `usual`. For other dealers no hand is committing, and both masks are the same.
    """

    usual: Mask
    committing: Mask
    """unfinished hands from which the dealer goes on to a hard total"""
    committed: Mask

    def after(self, total: int, soft: bool, cards: int) -> Mask:
        """Return the mask for what one more card makes of an unfinished hand; a single card commits to nothing."""
        return self.committed if cards > 1 and total <= 21 and self.committing[total][soft] else self.usual


def format_total(total: int, soft: bool) -> str:
    """Return a total as a dealer calls it: "soft 17", "16", "bust with 24"."""
    if total > 21:
        return f"bust with {total}"
    return f"soft {total}" if soft and total < 21 else str(total)


@dataclass(frozen=True, slots=True)
class Totals:
    """A set of totals: "any", "none", "9-11", "hard 9-11, soft 13-18", with blanks only where they belong."""

    text: str
    hard: frozenset[int]
    soft: frozenset[int]

    def __contains__(self, hand: tuple[int, bool]) -> bool:
        total, soft = hand
        return total in (self.soft if soft else self.hard)


_RANGE = re.compile(r"(?:(hard|soft)\s+)?(\d\d?)(?:\s*-\s*(\d\d?))?$", re.ASCII)


def totals(text: str) -> Totals:
    """Read a set of totals.

    >>> (9, False) in totals("hard 9-11"), (19, True) in totals("hard 9-11")
    (True, False)
    """
    words = text.strip().lower()
    every = frozenset(range(2, 22))
    if words == "any":
        return Totals(words, every, every)
    if words == "none":
        return Totals(words, frozenset(), frozenset())
    hard: set[int] = set()
    soft: set[int] = set()
    spelled = []
    for part in words.split(","):
        match = _RANGE.match(part.strip())
        if not match:
            raise Unreadable(f"{text!r} is not a set of totals; write 'any', 'none', '9-11' or 'hard 9-11, soft 13-18'")
        kind, low, high = match[1], int(match[2]), int(match[3] or match[2])
        if not 2 <= low <= high <= 21:
            raise Unreadable(f"{part.strip()!r}: totals run from 2 to 21, the lower one first")
        if kind != "soft":
            hard.update(range(low, high + 1))
        if kind != "hard":
            soft.update(range(low, high + 1))
        spelled.append(f"{f'{kind} ' if kind else ''}{low}{f'-{high}' if high > low else ''}")
    return Totals(", ".join(spelled), frozenset(hard), frozenset(soft))
