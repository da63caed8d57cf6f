"""Settings laid over a sheet: by key, by path or by a wager's name; wrong ones are named as they were written."""

from __future__ import annotations

from pathlib import Path

import pytest

from holecard.errors import SheetError
from holecard.sheets.override import parse_setting
from holecard.sheets.read import read_sheet, rules
from holecard.sheets.sections import Companion


def test_a_word_that_one_section_has_needs_no_path() -> None:
    """Only the shoe has the key `decks`."""
    assert rules("classic", decks=8).shoe.decks == 8
    assert rules("classic", {"soft_17": "stand"}).dealer.soft_17 == "stand"


def test_a_path_sets_a_word_in_its_section() -> None:
    """Also in a section within a section."""
    assert rules("classic", {"settle.natural": "6 to 5"}).settle.natural == "6 to 5"
    companion = rules("quick-pay", {"main.companion.natural": "1 to 1"}).main.companion
    assert companion
    assert companion.natural == "1 to 1"


def test_a_wager_is_set_by_its_name() -> None:
    """In any capitalization; an unknown wager is refused with the nearest name."""
    assert rules("double-up", {"wager.bonus 16.max": "$50"}).wager[0].max == "$50"
    with pytest.raises(
        SheetError, match=r"wager\.Bonus 61: there is no side wager with this name; did you mean 'Bonus 16'"
    ):
        rules("double-up", {"wager.Bonus 61.max": "$50"})
    with pytest.raises(SheetError, match="which of its keys"):
        rules("double-up", {"wager.Bonus 16": "$50"})
    with pytest.raises(SheetError, match="there is no side wager with this name; this game has no side wagers"):
        rules("classic", {"wager.Bonus 16.max": "$50"})


def test_a_word_of_several_sections_is_refused_with_its_paths() -> None:
    """`surrender` is a key of the player's choices and of the settlement."""
    with pytest.raises(SheetError, match=r"player\.surrender or settle\.surrender"):
        rules("classic", surrender="late")


def test_an_unknown_word_is_refused_with_the_nearest() -> None:
    """Alone, with a path, or with nothing similar."""
    with pytest.raises(SheetError, match="did you mean 'decks'"):
        rules("classic", deks=8)
    with pytest.raises(SheetError, match="did you mean 'decks'"):
        rules("classic", {"shoe.deks": 8})
    with pytest.raises(SheetError, match="holecard schema"):
        rules("classic", xyzzy=8)


def test_a_single_word_has_nothing_inside() -> None:
    """A path below a single value is refused."""
    with pytest.raises(SheetError, match="single value"):
        rules("classic", {"name.first": "x"})


def test_settings_with_a_table_keep_it_as_it_was_given() -> None:
    """Neither the caller's table, nor the sheet made from it, changes with the other."""
    companion = {"name": "Second"}
    settings: dict[str, object] = {"main.companion": companion, "main.companion.surrender": "push"}
    first = rules("classic", {"main.companion": companion})
    second = rules("classic", settings)
    assert companion == {"name": "Second"}
    assert second.origin == ("classic", settings)
    companion["surrender"] = "push"
    assert first.origin == ("classic", {"main.companion": {"name": "Second"}})
    assert first.written.settings == (("main.companion", {"name": "Second"}),)


def test_settings_do_not_change_the_sheet_they_are_laid_over() -> None:
    """The built-in sheet is unchanged, and several changes accumulate."""
    changed = rules(rules("classic", decks=8), soft_17="stand")
    assert (changed.shoe.decks, changed.dealer.soft_17) == (8, "stand")
    assert (rules("classic").shoe.decks, rules("classic").dealer.soft_17) == (6, "hit")
    assert changed.origin == ("classic", {"shoe.decks": 8, "dealer.soft_17": "stand"})


def test_a_setting_that_a_later_one_replaces_is_not_listed() -> None:
    """Neither one of the same key, nor one inside a table that is set as a whole."""
    earlier = rules("classic", {"main.companion": {"name": "Second"}, "main.companion.surrender": "push", "decks": 8})
    changed = rules(earlier, {"main.companion": {"name": "Third"}}, decks=2)
    assert changed.origin == ("classic", {"main.companion": {"name": "Third"}, "shoe.decks": 2})
    assert (changed.main.companion, changed.shoe.decks) == (Companion(name="Third"), 2)


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("decks=8", "decks", 8),
        ("settle.natural=6 to 5", "settle.natural", "6 to 5"),
        ("settle.natural='6 to 5'", "settle.natural", "6 to 5"),
        ("double_after_split=false", "double_after_split", False),
        ("ends_on=[16]", "ends_on", [16]),
        ("main.min=$5", "main.min", "$5"),
    ],
)
def test_a_setting_is_toml_where_it_reads_as_toml(text: str, path: str, value: object) -> None:
    """Otherwise it is plain text."""
    assert parse_setting(text) == (path, value)


@pytest.mark.parametrize("text", ["decks", "=8", ""])
def test_a_setting_without_a_word_or_value_is_refused(text: str) -> None:
    """The message says how to write one."""
    with pytest.raises(SheetError, match="write a setting and its value"):
        parse_setting(text)


PAIRS = """name = "Mine"
extends = "classic"
[shoe]
decks = 6
[insurance]
pays = "2 to 1"
[[wager]]
name = "Pairs"
max = "$5"
lines = [{ hand = "pair", pays = "5 to 1" }]
"""


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"decks": 0}, "decks: 0 is not valid; it must be at least 1"),
        ({"shoe.decks": 0}, "shoe.decks: 0 is not valid; it must be at least 1"),
        ({"shoe": {"decks": 0}}, "shoe.decks: 0 is not valid; it must be at least 1"),
        ({"wager.pairs.max": "oops"}, "wager.pairs.max: 'oops' is not an amount of money"),
        ({"wager.0.max": "$0"}, "wager.0.max: the largest wager, $0, is less than the smallest, $1"),
        ({"wager.Pairs.needs": "Foo"}, "wager.Pairs.needs: there is no other side wager named 'Foo'"),
        ({"wager.Pairs.lines.0.hand": "14+"}, "wager.Pairs.lines.0.hand: '14+' is not written like this"),
        ({"hole_card": "face up"}, "insurance.pays: there is nothing to insure against if the hole card is face up"),
    ],
)
def test_a_wrong_setting_is_named_as_it_was_written(tmp_path: Path, settings: dict[str, object], says: str) -> None:
    """No line of the file is wrong, so that none is named."""
    file = tmp_path / "mine.toml"
    file.write_text(PAIRS)
    with pytest.raises(SheetError) as refused:
        rules(file, settings)
    (problem,) = refused.value.problems
    assert str(problem).startswith(says)
    assert problem.line is None


def test_a_contradiction_of_a_setting_with_the_file_names_the_setting(tmp_path: Path) -> None:
    """The problem has another key than the setting."""
    file = tmp_path / "mine.toml"
    file.write_text(PAIRS)
    with pytest.raises(SheetError, match=r"write pays = 'none' \(with hole_card as set\)"):
        rules(file, {"hole_card": "face up"})


def test_problems_of_the_file_keep_their_lines_next_to_those_of_settings(tmp_path: Path) -> None:
    """Those of the file come first."""
    file = tmp_path / "mine.toml"
    file.write_text(PAIRS.replace('"pair"', '"14+"'))
    with pytest.raises(SheetError) as refused:
        rules(file, {"decks": 0})
    assert [(found.line, found.where) for found in refused.value.problems] == [
        (10, "wager.0.lines.0.hand"),
        (None, "decks"),
    ]


def test_a_pay_line_is_set_by_its_number() -> None:
    """Any field can be replaced, also the odds of one line."""
    lines = rules("double-up", {"wager.Bonus 16.lines.0.pays": "7 to 1"}).wager[0].lines
    assert [line.pays for line in lines[:2]] == ["7 to 1", "100 to 1"]
    with pytest.raises(SheetError, match=r"lines\.9: there is no entry with this number; its entries are 0 to 5"):
        rules("double-up", {"wager.Bonus 16.lines.9.pays": "7 to 1"})


def test_words_of_a_section_may_be_set_together() -> None:
    """The other keys of the section stay."""
    sheet = rules("classic", {"shoe": {"decks": 8}, "settle": {"ties": "lose"}})
    assert (sheet.shoe.decks, sheet.shoe.burn, sheet.settle.ties, sheet.settle.natural) == (8, 1, "lose", "3 to 2")


def test_a_wagers_name_may_hold_dots() -> None:
    """The longest prefix of the path that is a name counts."""
    sheet = read_sheet('name = "T"\n[[wager]]\nname = "No. 1"\nlines = [{ hand = "pair", pays = "5 to 1" }]')
    assert rules(sheet, {"wager.No. 1.max": "$7"}).wager[0].max == "$7"


def test_extends_is_not_a_setting() -> None:
    """It would have no effect as a setting."""
    with pytest.raises(SheetError, match="cannot be changed by a setting"):
        rules("double-up", extends="face-up")


def test_a_setting_that_cannot_be_has_no_line_in_the_file() -> None:
    """The error is not in the sheet."""
    with pytest.raises(SheetError) as refused:
        rules("double-up", decks="six")
    assert refused.value.problems[0].line is None


def test_all_wrong_settings_are_reported_at_once(tmp_path: Path) -> None:
    """Those that name nothing, those with wrong values, and the mistakes of the file itself."""
    file = tmp_path / "mine.toml"
    file.write_text('extends = "classic"\nname = "Mine"\n\n[settle]\nties = "draw"\n', encoding="utf-8")
    settings = {"H17": "maybe", "nothing": 1, "decks": 0, "wager.Pairs.max": "$5"}
    with pytest.raises(SheetError) as refused:
        rules(file, settings)
    assert [(problem.line, problem.where) for problem in refused.value.problems] == [
        (5, "settle.ties"),
        (None, "H17"),
        (None, "nothing"),
        (None, "wager.Pairs"),
        (None, "decks"),
    ]


def test_a_contradiction_waits_for_a_setting_that_names_nothing() -> None:
    """The other setting may be what resolves it."""
    with pytest.raises(SheetError) as refused:
        rules("classic", {"main.min": "$600", "main.maximum": "$900"})
    assert [problem.where for problem in refused.value.problems] == ["main.maximum"]


def test_a_setting_that_renames_an_entry_keeps_the_name_it_was_written_with() -> None:
    with pytest.raises(SheetError, match=r"  wager\.Match Up\.name: 3 is not valid"):
        rules("match-up", {"wager.Match Up.name": 3})
