"""Rounds at the table with chosen cards, for the coach to look at: one card of a value after another."""

from __future__ import annotations

from dataclasses import dataclass, field

from holecard.coach.advice import Advice, advise
from holecard.deck import Card
from holecard.exact.results import StartingHand
from holecard.money import dollars
from holecard.sheets.tables import Tables
from holecard.simulation.witness.three_ways import stakes_for
from holecard.table.advance import advance, start
from holecard.table.events import Bet, Deal, Move, NoMoreBets, Place
from holecard.table.late_wagers import ASKING
from holecard.table.state import State
from holecard.table.views import view

#: The seat whose hand the coach looks at.
COACHED = 1
#: A hole card that nobody sees, and with which there is no natural.
_HIDDEN = 8


@dataclass
class DealtHand:
    """A round at the table."""

    state: State
    moves: list[Move] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)

    def do(self, move: Move) -> None:
        """Make a move."""
        self.state = advance(self.state, move)
        self.moves.append(move)

    def deal(self, value: int) -> None:
        """Deal a card of this value, in a suit that is not dealt yet."""
        before = sum(card.value == value for card in self.cards)
        self.cards.append(Card(4 * value - 4 + before % 4))
        self.do(Deal(self.cards[-1]))

    def on(self) -> None:
        """Answer questions about more wagers with none."""
        while self.state.phase in ASKING and not self.state.wants_card:
            self.do(Place(self.state.asked.number if self.state.asked else COACHED, {}))

    def copy(self) -> DealtHand:
        """Return the same round, to go on differently."""
        return DealtHand(self.state, list(self.moves), list(self.cards))

    @property
    def advice(self) -> Advice:
        """What the coach says now."""
        return advise(self.state.tables.sheet, view(self.state, COACHED))

    @property
    def stake(self) -> int:
        """The main wagers in cents, before any decision."""
        stakes = self.state.seats[0].hands[0].stakes
        return sum(stake for kind, stake in enumerate(stakes) if kind <= self.state.tables.has_companion)


def dealt_hand(tables: Tables, hand: StartingHand, other: tuple[int, int] | tuple[()] = ()) -> DealtHand:
    """Deal a starting hand to the first seat, which places the smallest wagers before the deal.

    With `other`, a second seat, which acts later, is dealt these values.
    """
    wagers = [tables.wagers[index] for index in tables.early_wagers]
    stakes = stakes_for(tables, wagers)
    dealt = DealtHand(start(tables))
    sides = {name: dollars(stake) for name, stake in stakes.sides.items()}
    dealt.do(Bet(COACHED, dollars(stakes.main), sides))
    if other:
        dealt.do(Bet(COACHED + 1, dollars(stakes.main)))
    dealt.do(NoMoreBets())
    upcard, *hole = hand.dealer
    for value in (hand.player[0], *other[:1], upcard, hand.player[1], *other[1:], *(hole or [_HIDDEN])):
        if dealt.state.wants_card:
            dealt.deal(value)
    dealt.on()
    return dealt
