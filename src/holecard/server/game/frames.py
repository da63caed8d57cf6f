"""What a person at the table, or a spectator, is sent: JSON that says nothing the person may not know.

A frame is made from the table after an entry, and from who watches; equal public histories give equal bytes.
"""

from __future__ import annotations

from typing import Any

from holecard.deck import Card
from holecard.money import Money
from holecard.server.game.clock import deadline
from holecard.server.game.entries import (
    Moved,
    SeatTaken,
    SeedAdded,
    TableClosed,
    TableEntry,
    TableOpened,
    reason_without_name,
)
from holecard.server.game.folded_table import FoldedTable
from holecard.server.game.orders import NO_ORDERS, Orders
from holecard.table.actions import reason
from holecard.table.events import Action, CardDealt, Checked, Choice, Event, HoleCardShown, Result
from holecard.table.prices import lowest_price
from holecard.table.state import State
from holecard.table.views import HandView, SeatView, View, view, visible_events

Json = dict[str, Any]


def public_entry(entry: TableEntry, orders: Orders = NO_ORDERS) -> Json:
    """Return an entry without cards, which are in the events, and without users, who are known by their seats."""
    match entry:
        case Moved():
            return entry.model_dump(exclude={"cards", "burned", "version"})
        case SeatTaken():
            shown = orders.shown_name(entry.user, entry.name)
            return {**entry.model_dump(exclude={"user"}), "name": shown}
        case SeedAdded():
            return entry.model_dump(exclude={"user"})
        case TableClosed():
            return {**entry.model_dump(), "reason": reason_without_name(entry.reason)}
        case TableOpened():
            return entry.model_dump(exclude={"by"})
    return entry.model_dump()


def frame(
    table: FoldedTable, entry: TableEntry, seats: tuple[int, ...], up_since: int = 0, orders: Orders = NO_ORDERS
) -> Json:
    """Return what one entry shows to the owner of these seats; nobody's seats: a spectator."""
    return {
        "type": "entry",
        "number": table.sequence,
        "entry": public_entry(entry, orders),
        "events": [_event(event) for event in _events(table, seats)],
        "view": table_view(table, seats, up_since, orders),
    }


def snapshot(table: FoldedTable, seats: tuple[int, ...], up_since: int = 0, orders: Orders = NO_ORDERS) -> Json:
    """Return everything the owner of these seats can see now."""
    return {"type": "snapshot", "number": table.sequence, "view": table_view(table, seats, up_since, orders)}


def table_view(table: FoldedTable, seats: tuple[int, ...], up_since: int = 0, orders: Orders = NO_ORDERS) -> Json:
    """Return the table as the owner of these seats sees it, at a server that people can reach since then."""
    state = table.state
    seen = view(state, 0)
    own = {seat: view(state, seat) for seat in seats}
    asked = own.get(seen.asked or 0, seen)
    return {
        "round": table.rounds,
        "phase": seen.phase,
        "dealer": {"cards": _cards(seen.dealer), "total": seen.dealer_total},
        "seats": _seats(table, seen, own, orders),
        "asked": seen.asked,
        "hand": seen.hand,
        "choices": [_choice(state, choice) for choice in asked.choices],
        "refused": _refused(table.state, asked) if seen.asked in own else {},
        "offered": {str(seat): list(mine.offered) for seat, mine in own.items() if mine.offered},
        "results": [_result(result) for result in seen.results],
        "shoe": _shoe(table, seats),
        "deadline": deadline(table, up_since),
        "closed": table.closed,
        "stopped": orders.why_closed_to_bets(table.opened),
        "yours": list(seats),
    }


def _refused(state: State, asked: View) -> dict[str, str]:
    """Return why the hand whose turn it is may not do what this game offers to others."""
    if state.phase != "acting":
        return {}
    legal = {choice.action for choice in asked.choices}
    return {action: reason(state, Action(action)) for action in state.tables.actions if action not in legal}


def _events(table: FoldedTable, seats: tuple[int, ...]) -> list[Event]:
    """Return the last entry's events, with cards hidden that are not the watcher's."""
    state = table.state._replace(events=table.events)
    shown = [visible_events(state, seat) for seat in (0, *seats)]
    return [next((event for event in same if not _is_hidden(event)), same[0]) for same in zip(*shown, strict=True)]


def _is_hidden(event: Event) -> bool:
    return isinstance(event, CardDealt) and event.card is None


def _seats(table: FoldedTable, seen: View, own: dict[int, View], orders: Orders) -> list[Json]:
    playing = {seat.number: seat for seat in seen.seats}
    for number, mine in own.items():
        playing.update({seat.number: seat for seat in mine.seats if seat.number == number})
    return [
        {
            "seat": number,
            "name": _name(table, number, orders),
            **_seat(playing.get(number)),
        }
        for number in sorted({*table.seats, *playing})
    ]


def _name(table: FoldedTable, seat: int, orders: Orders) -> str | None:
    """Return the name that is shown for the player at a seat; None where nobody sits."""
    sitter = table.seats.get(seat)
    return None if sitter is None else orders.shown_name(sitter.user, sitter.name)


def _seat(seat: SeatView | None) -> Json:
    if seat is None:
        return {"hands": [], "sides": {}, "insurance": 0}
    return {
        "hands": [_hand(hand) for hand in seat.hands],
        "sides": {name: int(stake) for name, stake in seat.sides},
        "insurance": int(seat.insurance),
    }


def _hand(hand: HandView) -> Json:
    return {
        "cards": _cards(hand.cards),
        "total": hand.total,
        "soft": hand.soft,
        "stakes": {name: int(stake) for name, stake in hand.stakes},
        "status": hand.status,
    }


def _shoe(table: FoldedTable, seats: tuple[int, ...]) -> Json | None:
    shoe = table.shoe
    if shoe is None:
        return None
    owners = {table.seats[seat].user for seat in seats if seat in table.seats}
    return {
        "id": shoe.id,
        "commitment": shoe.commitment,
        "player_seeds": [seed for _, seed in shoe.player_seeds],
        "your_seed": next((seed for user, seed in shoe.player_seeds if user in owners), None),
        "open_for_seeds": not shoe.begun,
        "left": shoe.cards.left,
        "last_round": shoe.cards.is_over,
    }


def _cards(cards: tuple[Card | None, ...]) -> list[str | None]:
    return [None if card is None else str(card) for card in cards]


def _cents(amount: Money | None) -> int | None:
    return None if amount is None else int(amount)


def _choice(state: State, choice: Choice) -> Json:
    return {
        "action": str(choice.action),
        "low": _cents(choice.low),
        "high": _cents(choice.high),
        "step": _cents(choice.step),
        "price": int(lowest_price(state, choice)),
    }


def _result(result: Result) -> Json:
    return {
        "seat": result.seat,
        "hand": result.hand,
        "wager": result.wager,
        "stake": int(result.stake),
        "net": int(result.net),
        "line": result.line,
    }


def _event(event: Event) -> Json:
    match event:
        case CardDealt():
            card = None if event.card is None else str(event.card)
            return {"event": "card", "seat": event.seat, "hand": event.hand, "card": card}
        case HoleCardShown():
            return {"event": "hole card", "card": str(event.card)}
        case Checked():
            return {"event": "check", "blackjack": event.natural}
        case Result():
            return {"event": "result", **_result(event)}
