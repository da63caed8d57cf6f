"""The pay tables of our own cost the player what the rulings say, reckoned here from nothing but the cards.

Conditioning: six full decks; Hedge Bets given the upcard and that the dealer has no natural, soft 17 hit, the player's
cards not removed; a row is averaged over upcards with their chances given no dealer's natural. Edges are per unit
staked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

import pytest

from holecard.cards import DECK
from holecard.sheets.read import rules
from holecard.wagers.pay_table import SideWager

DECKS = 6


def wager(game: str, name: str) -> SideWager:
    tables = rules(game).tables
    index = tables.wager_index(name)
    assert index is not None
    return tables.wagers[index]


def edge_on_cards(bonus: SideWager, cards: int) -> Fraction:
    """Over every set of cards, each weighted by the ways six decks can deal it."""
    ways_to_draw = [comb(DECKS, number) for number in range(cards + 1)]
    ways: Counter[Fraction] = Counter()
    for kinds in combinations_with_replacement(DECK, cards):
        paid = next((line.pays.odds for line in bonus.lines if line.hand and line.hand.fits(kinds)), Fraction(-1))
        ways[paid] += prod(ways_to_draw[number] for number in Counter(kinds).values())
    assert ways.total() == comb(52 * DECKS, cards)
    return -sum(paid * number for paid, number in ways.items()) / ways.total()


def test_the_2_card_bonus_keeps_5_percent() -> None:
    """202 of 4,043: between 4% and 7%, as the ruling wants."""
    assert edge_on_cards(wager("face-up", "2-Card Bonus"), 2) == Fraction(202, 4043)


def test_the_4_card_bonus_keeps_5_and_a_half_percent() -> None:
    """3,518,014 of 64,546,495: between 4% and 7%."""
    assert edge_on_cards(wager("face-up", "4-Card Bonus"), 4) == Fraction(3_518_014, 64_546_495)


SHOE = (4 * DECKS,) * 9 + (16 * DECKS,)


@cache
def finals(hard: int, aces: int, left: tuple[int, ...]) -> dict[int, float]:
    """Chances of the dealer's final totals (22: bust) from a hand of `hard` points, aces as 1, and the cards left."""
    soft = aces > 0 and hard <= 11
    total = hard + 10 if soft else hard
    if total > 17 or (total == 17 and not soft):
        return {min(total, 22): 1.0}
    found: Counter[int] = Counter()
    for value, chance, rest in draws(left):
        for final, inside in finals(hard + value, aces + (value == 1), rest).items():
            found[final] += chance * inside
    return dict(found)


def draws(left: tuple[int, ...]) -> Iterator[tuple[int, float, tuple[int, ...]]]:
    for index, number in enumerate(left):
        if number:
            yield index + 1, number / sum(left), (*left[:index], number - 1, *left[index + 1 :])


@cache
def after_the_check(upcard: int) -> tuple[float, dict[int, float]]:
    """The chance of no natural under an upcard, and of each final total given that."""
    left = tuple(number - (index + 1 == upcard) for index, number in enumerate(SHOE))
    completes = {1: 10, 10: 1}.get(upcard)
    found: Counter[int] = Counter()
    for value, chance, rest in draws(left):
        if value != completes:
            for final, inside in finals(upcard + value, (upcard == 1) + (value == 1), rest).items():
                found[final] += chance * inside
    known = sum(found.values())
    return known, {final: chance / known for final, chance in found.items()}


def hedge_edges(total: int) -> dict[int, float]:
    """The house's edge by upcard."""
    hedge = wager("quick-pay", f"Hedge {total}")
    odds = {value: line.pays.odds for line in hedge.lines for value in line.upcards}
    assert set(odds) == set(range(1, 11))
    return {value: 1 - after_the_check(value)[1][total] * (1 + float(odds[value])) for value in odds}


@pytest.mark.parametrize("total", [18, 19, 20, 21])
def test_a_hedge_keeps_4_to_6_percent_over_all_upcards(total: int) -> None:
    """Each of the four lines of the placard."""
    weights = {value: SHOE[value - 1] * after_the_check(value)[0] for value in range(1, 11)}
    edges = hedge_edges(total)
    average = sum(weights[value] * edges[value] for value in weights) / sum(weights.values())
    assert 0.04 <= average <= 0.06


@pytest.mark.parametrize("total", [18, 19, 20, 21])
def test_no_cell_of_a_hedge_favours_the_player(total: int) -> None:
    """Single cells lie between 2% and 12.1%, as the sheet's ruling says, and their odds are half-units."""
    assert all(0.02 <= edge <= 0.121 for edge in hedge_edges(total).values())
    assert all(line.pays.odds.denominator in (1, 2) for line in wager("quick-pay", f"Hedge {total}").lines)


def test_the_dealers_busts_are_the_published_ones() -> None:
    """Six decks, soft 17 hit: by 3 to 8 cards .173032, .089392, .020473, .002638, .000214 and .000012 of all hands."""
    published = 0.173032 + 0.089392 + 0.020473 + 0.002638 + 0.000214 + 0.000012
    busts = 0.0
    for upcard, number in enumerate(SHOE, start=1):
        no_natural, chances = after_the_check(upcard)
        busts += number / sum(SHOE) * no_natural * chances[22]
    assert busts == pytest.approx(published, abs=2e-6)
