"""A round that can change: the fields of a `State` while a move is being made.

Outside of `advance` there are only frozen states. Inside, a move and everything that follows from it change one
`Round`, which is then frozen again. Seats and hands stay frozen records and are replaced.
"""

from __future__ import annotations

from collections.abc import Sequence

from holecard.deck import VALUES, Card
from holecard.hands import NATURAL_UPCARDS
from holecard.table.events import Event, Result
from holecard.table.state import Hand, Seat, State, Status

#: Phases after the check and before the hole card is turned.
_UNTIL_TURNED = frozenset({"after the check", "acting", "last call"})


class Round:
    """A mutable copy of a state. `events` are those of the current move, and start empty.

    A round that does not list its events does not create them.
    """

    __slots__ = (
        "checked",
        "dealer",
        "dealer_soft",
        "dealer_total",
        "events",
        "hand",
        "hole_seen",
        "options",
        "phase",
        "queue",
        "results",
        "seats",
        "tables",
        "tells",
        "turn",
    )

    def __init__(self, state: State, *, tells: bool = True) -> None:
        self.tables = state.tables
        self.phase = state.phase
        self.seats: list[Seat] = list(state.seats)
        self.dealer = state.dealer
        self.dealer_total = state.dealer_total
        self.dealer_soft = state.dealer_soft
        self.hole_seen = state.hole_seen
        self.checked = state.checked
        self.queue = state.queue
        self.turn = state.turn
        self.hand = state.hand
        self.options = state.options
        self.results: list[Result] = list(state.results)
        self.events: list[Event] = []
        self.tells = tells

    def freeze(self) -> State:
        """Return the round as a state."""
        return State(
            self.tables,
            self.phase,
            tuple(self.seats),
            self.dealer,
            self.dealer_total,
            self.dealer_soft,
            self.hole_seen,
            self.checked,
            self.queue,
            self.turn,
            self.hand,
            self.options,
            tuple(self.results),
            tuple(self.events),
        )

    @property
    def natural_possible(self) -> bool:
        """Whether players must expect a natural: an ace or ten is up and the dealer has not checked."""
        return not self.checked and VALUES[self.dealer[0]] in NATURAL_UPCARDS

    @property
    def current(self) -> Hand:
        """The hand whose turn it is."""
        return self.seats[self.turn].hands[self.hand]

    def replace_current(self, *hands: Hand) -> None:
        """Put one hand, or after a split two, in place of the current one."""
        self.seats[self.turn] = with_hand(self.seats[self.turn], self.hand, *hands)

    def mark(self, index: int, number: int, status: Status) -> None:
        """Give a hand its status."""
        seat = self.seats[index]
        self.seats[index] = with_hand(seat, number, seat.hands[number].with_status(status))

    def await_card(self) -> None:
        """Give the next card to the hand whose turn it is; it cannot act before."""
        self.queue, self.options = (self.turn,), ()

    def pay(self, results: Sequence[Result]) -> None:
        """Add results, which are final, and announce them as events."""
        self.results += results
        if self.tells:
            self.events += results


def with_hand(seat: Seat, index: int, *hands: Hand) -> Seat:
    """Return the seat with one hand replaced by one or, after a split, two."""
    kept = hands if len(seat.hands) == 1 else (*seat.hands[:index], *hands, *seat.hands[index + 1 :])
    return Seat(seat.number, kept, seat.sides, seat.insurance, seat.first_two)


def until_turned(table: Round | State) -> bool:
    """Return whether the check is over and the hole card is not turned yet."""
    return table.phase in _UNTIL_TURNED


def offered_now(table: Round | State, wagers: tuple[int, ...]) -> tuple[int, ...]:
    """Return those of the wagers, all placed after the check, that are offered with the upcard on the table."""
    upcard = VALUES[table.dealer[0]]
    return tuple([index for index in wagers if upcard in table.tables.wagers[index].offered_upcards])


def cards_on_table(table: Round | State) -> list[Card]:
    """Return the cards that cannot be picked up yet.

    These are hands not settled, hands that an open wager may look at, and hands of seats that may still place one.
    """
    found = list(table.dealer)
    may_place = until_turned(table) and bool(offered_now(table, table.tables.late_wagers))
    for seat in table.seats:
        waits = any(side.open for side in seat.sides) or (may_place and not seat.hands[0].natural)
        found.extend(card for hand in seat.hands if waits or hand.status != "settled" for card in hand.cards)
    return found
