"""EVs of wagers placed after the check, by starting hand."""

from __future__ import annotations

import pytest

from holecard.composition import full
from holecard.exact.wagers.after_check import after_check_ev, after_check_evs
from holecard.exact.wagers.wager_values import skipped_wagers
from holecard.sheets.read import rules
from tests.exact.slow_wagers import Dealer, Slow
from tests.exact.test_wagers import SHEETS, SHOES, by_name, check_equal, check_sheet, sheet_with, shoe_of, small
from tests.random_play import UPCARD_WAGERS
from tests.selection import quick


@pytest.mark.parametrize("kind", quick(["low", "tens"], "tens"))
def test_hedges_by_starting_hand(kind: str) -> None:
    """Given the two cards and the upcard, and no naturals; a hand with a natural has no such wager."""
    sheet, held = SHEETS["quick-pay"], small(SHOES[kind])
    found, dealer = after_check_evs(sheet.tables, shoe_of(held)), Dealer(sheet)
    for wager in sheet.tables.wagers:
        slow = Slow(dealer, wager, held)
        expected = {seen: slow.mean(ways) for seen, ways in slow.seen.items()}
        assert {seen: values[wager.name] for seen, values in found.items()} == expected
    assert ((1, 10), (5,)) not in found


HEDGES = """
[[wager]]
name = "Hedge"
placed = "after the check"
lines = [{ dealer = "17-19", pays = { "2-9" = "2 to 1", "A, T" = "3 to 1" } }]
[[wager]]
name = "Paired"
on = "all four cards"
placed = "after the check"
lines = [{ hand = "pair", dealer = "busts", pays = "5 to 1" }, { dealer = "21", pays = "1 to 1" }]
"""


def test_wagers_with_some_upcards_only() -> None:
    """A wager that can only lose with an upcard is not placed: no number counts those rounds."""
    sheet, held = rules("classic", {"wager": UPCARD_WAGERS}), small(SHOES["tens"])
    results = by_name(sheet.tables, shoe_of(held))
    found, dealer = after_check_evs(sheet.tables, shoe_of(held)), Dealer(sheet)
    by_needs = {"Small card": {2, 3, 4, 5, 6}, "Needs it": {5, 6}, "Once": {6, 10}}
    for wager in sheet.tables.wagers:
        slow = Slow(dealer, wager, held)
        expected = {seen: slow.mean(ways) for seen, ways in slow.seen.items() if seen[1][0] in by_needs[wager.name]}
        assert {seen: values[wager.name] for seen, values in found.items() if wager.name in values} == expected
        if wager.needs is None:
            check_equal(results[wager.name], slow)


def test_what_the_numbers_of_a_wager_by_upcard_are_given() -> None:
    """The result says with which upcards the wager is placed."""
    results = by_name(rules("classic", {"wager": UPCARD_WAGERS}).tables, full(6))
    assert "natural, with 2 to 6 up; the same at any moment" in results["Small card"].given
    assert results["Once"].given == "after the check: neither the player nor the dealer has a natural, with 6, T up"
    assert [upcard for upcard, _ in results["Needs it"].by_upcard] == [5, 6]


def test_a_wager_without_any_upcard_is_never_offered() -> None:
    """It has no numbers, only the reason."""
    sheet = rules("classic", {"wager": [{**UPCARD_WAGERS[0], "lines": [{"dealer": "natural", "pays": "9 to 1"}]}]})
    assert skipped_wagers(sheet.tables, full(6)) == (
        ("Small card", "it is never offered: there is no upcard with which a line can pay"),
    )


@pytest.mark.slow
def test_hedges_that_look_at_the_hole_card() -> None:
    """The EV is averaged over the hole card, whether or not the dealer checks."""
    sheet, held = sheet_with(HEDGES, 'hole_card = "peek"'), small("As Kd 5d 5h 6s 6s 6d 2c 8h 8h")
    check_sheet(sheet, held)
    found, dealer = after_check_evs(sheet.tables, shoe_of(held)), Dealer(sheet)
    for wager in sheet.tables.wagers:
        slow = Slow(dealer, wager, held, 1)
        expected = {seen: slow.mean(ways) for seen, ways in slow.seen.items()}
        assert {seen: values[wager.name] for seen, values in found.items()} == expected


def test_one_starting_hand() -> None:
    """The same numbers one at a time, with cards in any order; None for a hand without the wager."""
    tables, shoe = SHEETS["quick-pay"].tables, full(6)
    every = after_check_evs(tables, shoe)
    assert len(every) == 54 * 10
    assert after_check_ev(tables, shoe, (10, 6), (10,)) == every[(6, 10), (10,)]
    assert set(every[(6, 10), (10,)]) == {"Hedge 18", "Hedge 19", "Hedge 20", "Hedge 21"}
    assert after_check_ev(tables, shoe, (10, 1), (10,)) == {}
    assert after_check_evs(SHEETS["classic"].tables, shoe) == {}


def test_starting_hands_average_to_the_whole() -> None:
    """The EV of a hedge over all deals is the mean of its EVs by starting hand."""
    sheet, held = SHEETS["quick-pay"], small(SHOES["tens"])
    wager = sheet.tables.wagers[2]
    slow = Slow(Dealer(sheet), wager, held)
    values = after_check_evs(sheet.tables, shoe_of(held))
    probabilities = {seen: sum(ways.values()) / slow.placed for seen, ways in slow.seen.items()}
    average = sum(values[seen][wager.name] * probability for seen, probability in probabilities.items())
    assert average == by_name(sheet.tables, shoe_of(held))[wager.name].exact
