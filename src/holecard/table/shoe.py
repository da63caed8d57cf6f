"""The shoe: where cards come from and where they go.

The order of the undealt cards does not exist before they are drawn: each draw picks one of the remaining cards at
random, which deals like a shuffled shoe and leaves nothing to peek at. Real play uses the operating system's
generator; a seed is for practice and tests.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from holecard.cards import DECK, Card
from holecard.sheets.schema import Shoe as ShoeWords


class Shoe:
    """The cards of one table: a stock to draw from and the discards."""

    def __init__(self, words: ShoeWords, seed: int | None = None) -> None:
        self.words = words
        self.seed = seed
        self._random = random.SystemRandom() if seed is None else random.Random(seed)
        self._size = words.decks * len(DECK)
        self._stock: list[Card] = list(DECK) * words.decks
        self._discards: list[Card] = []
        self.shuffles = 0
        self.shuffle()

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
            self._stock.extend(self._discards)
            self._discards.clear()
            return False
        if self.past_cut_card:
            self.shuffle()
            return True
        return False

    def shuffle(self) -> None:
        """All discards back into the stock, then burn."""
        self._stock.extend(self._discards)
        self._discards.clear()
        self.shuffles += 1
        burn = self.words.burn if self.words.procedure == "cut card" else 0
        self._discards += self.draw(burn)

    def restock(self) -> bool:
        """The stock ran out: the discards are shuffled and become the stock; False when there are none."""
        if not self._discards:
            return False
        self._stock.extend(self._discards)
        self._discards.clear()
        self.shuffles += 1
        return True
