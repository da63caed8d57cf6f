"""A finished shoe as a document that anybody can check: `redeal` deals it again from the revealed seed.

The document says what was promised before the first card, the rules, the revealed seeds, and for every round the bets,
the decisions, the cards in the order they were drawn, and what was paid.
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

from holecard.deck import DECK, Card
from holecard.errors import shortly
from holecard.money import Money, dollars, signed_dollars
from holecard.server.fairness.shoes import SortedShoe
from holecard.sheets.sections import ShoeRules
from holecard.table.events import Result


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True)


class Restock(_Part):
    """Cards that were put back into the shoe in mid-round, because it was empty."""

    after: int
    """How many cards of the round were dealt before."""
    cards: str
    """The cards, sorted."""


class SettledWager(_Part):
    """A wager that was settled."""

    seat: int
    """The seat."""
    hand: int
    """The hand, from 1; 0 for a wager that has none."""
    wager: str
    """The name of the wager."""
    stake: int
    """The stake, in cents."""
    net: int
    """What the player won, in cents; a loss is below 0."""

    def __str__(self) -> str:
        net = signed_dollars(Money.cents(self.net))
        return f"seat {self.seat}, hand {self.hand}, {shortly(self.wager)} {dollars(Money.cents(self.stake))}: {net}"


class ShoeRound(_Part):
    """A round, with its cards in the order they were drawn."""

    number: int
    """The number of the round at its table."""
    bets: tuple[str, ...]
    """One bet for each seat, such as `seat 1: $10, Pairs $5`."""
    play: tuple[str, ...]
    """The decisions in order, such as `seat 1: hit`."""
    cards: str
    """The cards, separated by spaces."""
    restocked: tuple[Restock, ...] = ()
    """Cards that were put back."""
    paid: tuple[SettledWager, ...] = ()
    """The wagers, in the order they were settled; none in a voided round."""
    voided: bool = False
    """Whether it could not be finished, so that its stakes were returned."""


class ShoeDocument(_Part):
    """Everything that is needed to deal a shoe again."""

    construction: str
    """How cards follow from seeds: `holecard-shoe-1`."""
    shoe: str
    """The shoe's id."""
    sheet: str
    """The SHA-256 of `rules`."""
    commitment: str
    """The hash that was published before the first card."""
    seed: str
    """The secret seed, in hexadecimal."""
    player_seeds: tuple[str, ...]
    """The players' seeds, in the order in which they were added."""
    rules: str
    """The content of the rule sheet, as one line of JSON."""
    decks: int
    """How many decks the shoe has."""
    cut_card: int
    """The shoe ends with the round after which at least this many cards are out of it; 0: each round has its own."""
    burned: str
    """The burned cards; empty if no round was dealt."""
    cut_short: bool
    """Whether it ended before it was dealt out: the table closed, or a round was voided."""
    rounds: tuple[ShoeRound, ...]
    """The rounds that were dealt from it."""


def cut_card_place(shoe: ShoeRules) -> int:
    """Return how many cards are out of the stock when the cut card is; 0 where each round has its own shoe."""
    return shoe.decks * len(DECK) * shoe.cut_card // 100 if shoe.procedure == "cut card" else 0


def restocks_since(shoe: SortedShoe, first: int) -> tuple[Restock, ...]:
    """Return what was put back in a round whose first card was this draw of the shoe, from 0."""
    found = ((drawn - first, put_back) for drawn, put_back in shoe.restocks if drawn >= first)
    return tuple(Restock(after=after, cards=card_text(put_back)) for after, put_back in found)


def settled_wagers(results: Iterable[Result]) -> tuple[SettledWager, ...]:
    """Return the wagers of a round as a document has them."""
    return tuple(
        SettledWager(seat=one.seat, hand=one.hand, wager=one.wager, stake=int(one.stake), net=int(one.net))
        for one in results
    )


def card_text(cards: Iterable[Card]) -> str:
    """Return cards separated by spaces."""
    return " ".join(map(str, cards))
