"""How many ways the first cards of a deal can be dealt, by the named hands they make.

Sets of card types are sorted into categories once: the hands they make, which a `CardQuery` asks for, and the kinds
they have. A shoe then gives each category its number of ways (`kernels.exact.combinations`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import comb, lcm, prod
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard.deck import VALUES
from holecard.kernels.exact.combinations import count_seated, count_sets
from holecard.payoffs.made_hands import CardQuery, CardTypes, HandBits, Kinds, hand_bits_of, number_of

Sets: TypeAlias = dict[tuple[HandBits, Kinds], int]
Seated: TypeAlias = dict[tuple[HandBits, Kinds, Kinds], int]
_VALUE_OF = np.array(VALUES)
#: The largest shoe counted in 64 bits: four of its cards, in order, come in fewer than 2 ** 63 ways.
COUNTABLE = 50_000


class CardCounts(NamedTuple):
    """The cards left in a shoe, by card; where cards of unknown suit are out of it, also by rank.

    A card known only by rank is equally likely to be any card of that rank. So dealt cards have the ranks of a shoe
    with `by_rank` cards, and their suits are those of a random draw from `by_card`.
    """

    by_card: tuple[int, ...]
    """[card] how many there are, cards of unknown suit that are out included"""
    by_rank: tuple[int, ...] | None = None
    """[rank] how many are left; None where every suit is known"""

    def scale(self, size: int) -> int:
        """Return the factor by which ways to deal `size` cards are multiplied to make them whole numbers."""
        return prod(lcm(*(comb(before, n) for n in range(min(size, before) + 1))) for _, before, _ in self.averaged())

    def averaged(self) -> Iterator[tuple[int, int, int]]:
        """Yield (rank, cards before those of unknown suit were out, cards left) where the two differ."""
        for rank, left in enumerate(self.by_rank or ()):
            before = sum(self.by_card[4 * rank : 4 * rank + 4])
            if before != left:
                yield rank, before, left


def ways_by_set(query: CardQuery, counts: CardCounts) -> Sets:
    """Return the ways to deal the cards, in no order, by hands made and kinds, times `counts.scale(query.size)`."""
    categories = _categories(query, in_order=False)
    ways = _count(count_sets, counts, query, query.size, categories, in_order=False)
    return dict(zip(zip(categories.hand_bits, categories.kinds, strict=True), ways, strict=True))


def ways_by_seat(query: CardQuery, counts: CardCounts) -> Seated:
    """Return the ways to deal the player's two cards, in no order, and the dealer's asked about, in order.

    They are multiplied by `counts.scale(query.size)`.
    """
    if not query.needs_seats:
        return _seated(query.size, ways_by_set(query, counts))
    categories = _categories(query, in_order=True)
    ways = _count(count_seated, counts, query, query.size - 2, categories, in_order=True)
    return {
        (hand_bits, kinds[:2], kinds[2:]): number
        for hand_bits, kinds, number in zip(categories.hand_bits, categories.kinds, ways, strict=True)
    }


def _seated(size: int, sets: Sets) -> Seated:
    """Return the ways by seat: any card of a set may be the upcard, another the hole card; the player has the rest."""
    found: Counter[tuple[HandBits, Kinds, Kinds]] = Counter()
    for (hand_bits, kinds), number in sets.items():
        for dealers in permutations(range(size), size - 2):
            own = tuple(kind for place, kind in enumerate(kinds) if place not in dealers)
            found[hand_bits, own, tuple(kinds[place] for place in dealers)] += number
    return found


def _count(
    kernel: Callable[..., None],
    counts: CardCounts,
    query: CardQuery,
    cards: int,
    categories: Categories,
    *,
    in_order: bool,
) -> list[int]:
    """Return [category] ways."""
    if counts.by_rank is None:
        return _count_known(kernel, counts.by_card, cards, categories.of, len(categories.hand_bits))
    return _count_averaged(kernel, counts, query.size, cards, categories, in_order=in_order)


def _count_averaged(
    kernel: Callable[..., None], counts: CardCounts, size: int, cards: int, categories: Categories, *, in_order: bool
) -> list[int]:
    """Return [category] ways averaged over the suits of cards known only by rank, times the scale.

    Sets with n cards of a rank are counted with all cards of the rank, then multiplied by C(left, n) / C(before, n).
    """
    averaged = {rank: (before, left) for rank, before, left in counts.averaged()}
    ranks = (seated_types(size) if in_order else sorted_types(size)) >> 2
    ranks[~np.isin(ranks, list(averaged))] = 13
    ranks.sort(axis=0)
    keys = number_of(ranks, 14) * len(categories.hand_bits) + categories.of
    _, examples, finer = np.unique(keys, return_index=True, return_inverse=True)
    ways = _count_known(kernel, counts.by_card, cards, finer.astype(np.uint32), len(examples))
    found, scale = [0] * len(categories.hand_bits), counts.scale(size)
    for number, example in zip(ways, examples.tolist(), strict=True):
        weight = Fraction(number * scale)
        for rank, n in Counter(ranks[:, example].tolist()).items():
            if rank in averaged and weight:
                before, left = averaged[rank]
                weight *= Fraction(comb(left, n), comb(before, n))
        assert weight.denominator == 1
        found[categories.of[example]] += weight.numerator
    return found


def _count_known(
    kernel: Callable[..., None], left: tuple[int, ...], cards: int, of: NDArray[np.uint32], number: int
) -> list[int]:
    """Return [category] ways; a shoe too large for 64 bits is counted by the uncompiled kernel."""
    if sum(left) <= COUNTABLE:
        ways = np.zeros(number, np.int64)
        kernel(np.array(left, np.int64), cards, of, ways)
        return [int(way) for way in ways]
    unbounded = [0] * number
    uncompiled: Callable[..., None] = getattr(kernel, "py_func", kernel)
    uncompiled(list(left), cards, of, unbounded)
    return unbounded


# Sorting sets into categories


@dataclass(frozen=True, slots=True)
class Categories:
    """Every set of types sorted: `of` is [set] its category, the others describe each category."""

    of: NDArray[np.uint32]
    hand_bits: tuple[HandBits, ...]
    kinds: tuple[Kinds, ...]


@lru_cache(maxsize=64)
def _categories(query: CardQuery, *, in_order: bool) -> Categories:
    cards = seated_types(query.size) if in_order else sorted_types(query.size)
    hand_bits = hand_bits_of(query, cards)
    kinds = np.array(query.kinds)[_VALUE_OF[cards] - 1]
    kinds[: 2 if in_order else query.size].sort(axis=0)
    keys = hand_bits
    for row in kinds:
        keys = keys * (max(query.kinds) + 1) + row
    _, examples, of = np.unique(keys, return_index=True, return_inverse=True)
    return Categories(
        of=of.astype(np.uint32),
        hand_bits=tuple(int(bits) for bits in hand_bits[examples]),
        kinds=tuple(tuple(column) for column in kinds[:, examples].T.tolist()),
    )


def sorted_types(size: int) -> CardTypes:
    """Return [place, set] all sets of types in lexicographic order, each sorted."""
    cards = np.arange(52, dtype=np.int16).reshape(1, -1)
    for _ in range(size - 1):
        longer = 52 - cards[-1].astype(np.int64)
        begins = np.repeat(np.cumsum(longer) - longer, longer)
        cards = np.repeat(cards, longer, axis=1)
        cards = np.vstack([cards, cards[-1] + (np.arange(len(begins)) - begins).astype(np.int16)])
    return cards


def seated_types(size: int) -> CardTypes:
    """Return [place, set] every two types with every upcard, and every hole card where that is asked about."""
    cards = sorted_types(2)
    for _ in range(size - 2):
        last = np.tile(np.arange(52, dtype=np.int16), cards.shape[1])
        cards = np.vstack([np.repeat(cards, 52, axis=1), last])
    return cards
