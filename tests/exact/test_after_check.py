"""EVs of wagers placed after the check, by starting hand."""

from __future__ import annotations

import pytest

from holecard.composition import full
from holecard.exact.wagers.after_check import after_check_ev, after_check_evs
from tests.exact.slow_wagers import Dealer, Slow
from tests.exact.test_wagers import SHEETS, SHOES, by_name, check_sheet, sheet_with, shoe_of, small
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
