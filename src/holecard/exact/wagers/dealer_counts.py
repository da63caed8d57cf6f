"""How the dealer's hand ends, counted exactly: in how many ways it comes to each finish that wagers tell apart.

How players play does not matter: a card that nobody has seen is as likely here as there in the shoe, so the cards that
the dealer draws after any number of players' draws are dealt like the first ones left.

An unfinished hand with m cards of a value of which the shoe has n is drawn, in one order, in the product of all
n (n - 1) … (n - m + 1) ways; its last card is summed over in closed form. Every hand is filled up with any cards
whatever to the same number of cards, so that ways can be added and compared. All numbers are whole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import perm, prod
from typing import NamedTuple, TypeAlias

from holecard.errors import Refusal
from holecard.exact.main.dealer_multisets import VALUES, Multiset, finished, multiset, plus
from holecard.sheets.tables import Mask
from holecard.wagers.dealer_hands import DealerHand

#: The dealer's first cards by value: the upcard, or the upcard and the hole card.
Start: TypeAlias = tuple[int, ...]
#: Which of the dealer's hands asked for a finished hand fits, by number.
Finish: TypeAlias = tuple[int, ...]
#: [value - 1] number of cards.
Counts: TypeAlias = Multiset


class Unfinished(NamedTuple):
    """A hand that the dealer draws to: how many cards it has, and (value, number) of every value in it."""

    size: int
    held: tuple[tuple[int, int], ...]


class Closing(NamedTuple):
    """Last cards that finish an unfinished hand alike: its number, their values, how many of those it holds already."""

    hand: int
    values: tuple[int, ...]
    held: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """A dealer's drawing rule, ready to be counted."""

    hands: tuple[Unfinished, ...]
    closings: tuple[Closing, ...]
    ways: dict[tuple[Start, Finish], tuple[tuple[int, int], ...]]
    """From a start to a finish: by which closings, after how many orders of the cards before."""
    start: int
    """Cards of a start."""
    longest: int
    """Cards of the longest finished hand."""


@dataclass(frozen=True, slots=True)
class Odds:
    """How the dealer's hand ends, given each start."""

    ways: dict[Start, dict[Finish, int]]
    """Of all the ways to draw on; a finish that fits nothing asked for is left out, the rest of `total`."""
    total: int
    drawn: int
    """Cards in one way, the start among them."""


def finishing_odds(drawing: Drawing, left: Counts, *, spared: int = 0) -> Odds:
    """The ways to finish with the cards `left`, of which `spared` are some player's, whichever they are."""
    cards = sum(left)
    drawn = min(drawing.longest, cards - spared)
    numbers = _numbers(drawing, left, cards, drawn)
    among = {values: sum(left[value - 1] for value in values) for values in {one.values for one in drawing.closings}}
    closed = [numbers[hand] * (among[values] - held) for hand, values, held in drawing.closings]
    found: dict[Start, dict[Finish, int]] = {start: {} for start in starts(drawing.start) if deals(start, left)}
    for (start, finish), adds in drawing.ways.items():
        if number := sum([closed[closing] * orders for closing, orders in adds]):
            # The cards of the start itself are a factor of every way counted.
            found[start][finish] = number // deals(start, left)
    return Odds(found, perm(cards - drawing.start, drawn - drawing.start), drawn)


def _numbers(drawing: Drawing, left: Counts, cards: int, drawn: int) -> list[int]:
    """[hand] ways to draw it in one order and to fill up what follows its last card."""
    fill = [perm(cards - size, drawn - size) for size in range(drawn + 1)]
    in_order = [[], *([perm(number, held) for held in range(drawing.longest)] for number in left)]
    numbers = [prod([in_order[value][held] for value, held in hand.held]) for hand in drawing.hands]
    if any(number and hand.size >= drawn for number, hand in zip(numbers, drawing.hands, strict=True)):
        raise Refusal(f"a shoe of {cards} cards is too small: the dealer might run out of cards")
    return [number and number * fill[hand.size + 1] for number, hand in zip(numbers, drawing.hands, strict=True)]


def starts(size: int) -> Iterator[Start]:
    """Every upcard, or every upcard with every hole card."""
    return product(VALUES, repeat=size)


def deals(start: Start, left: Counts) -> int:
    """In how many ways a start is dealt, card after card."""
    return prod([max(left[value - 1] - start[:place].count(value), 0) for place, value in enumerate(start)])


# Unfinished hands


@lru_cache(maxsize=64)
def drawing(draws: Mask, asked: tuple[DealerHand, ...], start: int) -> Drawing:
    """The unfinished hands of a drawing rule; finishes are told apart as far as the hands `asked` for do."""
    hands: list[Unfinished] = []
    closings: list[Closing] = []
    ways: dict[tuple[Start, Finish], list[tuple[int, int]]] = defaultdict(list)
    for cards, orders in _unfinished(draws, start).items():
        for finish, values in _last_cards(draws, asked, cards, start):
            for begun, number in orders.items():
                ways[_begun(begun, values[0], start), finish].append((len(closings), number))
            closings.append(Closing(len(hands), values, sum(cards[value - 1] for value in values)))
        hands.append(Unfinished(sum(cards), tuple((value, cards[value - 1]) for value in VALUES if cards[value - 1])))
    longest = 1 + max(hand.size for hand in hands)
    return Drawing(tuple(hands), tuple(closings), {slot: tuple(adds) for slot, adds in ways.items()}, start, longest)


@lru_cache(maxsize=16)
def _unfinished(draws: Mask, start: int) -> dict[Counts, dict[Start, int]]:
    """Every unfinished hand, and in how many orders each start leads to it; a lone upcard is no start of two cards."""
    found: dict[Counts, dict[Start, int]] = {}
    level: dict[Counts, dict[Start, int]] = {multiset(begun): {begun: 1} for begun in starts(1)}
    while level:
        found.update(level)
        longer: dict[Counts, dict[Start, int]] = defaultdict(lambda: defaultdict(int))
        for cards, orders in level.items():
            for value in VALUES:
                more = plus(cards, value)
                if finished(draws, more) is None:
                    for begun, number in orders.items():
                        longer[more][_begun(begun, value, start)] += number
        level = longer
    return found


def _begun(begun: Start, value: int, start: int) -> Start:
    """What a start is once a card has been drawn to it: the second card is part of a start of two."""
    return (*begun, value) if len(begun) < start else begun


def _last_cards(
    draws: Mask, asked: tuple[DealerHand, ...], cards: Counts, start: int
) -> Iterator[tuple[Finish, tuple[int, ...]]]:
    """What finishes a hand as asked for: values that do it alike together, but one by one while they make the start."""
    alike: dict[tuple[Finish, int], list[int]] = defaultdict(list)
    for value in VALUES:
        ended = finished(draws, plus(cards, value))
        finish = tuple(number for number, hand in enumerate(asked) if ended and hand.fits(ended))
        if finish:
            alike[finish, value if sum(cards) < start else 0].append(value)
    for (finish, _), values in alike.items():
        yield finish, tuple(values)
