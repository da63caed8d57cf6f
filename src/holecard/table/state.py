"""One round at one moment: what is on the table, whose turn it is, what has been settled.

A state never changes; `advance` makes the next one. It does not contain the order of the undealt cards. Seats are
numbered from 1, the first to the dealer's left; inside a state they are indexed from 0 in that order.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

from holecard.deck import Card
from holecard.errors import IllegalMove, shortly
from holecard.hands import format_total, is_natural_total
from holecard.money import NO_MONEY, Money, dollars, sum_of
from holecard.sheets.tables import BUST, CHARLIE, NATURAL, Tables
from holecard.table.events import Action, Event, Result

if TYPE_CHECKING:
    from holecard.sheets.read import RulesLike

Phase: TypeAlias = Literal[
    "betting",
    "dealing",
    "insurance",
    "early surrender",
    "after the check",
    "acting",
    "last call",
    "dealer",
    "done",
]
PHASES: tuple[Phase, ...] = get_args(Phase)
#: playing: may still act; standing: waits for the dealer; settled: paid or taken.
Status: TypeAlias = Literal["playing", "standing", "settled"]

#: Phases that wait for bets, for cards, or for nothing.
NOBODY_DECIDES = frozenset({"betting", "dealing", "dealer", "done"})

DEALER = -1


class Hand(NamedTuple):
    """A player's hand. `stakes` are amounts by kind of stake."""

    cards: tuple[Card, ...]
    total: int
    soft: bool
    stakes: tuple[Money, ...]
    status: Status = "playing"
    from_split: bool = False
    doubled: bool = False

    @property
    def wagered(self) -> Money:
        """All money on the hand."""
        return sum_of(self.stakes)

    @property
    def natural(self) -> bool:
        """Whether the first two cards are a natural (blackjack); a hand made by splitting never is."""
        return is_natural_total(self.total, len(self.cards)) and not self.from_split

    def with_status(self, status: Status) -> Hand:
        """Return the same hand with another status."""
        return Hand(self.cards, self.total, self.soft, self.stakes, status, self.from_split, self.doubled)

    def __str__(self) -> str:
        return (
            f"{' '.join(map(str, self.cards)) or '-'} ({format_total(self.total, self.soft)}) {dollars(self.wagered)}"
        )


class SideStake(NamedTuple):
    """The stake on a side wager, by its index in the tables."""

    wager: int
    stake: Money
    open: bool = True


class Seat(NamedTuple):
    """A seat that plays this round."""

    number: int
    hands: tuple[Hand, ...]
    sides: tuple[SideStake, ...] = ()
    insurance: Money = NO_MONEY
    first_two: tuple[Card, ...] = ()


class State(NamedTuple):
    """A round at one moment.

    `queue` lists who gets the next cards: a seat's index, or DEALER. `turn` and `hand` index who acts, and `options` is
    what that hand may do.
    """

    tables: Tables
    phase: Phase = "betting"
    seats: tuple[Seat, ...] = ()
    dealer: tuple[Card, ...] = ()
    dealer_total: int = 0
    dealer_soft: bool = False
    hole_seen: bool = False
    checked: bool = False
    queue: tuple[int, ...] = ()
    turn: int = 0
    hand: int = 0
    options: tuple[Action, ...] = ()
    results: tuple[Result, ...] = ()
    events: tuple[Event, ...] = ()

    @property
    def upcard(self) -> Card:
        """The dealer's first card."""
        return self.dealer[0]

    @property
    def wants_card(self) -> bool:
        """Whether the round waits for a card."""
        return bool(self.queue)

    @property
    def asked(self) -> Seat | None:
        """The seat that has to decide now, if any."""
        if self.queue or self.phase in NOBODY_DECIDES:
            return None
        return self.seats[self.turn]

    def __eq__(self, other: object) -> bool:
        """States are equal when the round continues in the same way; the `events` of the last move do not count."""
        return type(other) is State and self[:_EVENTS] == other[:_EVENTS]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:_EVENTS])

    def __str__(self) -> str:
        """One line that says everything the round needs to continue, the hole card included; `from_text` reads it."""
        from holecard.table.notation.state_text import state_text

        return state_text(self)

    @classmethod
    def from_text(cls, text: str, game: Tables | RulesLike) -> State:
        """Return the state that `str(state)` wrote, at a table with the same rules."""
        from holecard.sheets.read import rules
        from holecard.table.notation.read_state import read_state

        return read_state(text, game if isinstance(game, Tables) else rules(game).tables)

    def __repr__(self) -> str:
        hole = (
            f" {self.dealer[1]}" if self.hole_seen and len(self.dealer) > 1 else " ??" if len(self.dealer) > 1 else ""
        )
        rest = "".join(f" {c}" for c in self.dealer[2:])
        dealer = f"dealer {self.dealer[0]}{hole}{rest}" if self.dealer else "no cards yet"
        seats = "; ".join(f"seat {s.number}: " + ", ".join(map(str, s.hands)) for s in self.seats)
        asked = f" | seat {self.asked.number} to act" if self.asked else ""
        return f"<{self.phase} | {dealer} | {seats or 'no bets'}{asked}>"


def check_state(state: object) -> None:
    """Refuse what is not a state."""
    if type(state) is not State:
        raise IllegalMove(f"{shortly(state)} is not a state of a round; begin with start(game)")


_EVENTS = State._fields.index("events")


def deal_order(tables: Tables, seats: int) -> tuple[int, ...]:
    """Return who gets each card of the deal: indices of seats, or DEALER."""
    return _deal_order(seats, tables.hole_card == "none")


@cache
def _deal_order(seats: int, no_hole_card: bool) -> tuple[int, ...]:
    players = tuple(range(seats))
    return (*players, DEALER, *players, *(() if no_hole_card else (DEALER,)))


def player_class(tables: Tables, hand: Hand) -> int:
    """Return the settlement row of a hand."""
    if hand.total > 21:
        return BUST
    if hand.natural:
        return NATURAL
    if len(hand.cards) >= tables.charlie:
        return CHARLIE
    return hand.total
