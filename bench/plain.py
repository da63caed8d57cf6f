"""The plain recursion the exact engine replaces: card after card, remembering in dictionaries what it has seen.

It knows stand, hit and double of a first hand against one upcard, in games with one main wager. Like the engine it
reckons each hand by its own cards and sums the dealer's draws from what those leave in the shoe. Values are times the
chance that the dealer has no natural the players know of, so that every draw is plainly count over cards left.
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
    """Values by deal and action, and what was remembered on the way."""

    values: dict[Deal, dict[str, float]]
    hands: int
    """player's hands"""
    dealers: int
    """dealer's hands, each with the shoe it is drawn from"""


def plain_values(tables: Tables, shoe: Left, upcard: int, deals: Iterable[Deal]) -> Plain:
    """What each action is worth for some deals of two values; `shoe` counts aces, twos … and all ten-value cards."""
    draws, natural = tables.dealer_draws, 11 - upcard
    looked = upcard in tables.peeks_under & NATURAL_UPCARDS
    plain = [[float(cell.net) for cell in row] for row in tables.settlement[BET]]
    added = [[float(cell.net) for cell in row] for row in tables.settlement[DOUBLE]]
    doubled = [[one + more for one, more in zip(*rows, strict=True)] for rows in zip(plain, added, strict=True)]

    @cache
    def dealer(total: int, soft: bool, cards: int, left: Left) -> dict[int, float]:
        """Chances of the dealer's endings. Three `cards` stand for more, too: only a natural asks for two."""
        if cards > 1 and (total > 21 or not draws[total][soft]):
            return {dealer_class(Finished(total, cards, natural=cards == 2 and total == 21)): 1.0}
        found: dict[int, float] = {}
        for value, chance, rest in _drawn(left):
            if not (looked and cards == 1 and value == natural):
                for ending, then in dealer(*add(total, soft, value), min(cards + 1, 3), rest).items():
                    found[ending] = found.get(ending, 0.0) + chance * then
        return found

    def settled(worth: list[list[float]], total: int, cards: int, left: Left) -> float:
        if total > 21:  # Loses to every dealer, so nobody draws.
            return worth[BUST][ANY_DEALER] * (1 - left[natural - 1] / sum(left) if looked else 1.0)
        row = worth[total if cards < tables.charlie else CHARLIE]
        return sum(chance * row[ending] for ending, chance in dealer(*add(0, False, upcard), 1, left).items())

    @cache
    def actions(total: int, soft: bool, cards: int, left: Left) -> dict[str, float]:
        found = {"stand": settled(plain, total, cards, left)}
        if total > 21 or cards >= tables.charlie:
            return found
        drawn = [(*add(total, soft, value), chance, rest) for value, chance, rest in _drawn(left)]
        if total < 21:
            found["hit"] = sum(
                chance * max(actions(then, soft, cards + 1, rest).values()) for then, soft, chance, rest in drawn
            )
        if tables.may_double[total][soft] and cards <= tables.double_cards:
            found["double"] = sum(chance * settled(doubled, then, cards + 1, rest) for then, _, chance, rest in drawn)
        return found

    whole = _less(shoe, upcard)
    values = {
        (low, high): actions(*add(*add(0, False, low), high), 2, _less(_less(whole, low), high)) for low, high in deals
    }
    return Plain(values, actions.cache_info().currsize, dealer.cache_info().currsize)


def _less(left: Left, value: int) -> Left:
    return (*left[: value - 1], left[value - 1] - 1, *left[value:])


def _drawn(left: Left) -> Iterator[tuple[int, float, Left]]:
    """Every value that can come next, its chance, and what it leaves."""
    cards = sum(left)
    for value, number in enumerate(left, start=1):
        if number:
            yield value, number / cards, _less(left, value)
