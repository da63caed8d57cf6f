"""EVs of wagers placed after the check, when the player has seen cards: by starting hand, and after further cards.

A starting hand is known by values: the player's two, the lower first, and the upcard, with the hole card after it where
that is face up. It is given that neither side has a natural. Where a line asks for ranks or suits, its EV is the
average over the cards of these values.

A wager that can be placed until the hole card is turned may wait for more cards. Cards that the player has seen by then
(further cards, busted or split hands, other seats' cards) cannot be the hole card or be drawn by the dealer: the EV is
that of the starting hand dealt from a shoe without them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from holecard.composition import Composition
from holecard.exact.wagers.dealer_counts import Start
from holecard.exact.wagers.wager_outcomes import DealerHands, card_counts, dealer_hands
from holecard.exact.wagers.wager_values import reason_not_computed, refuse_small
from holecard.payoffs.card_counts import ways_by_seat
from holecard.payoffs.made_hands import HandBits, Kinds
from holecard.payoffs.wager_payoffs import WagerPayoffs
from holecard.payoffs.wager_terms import BY_VALUE, WagerOutcome, WagerTerms, wager_terms
from holecard.sheets.tables import Tables
from holecard.wagers.pay_table import SideWager

#: The values of the player's two cards, the lower first, and of the visible dealer cards, the upcard first.
SeenValues: TypeAlias = tuple[tuple[int, int], Start]
#: The EV of each wager, by name, per unit staked.
WagerEVs: TypeAlias = dict[str, Fraction]


def after_check_evs(tables: Tables, shoe: Composition) -> dict[SeenValues, WagerEVs]:
    """Return every starting hand that is asked after the check, with the EV of each wager."""
    hands = [(low, high) for low in BY_VALUE for high in BY_VALUE if low <= high]
    return dict(_by_hand(tables, shoe, hands, [tables.wagers[index] for index in tables.check_wagers]))


def after_check_ev(tables: Tables, shoe: Composition, player: Iterable[int], dealer: Start) -> WagerEVs:
    """Return the same for one starting hand, the shoe still holding its cards; nothing where it is not asked."""
    return placed_ev(tables, [tables.wagers[index] for index in tables.check_wagers], shoe, player, dealer)


def late_ev(
    tables: Tables, shoe: Composition, player: Iterable[int], further: Iterable[str], dealer: Start
) -> WagerEVs:
    """Return the same for wagers placed until the hole card is turned, once `further` cards, by name, have been seen.

    `player` has the values of the first two cards. The shoe still holds all of these cards.
    """
    late = [tables.wagers[index] for index in tables.late_wagers]
    return placed_ev(tables, late, shoe.without(" ".join(further)), player, dealer)


def placed_ev(
    tables: Tables, wagers: Sequence[SideWager], shoe: Composition, player: Iterable[int], dealer: Start
) -> WagerEVs:
    """Return the same for wagers placed after the check, whether or not they are among the sheet's."""
    low, high = sorted(player)
    return dict(_by_hand(tables, shoe, [(low, high)], wagers)).get(((low, high), dealer), {})


def _by_hand(
    tables: Tables, shoe: Composition, hands: list[tuple[int, int]], wagers: Sequence[SideWager]
) -> Iterator[tuple[SeenValues, WagerEVs]]:
    refuse_small(shoe)
    every = [wager_terms(wager) for wager in wagers if reason_not_computed(tables, wager, shoe) is None]
    if not every:
        return
    start = max(1, *(terms.size - 2 for terms in every))
    table = dealer_hands(tables, shoe, [hand for terms in every for hand in terms.dealer_hands], start)
    dealt = {terms: _by_player(terms, shoe) for terms in every}
    for own in hands:
        found: dict[Start, WagerEVs] = defaultdict(dict)
        for terms in every:
            for seen, value in _values(terms, table, own, dealt[terms][own]):
                found[seen][terms.wager.name] = value
        yield from (((own, seen), values) for seen, values in found.items())


def _by_player(terms: WagerTerms, shoe: Composition) -> dict[Kinds, list[tuple[HandBits, Kinds, int]]]:
    """Return the deals by the values of the player's two cards: hands made, the dealer's cards, number of ways."""
    found: dict[Kinds, list[tuple[HandBits, Kinds, int]]] = defaultdict(list)
    for (hand_bits, own, dealers), number in ways_by_seat(terms.card_query(BY_VALUE), card_counts(terms, shoe)).items():
        if number:
            found[own].append((hand_bits, dealers, number))
    return found


def _values(
    terms: WagerTerms, table: DealerHands, own: Kinds, dealt: list[tuple[HandBits, Kinds, int]]
) -> Iterator[tuple[Start, Fraction]]:
    ways: dict[Start, Counter[WagerOutcome]] = defaultdict(Counter)
    for hand_bits, dealers, number in dealt:
        for begun, starts in table.begun(own, dealers):
            resolution = table.resolve(terms, hand_bits, begun)
            if resolution.otherwise is None:
                continue
            counts = table.counts(own)
            for outcome, found in table.resolved(resolution, counts.ways[begun], counts.total):
                if outcome is not None:
                    ways[begun[:1]][outcome] += number * starts * found
    payoffs = WagerPayoffs(terms.wager)
    for seen, outcomes in ways.items():
        if sum(outcomes.values()):
            yield seen, payoffs.average(outcomes)
