"""Names people type: games by title, examples, and the abbreviations of rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from holecard.errors import SheetError
from holecard.sheets.abbreviations import ABBREVIATIONS
from holecard.sheets.catalog import games, titles
from holecard.sheets.override import parse_setting
from holecard.sheets.read import read_sheet, rules

# Games


def test_examples_are_found_by_name_and_listed_on_request_only() -> None:
    assert "european" not in games()
    assert games(examples=True) == tuple(titles())
    assert rules("european").dealer.hole_card == "none"
    assert rules("european").origin == ("european", {})


@pytest.mark.parametrize("name", games(examples=True))
def test_a_game_is_found_by_its_title_in_any_spelling(name: str) -> None:
    title = rules(name).name
    for typed in (name.upper(), name.title(), title, title.lower(), title.replace("-", " "), f" {title} "):
        assert rules(typed) is rules(name), typed
    assert rules(title, decks=8).origin == (name, {"shoe.decks": 8})


def test_titles_and_names_are_unique() -> None:
    """No two games share a name or a title."""
    assert len({rules(name).name.lower() for name in games(examples=True)}) == len(games(examples=True))


def test_a_file_counts_for_more_than_a_title(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "Classic").write_text('name = "My own"', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert rules("Classic").name == "My own"
    assert rules("classic").name != "My own"


def test_a_sheet_can_extend_an_example() -> None:
    sheet = read_sheet('name = "Mine"\nextends = "european"\n[shoe]\ndecks = 2')
    assert (sheet.dealer.hole_card, sheet.shoe.decks) == ("none", 2)


def test_a_misspelled_example_is_suggested() -> None:
    with pytest.raises(SheetError, match="did you mean 'european'"):
        rules("europaen")


# Abbreviations


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("H17", "dealer.soft_17", "hit"),
        ("h17", "dealer.soft_17", "hit"),
        ("H17=false", "dealer.soft_17", "stand"),
        ("S17", "dealer.soft_17", "stand"),
        ("DAS", "player.double_after_split", True),
        ("DAS=false", "player.double_after_split", False),
        ("NDAS", "player.double_after_split", False),
        ("RSA", "player.split_aces", "again"),
        ("NRSA", "player.split_aces", "once"),
        ("LS", "player.surrender", "late"),
        ("ES", "player.surrender", "early"),
        ("LS=false", "player.surrender", "none"),
        ("ENHC", "dealer.hole_card", "none"),
        ("ENHC=false", "dealer.hole_card", "peek"),
        ("OBO", "dealer.natural_takes", "original"),
    ],
)
def test_an_abbreviation_sets_what_players_mean_by_it(text: str, path: str, value: object) -> None:
    word, given = parse_setting(text)
    sheet = rules("classic", {word: given})
    section, key = path.split(".")
    assert getattr(getattr(sheet, section), key) == value
    assert sheet == rules("classic", {path: value})
    assert sheet.origin[1][path] == value


def test_abbreviations_are_keywords_in_python() -> None:
    sheet = rules("classic", S17=True, RSA=True, decks=2)
    assert (sheet.dealer.soft_17, sheet.player.split_aces, sheet.shoe.decks) == ("stand", "again", 2)


def test_the_last_of_two_spellings_counts() -> None:
    assert rules("classic", {"H17": True, "dealer.soft_17": "stand"}).dealer.soft_17 == "stand"
    assert rules("classic", {"dealer.soft_17": "stand", "H17": True}).dealer.soft_17 == "hit"


@pytest.mark.parametrize("name", ABBREVIATIONS)
def test_each_abbreviation_can_be_true_and_false(name: str) -> None:
    assert rules("classic", {name: True}) != rules("classic", {name: False})


def test_an_abbreviation_is_true_or_false() -> None:
    with pytest.raises(SheetError, match="H17: 'hit' is not valid; use H17=true or H17=false"):
        rules("classic", H17="hit")
    with pytest.raises(SheetError, match="did you mean 'H17'"):
        rules("classic", H18=True)
    with pytest.raises(SheetError, match="or an abbreviation such as H17"):
        parse_setting("decks")
