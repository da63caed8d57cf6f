"""What goes into a round (moves) and what comes out of it (events, results).

Moves are made with amounts as people write them: `Bet(1, 10)` and `Bet(1, "$10")` bet ten dollars. What comes out are
`Money` amounts, which moves take as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple, Self, TypeAlias, TypeVar

from holecard.deck import Card
from holecard.errors import WagerRefused, shortly
from holecard.money import Money, MoneyLike, dollars, money, signed_dollars


class Action(StrEnum):
    """What the seat that is asked can do; each is equal to its text: `Action.HIT == "hit"`."""

    HIT = "hit"
    STAND = "stand"
    DOUBLE = "double"
    SPLIT = "split"
    DOUBLE_UP = "double up"
    QUICK_PAY = "quick pay"
    SURRENDER = "surrender"
    NO_SURRENDER = "no surrender"
    INSURANCE = "insurance"
    NO_INSURANCE = "no insurance"

    def __repr__(self) -> str:
        return repr(self.value)


_ACTIONS = {action.value: action for action in Action}


def _read_action(action: object) -> Any:
    """Return the action that a text names; anything else as it is, for the table to refuse."""
    return _ACTIONS.get(action, action) if isinstance(action, str) else action


class Sides(Mapping[str, Money]):
    """Stakes on side wagers by name: a mapping that cannot change, so that moves can be compared and hashed."""

    __slots__ = ("_stakes",)

    def __init__(self, stakes: Mapping[str, MoneyLike]) -> None:
        if not isinstance(stakes, Mapping) or not all(isinstance(name, str) for name in stakes):
            raise WagerRefused(
                f"{shortly(stakes)} does not name side wagers; write names and amounts, as in {{'Pairs': '$5'}}"
            )
        self._stakes = {name: money(stake) for name, stake in stakes.items()}

    def __getitem__(self, name: str) -> Money:
        return self._stakes[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._stakes)

    def __len__(self) -> int:
        return len(self._stakes)

    def __hash__(self) -> int:
        return hash(frozenset(self._stakes.items()))

    def __repr__(self) -> str:
        return repr(self._stakes)


NOTHING = Sides({})

#: A move or an event is a tuple, made without the checks of its class.
_record: Any = tuple.__new__


_Kind = TypeVar("_Kind", bound=type)
_same_fields: Any = tuple.__eq__


def _equal(self: object, other: object) -> bool:
    if type(other) is type(self):
        return bool(_same_fields(self, other))
    return False if isinstance(other, tuple) else NotImplemented


def _unequal(self: object, other: object) -> bool:
    same = _equal(self, other)
    return same if same is NotImplemented else not same


def _own_kind(kind: _Kind) -> _Kind:
    """Make moves or events equal to those of their own kind only: as tuples, `Deal` and `HoleCardShown` are alike."""
    record: Any = kind
    record.__eq__, record.__ne__, record.__hash__ = _equal, _unequal, tuple.__hash__
    return kind


# Moves: what people and the shoe do.


class _Bet(NamedTuple):
    seat: int
    main: Money
    sides: Sides


class Bet(_Bet):
    """A seat's main wager (the companion, where there is one, is equal) and its side wagers by name."""

    __slots__ = ()

    def __new__(cls, seat: int, main: MoneyLike, sides: Mapping[str, MoneyLike] = NOTHING) -> Self:
        made: Self = _record(cls, (seat, money(main), sides if type(sides) is Sides else Sides(sides)))
        return made


@_own_kind
class NoMoreBets(NamedTuple):
    """The dealer closes the betting and deals."""


@_own_kind
class Deal(NamedTuple):
    """A card is dealt to the next seat or the dealer."""

    card: Card


class _Act(NamedTuple):
    seat: int
    action: Action
    amount: Money | None


class Act(_Act):
    """A seat decides; `amount` where the action has one to choose."""

    __slots__ = ()

    def __new__(cls, seat: int, action: str, amount: MoneyLike | None = None) -> Self:
        made: Self = _record(
            cls,
            (
                seat,
                action if type(action) is Action else _read_action(action),
                None if amount is None else money(amount),
            ),
        )
        return made


class _Place(NamedTuple):
    seat: int
    sides: Sides


class Place(_Place):
    """A seat's wagers after the check, by name, on top of those it has; without any, the asked seat passes."""

    __slots__ = ()

    def __new__(cls, seat: int, sides: Mapping[str, MoneyLike] = NOTHING) -> Self:
        made: Self = _record(cls, (seat, sides if type(sides) is Sides else Sides(sides)))
        return made


@_own_kind
class Misdeal(NamedTuple):
    """No card is left to deal: every wager still open is returned."""


Move: TypeAlias = Bet | NoMoreBets | Deal | Act | Place | Misdeal


class Choice(NamedTuple):
    """A legal action of a seat, with the least and most it may stake where it may choose.

    Between them stakes are whole multiples of `step`; `high` itself is always possible.
    """

    seat: int
    action: Action
    low: Money | None = None
    high: Money | None = None
    step: Money | None = None

    def allows(self, amount: MoneyLike) -> bool:
        """Return whether the action can be taken for this amount."""
        if self.low is None or self.high is None or self.step is None:
            return False
        stake = money(amount)
        return self.low <= stake <= self.high and (stake % self.step == 0 or stake == self.high)

    def within(self, most: Money) -> Choice | None:
        """Return the choice of a seat that can stake at most this much; None where that is not enough."""
        if self.low is None or self.high is None or self.step is None or most >= self.high:
            return self
        return self._replace(high=most - most % self.step) if most >= self.low else None


# Events: what everybody at the table can see, except a hidden card.


@_own_kind
class CardDealt(NamedTuple):
    """A card dealt to a seat's hand (both numbered from 1), or to the dealer (seat 0).

    `hidden` cards are face down: their owner sees them, and for everybody else `card` is None in a view.
    """

    seat: int
    hand: int
    card: Card | None
    hidden: bool = False


@_own_kind
class HoleCardShown(NamedTuple):
    """The dealer turned the hole card."""

    card: Card


@_own_kind
class Checked(NamedTuple):
    """The dealer looked under the upcard; a `natural` ends the round."""

    natural: bool


@_own_kind
class Result(NamedTuple):
    """One wager settled: its stake, its net win, and the rule or pay line that decided it, in words."""

    seat: int
    hand: int
    wager: str
    stake: Money
    net: Money
    line: str

    def __str__(self) -> str:
        place = f"seat {self.seat}" + (f" hand {self.hand}" if self.hand else "")
        return f"{place} {self.wager} {dollars(self.stake)}: {signed_dollars(self.net)} ({self.line})"


Event: TypeAlias = CardDealt | HoleCardShown | Checked | Result
