"""A game's description when settings change it."""

from __future__ import annotations

from pathlib import Path

import pytest

from holecard.sheets.catalog import games
from holecard.sheets.descriptions.describe import describe
from holecard.sheets.override import setting_value
from holecard.sheets.read import rules


def test_the_opening_sentence_lists_the_settings_in_force() -> None:
    """The sheet's own sentence, six decks and 3 to 2, would be wrong."""
    described = describe(rules("classic", {"decks": 8, "settle.natural": "6 to 5"}))
    assert described.about == "Changed settings: shoe.decks = 8, settle.natural = 6 to 5."


def test_settings_are_written_as_in_a_sheet() -> None:
    """Sheets write true and false, Python True and False."""
    assert describe("classic", {"double_after_split": False}).about.endswith("double_after_split = false.")


def test_ties_are_described_in_one_sentence() -> None:
    def sentence(**settings: str) -> str:
        lines = [line for section in describe("classic", settings).sections for line in section.sentences]
        return next(line for line in lines if "ties" in line)

    assert sentence() == "Two naturals push, and so do other ties."
    assert sentence(ties="lose") == "The player pushes if both have a natural, and loses all other ties."
    assert describe(rules("classic")).about == rules("classic").about
    assert describe(rules("classic", decks=8, about="Eight decks.")).about == "Eight decks."
    assert describe("classic", {"settle.natural": "6 to 5"}, decks=8) == describe(
        rules("classic", {"settle.natural": "6 to 5"}, decks=8)
    )


@pytest.mark.parametrize("game", games())
def test_rulings_describe_the_sheet_without_the_settings(game: str) -> None:
    """The text of a ruling does not consider settings other than its switch."""
    assert describe(rules(game)).rulings_heading == "How the sheet is read"
    heading = describe(rules(game, decks=2) if game != "upcard-luck-21" else rules(game, seats=2)).rulings_heading
    assert heading == "How the sheet is read without the settings above"


def test_a_ruling_is_read_otherwise_only_where_its_setting_changes_the_sheet() -> None:
    """A setting equal to the sheet's own value does not choose another reading."""
    same, other = (describe(rules("face-up", {"dealer.soft_17": word})).rulings for word in ("hit", "stand"))
    assert not any(ruling.changed for ruling in same)
    assert [ruling.changed for ruling in other if ruling.changed] == ["dealer.soft_17 = stand"]


def test_a_setting_in_a_section_counts_like_one_by_its_path() -> None:
    by_section = rules("face-up", {"dealer": {"soft_17": "stand"}})
    assert by_section.origin == rules("face-up", {"dealer.soft_17": "stand"}).origin
    assert any(ruling.changed for ruling in describe(by_section).rulings)


def test_a_sheet_that_was_a_file_is_described_without_it(tmp_path: Path) -> None:
    """It is no longer known whether the setting changes the sheet, so it counts as a change."""
    file = tmp_path / "mine.toml"
    ruling = '[[ruling]]\non = "Decks"\nreading = "Six."\nswitch = "shoe.decks=8"'
    file.write_text(f'name = "Mine"\nextends = "classic"\n{ruling}', encoding="utf-8")
    same, other = rules(file, decks=6), rules(file, decks=8)
    assert [describe(sheet).rulings[0].changed for sheet in (same, other)] == ["", "shoe.decks = 8"]
    file.unlink()
    assert describe(other).rulings[0].changed == "shoe.decks = 8"


def test_the_value_of_a_setting_is_found_by_its_path() -> None:
    sheet = rules("quick-pay")
    assert setting_value(sheet, "decks") == 6
    assert setting_value(sheet, "main.companion.name") == "Surrender or Play"
    assert setting_value(sheet, "settle.when_dealer_has.17") == "push"
    assert setting_value(sheet, "wager.hedge 18.min") == sheet.wager[0].min
    assert setting_value(sheet, "wager.0.name") == "Hedge 18"
    assert setting_value(sheet, "wager.Nothing.min") is None
    assert setting_value(sheet, "shoe.nothing") is None


def test_a_late_wager_says_with_which_upcards_it_is_offered() -> None:
    """A wager placed before the deal loses at once with other upcards; one placed later is not offered."""
    lines = [{"dealer": "busts", "pays": {"2-6": "2 to 1"}}]
    late = {"name": "Late", "placed": "after the check", "lines": lines}
    early = {"name": "Early", "upcard": "2-6", "lines": [{"dealer": "busts", "pays": "2 to 1"}]}
    text = " ".join(str(rules("classic", {"wager": [late, early]})).split())
    assert "Offered only with 2 to 6 up." in text
    assert "Wins only with 2 to 6 up; with any other upcard it loses at once." in text
