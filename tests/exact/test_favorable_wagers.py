"""Wagers that favor the player are reported, with their cost for the house."""

from __future__ import annotations

from fractions import Fraction

import pytest

from holecard.exact.favorable_wagers import FavorableWager, checked_wagers
from holecard.sheets.catalog import games
from holecard.sheets.read import read_sheet, rules
from holecard.sheets.schema import RuleSheet

ROYAL_PAIR = (
    'lines = [{ hand = "suited K and Q", pays = "30 to 1" }, { hand = "suited pair", pays = "20 to 1" },'
    ' { hand = "pair", pays = "10 to 1" }]'
)


def sheet(words: str, head: str = "") -> RuleSheet:
    return read_sheet(f'name = "T"\nextends = "classic"\n{head}\n[[wager]]\nname = "Royal Pair"\n{words}')


def favorable(rules: RuleSheet) -> tuple[FavorableWager, ...]:
    return checked_wagers(rules)[0]


@pytest.mark.parametrize("decks", [2, 6])
def test_a_wager_over_all_deals(decks: int) -> None:
    """Its EV from the counts of the second card: the same card, its rank, or the other royal card of its suit."""
    left = 52 * decks - 1
    ev = Fraction(20 * (decks - 1) + 10 * 3 * decks, left) + Fraction(2, 13) * Fraction(30 * decks, left)
    ev -= 1 - Fraction(4 * decks - 1, left) - Fraction(2, 13) * Fraction(decks, left)
    found = favorable(sheet(ROYAL_PAIR, f"[shoe]\ndecks = {decks}"))
    assert (ev > 0) is (decks == 6)
    assert [(favor.wager, favor.when, favor.ev) for favor in found] == (
        [("Royal Pair", "", float(ev))] if ev > 0 else []
    )
    if found:
        assert str(found[0]) == "Royal Pair favors the player: house edge -6.6287%"


def test_shipped_wagers_favor_the_house() -> None:
    """With the default rules and the first number of decks of each sheet, in every pay table."""
    for game in games():
        assert favorable(rules(game)) == (), game


def test_a_wager_placed_with_the_upcard_in_sight_is_looked_at_by_upcard() -> None:
    """An 8 makes 18 with any ten, about 36%: 5 to 1 on it favors the player, although other upcards lose."""
    pays = '{ 2-7 = "1 to 1", 8 = "5 to 1", 9 = "1 to 1" }'
    found = favorable(sheet(f'placed = "after the check"\nlines = [{{ dealer = "18", pays = {pays} }}]'))
    assert [(favor.wager, favor.when) for favor in found] == [("Royal Pair", "with 8 up")]
    assert "favors the player with 8 up: house edge -" in str(found[0])


def test_every_table_a_house_may_choose_is_tried() -> None:
    """Each with its number of decks."""
    tables = (
        'table = "{}"\n[wager.tables]\n2 = [{{ hand = "pair", pays = "{}" }}]\n6 = [{{ hand = "pair", pays = "{}" }}]'
    )
    chosen = favorable(sheet(tables.format("6", "20 to 1", "2 to 1")))
    assert [favor.wager for favor in chosen] == ["Royal Pair (table 2)"]
    by_decks = favorable(sheet(tables.format("by decks", "20 to 1", "2 to 1")))
    assert [favor.wager for favor in by_decks] == ["Royal Pair (table 2, 2 decks)"]
    # The second card pairs the first with probability 7/103: 21 * 7/103 - 1.
    assert by_decks[0].ev == pytest.approx(21 * 7 / 103 - 1, abs=1e-15)


def test_fixed_amounts_are_in_dollars() -> None:
    """A token that pays $5 for a pair and costs nothing."""
    (found,) = favorable(sheet('stake = "token"\nlines = [{ hand = "pair", pays = "$5" }]'))
    assert str(found) == f"Royal Pair favors the player: ${5 * 23 / 311:.4g} per round"


@pytest.mark.slow
def test_insurance_that_pays_too_much() -> None:
    """96 of the 311 cards under an ace are tens: 3 to 1 gives away 73/311."""
    (found,) = favorable(rules("classic", {"insurance.pays": "3 to 1"}))
    assert (found.wager, found.ev) == ("Insurance", float(Fraction(96 * 4, 311) - 1))


def test_insurance_that_favors_some_hands() -> None:
    """At 2.2 to 1, two cards that are not tens leave 96 of 309; one or two tens leave too few."""
    found = favorable(rules("classic", {"insurance.pays": "2.22 to 1"}))
    assert all(favor.when.startswith("holding ") and "T" not in favor.when for favor in found)
    assert len(found) == 45
    assert Fraction(96, 311) * Fraction(322, 100) < 1 < Fraction(96, 309) * Fraction(322, 100)


def test_insurance_at_two_to_one_never_favors() -> None:
    """`check` relies on this: for any number of decks and any two cards."""
    for decks in range(1, 17):
        assert favorable(rules("classic", decks=decks)) == ()
