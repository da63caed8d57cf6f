"""Why an action is not offered, in the dealer's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from holecard.deck import VALUES
from holecard.hands import say_total
from holecard.sheets.tables import Tables
from holecard.table.events import Action
from holecard.table.options import is_split_ace
from holecard.table.state import Hand, Seat, State


def reason(state: State, action: Action) -> str:
    """The first rule that stands against an action the current hand does not have."""
    if action not in get_args(Action):
        return f"that is no action; it can be {', '.join(get_args(Action))}"
    if state.phase != "acting":
        return f"this is the time for {state.phase}"
    seat = state.seats[state.turn]
    explain = _REASONS.get(action)
    return explain(state.tables, seat, seat.hands[state.hand]) if explain else "that is not asked now"


def _hit(tables: Tables, _seat: Seat, hand: Hand) -> str:
    if is_split_ace(tables, hand):
        return "a split ace gets one card only"
    return "a hand of 21 takes no card"


def _double(tables: Tables, _seat: Seat, hand: Hand) -> str:
    words = tables.sheet.player
    if is_split_ace(tables, hand):
        return "a split ace gets one card only"
    if hand.from_split and not tables.double_after_split:
        return "a hand made by splitting cannot be doubled here"
    if len(hand.cards) > tables.double_cards:
        return "only the first two cards can be doubled"
    if hand.total == 21:
        return "a hand of 21 takes no card"
    return f"{say_total(hand.total, hand.soft)} cannot be doubled; this table doubles on: {words.double}"


def _split(tables: Tables, seat: Seat, hand: Hand) -> str:
    words = tables.sheet.player
    if tables.split_hands == 1:
        return "this table does not split"
    if len(hand.cards) != 2 or tables.split_key[hand.cards[0]] != tables.split_key[hand.cards[1]]:
        return f"only two cards of one {words.split_by} can be split"
    if len(seat.hands) >= tables.split_hands:
        return f"a player may have {tables.split_hands} hands at most"
    assert VALUES[hand.cards[0]] == 1
    return "aces cannot be split here" if tables.split_aces == "never" else "aces can be split once only"


def _double_up(tables: Tables, _seat: Seat, hand: Hand) -> str:
    if tables.sheet.player.double_up == "none":
        return "this game has no Double-Up"
    if len(hand.cards) != 2:
        return "Double-Up is for the first two cards"
    if hand.from_split and not tables.double_up_after_split:
        return "Double-Up is not open to a hand made by splitting"
    return f"Double-Up is not open to {say_total(hand.total, hand.soft)}"


def _quick_pay(tables: Tables, seat: Seat, hand: Hand) -> str:
    if not tables.sheet.player.quick_pay:
        return "this game has no Quick Pay"
    if len(hand.cards) != 2 or len(seat.hands) > 1:
        return "Quick Pay is for the first two cards"
    totals = ", ".join(sorted(tables.sheet.player.quick_pay))
    return f"Quick Pay is for totals of {totals}"


def _surrender(tables: Tables, seat: Seat, hand: Hand) -> str:
    if tables.surrenders == "none":
        return "this table does not take surrender"
    if len(hand.cards) != 2 or len(seat.hands) > 1:
        return "only the first two cards can be surrendered"
    return "early surrender was offered before the dealer looked"


def _insurance(tables: Tables, _seat: Seat, _hand: Hand) -> str:
    return "this table offers no insurance" if tables.insurance is None else "insurance is offered once, under an ace"


_REASONS: dict[Action, Callable[[Tables, Seat, Hand], str]] = {
    "hit": _hit,
    "double": _double,
    "split": _split,
    "double up": _double_up,
    "quick pay": _quick_pay,
    "surrender": _surrender,
    "insurance": _insurance,
}
