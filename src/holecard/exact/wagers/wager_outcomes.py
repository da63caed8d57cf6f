"""Every way a side wager can come out, counted: by the cards looked at alone, or with the dealer's finished hand.

With the dealer's hand, N cards in the shoe and K cards in the longest dealer's hand, one way is the player's two cards,
in no order, and K more in order. Deals differ for the dealer only by the values of the player's two cards. Most deals
leave a wager with the same hopes, so all of them are counted as if they did, from the whole shoe at once:

    Σ over deals of (ways of the deal) = (ways of K cards from N) · (ways of the player's two from the rest)

and only the other deals are counted one by one, and what was counted wrongly for them is taken off again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from math import comb, perm
from typing import TypeAlias

from holecard.composition import Composition
from holecard.exact.wagers.dealer_counts import Counts, Drawing, Finish, Odds, Start, deals, drawing, finishing_odds
from holecard.payoffs.card_counts import Kinds, Made, ways_by_seat, ways_by_set
from holecard.payoffs.wager_terms import BY_VALUE, NATURAL, Outcome, Placed, Settling, Terms
from holecard.sheets.tables import Tables
from holecard.wagers.dealer_hands import DealerHand

Ways: TypeAlias = Counter[tuple[int, Placed]]

IN_LOWEST_TERMS = "one of equally likely ways, in lowest common terms"
_SETS = {
    2: "the player's two cards",
    3: "three cards, whoever holds which",
    4: "four cards, whoever holds which",
}
_SEATS = {
    2: "the player's two cards and the upcard",
    3: "the player's two cards and the upcard",
    4: "the player's two cards, the upcard and the hole card",
}


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Ways of every outcome, by upcard where that is known; `counted` says what one way is."""

    ways: dict[tuple[int, Outcome], int]
    counted: str

    @property
    def total(self) -> int:
        return sum(self.ways.values())


def outcomes(terms: Terms, tables: Tables, shoe: Composition) -> Outcomes:
    """Every deal in which the wager can be placed; none where there is no such deal."""
    return _with_dealer(terms, tables, shoe) if terms.dealer_hands else _by_cards(terms, shoe)


def cards_left(shoe: Composition) -> tuple[int, ...]:
    """[card] how many are left; where suits are not known, every card of a rank as if it were of one suit."""
    if shoe.suited is not None:
        return shoe.suited
    return tuple(count for rank in shoe.ranks for count in (rank, 0, 0, 0))


# By the cards looked at


def _by_cards(terms: Terms, shoe: Composition) -> Outcomes:
    kinds = terms.upcard_kinds()
    look = terms.look(kinds)
    ways: Ways = Counter()
    if max(kinds) == 0 and not look.asks_seats:
        for (made, _), number in ways_by_set(look, cards_left(shoe)).items():
            ways[0, terms.settling(made, 1, looked=False).otherwise] += number
        return _outcomes(ways, _SETS[look.size])
    of_kind: Counter[int] = Counter()
    for kind, number in zip(kinds, shoe.values, strict=True):
        of_kind[kind] += number
    for (made, own, dealers), number in ways_by_seat(look, cards_left(shoe)).items():
        for kind in dealers[:1] or of_kind:
            chances = 1 if dealers else of_kind[kind] - own.count(kind)
            upcard = 1 + kinds.index(kind)
            ways[0, terms.settling(made, upcard, looked=False).otherwise] += number * chances
    return _outcomes(ways, _SEATS[look.size])


def _outcomes(ways: Ways, counted: str) -> Outcomes:
    placed = {(upcard, outcome): number for (upcard, outcome), number in ways.items() if outcome and number}
    return Outcomes(placed, counted)


# With the dealer's finished hand


@dataclass(frozen=True)
class Dealing:
    """A shoe, and how its dealer draws, as wagers on the dealer's hand see it."""

    values: Counts
    drawing: Drawing
    numbers: dict[DealerHand, int]
    """The number of each dealer's hand asked for."""
    looked: frozenset[int]
    """Upcards under which the dealer has looked for a natural before anybody acts."""
    _known: dict[Kinds, Odds] = field(default_factory=dict)

    def settling(self, terms: Terms, made: Made, begun: Start) -> Settling:
        return terms.settling(made, begun[0], looked=begun[0] in self.looked)

    def left(self, own: Kinds) -> Counts:
        """The cards left for the dealer when the player has these."""
        return tuple(number - own.count(value) for value, number in enumerate(self.values, start=1))

    def odds(self, own: Kinds) -> Odds:
        """How the dealer's hand ends when the player has these."""
        if own not in self._known:
            self._known[own] = finishing_odds(self.drawing, self.left(own))
        return self._known[own]

    def begun(self, own: Kinds, dealers: Kinds) -> Iterator[tuple[Start, int]]:
        """Every start that goes on from the dealer's cards looked at, and in how many ways."""
        left = self.left(own)
        for more in product(BY_VALUE, repeat=self.drawing.start - len(dealers)):
            if number := deals((*dealers, *more), left):
                yield (*dealers, *more), number // deals(dealers, left)

    def settled(self, settling: Settling, finishes: dict[Finish, int], total: int) -> Iterator[tuple[Placed, int]]:
        """What the wager comes to, by how the dealer's hand ends."""
        for finish, number in finishes.items():
            for hand, outcome in settling.cases:
                if self.numbers[hand] in finish:
                    yield outcome, number
                    total -= number
                    break
        yield settling.otherwise, total


def dealing(tables: Tables, shoe: Composition, hands: Iterable[DealerHand], start: int) -> Dealing:
    """The dealer of a sheet; players know of `start` cards of the dealer's, or wagers look at them."""
    asked = tuple(dict.fromkeys([NATURAL, *hands]))
    numbers = {hand: number for number, hand in enumerate(asked)}
    return Dealing(shoe.values, drawing(tables.dealer_draws, asked, start), numbers, tables.peeks_under)


def _with_dealer(terms: Terms, tables: Tables, shoe: Composition) -> Outcomes:
    table = dealing(tables, shoe, terms.dealer_hands, start=max(terms.size - 2, 1))
    dealt = {deal: number for deal, number in ways_by_seat(terms.look(BY_VALUE), cards_left(shoe)).items() if number}
    usual, _ = Counter(made for made, _, _ in dealt).most_common(1)[0]
    whole = finishing_odds(table.drawing, shoe.values, spared=2)
    ways = _as_usual(terms, table, usual, whole)
    draws_on = perm(shoe.total - 2 - table.drawing.start, whole.drawn - table.drawing.start)
    for (made, own, dealers), number in dealt.items():
        for begun, chances in table.begun(own, dealers) if made != usual else ():
            right, wrong = (table.settling(terms, hands, begun) for hands in (made, usual))
            if right != wrong:
                finishes = table.odds(own).ways[begun] if right.cases or wrong.cases else {}
                for outcome, found in table.settled(right, finishes, draws_on):
                    ways[begun[0], outcome] += number * chances * found
                for outcome, found in table.settled(wrong, finishes, draws_on):
                    ways[begun[0], outcome] -= number * chances * found
    return _outcomes(ways, IN_LOWEST_TERMS)


def _as_usual(terms: Terms, table: Dealing, usual: Made, whole: Odds) -> Ways:
    """All deals as if every one of them made the usual hands; the player's two come from what the dealer leaves."""
    ways: Ways = Counter()
    pairs = comb(sum(table.values) - whole.drawn, 2)
    for begun, finishes in whole.ways.items():
        chances = deals(begun, table.values) * pairs
        for outcome, number in table.settled(table.settling(terms, usual, begun), finishes, whole.total):
            ways[begun[0], outcome] += chances * number
    return ways
