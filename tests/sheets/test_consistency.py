"""Combinations that cannot be dealt, each refused with its reason and its line."""

from __future__ import annotations

import pytest

from holecard.errors import SheetError
from holecard.sheets.read import read_sheet, rules
from holecard.sheets.tables import NATURAL
from tests.sheets.contradictions import CONTRADICTIONS, LINES, ON_DEALER, wager


@pytest.mark.parametrize("what", CONTRADICTIONS)
def test_what_no_table_could_deal_is_refused(what: str) -> None:
    """One contradiction, with its key, its reason and its line."""
    words, where, reason, line = CONTRADICTIONS[what]
    with pytest.raises(SheetError) as refused:
        read_sheet(f'name = "Mine"\n{words}')
    (problem,) = refused.value.problems
    assert problem.where == where
    assert reason in problem.what
    assert problem.line == line


def test_a_total_the_dealer_ends_on_may_be_ruled() -> None:
    """With ends_on = [16] a rule for 16 is not a contradiction."""
    sheet = read_sheet('name = "Mine"\n[dealer]\nends_on = [16]\n[settle]\nwhen_dealer_has = { 16 = "push" }')
    assert sheet.settle.when_dealer_has == {"16": "push"}


def test_a_21_that_wins_may_be_said_twice() -> None:
    """A dealer's total that settles by itself agrees, or a natural that ties is paid at least as much as the 21."""
    words = {"settle.twenty_one": "wins", "settle.when_dealer_has": {"22": {"21": "win", "other": "push"}}}
    assert rules("classic", words).tables.settlement[0][21][22].net == 1
    ties_win = {"settle.twenty_one": "wins", "settle.natural_v_21": "tie", "settle.ties": "win"}
    assert rules("classic", ties_win).tables.settlement[0][NATURAL][21].net == 1


def test_contradictions_are_found_in_settings_too() -> None:
    """A setting applied to a valid sheet is checked like the sheet."""
    with pytest.raises(SheetError, match="there is no hole card to turn"):
        rules("quick-pay", hole_card="none")


def test_a_wager_after_the_check_needs_a_check() -> None:
    """It is placed after the dealer is known not to have a natural; without a check, that is not known."""
    for hole_card in ("no peek", "none", "peek under aces"):
        with pytest.raises(SheetError, match="does not always check for a natural"):
            read_sheet(
                f'name = "Mine"\n[dealer]\nhole_card = "{hole_card}"\n'
                + wager('placed = "after the check"', 'lines = [{ dealer = "18", pays = "5 to 1" }]')
            )


@pytest.mark.parametrize(
    ("hole_card", "why"),
    [
        ("face up", "this dealer's second card is dealt face up, so that there is no hole card to turn"),
        (
            "none",
            "this dealer's second card is dealt after the players have acted, so that there is no hole card to turn",
        ),
        ("no peek", "this dealer does not always check for a natural"),
        ("peek under aces", "this dealer does not always check for a natural"),
    ],
)
def test_a_wager_until_the_turn_needs_a_hole_card_that_is_checked_and_turned(hole_card: str, why: str) -> None:
    """A visible card would allow certain wins; a card that is never checked may be a natural."""
    text = f'name = "Mine"\n[dealer]\nhole_card = "{hole_card}"\n[insurance]\npays = "none"\n' + wager(
        'placed = "until the hole card is turned"', 'lines = [{ dealer = "18", pays = "5 to 1" }]'
    )
    with pytest.raises(SheetError, match=why):
        read_sheet(text)
    assert read_sheet(text.replace(f'hole_card = "{hole_card}"', 'hole_card = "peek"')).tables.late_wagers == (0,)


def test_wagers_until_the_turn_are_wagers_after_the_check() -> None:
    """The same conditions hold: no early surrender, no tokens, a dealer's hand in every line."""
    late = 'placed = "until the hole card is turned"'
    for words, why in {
        '[player]\nsurrender = "early"\n' + wager(ON_DEALER, late): "a hand that is surrendered early",
        wager(ON_DEALER, late, 'stake = "token"'): "a token must be placed before the deal",
        wager(LINES, late): "are visible by then",
        wager(LINES) + "\n" + wager(ON_DEALER, late, 'needs = "Pairs"', name="More"): "placed at another time",
    }.items():
        with pytest.raises(SheetError, match=why):
            read_sheet(f'name = "Mine"\n{words}')
    tables = rules("quick-pay").tables
    assert tables.check_wagers == tables.late_wagers == (0, 1, 2, 3)
    assert all(hedge.after_check and hedge.until_turned for hedge in tables.wagers)
