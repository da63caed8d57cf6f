"""Cards: 52 values that read and print as "As", "Td", "2c".

A `Card` is an int (4 * rank + suit), so that tables can be indexed by it, with the text as its repr.
Ranks run A23456789TJQK = 0..12, suits shdc = 0..3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

from holecard.errors import Unreadable, shortly

RANKS = "A23456789TJQK"
SUITS = "shdc"
SUIT_SIGNS = "♠♥♦♣"


class Card(int):
    """One card of a deck; compare with `is` or `==`, index tables with it."""

    __slots__ = ()

    def __new__(cls, index: int) -> Card:
        if not 0 <= index < 52:
            raise Unreadable(f"{index} is not a card; cards are numbered 0 to 51, or written 'As'")
        return super().__new__(cls, index)

    @property
    def rank(self) -> int:
        """0..12 for A23456789TJQK."""
        return self >> 2

    @property
    def suit(self) -> int:
        """0..3 for spades, hearts, diamonds, clubs."""
        return self & 3

    @property
    def value(self) -> int:
        """1 for an ace, 10 for T, J, Q, K."""
        return VALUES[self]

    @property
    def is_red(self) -> bool:
        return self & 3 in (1, 2)

    def __repr__(self) -> str:
        return RANKS[self >> 2] + SUITS[self & 3]

    __str__ = __repr__


DECK: tuple[Card, ...] = tuple(Card(i) for i in range(52))
VALUES: tuple[int, ...] = tuple(min(i // 4 + 1, 10) for i in range(52))
_BY_TEXT = {str(card): card for card in DECK}

#: Anything a person may write for several cards.
CardsLike: TypeAlias = str | Iterable[Card]


def card(text: str) -> Card:
    """Read a card: "As", "10h", "t♦".

    >>> card("As"), card("10h")
    (As, Th)
    """
    if not isinstance(text, str):
        raise Unreadable(f"{shortly(text)} is not a card; write a text such as 'As' or 'Td'")
    if text in _BY_TEXT:
        return _BY_TEXT[text]
    wanted = text.strip().replace("10", "T")
    for sign, suit in zip(SUIT_SIGNS, SUITS, strict=True):
        wanted = wanted.replace(sign, suit)
    found = _BY_TEXT.get(wanted[:1].upper() + wanted[1:].lower())
    if found is None:
        raise Unreadable(
            f"{shortly(text)} is not a card; write a rank of {RANKS} and a suit of {SUITS}, such as 'As' or 'Td'"
        )
    return found


def cards(text: CardsLike) -> tuple[Card, ...]:
    """Read cards, separated by spaces or any of , ; | [ ].

    >>> cards("As Td | 7c")
    (As, Td, 7c)
    """
    if not isinstance(text, str | Iterable):
        raise Unreadable(f"{shortly(text)} does not name cards; write a text such as 'As Td'")
    if not isinstance(text, str):
        return tuple(one if isinstance(one, Card) else card(one) for one in text)
    return tuple(card(word) for word in re.split(r"[\s,;|\[\]]+", text) if word)


def value_of(text: str) -> int:
    """Return the value, 1..10, of a rank or a card: "A" is 1, "K" and "Kd" are 10."""
    word = text.strip().upper().replace("10", "T")
    if len(word) == 1 and word in RANKS:
        return min(RANKS.index(word) + 1, 10)
    return card(text).value


def value_name(value: int) -> str:
    """Return the name of a value: 1 is "A", 10 is "T"."""
    return "A23456789T"[value - 1]
