"""A plain recursion as the baseline of the exact analysis: card by card, with results cached in dictionaries.

It handles stand, hit, and double of a starting hand against one upcard, in games with one main wager. Like the exact
analysis, it uses each hand's own cards and sums over the dealer's draws from the remaining shoe. Values are
multiplied by the probability that the dealer has no natural that the players know of, so every draw has the plain
probability count / cards left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

from holecard.hands import NATURAL_UPCARDS, add
from holecard.sheets.tables import ANY_DEALER, BET, BUST, CHARLIE, DOUBLE, Tables, dealer_class
from holecard.wagers.dealer_hands import Finished

Left: TypeAlias = tuple[int, ...]
Deal: TypeAlias = tuple[int, int]


class Plain(NamedTuple):
    """Values by deal and action, and the number of cached hands."""

    values: dict[Deal, dict[str, float]]
    hands: int
    """cached player hands"""
    dealers: int
    """cached dealer hands, each with the shoe it is drawn from"""


def plain_values(tables: Tables, shoe: Left, upcard: int, deals: Iterable[Deal]) -> Plain:
    """Return the EV of each action for deals of two values; `shoe` counts aces, twos, …, and all ten-value cards."""
    draws, natural = tables.dealer_draws.usual, 11 - upcard
    looked = upcard in tables.peeks_under & NATURAL_UPCARDS
    plain = [[float(cell.net) for cell in row] for row in tables.settlement[BET]]
    added = [[float(cell.net) for cell in row] for row in tables.settlement[DOUBLE]]
    doubled = [[one + more for one, more in zip(*rows, strict=True)] for rows in zip(plain, added, strict=True)]

    @cache
    def dealer(total: int, soft: bool, cards: int, left: Left) -> dict[int, float]:
        """Return the probabilities of the dealer outcomes; `cards` stops at 3, because only a natural needs two."""
        if cards > 1 and (total > 21 or not draws[total][soft]):
            return {dealer_class(Finished(total, cards, natural=cards == 2 and total == 21)): 1.0}
        found: dict[int, float] = {}
        for value, probability, rest in _drawn(left):
            if not (looked and cards == 1 and value == natural):
                for ending, then in dealer(*add(total, soft, value), min(cards + 1, 3), rest).items():
                    found[ending] = found.get(ending, 0.0) + probability * then
        return found

    def settled(payoffs: list[list[float]], total: int, cards: int, left: Left) -> float:
        if total > 21:  # Loses against every dealer hand, so the dealer does not draw.
            return payoffs[BUST][ANY_DEALER] * (1 - left[natural - 1] / sum(left) if looked else 1.0)
        row = payoffs[total if cards < tables.charlie else CHARLIE]
        return sum(probability * row[ending] for ending, probability in dealer(*add(0, False, upcard), 1, left).items())

    @cache
    def actions(total: int, soft: bool, cards: int, left: Left) -> dict[str, float]:
        found = {"stand": settled(plain, total, cards, left)}
        if total > 21 or cards >= tables.charlie:
            return found
        drawn = [(*add(total, soft, value), probability, rest) for value, probability, rest in _drawn(left)]
        if total < 21:
            found["hit"] = sum(
                probability * max(actions(then, soft, cards + 1, rest).values())
                for then, soft, probability, rest in drawn
            )
        if tables.may_double[total][soft] and cards <= tables.double_cards:
            found["double"] = sum(
                probability * settled(doubled, then, cards + 1, rest) for then, _, probability, rest in drawn
            )
        return found

    whole = _less(shoe, upcard)
    values = {
        (low, high): actions(*add(*add(0, False, low), high), 2, _less(_less(whole, low), high)) for low, high in deals
    }
    return Plain(values, actions.cache_info().currsize, dealer.cache_info().currsize)


def _less(left: Left, value: int) -> Left:
    return (*left[: value - 1], left[value - 1] - 1, *left[value:])


def _drawn(left: Left) -> Iterator[tuple[int, float, Left]]:
    """Yield every value that can come next, its probability, and the remaining cards."""
    cards = sum(left)
    for value, number in enumerate(left, start=1):
        if number:
            yield value, number / cards, _less(left, value)
