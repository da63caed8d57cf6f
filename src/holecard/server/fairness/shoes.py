"""Shoes whose cards come from a committed seed, or from a log.

The cards left are always sorted, so which card a draw gives depends on the cards left and on the number drawn, and not
on how they came to be left: with the key or the log, any process can continue the shoe at any point.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from holecard.deck import DECK, Card
from holecard.errors import Refusal
from holecard.server.fairness.construction import draw_number
from holecard.sheets.sections import ShoeRules
from holecard.table.dealing.shoe import Shoe


class SortedShoe(Shoe):
    """A shoe with its stock sorted, that counts its draws. It never refills itself: a new shoe has a new seed."""

    def __init__(self, settings: ShoeRules) -> None:
        self.drawn = 0
        self.restocks: tuple[tuple[int, tuple[Card, ...]], ...] = ()
        """After how many draws discards were put back in mid-round, and which."""
        super().__init__(settings)

    def draw(self, wanted: int) -> list[Card]:
        """Draw the next cards: as many as wanted, or as many as there are."""
        cards = []
        for _ in range(min(wanted, len(self._stock))):
            cards.append(self._stock.pop(self._next_index()))
            self.drawn += 1
        return cards

    def burn(self) -> list[Card]:
        """Draw and discard the cards that the sheet burns before the first round."""
        burned = self.draw(self.settings.burn if self.settings.procedure == "cut card" else 0)
        self._discards += burned
        return burned

    @property
    def is_over(self) -> bool:
        """Whether the next round is dealt from a new shoe."""
        return self.settings.procedure != "cut card" or self.past_cut_card

    def restock(self) -> bool:
        """Put the discards back into the stock, which ran out; return False if there are none."""
        put_back = tuple(sorted(self._discards))
        if not super().restock():
            return False
        self.restocks += ((self.drawn, put_back),)
        self._stock.sort()
        return True

    def shuffle(self) -> None:
        """Fill the stock; cards are burned at the first deal, after the players added their seeds."""
        self._stock = sorted(DECK * self.settings.decks)

    def _next_index(self) -> int:
        raise NotImplementedError

    def _fair_index(self, key: bytes) -> int:
        """Return which of the cards left a key draws next."""
        return draw_number(key, self.drawn, len(self._stock))


class FairShoe(SortedShoe):
    """A shoe whose cards come from a key."""

    def __init__(self, settings: ShoeRules, key: bytes) -> None:
        self._key = key
        super().__init__(settings)

    def _next_index(self) -> int:
        return self._fair_index(self._key)


class LoggedShoe(SortedShoe):
    """A shoe whose cards are given to it: those that a log says were dealt. To deal new ones, it takes a key."""

    def __init__(self, settings: ShoeRules) -> None:
        self._next: list[Card] = []
        self._key: bytes | None = None
        super().__init__(settings)

    @contextmanager
    def dealing_from(self, key: bytes) -> Iterator[None]:
        """Draw from a key, which is forgotten at the end."""
        self._key = key
        try:
            yield
        finally:
            self._key = None

    def copy(self) -> LoggedShoe:
        """Return a copy that can be dealt from without changing this shoe."""
        found = LoggedShoe.__new__(LoggedShoe)
        found.__dict__.update(self.__dict__)
        found._stock, found._discards, found._next = list(self._stock), list(self._discards), list(self._next)
        return found

    def give(self, cards: Sequence[Card]) -> None:
        """Add cards that are to be drawn next."""
        self._next.extend(cards)

    @property
    def has_more(self) -> bool:
        """Whether cards were given and not drawn."""
        return bool(self._next)

    def _next_index(self) -> int:
        if self._key is not None:
            return self._fair_index(self._key)
        if not self._next:
            raise Refusal(f"the log deals no card where a card is awaited, and the shoe holds {self.left}")
        card = self._next.pop(0)
        index = bisect_left(self._stock, card)
        if index == self.left or self._stock[index] != card:
            raise Refusal(f"the log deals {card}, and the {self.left} cards left in the shoe do not include it")
        return index
