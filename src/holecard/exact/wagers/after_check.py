"""Wagers placed after the check, when the player has seen cards: what each is worth against what is seen.

A starting hand is known by values: the player's two, the lower first, and the upcard, with the hole card after it
where that is face up. It is given that neither side has a natural. Where a line asks for ranks or suits, its value is
the average over the cards of these values.

A wager that can be placed until the hole card is turned may wait for more cards. Cards that the player has seen by
then, his own further cards, busted or split hands and other seats' cards alike, are cards that cannot be the hole card
or drawn by the dealer: its EV is that of the starting hand dealt from a shoe without them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TypeAlias

from holecard.composition import Composition
from holecard.exact.wagers.dealer_counts import Start
from holecard.exact.wagers.wager_outcomes import Dealing, cards_left, dealing
from holecard.exact.wagers.wager_values import Money, refuse_small, why_not
from holecard.payoffs.card_counts import Kinds, Made, ways_by_seat
from holecard.payoffs.wager_terms import BY_VALUE, Outcome, Terms, terms_of
from holecard.sheets.tables import Tables

#: The values of the player's two cards, the lower first, and of the dealer's cards in sight, the upcard first.
Seen: TypeAlias = tuple[tuple[int, int], Start]
#: What each wager is worth, by name, per unit staked.
Values: TypeAlias = dict[str, Fraction]


def after_check_values(tables: Tables, shoe: Composition) -> dict[Seen, Values]:
    """Every starting hand that is asked after the check, and what each wager is worth to it."""
    hands = [(low, high) for low in BY_VALUE for high in BY_VALUE if low <= high]
    return dict(_by_hand(tables, shoe, hands, tables.check_wagers))


def after_check_value(tables: Tables, shoe: Composition, player: Iterable[int], dealer: Start) -> Values:
    """The same for one starting hand, the shoe still holding its cards; nothing where it is not asked."""
    return _one_hand(tables, shoe, player, dealer, tables.check_wagers)


def late_value(
    tables: Tables, shoe: Composition, player: Iterable[int], further: Iterable[str], dealer: Start
) -> Values:
    """The same for wagers placed until the hole card is turned, once `further` cards, by name, have been seen.

    `player` has the values of the first two cards. The shoe still holds all of these cards.
    """
    return _one_hand(tables, shoe.without(" ".join(further)), player, dealer, tables.late_wagers)


def _one_hand(
    tables: Tables, shoe: Composition, player: Iterable[int], dealer: Start, which: tuple[int, ...]
) -> Values:
    low, high = sorted(player)
    return dict(_by_hand(tables, shoe, [(low, high)], which)).get(((low, high), dealer), {})


def _by_hand(
    tables: Tables, shoe: Composition, hands: list[tuple[int, int]], which: tuple[int, ...]
) -> Iterator[tuple[Seen, Values]]:
    refuse_small(shoe)
    wagers = [tables.wagers[index] for index in which]
    every = [terms_of(wager) for wager in wagers if why_not(tables, wager, shoe) is None]
    if not every:
        return
    start = max(1, *(terms.size - 2 for terms in every))
    table = dealing(tables, shoe, [hand for terms in every for hand in terms.dealer_hands], start)
    dealt = {terms: _by_player(terms, shoe) for terms in every}
    for own in hands:
        found: dict[Start, Values] = defaultdict(dict)
        for terms in every:
            for seen, value in _values(terms, table, own, dealt[terms][own]):
                found[seen][terms.wager.name] = value
        yield from (((own, seen), values) for seen, values in found.items())


def _by_player(terms: Terms, shoe: Composition) -> dict[Kinds, list[tuple[Made, Kinds, int]]]:
    """Deals by the values of the player's two cards: hands made, dealer's cards looked at, number of ways."""
    found: dict[Kinds, list[tuple[Made, Kinds, int]]] = defaultdict(list)
    for (made, own, dealers), number in ways_by_seat(terms.look(BY_VALUE), cards_left(shoe)).items():
        if number:
            found[own].append((made, dealers, number))
    return found


def _values(
    terms: Terms, table: Dealing, own: Kinds, dealt: list[tuple[Made, Kinds, int]]
) -> Iterator[tuple[Start, Fraction]]:
    ways: dict[Start, Counter[Outcome]] = defaultdict(Counter)
    for made, dealers, number in dealt:
        for begun, chances in table.begun(own, dealers):
            settling = table.settling(terms, made, begun)
            if settling.otherwise is None:
                continue
            odds = table.odds(own)
            for outcome, found in table.settled(settling, odds.ways[begun], odds.total):
                if outcome is not None:
                    ways[begun[:1]][outcome] += number * chances * found
    money = Money(terms.wager)
    for seen, outcomes in ways.items():
        if sum(outcomes.values()):
            yield seen, money.average(outcomes)
