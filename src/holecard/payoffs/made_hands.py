"""Which named hands sets of cards make, for all sets at once.

A *query* says what is asked of the first cards of a deal: named hands among all of them or among the player's two
alone, and besides that only the *kind* of each card, such as its value.

Few sets need to be tried on the words of the hands, and each word is tried by itself. Most words ask for ranks or for
suits alone, and are tried once for each set of these; a match is tried for each set of ranks and pattern of suits, and
words that name cards on every set. Apart from colors and named cards, no word depends on which suit is which; only a
match with the upcard depends on who holds which card.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations, product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard.deck import DECK, Card
from holecard.kernels.arrays import Flags, Integers
from holecard.wagers.named_hands import Word, named_hand
from holecard.wagers.sample_deals import recolored

#: Which named hands the cards make: bit i stands for hand i, those of the player's two cards after those of all.
HandBits: TypeAlias = int
#: Kinds of some cards: the player's lowest first, the dealer's in order.
Kinds: TypeAlias = tuple[int, ...]
#: [place, set] the type of each card, or a property of it.
CardTypes: TypeAlias = NDArray[np.int16]

_NAMES_CARDS = re.compile(r"\b(?:10|[2-9tjqka])[shdc]\b", re.IGNORECASE)
_NAMES_COLORS = re.compile(r"colou?r", re.IGNORECASE)
_NAMES_SUITS = re.compile(r"suit|flush|colou?r", re.IGNORECASE)
_NAMES_SEATS = re.compile(r"match", re.IGNORECASE)
_SUITS = DECK[:4]


@dataclass(frozen=True, slots=True)
class CardQuery:
    """What is asked of the first cards of a deal."""

    size: int
    """cards asked about: the player's two, the upcard, the hole card"""
    hands: tuple[str, ...]
    """named hands among all of these"""
    own: tuple[str, ...]
    """named hands among the player's two"""
    kinds: tuple[int, ...]
    """[value - 1] what is asked of a card besides the hands; cards of one kind are alike"""

    @property
    def needs_suits(self) -> bool:
        return any(map(depends_on_suits, (*self.hands, *self.own)))

    @property
    def needs_seats(self) -> bool:
        """Whether it matters for the hands who holds which card."""
        return (bool(self.own) and self.size > 2) or any(map(_NAMES_SEATS.search, self.hands))


def renamings_for(hands: Sequence[str]) -> tuple[tuple[Card, ...], ...]:
    """Return the renamings of suits that change none of these hands: all of them, those that keep colors, or none."""
    if any(map(_NAMES_CARDS.search, hands)):
        return (_SUITS,)
    return tuple(recolored(_SUITS)) if any(map(_NAMES_COLORS.search, hands)) else tuple(permutations(_SUITS))


def depends_on_suits(hand: str) -> bool:
    """Return whether a named hand distinguishes suits."""
    return bool(_NAMES_SUITS.search(hand) or _NAMES_CARDS.search(hand))


def hand_bits_of(query: CardQuery, cards: CardTypes) -> Any:
    """Return [set] the hands it makes; as Python integers where there are too many hands for numpy's."""
    fits = [*_fits(query.hands, cards), *_fits(query.own, cards[:2])]
    dtype = np.int64 if len(fits) < 32 else object
    hand_bits = np.zeros(cards.shape[1], dtype)
    for bit, truths in enumerate(fits):
        hand_bits |= truths.astype(dtype) << bit
    return hand_bits


def _fits(hands: tuple[str, ...], cards: CardTypes) -> list[Flags]:
    """Return [hand][set] whether the set makes the hand."""
    phrases = [named_hand(hand, len(cards)) for hand in hands]
    words = {word.text: word for phrase in phrases for word in phrase.words}
    held: dict[str, Flags] = {}
    for numbered in (_by_ranks, _by_suits, _by_both, _by_cards):
        held |= _hold([word for text, word in words.items() if _alike(text) is numbered], cards, numbered)
    return [np.logical_and.reduce([held[word.text] for word in phrase.words]) for phrase in phrases]


def _hold(words: list[Word], cards: CardTypes, numbered: Callable[[CardTypes], Integers]) -> dict[str, Flags]:
    """Return [word][set] whether it holds; of sets that are alike for these words, one is tried."""
    if not words:
        return {}
    alike = numbered(cards)
    examples = np.full(int(alike.max()) + 1, -1)
    examples[alike] = np.arange(len(alike))
    met = np.flatnonzero(examples >= 0)
    tried = [tuple(map(DECK.__getitem__, types)) for types in cards[:, examples[met]].T.tolist()]
    truths = np.zeros((len(words), len(examples)), np.bool_)
    truths[:, met] = [list(map(word.holds, tried)) for word in words]
    return {word.text: of_word[alike] for word, of_word in zip(words, truths, strict=True)}


def _alike(word: str) -> Callable[[CardTypes], Integers]:
    """Return the function that numbers sets so that sets with one number are alike for the word."""
    if _NAMES_CARDS.search(word):
        return _by_cards
    if _NAMES_SEATS.search(word):
        return _by_both
    return _by_suits if depends_on_suits(word) else _by_ranks


def _by_cards(cards: CardTypes) -> Integers:
    return number_of(cards, 52)


def _by_ranks(cards: CardTypes) -> Integers:
    return number_of(cards >> 2, 13)


def _by_suits(cards: CardTypes) -> Integers:
    return number_of(cards & 3, 4)


def _by_both(cards: CardTypes) -> Integers:
    patterns = suit_patterns(len(cards), tuple(permutations(_SUITS)))
    return _by_ranks(cards) * (int(patterns.max()) + 1) + patterns[_by_suits(cards)]


@lru_cache(maxsize=8)
def suit_patterns(size: int, renamings: tuple[tuple[Card, ...], ...]) -> Integers:
    """Return [suits as a number of base 4] its pattern, the same for suits that a renaming turns into each other."""
    lowest = [min(tuple(new[suit] for suit in suits) for new in renamings) for suits in product(range(4), repeat=size)]
    patterns = {suits: number for number, suits in enumerate(dict.fromkeys(lowest))}
    return np.array([patterns[suits] for suits in lowest])


def number_of(digits: CardTypes, base: int) -> Integers:
    """Return [set] its digits as one whole number."""
    numbers = np.zeros(digits.shape[1], np.int64)
    for row in digits:
        numbers = numbers * base + row
    return numbers
