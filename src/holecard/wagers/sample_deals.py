"""Deals to try pay lines on, as few as distinguish the lines, and all possible final hands of the dealer.

A named hand depends on the cards that the wager looks at. Otherwise only values matter: those of the player's two
cards, the upcard and the hole card (`DealtValues`), and what the dealer can draw. Named hands do not change if
suits are exchanged within a color or the colors are exchanged, except where they name cards, and only matches with the
upcard depend on the order of the cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, permutations, product
from typing import TypeAlias

from holecard.deck import DECK
from holecard.hands import DealerDraws, add, is_natural_total, total_of
from holecard.wagers.dealer_hands import Finished
from holecard.wagers.named_hands import Cards

#: Values of the player's two cards, the lower first, of the upcard, and of the hole card where a wager looks at it.
DealtValues: TypeAlias = tuple[int, ...]

_RED, _BLACK = {1, 2}, {0, 3}
#: Permutations of the suits, as [suit] -> suit, that keep suits of one color together.
_RENAMINGS = tuple(new for new in permutations(range(4)) if {new[1], new[2]} in (_RED, _BLACK))
_VALUES = range(1, 11)
#: A prime beyond the number of card sets: steps of it visit each of them once.
_STRIDE = 1_000_003


def card_sets(looks_at: int, *, in_order: bool) -> Iterator[Cards]:
    """Yield every set of 0, 2, 3 or 4 cards, up to permutations of suits; with `in_order`, also by who holds which.

    The order is well mixed, so that a search for any kind of hand soon finds one.
    """
    ranks, suits = _rank_patterns(looks_at, in_order), _suit_patterns(looks_at)
    every = len(ranks) * len(suits)
    for index in range(every):
        which_suits, which_ranks = divmod(index * _STRIDE % every, len(ranks))
        yield tuple(DECK[4 * rank + suit] for rank, suit in zip(ranks[which_ranks], suits[which_suits], strict=True))


def _rank_patterns(looks_at: int, in_order: bool) -> list[tuple[int, ...]]:
    """Return ranks of cards; the order of the player's two does not matter."""
    if not in_order:
        return list(combinations_with_replacement(range(13), looks_at))
    dealers = list(product(range(13), repeat=looks_at - 2))
    return [(*own, *rest) for own in combinations_with_replacement(range(13), 2) for rest in dealers]


def _suit_patterns(cards: int) -> list[tuple[int, ...]]:
    every = product(range(4), repeat=cards)
    return sorted({min(tuple(new[suit] for suit in suits) for new in _RENAMINGS) for suits in every})


def recolored(cards: Cards) -> list[Cards]:
    """Return the cards with every permutation of suits that keeps suits of one color together."""
    return [tuple(DECK[4 * card.rank + new[card.suit]] for card in cards) for new in _RENAMINGS]


@lru_cache(maxsize=2048)
def seatings(values: tuple[int, ...], *, in_order: bool) -> tuple[DealtValues, ...]:
    """Return the deals in which the wager looks at cards of these values; for no or two values, any others follow."""
    if not values:
        return tuple((*own, upcard) for own in combinations_with_replacement(_VALUES, 2) for upcard in _VALUES)
    if len(values) == 2:
        return tuple((*sorted(values), upcard) for upcard in _VALUES)
    orders = [values] if in_order else permutations(values)
    return tuple(sorted({(*sorted(order[:2]), *order[2:]) for order in orders}))


def values_left(decks: int, removed: tuple[int, ...]) -> tuple[int, ...]:
    """Return how many cards of each value, ace first, a dealer can still draw after the values `removed` are out.

    Counts are limited to the number that one hand can use: the dealer draws only to 16 or less, with aces as 1.
    """
    shoe = [(16 if value == 10 else 4) * decks - removed.count(value) for value in _VALUES]
    return tuple(min(left, 16 // value + 1) for value, left in zip(_VALUES, shoe, strict=True))


@lru_cache(maxsize=8192)
def endings(draws: DealerDraws, dealt: tuple[int, ...], left: tuple[int, ...]) -> frozenset[Finished]:
    """Return every final dealer's hand that begins with the values `dealt`."""
    return frozenset(finished_hands(draws, dealt, left))


@lru_cache(maxsize=64)
def finished_hands(
    draws: DealerDraws, dealt: tuple[int, ...], left: tuple[int, ...]
) -> dict[Finished, tuple[int, ...]]:
    """Return the same, each with the values of one hand that ends like this, in the order dealt."""
    total, soft = total_of(dealt)
    found: dict[Finished, tuple[int, ...]] = {}
    seen: set[tuple[tuple[int, ...], bool]] = set()
    waiting = [(dealt, total, soft, left, draws.usual)]
    while waiting:
        hand, total, soft, left, mask = waiting.pop()
        natural = is_natural_total(total, len(hand))
        if len(hand) > 1 and (total > 21 or natural or not mask[total][soft]):
            found.setdefault(Finished(total, len(hand), natural), hand)
            continue
        mask = draws.after(total, soft, len(hand))
        for value in _VALUES:
            rest = (*left[: value - 1], left[value - 1] - 1, *left[value:])
            key = rest, mask is draws.committed
            if rest[value - 1] >= 0 and key not in seen:
                seen.add(key)
                waiting.append(((*hand, value), *add(total, soft, value), rest, mask))
    return found
