"""The house pay tables have the edges that the rulings state, computed here from the cards alone.

Conditioning: full decks, six unless stated otherwise; Hedge Bets given that neither the player nor the dealer has a
natural. Edges are per unit staked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

import pytest

from holecard.composition import full
from holecard.deck import DECK
from holecard.exact.wagers.after_check import SeenValues, WagerEVs, after_check_evs
from holecard.exact.wagers.house_odds import house_odds
from holecard.exact.wagers.wager_values import wager_results
from holecard.sheets.read import rules
from holecard.wagers.pay_table import SideWager
from tests.selection import one_in, quick

DECKS = 6


def wager(game: str, name: str) -> SideWager:
    tables = rules(game).tables
    index = tables.wager_index(name)
    assert index is not None
    return tables.wagers[index]


def edge_on_cards(bonus: SideWager, cards: int) -> Fraction:
    """Over every set of cards, weighted by the number of ways six decks can deal it."""
    ways_to_draw = [comb(DECKS, number) for number in range(cards + 1)]
    ways: Counter[Fraction] = Counter()
    for kinds in combinations_with_replacement(DECK, cards):
        paid = next((line.pays.odds for line in bonus.lines if line.hand and line.hand.fits(kinds)), Fraction(-1))
        ways[paid] += prod(ways_to_draw[number] for number in Counter(kinds).values())
    assert ways.total() == comb(52 * DECKS, cards)
    return -sum(paid * number for paid, number in ways.items()) / ways.total()


def test_the_2_card_bonus_keeps_5_percent() -> None:
    """202 of 4,043: between 4% and 7%, as the ruling requires."""
    assert edge_on_cards(wager("face-up", "2-Card Bonus"), 2) == Fraction(202, 4043)


@pytest.mark.slow
def test_the_4_card_bonus_keeps_5_and_a_half_percent() -> None:
    """3,518,014 of 64,546,495: between 4% and 7%."""
    assert edge_on_cards(wager("face-up", "4-Card Bonus"), 4) == Fraction(3_518_014, 64_546_495)


def shoe_of(decks: int) -> tuple[int, ...]:
    return (4 * decks,) * 9 + (16 * decks,)


SHOE = shoe_of(DECKS)


@cache
def finals(hard: int, aces: int, left: tuple[int, ...], hits_soft_17: bool) -> dict[int, float]:
    """Probabilities of the dealer's final totals (22: bust) from a hand of `hard` points, aces as 1, and the cards
    left.
    """
    soft = aces > 0 and hard <= 11
    total = hard + 10 if soft else hard
    if total > 17 or (total == 17 and not (soft and hits_soft_17)):
        return {min(total, 22): 1.0}
    found: Counter[int] = Counter()
    for value, probability, rest in draws(left):
        for final, inside in finals(hard + value, aces + (value == 1), rest, hits_soft_17).items():
            found[final] += probability * inside
    return dict(found)


def draws(left: tuple[int, ...]) -> Iterator[tuple[int, float, tuple[int, ...]]]:
    for index, number in enumerate(left):
        if number:
            yield index + 1, number / sum(left), (*left[:index], number - 1, *left[index + 1 :])


def without(left: tuple[int, ...], *values: int) -> tuple[int, ...]:
    return tuple(number - values.count(index) for index, number in enumerate(left, start=1))


@cache
def after_the_check(
    upcard: int, decks: int = DECKS, own: tuple[int, ...] = (), soft_17: str = "hit"
) -> tuple[float, dict[int, float]]:
    """The probability of no natural under an upcard, and of each final total given that; `own` cards are removed."""
    left = without(shoe_of(decks), upcard, *own)
    completes = {1: 10, 10: 1}.get(upcard)
    found: Counter[int] = Counter()
    for value, probability, rest in draws(left):
        if value != completes:
            held = upcard + value, (upcard == 1) + (value == 1)
            for final, inside in finals(*held, rest, soft_17 == "hit").items():
                found[final] += probability * inside
    known = sum(found.values())
    finals.cache_clear()
    return known, {final: probability / known for final, probability in found.items()}


def hedge_odds(total: int, decks: int, soft_17: str = "hit") -> dict[int, Fraction]:
    """By upcard."""
    tables = rules("quick-pay", decks=decks, soft_17=soft_17).tables
    index = tables.wager_index(f"Hedge {total}")
    assert index is not None
    odds = {value: line.pays.odds for line in tables.wagers[index].lines for value in line.upcards}
    assert set(odds) == set(range(1, 11))
    return odds


TOTALS = (18, 19, 20, 21)
DECKS_OFFERED = (1, 2, 6, 8)
NUMBERS = {1: "one deck", 2: "two", 6: "six", 8: "eight"}
#: By soft 17 and decks, in hundredths of a percent, for 18, 19, 20 and 21, as the sheet's ruling states them.
EDGES = {
    "hit": {1: (806, 804, 769, 801), 2: (663, 637, 615, 502), 6: (526, 531, 570, 545), 8: (519, 534, 565, 551)},
    "stand": {1: (872, 782, 824, 756), 2: (588, 622, 616, 551), 6: (458, 468, 572, 464), 8: (452, 471, 566, 471)},
}
TABLES = [(decks, soft_17) for soft_17 in EDGES for decks in DECKS_OFFERED]


def exact_values(decks: int, soft_17: str) -> dict[SeenValues, WagerEVs]:
    """The EVs of Hedge Bets by starting hand and upcard."""
    tables = rules("quick-pay", decks=decks, soft_17=soft_17).tables
    return after_check_evs(tables, full(decks))


@pytest.mark.parametrize(("decks", "soft_17"), one_in(3, TABLES))
def test_no_hedge_favors_a_player_who_knows_two_cards(decks: int, soft_17: str) -> None:
    """Every two cards except a natural, against every upcard, at every total."""
    values = exact_values(decks, soft_17)
    assert len(values) == 54 * 10
    assert max(value for hedges in values.values() for value in hedges.values()) < 0


@pytest.mark.parametrize("soft_17", quick(["hit", "stand"], "hit"))
@pytest.mark.parametrize(
    ("decks", "own", "upcard"),
    one_in(3, [(1, (8, 8), 1), (1, (10, 10), 10), (2, (10, 10), 7), (2, (3, 4), 4), (6, (10, 10), 6), (8, (2, 9), 10)]),
)
def test_two_cards_by_plain_draws(decks: int, own: tuple[int, ...], upcard: int, soft_17: str) -> None:
    """The same, card by card: the hands closest to a favorable wager, and one that is not close."""
    _, probabilities = after_the_check(upcard, decks, own, soft_17)
    exact = exact_values(decks, soft_17)[(own[0], own[1]), (upcard,)]
    for total in TOTALS:
        plain = probabilities[total] * (1 + float(hedge_odds(total, decks, soft_17)[upcard])) - 1
        assert plain == pytest.approx(float(exact[f"Hedge {total}"]), abs=1e-12)
        assert plain < 0


@pytest.mark.parametrize(("decks", "soft_17"), quick(TABLES, (1, "hit"), (6, "stand")))
def test_hedges_keep_the_edges_that_the_ruling_states(decks: int, soft_17: str) -> None:
    """Over all deals in which they can be placed; 4% to 6% with six and eight decks, more with one and two."""
    edges = EDGES[soft_17][decks]
    tables = rules("quick-pay", decks=decks, soft_17=soft_17).tables
    assert tuple(round(-10_000 * result.exact) for result in wager_results(tables, full(decks))) == edges
    if decks >= 6:
        assert all(400 <= edge <= 600 for edge in edges)
    reading = next(ruling.reading for ruling in rules("quick-pay").ruling if ruling.on == "Hedge Bet odds")
    part = reading.partition("If the dealer stands on soft 17")[0 if soft_17 == "hit" else 2]
    said = "{:.2f}%, {:.2f}%, {:.2f}%, and {:.2f}% with {}".format(*(edge / 100 for edge in edges), NUMBERS[decks])
    assert said in part.replace("are ", "")


@pytest.mark.parametrize("total", TOTALS)
def test_the_six_deck_edge_by_plain_draws(total: int) -> None:
    """Without removing the player's cards, which changes the average over all upcards by less than 0.03%."""
    weights = {value: SHOE[value - 1] * after_the_check(value)[0] for value in range(1, 11)}
    odds = hedge_odds(total, DECKS)
    edges = {value: 1 - after_the_check(value)[1][total] * (1 + float(odds[value])) for value in weights}
    average = sum(weights[value] * edges[value] for value in weights) / sum(weights.values())
    assert average == pytest.approx(EDGES["hit"][DECKS][total - 18] / 10_000, abs=3e-4)


@pytest.mark.parametrize(("decks", "soft_17"), quick([table for table in TABLES if table[0] < 6], (1, "stand")))
def test_odds_above_6_percent_cannot_be_raised(decks: int, soft_17: str) -> None:
    """Half a unit more with any upcard would favor some two cards, so the edge is as close to 6% as possible."""
    values = exact_values(decks, soft_17)
    for total, edge in zip(TOTALS, EDGES[soft_17][decks], strict=True):
        if edge > 600:
            for upcard, odds in hedge_odds(total, decks, soft_17).items():
                best = max(v[f"Hedge {total}"] for (_, (up,)), v in values.items() if up == upcard)
                assert (1 + best) / (1 + odds) * (1 + odds + Fraction(1, 2)) > 1


@pytest.mark.parametrize(("decks", "soft_17"), TABLES)
def test_hedge_odds_are_half_units(decks: int, soft_17: str) -> None:
    assert all(odds.denominator in (1, 2) for total in TOTALS for odds in hedge_odds(total, decks, soft_17).values())


def test_the_dealers_busts_are_the_published_ones() -> None:
    """Six decks, soft 17 hit: by 3 to 8 cards .173032, .089392, .020473, .002638, .000214 and .000012 of all hands."""
    published = 0.173032 + 0.089392 + 0.020473 + 0.002638 + 0.000214 + 0.000012
    busts = 0.0
    for upcard, number in enumerate(SHOE, start=1):
        no_natural, probabilities = after_the_check(upcard)
        busts += number / sum(SHOE) * no_natural * probabilities[22]
    assert busts == pytest.approx(published, abs=2e-6)


def test_house_odds_are_made_for_the_upcards_of_the_wager() -> None:
    """A wager after the check is not offered with any other."""
    found = house_odds(rules("quick-pay", {"wager.Hedge 18.upcard": "2-6"}), 6)
    by_wager = {table.wager: [cell.upcard for cell in table.cells] for table in found.tables}
    assert by_wager["Hedge 18"] == [2, 3, 4, 5, 6]
    assert by_wager["Hedge 19"] == [*range(1, 11)]
