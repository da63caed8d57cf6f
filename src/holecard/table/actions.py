"""What a player may do with a hand, and why not.

Every rule is written once, as a function that returns the reason against an action, or None where it is legal.
`options` lists the actions without a reason; `reason` explains the others. Blanks in a reason, such as {total}, are
filled in only when the reason is read.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from holecard.deck import VALUES, Card
from holecard.hands import format_total
from holecard.sheets.tables import Tables
from holecard.table.events import Action
from holecard.table.state import Hand, State

_TAKES_NO_CARD = "a hand of 21 takes no card"
_SPLIT_ACE = "a split ace gets one card only"
_NOT_A_PAIR = "only two cards of one {split_by} can be split"
#: The reason against an action that is for two cards, where a hand has more.
_TWO_CARDS_ONLY = {
    Action.SPLIT: _NOT_A_PAIR,
    Action.DOUBLE_UP: "Double-Up is for the first two cards",
    Action.QUICK_PAY: "Quick Pay is for the first two cards",
    Action.SURRENDER: "only the first two cards can be surrendered",
}


def options(tables: Tables, upcard: Card, hand: Hand, hands: int) -> tuple[Action, ...]:
    """Return the legal actions of a hand, one of the seat's `hands`, in the order a dealer would name them."""
    found = [Action.STAND] if _hit(tables, upcard, hand, hands) else [Action.HIT, Action.STAND]
    for action, against in _other_rules(tables.actions) if len(hand.cards) == 2 else _WITH_MORE_CARDS:
        if against(tables, upcard, hand, hands) is None:
            found.append(action)
    return tuple(found)


def reason(state: State, action: object) -> str:
    """Return the first rule against an action that is not legal now."""
    if not isinstance(action, Action):
        return f"that is not an action; it can be {', '.join(Action)}"
    if state.phase != "acting":
        return f"this is the time for {state.phase}"
    tables, seat = state.tables, state.seats[state.turn]
    if action is Action.INSURANCE:
        return "this game has no insurance" if tables.insurance is None else "insurance is offered once, under an ace"
    if action not in _RULES:
        return "that is not asked now"
    if action not in tables.actions:
        return f"this game has no {_NAMES[action]}"
    hand = seat.hands[state.hand]
    against = None if len(hand.cards) == 2 else _TWO_CARDS_ONLY.get(action)
    if against is None:
        against = _RULES[action][1](tables, state.dealer[0], hand, len(seat.hands))
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
    if tables.split_key[hand.cards[0]] != tables.split_key[hand.cards[1]]:
        return _NOT_A_PAIR
    if hands >= tables.split_hands:
        return "a player may have {split_hands} hands at most"
    if VALUES[hand.cards[0]] == 1 and tables.split_aces != "again":
        if tables.split_aces == "never":
            return "aces cannot be split here"
        return "aces can be split once only" if hand.from_split else None
    return None


def _double_up(tables: Tables, _upcard: Card, hand: Hand, _hands: int) -> str | None:
    if hand.from_split and not tables.double_up_after_split:
        return "Double-Up is not open to a hand made by splitting"
    return None if tables.may_double_up[hand.total][hand.soft] else "Double-Up is not open to {total}"


def _quick_pay(tables: Tables, _upcard: Card, hand: Hand, hands: int) -> str | None:
    if hand.from_split or hands > 1:
        return _TWO_CARDS_ONLY[Action.QUICK_PAY]
    return "Quick Pay is for totals of {quick_pay_totals}" if tables.quick_pay[hand.total] is None else None


def _surrender(tables: Tables, upcard: Card, hand: Hand, hands: int) -> str | None:
    if hand.from_split or hands > 1:
        return _TWO_CARDS_ONLY[Action.SURRENDER]
    if VALUES[upcard] in tables.early_surrender_upcards:
        return "early surrender was offered before the dealer looked"
    return None


def _is_split_ace(tables: Tables, hand: Hand) -> bool:
    """Return whether a hand made by splitting began with an ace that gets one card only."""
    return not tables.split_aces_play_on and VALUES[hand.cards[0]] == 1


_Rule: TypeAlias = tuple[Action, Callable[[Tables, Card, Hand, int], str | None]]

#: By text, as the tables list the actions of a game.
_RULES: dict[str, _Rule] = {
    "hit": (Action.HIT, _hit),
    "double": (Action.DOUBLE, _double),
    "split": (Action.SPLIT, _split),
    "double up": (Action.DOUBLE_UP, _double_up),
    "quick pay": (Action.QUICK_PAY, _quick_pay),
    "surrender": (Action.SURRENDER, _surrender),
}
_WITH_MORE_CARDS = [(Action.DOUBLE, _double)]


@cache
def _other_rules(actions: tuple[str, ...]) -> tuple[_Rule, ...]:
    """Return the rules of the actions of a game, without hitting and standing."""
    return tuple(rule for action, rule in _RULES.items() if action in actions and action != Action.HIT)


#: What a game does not have, where it lacks an action.
_NAMES: dict[Action, str] = {
    Action.DOUBLE: "doubling",
    Action.SPLIT: "splitting",
    Action.DOUBLE_UP: "Double-Up",
    Action.QUICK_PAY: "Quick Pay",
    Action.SURRENDER: "surrender",
}
