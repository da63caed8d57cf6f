"""The cards of a record, dealt in place of a shoe: only cards that a shoe of its decks could have dealt."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from holecard.deck import DECK, Card
from holecard.errors import RecordError, plural, shortly
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
        #: The cards dealt since the last shuffle, and those on the table then.
        self._out: list[Card] = []
        self._misdealt = False
        self._check_reshuffled()
        self._count()

    def draw(self, state: State) -> Deal | Misdeal:
        """Return the next card; after the last one, the misdeal that the record claims."""
        if self._dealt == len(self._record.cards):
            return self._misdeal(state)
        if self._dealt in self._record.reshuffled:
            self._out = cards_on_table(state)
        card = self._record.cards[self._dealt]
        self._dealt += 1
        self._out.append(card)
        if self._out.count(card) > self._decks:
            raise self._refusal(f"card {self._dealt}: {card} cannot be dealt; every {card} of the shoe is out already")
        return Deal(card)

    def close(self) -> None:
        """Check at the end that no card is left, and that a misdeal was called if the record has one."""
        if left := self._record.cards[self._dealt :]:
            raise self._refusal(f"the round is over, but cards are left: {' '.join(map(str, left))}")
        if self._record.misdeal and not self._misdealt:
            raise self._refusal("misdeal: the round ended without one; leave it out")

    def _misdeal(self, state: State) -> Misdeal:
        if not self._record.misdeal:
            raise self._refusal(f"the cards run out; one more is needed at {state!r}")
        size, down = self._decks * len(DECK), len(cards_on_table(state))
        if down < size:
            raise self._refusal(
                f"misdeal: {down} of the shoe's {size} cards are on the table, so there is one to deal; "
                f"a misdeal needs all of them on the table"
            )
        self._misdealt = True
        return Misdeal()

    def _check_reshuffled(self) -> None:
        """Check that each shuffle in mid-round is between two cards."""
        last = len(self._record.cards)
        numbers = self._record.reshuffled
        if any(not 0 < number < last for number in numbers) or any(a >= b for a, b in pairwise(numbers)):
            raise self._refusal(
                f"reshuffled: {shortly(list(numbers))} is not valid; write after how many of the {last} cards, "
                f"from 1 to {last - 1}, the lowest number first"
            )

    def _count(self) -> None:
        most = self._decks * (1 + len(self._record.reshuffled))
        for card, number in Counter(self._record.cards).items():
            if number > most:
                raise self._refusal(
                    f"cards: {card} is dealt {number} times; the shoe can deal it {plural(most, 'time')}"
                )

    def _refusal(self, words: str) -> RecordError:
        return RecordError(f"{self._record.path}: {words}")
