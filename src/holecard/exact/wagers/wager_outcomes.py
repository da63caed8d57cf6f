"""How often a side wager has each outcome, counted: by the first cards alone, or with the dealer's finished hand.

With the dealer's hand, N cards in the shoe and K cards in the longest dealer's hand, one way is the player's two cards,
in no order, and K more in order. Deals differ for the dealer only by the values of the player's two cards. Most deals
resolve a wager in the same way, so all deals are first counted as if they did, from the whole shoe at once:

    Σ over deals of (ways of the deal) = (ways of K cards from N) · (ways of the player's two from the rest)

Only the other deals are then counted one by one, and what was counted wrongly for them is subtracted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from math import comb, perm
from typing import TypeAlias

from holecard.composition import Composition
from holecard.exact.main.dealer_multisets import Multiset
from holecard.exact.results import IN_LOWEST_TERMS
from holecard.exact.wagers.dealer_counts import (
    DealerCounts,
    DrawingRule,
    Finish,
    Start,
    count_finishes,
    deals,
    drawing_rule,
)
from holecard.payoffs.card_counts import CardCounts, ways_by_seat, ways_by_set
from holecard.payoffs.made_hands import HandBits, Kinds
from holecard.payoffs.wager_terms import (
    BY_VALUE,
    DEALER_NATURAL_HAND,
    PlacedOutcome,
    Resolution,
    WagerOutcome,
    WagerTerms,
)
from holecard.sheets.tables import Tables
from holecard.wagers.dealer_hands import DealerHand

Ways: TypeAlias = Counter[tuple[int, PlacedOutcome]]

_SETS = {
    2: "the player's two cards",
    3: "three cards, in any seats",
    4: "four cards, in any seats",
}
_SEATS = {
    2: "the player's two cards and the upcard",
    3: "the player's two cards and the upcard",
    4: "the player's two cards, the upcard and the hole card",
}


@dataclass(frozen=True, slots=True)
class WagerOutcomes:
    """The number of ways of every outcome, by upcard where that is known; `counted` says what one way is."""

    ways: dict[tuple[int, WagerOutcome], int]
    counted: str
    not_placed: int = 0
    """ways of the deals in which the wager cannot be placed"""

    @property
    def total(self) -> int:
        return sum(self.ways.values())


def wager_outcomes(terms: WagerTerms, tables: Tables, shoe: Composition) -> WagerOutcomes:
    """Return the outcomes of every deal in which the wager can be placed; none where there is no such deal."""
    return _with_dealer(terms, tables, shoe) if terms.dealer_hands else _by_cards(terms, shoe)


def card_counts(terms: WagerTerms, shoe: Composition) -> CardCounts:
    """Return the cards left as a wager needs them; without suits, all cards of a rank are counted as one suit."""
    if shoe.suited is not None:
        return CardCounts(shoe.suited)
    if shoe.suited_before is not None and terms.needs_suits:
        return CardCounts(shoe.suited_before, shoe.ranks)
    return CardCounts(tuple(count for rank in shoe.ranks for count in (rank, 0, 0, 0)))


# By the first cards


def _by_cards(terms: WagerTerms, shoe: Composition) -> WagerOutcomes:
    kinds = terms.upcard_kinds()
    query, counts = terms.card_query(kinds), card_counts(terms, shoe)
    ways: Ways = Counter()
    if max(kinds) == 0 and not query.needs_seats:
        for (hand_bits, _), number in ways_by_set(query, counts).items():
            ways[0, terms.resolve(hand_bits, 1, peeked=False).otherwise] += number
        return _outcomes(ways, _SETS[query.size] if counts.by_rank is None else IN_LOWEST_TERMS)
    of_kind: Counter[int] = Counter()
    for kind, number in zip(kinds, shoe.values, strict=True):
        of_kind[kind] += number
    for (hand_bits, own, dealers), number in ways_by_seat(query, counts).items():
        for kind in dealers[:1] or of_kind:
            starts = 1 if dealers else of_kind[kind] - own.count(kind)
            upcard = 1 + kinds.index(kind)
            ways[0, terms.resolve(hand_bits, upcard, peeked=False).otherwise] += number * starts
    return _outcomes(ways, _SEATS[query.size] if counts.by_rank is None else IN_LOWEST_TERMS)


def _outcomes(ways: Ways, counted: str) -> WagerOutcomes:
    placed = {(upcard, outcome): number for (upcard, outcome), number in ways.items() if outcome and number}
    return WagerOutcomes(placed, counted, sum(number for (_, outcome), number in ways.items() if not outcome))


# With the dealer's finished hand


@dataclass(frozen=True)
class DealerHands:
    """A shoe, and how its dealer draws, as wagers on the dealer's hand see it."""

    values: Multiset
    rule: DrawingRule
    numbers: dict[DealerHand, int]
    """the number of each dealer's hand asked for"""
    peeked: frozenset[int]
    """upcards under which the dealer has peeked for a natural before any action"""
    _known: dict[Kinds, DealerCounts] = field(default_factory=dict)

    def resolve(self, terms: WagerTerms, hand_bits: HandBits, begun: Start) -> Resolution:
        return terms.resolve(hand_bits, begun[0], peeked=begun[0] in self.peeked)

    def left(self, own: Kinds) -> Multiset:
        """Return the cards left for the dealer when the player holds these."""
        return tuple(number - own.count(value) for value, number in enumerate(self.values, start=1))

    def counts(self, own: Kinds) -> DealerCounts:
        """Return how the dealer's hand ends when the player holds these."""
        if own not in self._known:
            self._known[own] = count_finishes(self.rule, self.left(own))
        return self._known[own]

    def begun(self, own: Kinds, dealers: Kinds) -> Iterator[tuple[Start, int]]:
        """Yield every start that begins with the dealer's cards given, and its number of ways."""
        left = self.left(own)
        for more in product(BY_VALUE, repeat=self.rule.start - len(dealers)):
            if number := deals((*dealers, *more), left):
                yield (*dealers, *more), number // deals(dealers, left)

    def resolved(
        self, resolution: Resolution, finishes: dict[Finish, int], total: int
    ) -> Iterator[tuple[PlacedOutcome, int]]:
        """Yield the outcomes of the wager, by how the dealer's hand ends."""
        for finish, number in finishes.items():
            for hand, outcome in resolution.cases:
                if self.numbers[hand] in finish:
                    yield outcome, number
                    total -= number
                    break
        yield resolution.otherwise, total


def dealer_hands(tables: Tables, shoe: Composition, hands: Iterable[DealerHand], start: int) -> DealerHands:
    """Return the dealer of a sheet; `start` is the number of dealer's cards that players know or wagers ask about."""
    asked = tuple(dict.fromkeys([DEALER_NATURAL_HAND, *hands]))
    numbers = {hand: number for number, hand in enumerate(asked)}
    return DealerHands(shoe.values, drawing_rule(tables.dealer_draws, asked, start), numbers, tables.peeks_under)


def _with_dealer(terms: WagerTerms, tables: Tables, shoe: Composition) -> WagerOutcomes:
    table = dealer_hands(tables, shoe, terms.dealer_hands, start=max(terms.size - 2, 1))
    query, counts = terms.card_query(BY_VALUE), card_counts(terms, shoe)
    dealt = {deal: number for deal, number in ways_by_seat(query, counts).items() if number}
    usual, _ = Counter(hand_bits for hand_bits, _, _ in dealt).most_common(1)[0]
    whole = count_finishes(table.rule, shoe.values, spared=2)
    ways = _as_usual(terms, table, usual, whole, counts.scale(query.size))
    draws_on = perm(shoe.total - 2 - table.rule.start, whole.drawn - table.rule.start)
    for (hand_bits, own, dealers), number in dealt.items():
        for begun, starts in table.begun(own, dealers) if hand_bits != usual else ():
            right, wrong = (table.resolve(terms, hands, begun) for hands in (hand_bits, usual))
            if right != wrong:
                finishes = table.counts(own).ways[begun] if right.cases or wrong.cases else {}
                for outcome, found in table.resolved(right, finishes, draws_on):
                    ways[begun[0], outcome] += number * starts * found
                for outcome, found in table.resolved(wrong, finishes, draws_on):
                    ways[begun[0], outcome] -= number * starts * found
    return _outcomes(ways, IN_LOWEST_TERMS)


def _as_usual(terms: WagerTerms, table: DealerHands, usual: HandBits, whole: DealerCounts, scale: int) -> Ways:
    """Count all deals, times the scale, as if each made the usual hands; the player's two are left by the dealer."""
    ways: Ways = Counter()
    pairs = scale * comb(sum(table.values) - whole.drawn, 2)
    for begun, finishes in whole.ways.items():
        starts = deals(begun, table.values) * pairs
        for outcome, number in table.resolved(table.resolve(terms, usual, begun), finishes, whole.total):
            ways[begun[0], outcome] += starts * number
    return ways
