"""What goes into a round (moves) and what comes out of it (events, results)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from holecard.deck import Card
from holecard.money import dollars, signed

Action: TypeAlias = Literal[
    "hit",
    "stand",
    "double",
    "split",
    "double up",
    "quick pay",
    "surrender",
    "no surrender",
    "insurance",
    "no insurance",
]

NOTHING: Mapping[str, int] = MappingProxyType({})


# Moves: what people and the shoe do.


class Bet(NamedTuple):
    """A seat's main wager, in cents (the companion, where there is one, is equal), and side wagers by name."""

    seat: int
    main: int
    sides: Mapping[str, int] = NOTHING


class NoMoreBets(NamedTuple):
    """The dealer begins."""


class Deal(NamedTuple):
    """A card falls."""

    card: Card


class Act(NamedTuple):
    """A seat decides; `amount` in cents where the action has one to choose."""

    seat: int
    action: Action
    amount: int | None = None


class Place(NamedTuple):
    """A seat's wagers after the check, by name, on top of those it has; empty to pass when it is asked for them."""

    seat: int
    sides: Mapping[str, int] = NOTHING


class Misdeal(NamedTuple):
    """There is no card left to deal: every wager still open is handed back."""


Move: TypeAlias = Bet | NoMoreBets | Deal | Act | Place | Misdeal


class Choice(NamedTuple):
    """A legal action of a seat, with the least and most it may stake where it may choose, all in cents.

    Between them stakes are whole multiples of `step`; `high` itself is always possible.
    """

    seat: int
    action: Action
    low: int | None = None
    high: int | None = None
    step: int | None = None

    def allows(self, amount: int) -> bool:
        """Whether the action can be done for so many cents."""
        if self.low is None or self.high is None or self.step is None:
            return False
        return self.low <= amount <= self.high and (amount % self.step == 0 or amount == self.high)

    def within(self, most: int) -> Choice | None:
        """The choice of somebody who can stake at most so much; None where that is not enough."""
        if self.low is None or self.high is None or self.step is None or most >= self.high:
            return self
        return self._replace(high=most // self.step * self.step) if most >= self.low else None


# Events: what everybody at the table can be told, except a hidden card.


class CardDealt(NamedTuple):
    """A card fell to a seat's hand (both from 1), or to the dealer (seat 0).

    `hidden` cards lie face down: their owner sees them, for everybody else `card` is None in a view.
    """

    seat: int
    hand: int
    card: Card | None
    hidden: bool = False


class HoleCardShown(NamedTuple):
    """The dealer turned the hole card."""

    card: Card


class Checked(NamedTuple):
    """The dealer looked under the upcard; `natural` ends the round."""

    natural: bool


class Result(NamedTuple):
    """One wager settled: its stake, net win in cents, and the rule or line that paid it, in words."""

    seat: int
    hand: int
    wager: str
    stake: int
    net: int
    line: str

    def __str__(self) -> str:
        place = f"seat {self.seat}" + (f" hand {self.hand}" if self.hand else "")
        return f"{place} {self.wager} {dollars(self.stake)}: {signed(self.net)} ({self.line})"


Event: TypeAlias = CardDealt | HoleCardShown | Checked | Result
