"""The situations ("nodes") of a hand played by a chart, and the node after each card. Rules come from the tables."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from holecard.charts.chart import Chart
from holecard.deck import DECK, VALUES, Card
from holecard.hands import NATURAL_UPCARDS, add, count, is_natural_total, total_of
from holecard.payoffs.stakes import initial_stakes_payoff
from holecard.sheets.tables import BUST, CHARLIE, SettlementRow, Tables
from holecard.table.actions import options
from holecard.table.state import Hand, player_class

#: One card of each rank: suits do not matter here.
OF_RANK: tuple[Card, ...] = DECK[::4]
UNRAISED, DOUBLED, DOUBLED_UP = range(3)
_ACE, _TWO = OF_RANK[:2]
_NO_CHARLIE = 99


class DealerView(NamedTuple):
    """What the players know about the dealer's cards when they first act."""

    shown: tuple[int, ...]
    """values of the cards shown; where both are face up, one pair of values per total, as in charts"""
    natural: bool
    """the dealer peeked and has a natural (blackjack)"""
    may_have_natural: bool
    """the dealer did not peek and may have a natural"""


class End(NamedTuple):
    """A finished hand: cashed (surrender, Quick Pay), or settled by its class and stakes; `waits` for the dealer or
    not.
    """

    raised: int
    player: int
    waits: bool
    cash: Fraction | None = None


class Open(NamedTuple):
    """A hand that takes a card; a doubled hand is finished after it."""

    chart: int
    view: DealerView
    hand: Hand
    doubled: bool


class Split(NamedTuple):
    """A pair that is split."""

    chart: int
    view: DealerView
    rank: int


Node: TypeAlias = End | Open | Split


#: Two values that make each total, hard or soft.
_TWO_SEEN = {total_of((low, high)): (low, high) for low in range(1, 11) for high in range(low, 11)}


def dealer_view(tables: Tables, up: int, hole: int) -> DealerView:
    """Return what the players know about two dealer cards, given by value."""
    looks = up in tables.peeks_under
    two = total_of((up, hole))
    natural = looks and tables.hole_card != "none" and is_natural_total(two[0], 2)
    shown = _TWO_SEEN[two] if tables.hole_card == "face up" else (up,)
    return DealerView(shown, natural, may_have_natural=not looks and up in NATURAL_UPCARDS)


@dataclass(frozen=True)
class Player:
    """A player who follows a chart, and the chart's number at the table."""

    tables: Tables
    chart: Chart
    number: int

    def first(self, view: DealerView, first: Card, second: Card) -> Node:
        """Return the node of the first two cards: early surrender, dealer's natural, natural, or played."""
        tables, hand = self.tables, _hand(first, second)
        if self._surrenders_early(view, hand):
            return self._cash(tables.surrender)
        if view.natural:
            return End(UNRAISED, player_class(tables, hand), True)
        if hand.natural:
            return End(UNRAISED, player_class(tables, hand), not tables.natural_is_final or view.may_have_natural)
        return self._play(view, hand, hands=1)

    def second(self, view: DealerView, first: Card, second: Card) -> tuple[Node, bool]:
        """Return the node of a split card and its second card if not resplit, and whether the chart resplits it."""
        hand = _hand(first, second)._replace(from_split=True)
        again = isinstance(self._play(view, hand, hands=2), Split)
        return self._play(view, hand, hands=self.tables.split_hands), again

    def with_card(self, node: Open, value: int) -> Node:
        """Return the node of an open hand after its next card."""
        total, soft = add(node.hand.total, node.hand.soft, value)
        hand = node.hand._replace(cards=(*node.hand.cards, _TWO), total=total, soft=soft)
        if node.doubled:
            return self._over(node.view, hand, DOUBLED)
        return self._play(node.view, hand, hands=self.tables.split_hands)

    def _surrenders_early(self, view: DealerView, hand: Hand) -> bool:
        """Return whether the player surrenders before the dealer peeks."""
        asked = view.shown[0] in self.tables.early_surrender_upcards
        return asked and not hand.natural and self._choose(view, hand, ("surrender", "no surrender")) == "surrender"

    def _play(self, view: DealerView, hand: Hand, hands: int) -> Node:
        """Return the node after the chart's decision."""
        if len(hand.cards) >= self.tables.charlie or hand.total > 21:
            return self._over(view, hand, UNRAISED)
        action = self._choose(view, hand, options(self.tables, OF_RANK[view.shown[0] - 1], hand, hands))
        if action in ("hit", "double"):
            return Open(self.number, view, self._alike(hand), action == "double")
        if action == "split":
            return Split(self.number, view, hand.cards[0].rank)
        if action == "surrender":
            return self._cash(self.tables.surrender)
        if action == "quick pay":
            row = self.tables.quick_pay[hand.total]
            assert row is not None
            return self._cash(row)
        return self._over(view, hand, DOUBLED_UP if action == "double up" else UNRAISED)

    def _choose(self, view: DealerView, hand: Hand, legal: tuple[str, ...]) -> str:
        pair = self.chart.layout.pair_of(hand.cards)
        return self.chart.choose(hand.total, hand.soft, pair, view.shown, legal, _first_two(hand))

    def _cash(self, row: SettlementRow) -> End:
        return End(UNRAISED, 0, False, initial_stakes_payoff(self.tables, row))

    def _over(self, view: DealerView, hand: Hand, raised: int) -> End:
        player = player_class(self.tables, hand)
        at_once = player == BUST or (player == CHARLIE and self.tables.charlie_is_final and not view.may_have_natural)
        return End(raised, player, not at_once)

    def _alike(self, hand: Hand) -> Hand:
        """Return one representative for all hands that continue alike: same total, and same number of cards if rules
        use it.
        """
        most = self.tables.double_cards + 1 if self.tables.charlie == _NO_CHARLIE else self.tables.charlie
        first = _ACE if hand.from_split and VALUES[hand.cards[0]] == 1 else _TWO
        return hand._replace(cards=(first,) + (_TWO,) * (min(len(hand.cards), most) - 1))


def _first_two(hand: Hand) -> tuple[int, int] | None:
    """Return the values of the two cards as dealt, for chart exceptions; None for other hands."""
    return (VALUES[hand.cards[0]], VALUES[hand.cards[1]]) if len(hand.cards) == 2 and not hand.from_split else None


def _hand(first: Card, second: Card) -> Hand:
    cards = (first, second)
    return Hand(cards, *count(cards), stakes=())
