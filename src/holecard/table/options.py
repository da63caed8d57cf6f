"""What a player may do with a hand. The masks come from the tables; here is only the state of the hand."""

from __future__ import annotations

from holecard.deck import VALUES, Card
from holecard.hands import NATURAL_UPCARDS
from holecard.sheets.tables import Tables
from holecard.table.events import Action
from holecard.table.state import Hand


def options(tables: Tables, upcard: Card, hand: Hand, hands: int) -> tuple[Action, ...]:
    """The actions open to a hand, one of the seat's `hands`, in the order a dealer would name them."""
    found: list[Action] = []
    if may_hit(tables, hand):
        found.append("hit")
    found.append("stand")
    if may_double(tables, hand):
        found.append("double")
    if len(hand.cards) == 2:
        if may_split(tables, hand, hands):
            found.append("split")
        if may_double_up(tables, hand):
            found.append("double up")
        if not hand.from_split and hands == 1:
            if tables.quick_pay[hand.total] is not None:
                found.append("quick pay")
            if may_surrender(tables, upcard):
                found.append("surrender")
    return tuple(found)


def is_split_ace(tables: Tables, hand: Hand) -> bool:
    """A split ace that gets one card only."""
    return hand.from_split and not tables.split_aces_play_on and VALUES[hand.cards[0]] == 1


def may_hit(tables: Tables, hand: Hand) -> bool:
    return hand.total < 21 and not is_split_ace(tables, hand)


def may_double(tables: Tables, hand: Hand) -> bool:
    return (
        tables.may_double[hand.total][hand.soft]
        and len(hand.cards) <= tables.double_cards
        and (not hand.from_split or (tables.double_after_split and not is_split_ace(tables, hand)))
    )


def may_split(tables: Tables, hand: Hand, hands: int) -> bool:
    first, second = hand.cards
    if tables.split_key[first] != tables.split_key[second] or hands >= tables.split_hands:
        return False
    if VALUES[first] == 1:
        return tables.split_aces == "again" or (tables.split_aces == "once" and not hand.from_split)
    return True


def may_double_up(tables: Tables, hand: Hand) -> bool:
    return tables.may_double_up[hand.total][hand.soft] and (tables.double_up_after_split or not hand.from_split)


def may_surrender(tables: Tables, upcard: Card) -> bool:
    """Late, or early where there was no natural to be early for; otherwise early surrender was asked before."""
    if tables.surrenders == "late":
        return True
    return tables.surrenders == "early" and VALUES[upcard] not in NATURAL_UPCARDS
