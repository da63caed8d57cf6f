"""A shoe that is full again before every round, quick to draw from.

Cards are drawn by swapping them to the end of the stock, so that a full shoe is the same list in another order and
nothing has to be put back.
"""

from __future__ import annotations

import random

import numpy as np

from holecard.deck import DECK, Card
from holecard.sheets.sections import ShoeRules
from holecard.table.dealing.shoe import Shoe

#: Random numbers made at a time.
_BATCH = 1024


class FreshShoe(Shoe):
    """All cards of the sheet's decks for every round; the order comes from a NumPy generator."""

    def __init__(self, settings: ShoeRules, generator: np.random.Generator) -> None:
        self._generator = generator
        self._numbers: list[float] = []
        self._undrawn = 0
        super().__init__(settings, generator=random.Random(0))  # never drawn from; unlike the system's it can be copied

    @property
    def left(self) -> int:
        """Cards still in the stock."""
        return self._undrawn

    def draw(self, wanted: int) -> list[Card]:
        """Return the next cards: as many as wanted, or as there are."""
        stock, numbers, left = self._stock, self._numbers, self._undrawn
        if wanted > left:
            wanted = left
        if len(numbers) < wanted:
            numbers += self._generator.random(_BATCH).tolist()
        drawn = []
        for _ in range(wanted):
            index = int(numbers.pop() * left)
            left -= 1
            card = stock[index]
            stock[index] = stock[left]
            stock[left] = card
            drawn.append(card)
        self._undrawn = left
        return drawn

    def prepare(self) -> bool:
        """Put every card back into the stock between rounds; return False: no shuffle is announced."""
        self._discards.clear()
        if self._restocked:
            self._fill()
        self._undrawn = self._size
        return False

    def restock(self) -> bool:
        """Shuffle the discards back into the stock in mid-round; return False when there are none."""
        if not self._discards:
            return False
        self._stock, self._discards = self._discards, []
        self._undrawn = len(self._stock)
        self._restocked = True
        self.shuffles += 1
        return True

    def _fill(self) -> None:
        self._stock = list(DECK) * self.settings.decks
        self._discards = []
        self._undrawn = self._size
        self._restocked = False
