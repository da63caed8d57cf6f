"""A round dealt from a shoe: cards are drawn whenever the round waits for them.

A shoe that runs out in mid-round is restocked with the cards that can be picked up. Where none can be, the round is a
misdeal.
"""

from __future__ import annotations

from collections import Counter

from holecard.deck import Card
from holecard.table.advance import apply, deal_cards
from holecard.table.dealing.shoe import Shoe
from holecard.table.events import Misdeal, Move
from holecard.table.round import Round, cards_on_table
from holecard.table.state import State


class DealtRound:
    """A shoe and the round that is dealt from it, for callers that know their moves to be legal.

    `tells`: the round lists the events of every move.
    """

    __slots__ = ("cards", "misdealt", "out", "reshuffled", "round", "shoe", "tells")

    def __init__(self, shoe: Shoe, state: State, *, tells: bool = True) -> None:
        self.shoe = shoe
        self.tells = tells
        self.round = Round(state, tells=tells)
        #: The cards of this round in the order they were dealt, the hole card among them.
        self.cards: list[Card] = []
        #: After how many of them the discards were shuffled.
        self.reshuffled: list[int] = []
        self.misdealt = False
        #: Those not picked up yet.
        self.out: list[Card] = []

    def restart(self, state: State) -> None:
        """Pick up every card, shuffle if it is time, and begin the next round at a state without cards."""
        self.shoe.discard(self.out)
        self.shoe.prepare()
        self.round = Round(state, tells=self.tells)
        self.cards, self.reshuffled, self.out = [], [], []
        self.misdealt = False

    def apply(self, move: Move) -> None:
        """Make a legal move and deal until somebody has to decide or the round is over."""
        apply(self.round, move)
        if self.round.queue:
            self.deal()

    def deal(self) -> None:
        """Deal while the round waits for cards."""
        round_, draw = self.round, self.shoe.draw
        while round_.queue:
            cards = draw(len(round_.queue))
            if cards:
                self.cards += cards
                self.out += cards
                deal_cards(round_, cards)
            elif not self._restock():
                self.misdealt = True
                apply(round_, Misdeal())

    def _restock(self) -> bool:
        """Pick up the hands already settled and shuffle the discards; False where there are none."""
        still_out = cards_on_table(self.round)
        picked_up = Counter(self.out) - Counter(still_out)
        self.out = still_out
        self.shoe.discard(picked_up.elements())
        if not self.shoe.restock():
            return False
        self.reshuffled.append(len(self.cards))
        return True
