"""What a seat or a spectator can see. Players, strategies and web pages get views, never the state.

A card that is not seen is None. Before the hole card is turned, no view depends on it or on the shoe.
"""

from __future__ import annotations

from typing import NamedTuple

from holecard.deck import Card
from holecard.hands import count
from holecard.money import Money, sum_of
from holecard.sheets.tables import Tables
from holecard.table.events import CardDealt, Choice, Event, Result
from holecard.table.legal import check_seat, legal, offered
from holecard.table.state import Hand, Phase, Seat, State, Status, check_state

SeenCards = tuple[Card | None, ...]


class HandView(NamedTuple):
    """A hand as seen: `total` is None while part of it is face down."""

    cards: SeenCards
    total: int | None
    soft: bool
    stakes: tuple[tuple[str, Money], ...]
    status: Status


class SeatView(NamedTuple):
    """A seat as seen; `sides` are open side wagers with their stakes."""

    number: int
    hands: tuple[HandView, ...]
    sides: tuple[tuple[str, Money], ...]
    insurance: Money


class View(NamedTuple):
    """The table from one seat (0: a spectator)."""

    seat: int
    phase: Phase
    dealer: SeenCards
    dealer_total: int | None
    seats: tuple[SeatView, ...]
    asked: int | None
    hand: int | None
    choices: tuple[Choice, ...]
    results: tuple[Result, ...]
    offered: tuple[str, ...] = ()
    """The side wagers this seat may place now, even when another seat is asked."""

    def __repr__(self) -> str:
        """The table in one line; a card that is not seen is `??`."""
        who = f"seat {self.seat}" if self.seat else "spectator"
        dealer = f"dealer {_cards_text(self.dealer)}" if self.dealer else "no cards yet"
        seats = "; ".join(f"seat {one.number}: {', '.join(map(_hand_text, one.hands))}" for one in self.seats)
        choices = f" | {', '.join(choice.action for choice in self.choices)}?" if self.choices else ""
        return f"View({who}, {self.phase} | {dealer} | {seats or 'no bets'}{choices})"


def _cards_text(cards: SeenCards) -> str:
    return " ".join("??" if card is None else str(card) for card in cards)


def _hand_text(hand: HandView) -> str:
    total = "" if hand.total is None else f" ({hand.total})"
    return f"{_cards_text(hand.cards)}{total} {sum_of(stake for _, stake in hand.stakes)}".lstrip()


def view(state: State, seat: int = 0) -> View:
    """Return the table as `seat` sees it; 0 is a spectator."""
    check_state(state)
    if seat:
        check_seat(state.tables, seat)
    dealer = _dealer_seen(state)
    asked = state.asked
    mine = asked is not None and asked.number == seat
    return View(
        seat=seat,
        phase=state.phase,
        dealer=dealer,
        dealer_total=state.dealer_total if dealer and None not in dealer else None,
        seats=tuple(_seat_seen(state, other, seat) for other in state.seats),
        asked=asked.number if asked else None,
        hand=state.hand + 1 if asked and state.phase == "acting" else None,
        choices=legal(state) if mine else (),
        results=state.results,
        offered=tuple(wager.name for wager in offered(state, seat)) if seat else (),
    )


def visible_events(state: State, seat: int = 0) -> tuple[Event, ...]:
    """Return the events of the last move, with hidden cards replaced by None."""
    return tuple(_event_seen(event, seat) for event in state.events)


def _event_seen(event: Event, seat: int) -> Event:
    if not isinstance(event, CardDealt) or not event.hidden:
        return event
    is_own = event.seat == seat and seat != 0
    return event if is_own else event._replace(card=None)


def _dealer_seen(state: State) -> SeenCards:
    cards = state.dealer
    if len(cards) < 2 or state.hole_seen:
        return cards
    return (cards[0], None, *cards[2:])


def _seat_seen(state: State, other: Seat, seat: int) -> SeatView:
    tables = state.tables
    hides = tables.players_cards_down and other.number != seat
    return SeatView(
        number=other.number,
        hands=tuple(_hand_seen(tables, hand, hides and hand.status != "settled") for hand in other.hands),
        sides=tuple((tables.wagers[side.wager].name, side.stake) for side in other.sides if side.open),
        insurance=other.insurance,
    )


def _hand_seen(tables: Tables, hand: Hand, hides: bool) -> HandView:
    """Return a hand as others see it: hits are face up on face-down hands, and a split shows the pair."""
    hidden = 0 if hand.from_split or not hides else 2
    cards: SeenCards = tuple(None if index < hidden else card for index, card in enumerate(hand.cards))
    total, soft = (None, False) if hidden else (hand.total, hand.soft)
    stakes = tuple((tables.stakes[kind], stake) for kind, stake in enumerate(hand.stakes) if stake)
    return HandView(cards, total, soft, stakes, hand.status)


def counted(cards: SeenCards) -> tuple[int, bool]:
    """Return the total of the cards seen of a hand, and whether it is soft."""
    return count(card for card in cards if card is not None)
