"""A shoe whose next cards are known, for tests of what happens around a round."""

from __future__ import annotations

from holecard.deck import Card, CardsLike, cards
from holecard.table.dealing.shoe import Shoe
from holecard.table.table import Table


class Stacked(Shoe):
    """Deals the stacked cards first, then continues as a normal shoe."""

    def stack(self, known: CardsLike) -> Stacked:
        self.known: list[Card] = list(cards(known))
        self.seed = None  # these are not the cards of a seed
        return self

    def draw(self, wanted: int) -> list[Card]:
        known = getattr(self, "known", [])
        drawn = known[:wanted]
        for card in drawn:
            self._stock.remove(card)
        self.known = known[wanted:]
        return drawn + super().draw(wanted - len(drawn))


def stacked(game: str, fallen: str, **options: object) -> Table:
    """A table with a stacked shoe."""
    table = Table(game, seed=1, **options)
    table.shoe = Stacked(table.rules.shoe.model_copy(update={"burn": 0}), 1).stack(fallen)
    return table
