"""What a sheet inherits from the one it extends: sections key by key, side wagers by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from holecard.errors import SheetError
from holecard.sheets.files.toml_writer import sheet_data, toml_sections
from holecard.sheets.read import from_data, read_sheet, rules
from holecard.sheets.schema import RuleSheet

HEAD = 'name = "Mine"\nextends = "{}"\n'
PAIRS = '[[wager]]\nname = "Pairs"\nlines = [{ hand = "pair", pays = "11 to 1" }]\n'


def child(words: str, of: str = "double-up") -> RuleSheet:
    return read_sheet(HEAD.format(of) + words)


def names(sheet: RuleSheet) -> list[str]:
    return [wager.name for wager in sheet.wager]


def problems(words: str, of: str = "double-up") -> list[tuple[str, str, int | None]]:
    with pytest.raises(SheetError) as refused:
        child(words, of)
    return [(found.where, found.what, found.line) for found in refused.value.problems]


# Adding, changing, leaving out


def test_a_wager_is_added_to_those_of_the_extended_sheet() -> None:
    """It comes after them."""
    sheet = child(PAIRS)
    assert names(sheet) == ["Bonus 16", "Pairs"]
    assert sheet.wager[0] == rules("double-up").wager[0]


def test_a_wager_of_the_same_name_is_changed_key_by_key() -> None:
    """Its position, its limits and its pay table stay unless they are given."""
    sheet = child('[[wager]]\nname = "Hedge 19"\nmax = "$25"\n', of="quick-pay")
    before = rules("quick-pay")
    assert names(sheet) == names(before)
    assert sheet.wager[1].max == "$25"
    assert sheet.wager[1].model_copy(update={"max": before.wager[1].max}) == before.wager[1]


def test_a_name_is_found_however_it_is_capitalized() -> None:
    """The new spelling is used."""
    assert names(child('[[wager]]\nname = "BONUS 16"\nmax = "$25"\n')) == ["BONUS 16"]


def test_a_new_pay_table_replaces_the_old_one_whole() -> None:
    """One line replaces six."""
    (wager,) = child('[[wager]]\nname = "Bonus 16"\nlines = [{ dealer = "16", pays = "9 to 1" }]\n').wager
    assert [line.title for line in wager.lines] == ["dealer 16"]


def test_lines_take_the_place_of_tables() -> None:
    """The other keys of the wager stay."""
    words = '[[wager]]\nname = "Upcard Luck"\nlines = [{ hand = "natural", pays = "9 to 1" }]\n'
    luck = child(words, of="upcard-luck-21").wager[0]
    assert (dict(luck.tables), luck.table, len(luck.lines), luck.upcard) == ({}, "", 1, "2-7")


@pytest.mark.parametrize(
    ("words", "mark"),
    [("", "house"), ('table_from = "printed"\n', "printed"), ('table_from = "house"\n', "house")],
)
def test_new_lines_of_a_house_table_are_a_house_table_unless_the_sheet_says_otherwise(words: str, mark: str) -> None:
    """The mark does not vanish by itself."""
    lines = 'lines = [{ hand = "natural", pays = "9 to 1" }]\n'
    sheet = child(f'[[wager]]\nname = "2-Card Bonus"\n{words}{lines}', of="face-up")
    assert sheet.wager[0].table_from == mark
    assert sheet.tables.wagers[0].printed == (mark == "printed")


def test_one_of_several_tables_can_be_replaced() -> None:
    """The others stay."""
    words = '[[wager]]\nname = "Upcard Luck"\n[wager.tables]\nB = [{ hand = "natural", pays = "9 to 1" }]\n'
    luck = child(words, of="upcard-luck-21").wager[0]
    assert [len(luck.tables[name]) for name in "ABC"] == [6, 1, 6]


def test_wagers_are_left_out_by_name() -> None:
    """One, several, or all of them."""
    assert names(child('without = ["Hedge 18", "hedge 20"]\n', of="quick-pay")) == ["Hedge 19", "Hedge 21"]
    assert names(child('without = "all"\n', of="quick-pay")) == []
    assert names(child(f'without = "all"\n{PAIRS}', of="quick-pay")) == ["Pairs"]


def test_a_wager_left_out_and_written_again_is_new() -> None:
    """Nothing of the old one is inherited, and it comes last."""
    words = 'without = ["Upcard Luck"]\n[[wager]]\nname = "Upcard Luck"\nlines = [{ hand = "pair", pays = "9 to 1" }]\n'
    sheet = child(words, of="upcard-luck-21")
    assert names(sheet) == ["Taxpayer's Fortune", "Upcard Luck"]
    assert (sheet.wager[1].upcard, sheet.wager[1].max) == ("any", "$100")


def test_a_grandchild_takes_over_what_its_parents_made(tmp_path: Path) -> None:
    """What a parent left out stays out; its own `without` is not inherited."""
    (tmp_path / "parent.toml").write_text(HEAD.format("quick-pay") + f'without = ["Hedge 18"]\n{PAIRS}')
    (tmp_path / "mine.toml").write_text(HEAD.format("parent.toml") + '[[wager]]\nname = "Pairs"\nmax = "$7"\n')
    sheet = rules(tmp_path / "mine.toml")
    assert names(sheet) == ["Hedge 19", "Hedge 20", "Hedge 21", "Pairs"]
    assert sheet.wager[-1].max == "$7"
    assert sheet.without == ()


def test_a_sheet_without_wagers_takes_over_all() -> None:
    """As before; and the classic game has none to add to."""
    assert child("").wager == rules("double-up").wager
    assert names(child(PAIRS, of="classic")) == ["Pairs"]


def test_a_sheet_that_leaves_wagers_out_can_be_written_down() -> None:
    """As plain data it extends nothing, and reads back as the same game."""
    sheet = child(f'without = ["Hedge 18"]\n{PAIRS}', of="quick-pay")
    data = sheet_data(sheet)
    assert "without" not in data
    assert from_data(data, "copy").wager == sheet.wager
    assert read_sheet(toml_sections(data)).wager == sheet.wager
    assert rules(sheet, decks=2).wager == sheet.wager


# Refusals, on their lines


def test_leaving_out_what_is_not_there_is_refused() -> None:
    """The message suggests the nearest name."""
    assert problems('without = ["Bonus 61"]') == [
        ("without", "the extended sheet has no wager named 'Bonus 61'; did you mean 'Bonus 16'?", 3)
    ]
    ((_, what, line),) = problems('without = ["Pairs"]', of="classic")
    assert (what, line) == ("the extended sheet has no wager named 'Pairs'; it has no side wagers", 3)
    ((where, _, line),) = problems("without = 3")
    assert (where, line) == ("without", 3)


def test_a_sheet_that_extends_nothing_has_nothing_to_leave_out() -> None:
    """The key would do nothing."""
    with pytest.raises(SheetError, match="line 2, without: this sheet does not extend another one"):
        read_sheet('name = "Mine"\nwithout = "all"\n')


def test_without_is_not_a_setting() -> None:
    """The same holds for `extends`."""
    with pytest.raises(SheetError, match="cannot be changed by a setting"):
        rules("double-up", without="all")


def test_an_error_in_an_added_wager_has_the_right_line() -> None:
    """It is the fifth wager of the game and the first of the text."""
    lines = '  { hand = "pair", pays = "11 to 1" },\n  { hand = "pear", pays = "2 to 1" },\n'
    words = f'[[wager]]\nname = "Pairs"\nlines = [\n{lines}]\n'
    ((where, _, line),) = problems(words, of="quick-pay")
    assert (where, line) == ("wager.4.lines.1.hand", 7)


def test_an_error_in_a_changed_wager_has_the_right_line() -> None:
    """It is the third wager of the game and the second of the text."""
    words = f'{PAIRS}[[wager]]\nname = "Hedge 20"\nmin = "$200"\n'
    ((where, _, line),) = problems(words, of="quick-pay")
    assert (where, line) == ("wager.2.max", 6)
    ((where, _, line),) = problems(f'{PAIRS}[[wager]]\nname = "Hedge 20"\nmxa = "$200"\n', of="quick-pay")
    assert (where, line) == ("wager.2.mxa", 8)


def test_a_wager_taken_over_has_no_line() -> None:
    """An error in it is an error of the game, not of a line of this text."""
    words = f"[shoe]\ndecks = 5\n{PAIRS}"
    ((where, what, line),) = problems(words, of="upcard-luck-21")
    assert (where, line) == ("wager.1.tables", None)
    assert "not for 5" in what


def test_leaving_out_a_wager_that_another_needs_is_refused() -> None:
    """The Fortune needs an Upcard Luck wager."""
    ((where, what, line),) = problems('without = ["Upcard Luck"]', of="upcard-luck-21")
    assert (where, line) == ("wager.0.needs", None)
    assert "no other side wager named 'Upcard Luck'" in what


def test_a_name_given_twice_in_one_text_is_refused() -> None:
    """Whether or not the extended sheet has it; the message points to the second."""
    ((where, what, line),) = problems(PAIRS + PAIRS, of="quick-pay")
    assert (where, line) == ("wager.5.name", 7)
    assert "two wagers have the name 'Pairs'" in what
    twice = '[[wager]]\nname = "Hedge 18"\nmax = "$7"\n' + PAIRS.replace("Pairs", "Hedge 18")
    ((where, _, line),) = problems(twice, of="quick-pay")
    assert (where, line) == ("wager.4.name", 7)


@pytest.mark.parametrize("wager", ["3", "[3]", '"none"'])
def test_a_value_that_is_not_a_list_of_wagers_is_refused(wager: str) -> None:
    """Also where the extended sheet has one."""
    with pytest.raises(SheetError, match="line 3, wager"):
        child(f"wager = {wager}")
