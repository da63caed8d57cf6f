"""What a player may do with a hand, and why not.

Every rule is written once, as a function that returns the reason against an action, or None where it is legal.
`options` lists the actions without a reason; `reason` explains the others. Blanks in a reason, such as {total}, are
filled in only when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from holecard.deck import VALUES, Card
from holecard.hands import format_total
from holecard.sheets.tables import Tables
from holecard.table.events import Action
from holecard.table.state import Hand, State

_TAKES_NO_CARD = "a hand of 21 takes no card"
_SPLIT_ACE = "a split ace gets one card only"


def options(tables: Tables, upcard: Card, hand: Hand, hands: int) -> tuple[Action, ...]:
    """Return the legal actions of a hand, one of the seat's `hands`, in the order a dealer would name them."""
    return tuple([action for action, against in _rules(tables) if against(tables, upcard, hand, hands) is None])


def reason(state: State, action: object) -> str:
    """Return the first rule against an action that is not legal now."""
    if not isinstance(action, Action):
        return f"that is not an action; it can be {', '.join(Action)}"
    if state.phase != "acting":
        return f"this is the time for {state.phase}"
    tables, seat = state.tables, state.seats[state.turn]
    if action is Action.INSURANCE:
        return "this game has no insurance" if tables.insurance is None else "insurance is offered once, under an ace"
    if action not in _AGAINST:
        return "that is not asked now"
    if action not in tables.actions:
        return f"this game has no {_NAMES[action]}"
    hand = seat.hands[state.hand]
    against = _AGAINST[action](tables, state.dealer[0], hand, len(seat.hands))
    assert against is not None
    return against.format(
        total=format_total(hand.total, hand.soft),
        doubles_on=tables.sheet.player.double,
        split_by=tables.sheet.player.split_by,
        split_hands=tables.split_hands,
        quick_pay_totals=", ".join(sorted(tables.sheet.player.quick_pay)),
    )


def _hit(tables: Tables, _upcard: Card, hand: Hand, _hands: int) -> str | None:
    if hand.from_split and _is_split_ace(tables, hand):
        return _SPLIT_ACE
    return _TAKES_NO_CARD if hand.total >= 21 else None


def _stand(_tables: Tables, _upcard: Card, _hand: Hand, _hands: int) -> str | None:
    return None


def _double(tables: Tables, _upcard: Card, hand: Hand, _hands: int) -> str | None:
    if hand.from_split:
        if _is_split_ace(tables, hand):
            return _SPLIT_ACE
        if not tables.double_after_split:
            return "a hand made by splitting cannot be doubled here"
    if len(hand.cards) > tables.double_cards:
        return "only the first two cards can be doubled"
    if tables.may_double[hand.total][hand.soft]:
        return None
    return _TAKES_NO_CARD if hand.total == 21 else "{total} cannot be doubled; this table doubles on: {doubles_on}"


def _split(tables: Tables, _upcard: Card, hand: Hand, hands: int) -> str | None:
    if len(hand.cards) != 2 or tables.split_key[hand.cards[0]] != tables.split_key[hand.cards[1]]:
        return "only two cards of one {split_by} can be split"
    if hands >= tables.split_hands:
        return "a player may have {split_hands} hands at most"
    if VALUES[hand.cards[0]] == 1 and tables.split_aces != "again":
        if tables.split_aces == "never":
            return "aces cannot be split here"
        return "aces can be split once only" if hand.from_split else None
    return None


def _double_up(tables: Tables, _upcard: Card, hand: Hand, _hands: int) -> str | None:
    if len(hand.cards) != 2:
        return "Double-Up is for the first two cards"
    if hand.from_split and not tables.double_up_after_split:
        return "Double-Up is not open to a hand made by splitting"
    return None if tables.may_double_up[hand.total][hand.soft] else "Double-Up is not open to {total}"


def _quick_pay(tables: Tables, _upcard: Card, hand: Hand, hands: int) -> str | None:
    if len(hand.cards) != 2 or hand.from_split or hands > 1:
        return "Quick Pay is for the first two cards"
    return "Quick Pay is for totals of {quick_pay_totals}" if tables.quick_pay[hand.total] is None else None


def _surrender(tables: Tables, upcard: Card, hand: Hand, hands: int) -> str | None:
    if len(hand.cards) != 2 or hand.from_split or hands > 1:
        return "only the first two cards can be surrendered"
    if VALUES[upcard] in tables.early_surrender_upcards:
        return "early surrender was offered before the dealer looked"
    return None


def _is_split_ace(tables: Tables, hand: Hand) -> bool:
    """Whether a hand made by splitting began with an ace that gets one card only."""
    return not tables.split_aces_play_on and VALUES[hand.cards[0]] == 1


_Against: TypeAlias = Callable[[Tables, Card, Hand, int], str | None]

_AGAINST: dict[Action, _Against] = {
    Action.HIT: _hit,
    Action.STAND: _stand,
    Action.DOUBLE: _double,
    Action.SPLIT: _split,
    Action.DOUBLE_UP: _double_up,
    Action.QUICK_PAY: _quick_pay,
    Action.SURRENDER: _surrender,
}
#: What a game does not have, where it lacks an action.
_NAMES: dict[Action, str] = {
    Action.DOUBLE: "doubling",
    Action.SPLIT: "splitting",
    Action.DOUBLE_UP: "Double-Up",
    Action.QUICK_PAY: "Quick Pay",
    Action.SURRENDER: "surrender",
}
#: The rules of the actions that a game has, by those actions.
_RULES: dict[tuple[str, ...], tuple[tuple[Action, _Against], ...]] = {}


def _rules(tables: Tables) -> tuple[tuple[Action, _Against], ...]:
    """Return the actions that a game has, each with the rules against it."""
    found = _RULES.get(tables.actions)
    if found is None:
        found = tuple((action, against) for action, against in _AGAINST.items() if action in tables.actions)
        _RULES[tables.actions] = found
    return found
