"""How the dealer's hand ends, counted exactly: the number of ways to each finish that wagers distinguish.

How players play does not matter: an unseen card is as likely in one place of the shoe as in another, so the cards that
the dealer draws after any number of players' draws are distributed like the first ones left.

An unfinished hand with m cards of a value of which the shoe has n is drawn, in one order, in the product of all n (n -
1) … (n - m + 1) ways; its last card is summed in closed form. Every hand is filled up with arbitrary cards to the same
number of cards, so that ways can be added and compared. All numbers are integers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from math import perm, prod
from typing import NamedTuple, TypeAlias

from holecard.errors import Refusal
from holecard.exact.main.dealer_multisets import EVERY_VALUE, Multiset, finished_by, multiset, plus
from holecard.hands import DealerDraws
from holecard.wagers.dealer_hands import DealerHand, Finished

#: The dealer's first cards by value: the upcard, or the upcard and the hole card.
Start: TypeAlias = tuple[int, ...]
#: The numbers of the dealer's hands asked for that a finished hand fits.
Finish: TypeAlias = tuple[int, ...]


class Unfinished(NamedTuple):
    """A hand that the dealer draws to: how many cards it has, and (value, number) of every value in it."""

    size: int
    held: tuple[tuple[int, int], ...]


class Closing(NamedTuple):
    """Last cards that finish an unfinished hand in the same way."""

    hand: int
    """number of the unfinished hand"""
    values: tuple[int, ...]
    """values of the last cards"""
    held: int
    """how many cards of these values it holds already"""


@dataclass(frozen=True, slots=True)
class DrawingRule:
    """A dealer's drawing rule, ready to be counted."""

    hands: tuple[Unfinished, ...]
    closings: tuple[Closing, ...]
    ways: dict[tuple[Start, Finish], tuple[tuple[int, int], ...]]
    """from a start to a finish: by which closings, after how many orders of the cards before"""
    start: int
    """number of cards of a start"""
    longest: int
    """number of cards of the longest finished hand"""


@dataclass(frozen=True, slots=True)
class DealerCounts:
    """How the dealer's hand ends, given each start."""

    ways: dict[Start, dict[Finish, int]]
    """number of ways to each finish; finishes that fit nothing asked for are not listed, but count in `total`"""
    total: int
    drawn: int
    """number of cards in one way, the start's included"""


def count_finishes(rule: DrawingRule, left: Multiset, *, spared: int = 0) -> DealerCounts:
    """Return the ways to finish with the cards `left`, of which `spared` unknown ones belong to a player."""
    cards = sum(left)
    drawn = min(rule.longest, cards - spared)
    numbers = _numbers(rule, left, cards, drawn)
    among = {values: sum(left[value - 1] for value in values) for values in {one.values for one in rule.closings}}
    closed = [numbers[hand] * (among[values] - held) for hand, values, held in rule.closings]
    found: dict[Start, dict[Finish, int]] = {start: {} for start in starts(rule.start) if deals(start, left)}
    for (start, finish), adds in rule.ways.items():
        if number := sum([closed[closing] * orders for closing, orders in adds]):
            # The ways of the start itself are a factor of every way counted.
            found[start][finish] = number // deals(start, left)
    return DealerCounts(found, perm(cards - rule.start, drawn - rule.start), drawn)


def _numbers(rule: DrawingRule, left: Multiset, cards: int, drawn: int) -> list[int]:
    """Return [hand] the ways to draw it in one order and to fill up what follows its last card."""
    fill = [perm(cards - size, drawn - size) for size in range(drawn + 1)]
    in_order = [[], *([perm(number, held) for held in range(rule.longest)] for number in left)]
    numbers = [prod([in_order[value][held] for value, held in hand.held]) for hand in rule.hands]
    if any(number and hand.size >= drawn for number, hand in zip(numbers, rule.hands, strict=True)):
        raise Refusal(f"a shoe of {cards} cards is too small: the dealer could run out of cards")
    return [number and number * fill[hand.size + 1] for number, hand in zip(numbers, rule.hands, strict=True)]


def starts(size: int) -> Iterator[Start]:
    """Return every upcard, or every upcard with every hole card."""
    return product(EVERY_VALUE, repeat=size)


def deals(start: Start, left: Multiset) -> int:
    """Return in how many ways a start is dealt, card after card."""
    return prod([max(left[value - 1] - start[:place].count(value), 0) for place, value in enumerate(start)])


# Unfinished hands


@lru_cache(maxsize=64)
def drawing_rule(draws: DealerDraws, asked: tuple[DealerHand, ...], start: int) -> DrawingRule:
    """Return the unfinished hands of a drawing rule; finishes are distinguished as far as the `asked` hands need."""

    @cache
    def fitted(ended: Finished) -> Finish:
        return tuple(number for number, hand in enumerate(asked) if hand.fits(ended))

    hands: list[Unfinished] = []
    closings: list[Closing] = []
    ways: dict[tuple[Start, Finish], list[tuple[int, int]]] = defaultdict(list)
    for cards, orders in _unfinished(draws, start).items():
        for finish, values in _last_cards(draws, fitted, cards, start):
            for begun, number in orders.items():
                ways[_begun(begun, values[0], start), finish].append((len(closings), number))
            closings.append(Closing(len(hands), values, sum(cards[value - 1] for value in values)))
        hands.append(
            Unfinished(sum(cards), tuple((value, cards[value - 1]) for value in EVERY_VALUE if cards[value - 1]))
        )
    longest = 1 + max(hand.size for hand in hands)
    return DrawingRule(
        tuple(hands), tuple(closings), {slot: tuple(adds) for slot, adds in ways.items()}, start, longest
    )


@lru_cache(maxsize=16)
def _unfinished(draws: DealerDraws, start: int) -> dict[Multiset, dict[Start, int]]:
    """Return every unfinished hand, and in how many orders each start leads to it.

    A single upcard is not a start of two cards.
    """
    found: dict[Multiset, dict[Start, int]] = {}
    level: dict[Multiset, dict[Start, int]] = {multiset(begun): {begun: 1} for begun in starts(1)}
    while level:
        found.update(level)
        longer: dict[Multiset, dict[Start, int]] = defaultdict(lambda: defaultdict(int))
        for cards, orders in level.items():
            for value in EVERY_VALUE:
                if finished_by(draws, cards, value) is None:
                    more = plus(cards, value)
                    for begun, number in orders.items():
                        longer[more][_begun(begun, value, start)] += number
        level = longer
    return found


def _begun(begun: Start, value: int, start: int) -> Start:
    """Return the start once a card has been drawn to it: the second card is part of a start of two."""
    return (*begun, value) if len(begun) < start else begun


def _last_cards(
    draws: DealerDraws, fitted: Callable[[Finished], Finish], cards: Multiset, start: int
) -> Iterator[tuple[Finish, tuple[int, ...]]]:
    """Yield what finishes a hand as asked for: values with one finish together, but singly while they make a start."""
    alike: dict[tuple[Finish, int], list[int]] = defaultdict(list)
    for value in EVERY_VALUE:
        ended = finished_by(draws, cards, value)
        if ended and (finish := fitted(ended)):
            alike[finish, value if sum(cards) < start else 0].append(value)
    for (finish, _), values in alike.items():
        yield finish, tuple(values)
