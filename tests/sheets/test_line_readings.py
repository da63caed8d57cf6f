"""The reading of a pay line: its words, a deal that pays it, and a deal that just misses it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from holecard.deck import cards
from holecard.sheets.catalog import games
from holecard.sheets.checks.dead_lines import PayTable, pay_tables
from holecard.sheets.checks.line_readings import Reading, line_readings
from holecard.sheets.read import read_sheet, rules
from holecard.sheets.schema import RuleSheet
from holecard.wagers.dealer_hands import Finished
from tests.oracle import is_natural, is_soft, total
from tests.selection import one_in

SHEETS = [game for game in games(examples=True) if rules(game).wager]


def of(words: str) -> list[Reading]:
    return line_readings(read_sheet(f'name = "T"\nextends = "classic"\n[[wager]]\nname = "W"\n{words}'))


def paid(sheet: RuleSheet, table: PayTable, deal: str) -> int | None:
    """The written line that a deal pays, found with totals counted from the text of the cards."""
    own, _, dealer = (
        (deal.partition(" v ") if " v " in deal else (deal, "", "2c"))
        if "dealer" not in deal
        else (
            "9s 7h",
            "",
            deal.removeprefix("dealer "),
        )
    )
    assert max(Counter(f"{own} {dealer}".split()).values()) <= table.decks
    hand = dealer.split()
    finished = Finished(total(hand), len(hand), is_natural(hand))
    if any(line.dealer for line in table.wager.lines):
        assert not any(stands(sheet, hand[:length]) for length in range(2, len(hand)))
        assert stands(sheet, hand)
    line = table.wager.final_line(cards(f"{own} {dealer}"), finished)
    return None if line is None else table.written[table.wager.lines.index(line)]


def stands(sheet: RuleSheet, hand: list[str]) -> bool:
    if total(hand) in sheet.dealer.ends_on:
        return True
    return total(hand) > 17 or (total(hand) == 17 and not (is_soft(hand) and sheet.dealer.soft_17 == "hit"))


@pytest.mark.parametrize("game", one_in(4, SHEETS), ids=lambda game: Path(game).stem)
def test_examples_of_every_shipped_line_are_true(game: str | Path) -> None:
    """The first pays the line, the second does not; the dealer's hands follow the rules."""
    sheet = rules(game)
    readings = iter(line_readings(sheet))
    for wager in sheet.wager:
        for table in pay_tables(sheet, wager):
            for number, words in enumerate(table.words):
                reading = next(readings)
                assert (reading.wager, reading.line) == (wager.name, words)
                assert paid(table.tables.sheet, table, reading.pays) == number
                assert paid(table.tables.sheet, table, reading.misses) != number
                assert reading.why
    assert next(readings, None) is None


@pytest.mark.parametrize("game", one_in(4, SHEETS), ids=lambda game: Path(game).stem)
def test_a_miss_is_close(game: str | Path) -> None:
    """One card differs, or the dealer's hand ends differently."""
    for reading in line_readings(rules(game)):
        pays, misses = reading.pays.partition(" v "), reading.misses.partition(" v ")
        own = Counter(pays[0].split()) - Counter(misses[0].split())
        assert own.total() <= 1 or reading.pays.startswith("dealer")
        assert own.total() == 0 or pays[2] == misses[2]


def test_a_misread_line_shows() -> None:
    """A pair over three cards includes three of a kind, and the reading says so."""
    (reading,) = of('on = "two cards and upcard"\nlines = [{ hand = "pair", pays = "2 to 1" }]')
    assert reading.means == "your first two cards and the upcard: at least two cards of one rank"
    assert reading.terms == "pays 2 to 1"


def test_the_words_of_a_line_with_everything() -> None:
    """Cards, the dealer's hand, the upcard, and odds for each."""
    (reading,) = of('upcard = "2-7"\nlines = [{ hand = "suited 20", dealer = "busts", pays = { 2-3 = "9 to 1" } }]')
    assert reading.means == (
        "your first two cards: all of one suit, and a total of 20, hard or soft; the dealer busts; with 2, 3 up"
    )
    assert reading.terms == "pays by upcard"


def test_suited_ranks_miss_by_a_suit() -> None:
    """The message names the line that pays instead."""
    words = '[{ hand = "suited 3 and 8", pays = "9 to 1" }, { hand = "hard 9-11", name = "low", pays = "2 to 1" }]'
    first, second = of(f"lines = {words}")
    assert (first.pays, first.misses, first.why) == ("3s 8s", "3s 8h", "not 'suited': 'low' pays")
    assert second.why in ("not 'hard 9-11': nothing is paid", "'suited 3 and 8' is above it and pays first")


def test_a_line_that_never_pays_has_no_example() -> None:
    """The warning says why."""
    readings = of('lines = [{ hand = "pair", pays = "9 to 1" }, { hand = "suited pair", pays = "2 to 1" }]')
    assert [bool(reading.pays) for reading in readings] == [True, False]
    assert (readings[1].misses, readings[1].why) == ("", "")


def test_a_line_that_always_pays_has_no_miss() -> None:
    """Any cards, and nothing above it."""
    (reading,) = of('lines = [{ hand = "any", pays = "1 to 100" }]')
    assert reading.pays
    assert reading.misses == ""


def test_the_rest_misses_what_stands_above_it() -> None:
    """A pair misses "any other hand"."""
    _, rest = of('lines = [{ hand = "pair", pays = "9 to 1" }, { hand = "any", pays = "1 to 100" }]')
    assert rest.why == "'pair' is above it and pays first"


def test_any_hand_misses_with_an_upcard_that_does_not_win() -> None:
    """The cards do not matter, only the upcard."""
    (reading,) = of('upcard = "2-7"\nlines = [{ hand = "any", pays = "1 to 1" }]')
    assert reading.pays.endswith("v 2h") or " v 2" in reading.pays
    assert reading.why == "not '2 to 7 up': nothing is paid"


def test_tables_and_taxes_are_named() -> None:
    """Every pay table that a house may choose, then the tax schedule."""
    tables = [reading.table for reading in line_readings(rules("upcard-luck-21"))]
    assert list(dict.fromkeys(tables)) == ["A", "B", "C", "1", "2", "6", "8", "tax"]
    tax = line_readings(rules("upcard-luck-21"))[-1]
    assert (tax.line, tax.terms, tax.why) == ("20", "tax $1", "not '20': no tax is due")


def test_no_example_has_a_natural_after_the_check() -> None:
    """Neither example shows a hand that would not be asked."""
    words = (
        'placed = "after the check"\nlines = [{ dealer = "21", pays = "9 to 1" }, { dealer = "17-20", pays = "push" }]'
    )
    for reading in of(words):
        for deal in (reading.pays, reading.misses):
            assert not is_natural(deal.removeprefix("dealer ").split())
