"""Deals to try pay lines on: every one that some line could tell from the others, and how the dealer's hand can end.

A deal is the player's two cards, the upcard and, where a wager looks at it, the hole card. No word for a hand minds
which suit is which as long as colours stay together (only exact cards do), so one deal stands for the up to eight
that `recoloured` makes of it. The cards the dealer draws later matter by value only.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, permutations, product
from typing import TypeAlias

from holecard.cards import DECK, VALUES, Card
from holecard.hands import add
from holecard.wagers.dealer_hands import Finished

Deal: TypeAlias = tuple[Card, ...]

_RED, _BLACK = {1, 2}, {0, 3}
#: Renamings of the suits that keep each colour together, as [suit] -> suit.
_RENAMINGS = tuple(new for new in permutations(range(4)) if {new[1], new[2]} in (_RED, _BLACK))
_RANKS, _VALUES = range(13), range(10)


def deals(looks_at: int) -> Iterator[Deal]:
    """Every deal, up to suits and to what a wager looking at 0, 2, 3 or 4 cards does not see.

    Deals of one suit come first, so that the rare flushes are met early.
    """
    ranks = _rank_patterns(looks_at)
    for seen in _suit_patterns(looks_at):
        # The suits of cards not looked at are different from each other and from those of the two that are.
        suits = (*seen, *(0, 1, 2)[len(seen) :])
        for pattern in ranks:
            yield tuple(DECK[4 * rank + suit] for rank, suit in zip(pattern, suits, strict=True))


def _rank_patterns(looks_at: int) -> list[tuple[int, ...]]:
    """The player's two cards in one order only; ten-value ranks once where only the value is seen."""
    own = combinations_with_replacement(_RANKS if looks_at >= 2 else _VALUES, 2)
    upcard = _RANKS if looks_at >= 3 else _VALUES
    dealers = list(product(upcard, _RANKS)) if looks_at == 4 else [(rank,) for rank in upcard]
    return [(*pair, *rest) for pair in own for rest in dealers]


def _suit_patterns(cards: int) -> list[tuple[int, ...]]:
    every = product(range(4), repeat=cards)
    return sorted({min(tuple(new[suit] for suit in suits) for new in _RENAMINGS) for suits in every})


def recoloured(deal: Deal) -> list[Deal]:
    """The deal with its suits renamed in every way that keeps colours together."""
    return [tuple(DECK[4 * card.rank + new[card.suit]] for card in deal) for new in _RENAMINGS]


def deals_of(named: Deal) -> Iterator[Deal]:
    """Every deal in which exactly the named cards are looked at; with two of them, for each upcard's value."""
    for looked_at in sorted(set(permutations(named))):
        if len(named) > 2:
            yield looked_at
            continue
        for rank in _VALUES:
            yield (*looked_at, next(card for card in DECK[4 * rank : 4 * rank + 4] if card not in named))


def cards_left(decks: int, gone: tuple[int, ...]) -> tuple[int, ...]:
    """How many cards of each value, ace first, a dealer may still draw when those of the values `gone` are out.

    Counts stop where one more card could not be used: every draw but the last starts from 16 or less, aces as 1.
    """
    shoe = [(16 if value == 10 else 4) * decks - gone.count(value) for value in range(1, 11)]
    return tuple(min(left, 16 // value + 1) for value, left in enumerate(shoe, start=1))


@lru_cache(maxsize=8192)
def endings(draws: tuple[tuple[bool, bool], ...], dealt: tuple[int, ...], left: tuple[int, ...]) -> frozenset[Finished]:
    """Every way the dealer's hand can end that begins with the values `dealt`; `draws` is [total][soft]."""
    total, soft = 0, False
    for value in dealt:
        total, soft = add(total, soft, value)
    found: set[Finished] = set()
    seen = {left}
    waiting = [(len(dealt), total, soft, left)]
    while waiting:
        cards, total, soft, left = waiting.pop()
        if cards > 1 and (total > 21 or not draws[total][soft]):
            found.add(Finished(total, cards, natural=cards == 2 and total == 21))
            continue
        for value in range(1, 11):
            rest = (*left[: value - 1], left[value - 1] - 1, *left[value:])
            if rest[value - 1] >= 0 and rest not in seen:
                seen.add(rest)
                waiting.append((cards + 1, *add(total, soft, value), rest))
    return frozenset(found)


def values(deal: Deal) -> tuple[int, ...]:
    """The values of the cards: the player's two ordered, as only the dealer's have an order that matters."""
    return (*sorted(VALUES[card] for card in deal[:2]), *(VALUES[card] for card in deal[2:]))
