"""Where a hand can stand when a chart plays it, and what each card makes of it. Rules are asked of the tables alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from holecard.charts.chart import Chart
from holecard.deck import DECK, VALUES, Card
from holecard.hands import NATURAL_UPCARDS, add, count
from holecard.payoffs.stakes import initial_stakes_payoff
from holecard.sheets.tables import BUST, CHARLIE, Row, Tables
from holecard.table.options import options
from holecard.table.state import Hand, player_class

#: One card of each rank stands for all of them: suits are not looked at here.
OF_RANK: tuple[Card, ...] = DECK[::4]
PLAIN, DOUBLED, DOUBLED_UP = range(3)
_ACE, _TWO = OF_RANK[:2]
_NO_CHARLIE = 99


class Sight(NamedTuple):
    """What the players know of the dealer's cards when they act on their first two."""

    shown: tuple[int, ...]
    """values; where both cards are up, two of the same total, which is all that a chart tells apart"""
    natural: bool
    """a natural was found"""
    hopeful: bool
    """nobody has looked, and there may be one"""


class End(NamedTuple):
    """How a hand is over: cashed (surrendered, Quick Pay), or to be settled by its class and stakes."""

    raised: int
    player: int
    waits: bool
    cash: Fraction | None = None


class Open(NamedTuple):
    """A hand that gets a card; a doubled one is over after it."""

    chart: int
    sight: Sight
    hand: Hand
    doubled: bool


class Split(NamedTuple):
    """A pair that is split."""

    chart: int
    sight: Sight
    rank: int


Node: TypeAlias = End | Open | Split


def _total(first: int, second: int) -> tuple[int, bool]:
    return add(*add(0, False, first), second)


#: Of each total, soft or not, two values that make it.
_TWO_SEEN = {_total(low, high): (low, high) for low in range(1, 11) for high in range(low, 11)}


def sight_of(tables: Tables, up: int, hole: int) -> Sight:
    """What the players know of two dealer's cards, by value."""
    looks = up in tables.peeks_under
    natural = looks and tables.hole_card != "none" and {up, hole} == {1, 10}
    shown = _TWO_SEEN[_total(up, hole)] if tables.hole_card == "face up" else (up,)
    return Sight(shown, natural, hopeful=not looks and up in NATURAL_UPCARDS)


@dataclass(frozen=True)
class Player:
    """One who plays by a chart, the chart's number among those at the table."""

    tables: Tables
    chart: Chart
    number: int

    def first(self, sight: Sight, first: Card, second: Card) -> Node:
        """The first two cards: given up early, met by a dealer's natural, a natural, or played."""
        tables, hand = self.tables, _hand(first, second)
        if self._gives_up(sight, hand):
            return self._cash(tables.surrender)
        if sight.natural:
            return End(PLAIN, player_class(tables, hand), True)
        if hand.natural:
            return End(PLAIN, player_class(tables, hand), not tables.natural_is_final or sight.hopeful)
        return self._play(sight, hand, hands=1)

    def second(self, sight: Sight, first: Card, second: Card) -> tuple[Node, bool]:
        """A split card and its next: the node if it is not split again, and whether it is where that is allowed."""
        hand = _hand(first, second)._replace(from_split=True)
        again = isinstance(self._play(sight, hand, hands=2), Split)
        return self._play(sight, hand, hands=self.tables.split_hands), again

    def with_card(self, node: Open, value: int) -> Node:
        """An open hand once it has got its card."""
        total, soft = add(node.hand.total, node.hand.soft, value)
        hand = node.hand._replace(cards=(*node.hand.cards, _TWO), total=total, soft=soft)
        if node.doubled:
            return self._over(node.sight, hand, DOUBLED)
        return self._play(node.sight, hand, hands=self.tables.split_hands)

    def _gives_up(self, sight: Sight, hand: Hand) -> bool:
        """Early surrender, asked before anybody looks for a natural."""
        asked = self.tables.surrenders == "early" and sight.shown[0] in NATURAL_UPCARDS and len(sight.shown) == 1
        return asked and not hand.natural and self._choose(sight, hand, ("surrender", "no surrender")) == "surrender"

    def _play(self, sight: Sight, hand: Hand, hands: int) -> Node:
        """What the chart makes of a hand."""
        if len(hand.cards) >= self.tables.charlie or hand.total > 21:
            return self._over(sight, hand, PLAIN)
        action = self._choose(sight, hand, options(self.tables, OF_RANK[sight.shown[0] - 1], hand, hands))
        if action in ("hit", "double"):
            return Open(self.number, sight, self._alike(hand), action == "double")
        if action == "split":
            return Split(self.number, sight, hand.cards[0].rank)
        if action == "surrender":
            return self._cash(self.tables.surrender)
        if action == "quick pay":
            row = self.tables.quick_pay[hand.total]
            assert row is not None
            return self._cash(row)
        return self._over(sight, hand, DOUBLED_UP if action == "double up" else PLAIN)

    def _choose(self, sight: Sight, hand: Hand, legal: tuple[str, ...]) -> str:
        pair = self.chart.layout.pair_of(hand.cards)
        return self.chart.choose(hand.total, hand.soft, pair, sight.shown, legal, _first_two(hand))

    def _cash(self, row: Row) -> End:
        return End(PLAIN, 0, False, initial_stakes_payoff(self.tables, row))

    def _over(self, sight: Sight, hand: Hand, raised: int) -> End:
        player = player_class(self.tables, hand)
        at_once = player == BUST or (player == CHARLIE and self.tables.charlie_is_final and not sight.hopeful)
        return End(raised, player, not at_once)

    def _alike(self, hand: Hand) -> Hand:
        """One hand for all that go on alike: by total, and by the number of cards as far as rules ask for it."""
        most = self.tables.double_cards + 1 if self.tables.charlie == _NO_CHARLIE else self.tables.charlie
        first = _ACE if hand.from_split and VALUES[hand.cards[0]] == 1 else _TWO
        return hand._replace(cards=(first,) + (_TWO,) * (min(len(hand.cards), most) - 1))


def _first_two(hand: Hand) -> tuple[int, int] | None:
    """The values of a hand as it was dealt, which a chart may have exceptions for."""
    return (VALUES[hand.cards[0]], VALUES[hand.cards[1]]) if len(hand.cards) == 2 and not hand.from_split else None


def _hand(first: Card, second: Card) -> Hand:
    cards = (first, second)
    return Hand(cards, *count(cards), stakes=())
