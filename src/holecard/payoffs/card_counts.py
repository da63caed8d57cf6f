"""How many ways the first cards of a deal can be dealt, by the named hands they make.

A *look* says what is asked of these cards: named hands among all of them or among the player's two alone, and beside
that only the *kind* of each card, such as its value. Sets of card types are sorted into categories once (the hands they
make, the kinds they are of); a shoe then gives each category its number of ways, see `kernels.combinations`.

Few sets need to be tried on the hands' own words, and each word is tried by itself. Most ask for ranks or for suits
alone, and are tried once for each set of these; a match is tried for each set of ranks and pattern of suits, and words
that name cards on every set. No word minds which suit is which, colours and named cards left aside; none but a match
with the upcard minds who holds which.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations, product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard.deck import DECK, VALUES, Card
from holecard.kernels.exact.combinations import count_seated, count_sets
from holecard.wagers.named_hands import Word, named_hand
from holecard.wagers.sample_deals import recoloured

#: Which hands are made: bit i stands for hand i, those among the player's own cards after those among all.
Made: TypeAlias = int
#: Kinds of some cards: the lowest first, but the dealer's in order.
Kinds: TypeAlias = tuple[int, ...]
Sets: TypeAlias = dict[tuple[Made, Kinds], int]
Seated: TypeAlias = dict[tuple[Made, Kinds, Kinds], int]
#: [place, set] the type of each card, or something about it.
Cards: TypeAlias = NDArray[np.int16]
Integers: TypeAlias = NDArray[np.int64]
Truths: TypeAlias = NDArray[np.bool_]

_NAMES_CARDS = re.compile(r"\b(?:10|[2-9tjqka])[shdc]\b", re.IGNORECASE)
_NAMES_COLOURS = re.compile(r"colour", re.IGNORECASE)
_NAMES_SUITS = re.compile(r"suit|flush|colour", re.IGNORECASE)
_NAMES_SEATS = re.compile(r"match", re.IGNORECASE)
_SUITS = DECK[:4]
_VALUE_OF = np.array(VALUES)
#: A shoe up to this size is counted in 64 bits: four of its cards, in order, come in less than 2 ** 63 ways.
COUNTABLE = 50_000


@dataclass(frozen=True, slots=True)
class Look:
    """What is asked of the first cards of a deal."""

    size: int
    """Cards looked at: the player's two, the upcard, the hole card."""
    hands: tuple[str, ...]
    """Named hands among all of these."""
    own: tuple[str, ...]
    """Named hands among the player's two."""
    kinds: tuple[int, ...]
    """[value - 1] what is asked of a card beside the hands; cards of one kind are alike."""

    @property
    def asks_suits(self) -> bool:
        return any(map(minds_suits, (*self.hands, *self.own)))

    @property
    def asks_seats(self) -> bool:
        """It matters for the hands who holds which card."""
        return (bool(self.own) and self.size > 2) or any(map(_NAMES_SEATS.search, self.hands))


def renamings_for(hands: Sequence[str]) -> tuple[tuple[Card, ...], ...]:
    """Renamings of the suits that change none of these hands: all of them, those that keep colours, or none."""
    if any(map(_NAMES_CARDS.search, hands)):
        return (_SUITS,)
    return tuple(recoloured(_SUITS)) if any(map(_NAMES_COLOURS.search, hands)) else tuple(permutations(_SUITS))


def minds_suits(hand: str) -> bool:
    """Whether a named hand tells suits apart."""
    return bool(_NAMES_SUITS.search(hand) or _NAMES_CARDS.search(hand))


def ways_by_set(look: Look, left: Sequence[int]) -> Sets:
    """Ways to deal the cards looked at, in no order, by hands made and kinds; `left` is [card] how many there are."""
    sorted_out = _categories(look, in_order=False)
    ways = _count(count_sets, left, look.size, sorted_out)
    return dict(zip(zip(sorted_out.made, sorted_out.kinds, strict=True), ways, strict=True))


def ways_by_seat(look: Look, left: Sequence[int]) -> Seated:
    """Ways to deal the player's two cards, in no order, and the dealer's that are looked at, in order."""
    if not look.asks_seats:
        return _seated(look.size, ways_by_set(look, left))
    sorted_out = _categories(look, in_order=True)
    ways = _count(count_seated, left, look.size - 2, sorted_out)
    return {
        (made, kinds[:2], kinds[2:]): number
        for made, kinds, number in zip(sorted_out.made, sorted_out.kinds, ways, strict=True)
    }


def _seated(size: int, sets: Sets) -> Seated:
    """Any card of a set may be the upcard, any other the hole card; the player has the rest."""
    found: Counter[tuple[Made, Kinds, Kinds]] = Counter()
    for (made, kinds), number in sets.items():
        for dealers in permutations(range(size), size - 2):
            own = tuple(kind for place, kind in enumerate(kinds) if place not in dealers)
            found[made, own, tuple(kinds[place] for place in dealers)] += number
    return found


def _count(kernel: Callable[..., None], left: Sequence[int], cards: int, sorted_out: Categories) -> list[int]:
    """[category] ways; a shoe too large for 64 bits is counted by the uncompiled kernel."""
    number = len(sorted_out.made)
    if sum(left) <= COUNTABLE:
        ways = np.zeros(number, np.int64)
        kernel(np.array(left, np.int64), cards, sorted_out.of, ways)
        return [int(way) for way in ways]
    unbounded = [0] * number
    uncompiled: Callable[..., None] = getattr(kernel, "py_func", kernel)
    uncompiled(list(left), cards, sorted_out.of, unbounded)
    return unbounded


# Sorting sets into categories


@dataclass(frozen=True, slots=True)
class Categories:
    """Every set of types sorted: `of` is [set] its category, the others [category] what it stands for."""

    of: NDArray[np.uint32]
    made: tuple[Made, ...]
    kinds: tuple[Kinds, ...]


@lru_cache(maxsize=64)
def _categories(look: Look, *, in_order: bool) -> Categories:
    cards = _seated_types(look.size) if in_order else sorted_types(look.size)
    made = hands_made(look, cards)
    kinds = np.array(look.kinds)[_VALUE_OF[cards] - 1]
    kinds[: 2 if in_order else look.size].sort(axis=0)
    keys = made
    for row in kinds:
        keys = keys * (max(look.kinds) + 1) + row
    _, examples, of = np.unique(keys, return_index=True, return_inverse=True)
    return Categories(
        of=of.astype(np.uint32),
        made=tuple(int(bits) for bits in made[examples]),
        kinds=tuple(tuple(column) for column in kinds[:, examples].T.tolist()),
    )


def sorted_types(size: int) -> Cards:
    """[place, set] all sets of types in lexicographic order, each sorted."""
    cards = np.arange(52, dtype=np.int16).reshape(1, -1)
    for _ in range(size - 1):
        longer = 52 - cards[-1].astype(np.int64)
        begins = np.repeat(np.cumsum(longer) - longer, longer)
        cards = np.repeat(cards, longer, axis=1)
        cards = np.vstack([cards, cards[-1] + (np.arange(len(begins)) - begins).astype(np.int16)])
    return cards


def _seated_types(size: int) -> Cards:
    """[place, set] every two types with every upcard, and every hole card where that is looked at."""
    cards = sorted_types(2)
    for _ in range(size - 2):
        last = np.tile(np.arange(52, dtype=np.int16), cards.shape[1])
        cards = np.vstack([np.repeat(cards, 52, axis=1), last])
    return cards


def hands_made(look: Look, cards: Cards) -> Any:
    """[set] the hands it makes; Python's integers where there are too many hands for numpy's."""
    fits = [*_fits(look.hands, cards), *_fits(look.own, cards[:2])]
    dtype = np.int64 if len(fits) < 32 else object
    made = np.zeros(cards.shape[1], dtype)
    for bit, truths in enumerate(fits):
        made |= truths.astype(dtype) << bit
    return made


def _fits(hands: tuple[str, ...], cards: Cards) -> list[Truths]:
    """[hand][set] whether the set makes the hand."""
    phrases = [named_hand(hand, len(cards)) for hand in hands]
    words = {word.text: word for phrase in phrases for word in phrase.words}
    held: dict[str, Truths] = {}
    for numbered in (_by_ranks, _by_suits, _by_both, _by_cards):
        held |= _hold([word for text, word in words.items() if _alike(text) is numbered], cards, numbered)
    return [np.logical_and.reduce([held[word.text] for word in phrase.words]) for phrase in phrases]


def _hold(words: list[Word], cards: Cards, numbered: Callable[[Cards], Integers]) -> dict[str, Truths]:
    """[word][set] whether it holds; of sets that are alike for these words one is tried."""
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


def _alike(word: str) -> Callable[[Cards], Integers]:
    """What numbers the sets so that those of one number are alike for the word."""
    if _NAMES_CARDS.search(word):
        return _by_cards
    if _NAMES_SEATS.search(word):
        return _by_both
    return _by_suits if minds_suits(word) else _by_ranks


def _by_cards(cards: Cards) -> Integers:
    return number_of(cards, 52)


def _by_ranks(cards: Cards) -> Integers:
    return number_of(cards >> 2, 13)


def _by_suits(cards: Cards) -> Integers:
    return number_of(cards & 3, 4)


def _by_both(cards: Cards) -> Integers:
    patterns = suit_patterns(len(cards), tuple(permutations(_SUITS)))
    return _by_ranks(cards) * (int(patterns.max()) + 1) + patterns[_by_suits(cards)]


@lru_cache(maxsize=8)
def suit_patterns(size: int, renamings: tuple[tuple[Card, ...], ...]) -> Integers:
    """[suits as a number of base 4] its pattern, the same for suits that a renaming turns into each other."""
    lowest = [min(tuple(new[suit] for suit in suits) for new in renamings) for suits in product(range(4), repeat=size)]
    patterns = {suits: number for number, suits in enumerate(dict.fromkeys(lowest))}
    return np.array([patterns[suits] for suits in lowest])


def number_of(digits: Cards, base: int) -> Integers:
    """[set] its digits as one whole number."""
    numbers = np.zeros(digits.shape[1], np.int64)
    for row in digits:
        numbers = numbers * base + row
    return numbers
