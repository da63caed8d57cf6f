"""What a player knows at one moment: the views of the player's own seats put together, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from holecard.deck import Card
from holecard.money import Money, sum_of
from holecard.sheets.tables import BET, COMPANION, SPLIT, Tables
from holecard.table.prices import within_means
from holecard.table.state import State
from holecard.table.views import HandView, SeatView, SeenCards, View, view


def player_view(state: State, seats: Iterable[int], seat: int, free: Money | None = None) -> View:
    """Return the table from `seat`, with the cards of the player's other seats, which the same person sees.

    The choices are those that the player's free money pays for; all that are legal where it is not given.
    """
    mine = view(state, seat)
    if free is not None:
        mine = mine._replace(choices=within_means(state, mine.choices, free))
    playing = {one.number for one in mine.seats}
    own = {number: view(state, number) for number in seats if number != seat and number in playing}
    shown = [_of(own[one.number], one.number) if one.number in own else one for one in mine.seats]
    return mine._replace(seats=tuple(shown))


def _of(seen: View, number: int) -> SeatView:
    return next(seat for seat in seen.seats if seat.number == number)


class KnownHand(NamedTuple):
    """A hand of a player's seat with every card on the table that the player sees."""

    cards: tuple[Card, ...]
    dealer: tuple[Card, ...]
    """those face up, the upcard first"""
    hands: int
    """How many hands the seat has; more than one: they were made by splitting."""
    has_split_stake: bool
    """Whether the stake is the one that a split added."""
    stake: Money
    """The main wagers on the hand, or the stake that a split added; without what doubling adds."""
    own_others: tuple[Card, ...]
    """the cards of the seat's other hands"""
    others: tuple[Card, ...]
    """the face-up cards of the other seats"""


def known_hand(tables: Tables, seen: View, seat: int, number: int = 1) -> KnownHand:
    """Return one hand of a seat, numbered from 1, and all that is seen around it."""
    mine = _of(seen, seat)
    hand = mine.hands[number - 1]
    stakes = dict(hand.stakes)
    names = [tables.stakes[kind] for kind in (BET, COMPANION, SPLIT) if tables.stakes[kind] in stakes]
    return KnownHand(
        cards=_face_up(hand.cards),
        dealer=_face_up(seen.dealer),
        hands=len(mine.hands),
        has_split_stake=tables.stakes[BET] not in stakes,
        stake=sum_of(stakes[name] for name in names),
        own_others=_all(other for place, other in enumerate(mine.hands, start=1) if place != number),
        others=_all(hand for other in seen.seats if other.number != seat for hand in other.hands),
    )


def _all(hands: Iterable[HandView]) -> tuple[Card, ...]:
    return tuple(card for hand in hands for card in _face_up(hand.cards))


def _face_up(cards: SeenCards) -> tuple[Card, ...]:
    return tuple(card for card in cards if card is not None)
