"""The shoe: where cards come from and where they go.

The order of the undealt cards does not exist before they are drawn: each draw picks one of the remaining cards at
random, which deals like a shuffled shoe and leaves nothing to peek at. Real play uses the operating system's
generator; a seed is for practice and tests. Each time a seeded shoe is full again it draws from a generator of its own,
so the seed, the number of the shoe and the cards drawn from it (its `ShoePosition`) tell which cards come next.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import NamedTuple

from holecard.deck import DECK, Card
from holecard.errors import Refusal, shortly
from holecard.sheets.sections import ShoeRules


class ShoePosition(NamedTuple):
    """How far a seeded table has been dealt."""

    shoe: int
    """Which of its full shoes is being dealt, from 1."""
    drawn: int
    """Cards drawn from it, burned ones included."""


class Shoe:
    """The cards of one table: a stock to draw from and the discards."""

    def __init__(self, words: ShoeRules, seed: int | None = None, *, generator: random.Random | None = None) -> None:
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
            raise Refusal(f"seed: {shortly(seed)} is not a whole number; leave the seed out to play with real cards")
        self.words = words
        self.seed = seed
        self._random: random.Random = generator or random.SystemRandom()
        self._size = words.decks * len(DECK)
        self._stock: list[Card] = []
        self._discards: list[Card] = []
        self._filled = 0
        self._restocked = False
        self.shuffles = 0
        self.shuffle()

    @classmethod
    def at(cls, words: ShoeRules, seed: int, position: ShoePosition) -> Shoe:
        """A seeded shoe as far as it had been dealt at a position."""
        shoe = cls(words, seed)
        shoe._filled = position.shoe - 1
        shoe._fill()
        shoe._discards = shoe.draw(position.drawn)
        return shoe

    @property
    def position(self) -> ShoePosition | None:
        """Where a seeded shoe stands; None for real cards, and for cards that were shuffled while others lay out."""
        if self.seed is None or self._restocked:
            return None
        return ShoePosition(self._filled, self._size - len(self._stock))

    @property
    def left(self) -> int:
        """Cards still in the stock."""
        return len(self._stock)

    @property
    def past_cut_card(self) -> bool:
        """The cut card has come out: this round is the shoe's last."""
        return self._size - len(self._stock) >= self._size * self.words.cut_card // 100

    def draw(self, wanted: int) -> list[Card]:
        """The next cards: as many as wanted, or as there are."""
        stock, random_bits = self._stock, self._random.getrandbits
        left = len(stock)
        drawn = []
        for _ in range(min(wanted, left)):
            bits = left.bit_length()
            # Drawing again what lies beyond the last card keeps every card equally likely.
            while (index := random_bits(bits)) >= left:
                pass
            left -= 1
            drawn.append(stock[index])
            stock[index] = stock[left]
        del stock[left:]
        return drawn

    def discard(self, cards: Iterable[Card]) -> None:
        """Cards picked up from the table."""
        self._discards.extend(cards)

    def prepare(self) -> bool:
        """Between rounds, when every card has been picked up: shuffle if it is time; True when it was."""
        if self.words.procedure != "cut card":
            self._fill()
            return False
        if self.past_cut_card:
            self.shuffle()
            return True
        return False

    def shuffle(self) -> None:
        """All cards back into the stock, then burn."""
        self._fill()
        self.shuffles += 1
        burn = self.words.burn if self.words.procedure == "cut card" else 0
        self._discards += self.draw(burn)

    def restock(self) -> bool:
        """The stock ran out: the discards are shuffled and become the stock; False when there are none."""
        if not self._discards:
            return False
        self._stock.extend(self._discards)
        self._discards.clear()
        self._restocked = True
        self.shuffles += 1
        return True

    def _fill(self) -> None:
        """Every card is in the stock, and a seed begins anew with the number of the shoe."""
        self._stock = list(DECK) * self.words.decks
        self._discards = []
        self._filled += 1
        self._restocked = False
        if self.seed is not None:
            self._random = random.Random(self.seed if self._filled == 1 else f"{self.seed} shoe {self._filled}")
