"""A record's cards in place of a shoe: none falls that a shoe of so many decks could not have dealt."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from holecard.deck import DECK, Card
from holecard.errors import RecordError, shortly
from holecard.table.events import Deal, Misdeal
from holecard.table.round import cards_on_table
from holecard.table.state import State

if TYPE_CHECKING:
    from holecard.table.records.record import Record


class RecordedCards:
    """The cards of a record, drawn one by one."""

    def __init__(self, record: Record, decks: int) -> None:
        self._record = record
        self._decks = decks
        self._dealt = 0
        #: What fell since the last shuffle, and what lay on the table then.
        self._out: list[Card] = []
        self._misdealt = False
        self._check_reshuffled()
        self._count()

    def draw(self, state: State) -> Deal | Misdeal:
        """The next card; where there is none, the misdeal the record claims."""
        if self._dealt == len(self._record.cards):
            return self._misdeal(state)
        if self._dealt in self._record.reshuffled:
            self._out = cards_on_table(state)
        card = self._record.cards[self._dealt]
        self._dealt += 1
        self._out.append(card)
        if self._out.count(card) > self._decks:
            raise self._refusal(f"card {self._dealt}: {card} cannot fall now; every {card} of the shoe is out already")
        return Deal(card)

    def close(self) -> None:
        """The round is over: no card may be left, and a misdeal must have been called where the record has one."""
        if left := self._record.cards[self._dealt :]:
            raise self._refusal(f"the round is over, but cards are left: {' '.join(map(str, left))}")
        if self._record.misdeal and not self._misdealt:
            raise self._refusal("misdeal: the round came to its end without; take the word out")

    def _misdeal(self, state: State) -> Misdeal:
        if not self._record.misdeal:
            raise self._refusal(f"the cards run out; one more is needed at {state!r}")
        size, down = self._decks * len(DECK), len(cards_on_table(state))
        if down < size:
            raise self._refusal(
                f"misdeal: {down} of the shoe's {size} cards lie on the table, so there is one to deal; "
                f"a misdeal needs all of them down"
            )
        self._misdealt = True
        return Misdeal()

    def _check_reshuffled(self) -> None:
        """A shuffle in mid-round comes between two cards."""
        last = len(self._record.cards)
        numbers = self._record.reshuffled
        if any(not 0 < number < last for number in numbers) or any(a >= b for a, b in pairwise(numbers)):
            raise self._refusal(
                f"reshuffled: {shortly(list(numbers))} is not possible; write after how many of the {last} cards, "
                f"from 1 to {last - 1}, the lowest number first"
            )

    def _count(self) -> None:
        most = self._decks * (1 + len(self._record.reshuffled))
        for card, number in Counter(self._record.cards).items():
            if number > most:
                raise self._refusal(f"cards: {card} fell {number} times; {self._decks} decks can deal it {most} times")

    def _refusal(self, words: str) -> RecordError:
        return RecordError(f"{self._record.path}: {words}")
