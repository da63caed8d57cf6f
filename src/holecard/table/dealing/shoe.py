"""The shoe: the cards to draw from and the discards.

The order of the undealt cards does not exist before they are drawn: each draw picks one of the remaining cards at
random, which deals like a shuffled shoe and leaves nothing to peek at. Real play uses the operating system's
generator; a seed is for practice and tests. Each full shoe of a seeded table has its own generator, so
the seed, the number of the shoe and the number of cards drawn from it (a `ShoePosition`) determine the next cards.
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

    def __init__(self, settings: ShoeRules, seed: int | None = None, *, generator: random.Random | None = None) -> None:
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
            raise Refusal(f"seed: {shortly(seed)} is not a whole number; leave the seed out to play with real cards")
        self.settings = settings
        self.seed = seed
        self._random: random.Random = generator or random.SystemRandom()
        self._size = settings.decks * len(DECK)
        self._stock: list[Card] = []
        self._discards: list[Card] = []
        self._filled = 0
        self._restocked = False
        self.shuffles = 0
        self.shuffle()

    @classmethod
    def at(cls, settings: ShoeRules, seed: int, position: ShoePosition) -> Shoe:
        """Return a seeded shoe dealt down to a position."""
        shoe = cls(settings, seed)
        shoe._filled = position.shoe - 1
        shoe._fill()
        shoe._discards = shoe.draw(position.drawn)
        return shoe

    @property
    def position(self) -> ShoePosition | None:
        """How far a seeded shoe is dealt; None for real cards, and after a shuffle in mid-round."""
        if self.seed is None or self._restocked:
            return None
        return ShoePosition(self._filled, self._size - len(self._stock))

    @property
    def left(self) -> int:
        """Cards still in the stock."""
        return len(self._stock)

    @property
    def past_cut_card(self) -> bool:
        """Whether the cut card has been dealt: this round is the shoe's last."""
        return self._size - len(self._stock) >= self._size * self.settings.cut_card // 100

    def draw(self, wanted: int) -> list[Card]:
        """Draw the next cards: as many as wanted, or as many as there are."""
        stock, random_bits = self._stock, self._random.getrandbits
        left = len(stock)
        drawn = []
        for _ in range(min(wanted, left)):
            bits = left.bit_length()
            # Rejecting numbers beyond the last card keeps every card equally likely.
            while (index := random_bits(bits)) >= left:
                pass
            left -= 1
            drawn.append(stock[index])
            stock[index] = stock[left]
        del stock[left:]
        return drawn

    def discard(self, cards: Iterable[Card]) -> None:
        """Put cards from the table on the discards."""
        self._discards.extend(cards)

    def prepare(self) -> bool:
        """Shuffle between rounds if it is time, after every card was picked up; return whether it was."""
        if self.settings.procedure != "cut card":
            self._fill()
            return False
        if self.past_cut_card:
            self.shuffle()
            return True
        return False

    def shuffle(self) -> None:
        """Put all cards back into the stock, then burn."""
        self._fill()
        self.shuffles += 1
        burn = self.settings.burn if self.settings.procedure == "cut card" else 0
        self._discards += self.draw(burn)

    def restock(self) -> bool:
        """Shuffle the discards into the stock, which ran out; return False if there are none."""
        if not self._discards:
            return False
        self._stock.extend(self._discards)
        self._discards.clear()
        self._restocked = True
        self.shuffles += 1
        return True

    def _fill(self) -> None:
        """Fill the stock with every card; a seeded shoe starts a new generator by its number."""
        self._stock = list(DECK) * self.settings.decks
        self._discards = []
        self._filled += 1
        self._restocked = False
        if self.seed is not None:
            self._random = random.Random(self.seed if self._filled == 1 else f"{self.seed} shoe {self._filled}")
