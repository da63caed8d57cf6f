"""`check` accepts or refuses a sheet and prints how it was interpreted; `schema` prints the keys of a sheet."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import holecard
from holecard.kernels import cache
from tests.cli.shell import Shell, flat, read_json
from tests.selection import quick_where

# check and schema


@pytest.fixture
def warm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is printed about compiling."""
    monkeypatch.setattr(cache, "is_warm", lambda _: True)


#: A rarer line that pays less, or a wager that keeps more than a quarter, by game.
AS_PRINTED = {
    "match-up": ["Match Up: '2 unsuited matches'", "3 Card Bonus: the house keeps 37.48%"],
    "face-up": ["2-Card Bonus: 'pair of aces'", "2-Card Bonus: 'suited natural'"],
}


@pytest.mark.usefixtures("warm")
@pytest.mark.parametrize(
    "game", quick_where(holecard.games(), lambda game: game not in ("quick-pay", "upcard-luck-21"))
)
def test_check_accepts_every_shipped_sheet(shell: Shell, game: str) -> None:
    """Warnings are about pay tables that are as printed, or as designed for a missing one, and refuse nothing."""
    ran = shell("check", game)
    assert ran.code == 0
    assert "is accepted" in ran.out
    assert {line.partition(" pays ")[0].partition(" of the ")[0] for line in ran.err.splitlines()} == {
        f"warning: {what}" for what in AS_PRINTED.get(game, ())
    }


def test_check_warns_of_a_better_hand_that_gets_less(shell: Shell) -> None:
    """The sheet can be dealt, but this is probably a mistake."""
    ran = shell("check", "classic", "--set", "settle.natural=1 to 2")
    assert ran.code == 0
    assert "warning: settle.natural: a natural pays 1 to 2, less than any other 21, which pays 1 to 1" in ran.err


def test_check_names_word_line_and_suggestion(shell: Shell, tmp_path: Path) -> None:
    """All problems of a broken sheet at once."""
    sheet = tmp_path / "mine.toml"
    sheet.write_text('name = "Mine"\nextends = "classic"\n\n[dealer]\nsoft17 = "hit"\n\n[settle]\nties = "psh"\n')
    ran = shell("check", str(sheet))
    assert ran.code == 2
    assert ran.out == ""
    assert "line 5, dealer.soft17: unknown key; did you mean 'soft_17'?" in ran.err
    assert "line 8, settle.ties: 'psh' is not valid; did you mean 'push'?" in ran.err


def test_check_as_json_tells_a_program_the_same(shell: Shell, tmp_path: Path) -> None:
    """A refused sheet gives a list of problems, and the exit code is still 2."""
    sheet = tmp_path / "mine.toml"
    sheet.write_text('name = "Mine"\n[shoe]\ndekcs = 4\n')
    ran = shell("check", str(sheet), "--json")
    assert ran.code == 2
    data = json.loads(ran.out)
    assert data["accepted"] is False
    assert data["problems"] == [{"where": "shoe.dekcs", "line": 3, "what": "unknown key; did you mean 'decks'?"}]


def test_check_warns_of_a_line_that_can_never_pay(shell: Shell, tmp_path: Path) -> None:
    """A warning, not a refusal."""
    sheet = tmp_path / "mine.toml"
    lines = '[{ hand = "pair", pays = "5 to 1" }, { hand = "suited pair", pays = "20 to 1" }]'
    sheet.write_text(f'name = "Mine"\nextends = "classic"\n[[wager]]\nname = "Pairs"\nlines = {lines}\n')
    ran = shell("check", str(sheet))
    assert ran.code == 0
    assert "warning" in ran.err
    assert "Pairs" in ran.err


SUNDAY = """name = "Sunday"
extends = "classic"
[[wager]]
name  = "Royal Pair"
lines = [
  { hand = "suited K and Q", pays = "30 to 1" },
  { hand = "suited pair",    pays = "20 to 1" },
  { hand = "pair",           pays = "10 to 1" },
]
"""


def test_check_prints_what_every_line_was_read_as(shell: Shell, tmp_path: Path) -> None:
    """With a hand that pays and a hand that just misses."""
    sheet = tmp_path / "mine.toml"
    sheet.write_text(SUNDAY)
    ran = shell("check", str(sheet))
    assert flat(
        "suited K and Q: pays 30 to 1 read as your first two cards: all of one suit, and exactly the ranks Q K "
        "fits Qs Ks misses Qs Kh (not 'suited': nothing is paid)"
    ) in flat(ran.out)


def test_check_prints_tables_with_the_same_reading_once(shell: Shell) -> None:
    """Tables that differ only in their odds."""
    out = shell("check", "upcard-luck-21").out
    assert "Upcard Luck, table B: the lines of table A, read alike" in out
    assert out.count("suited hard 11: pays") == 1
    assert out.count("suited hard 11: tax $5") == 1


@pytest.mark.usefixtures("warm")
def test_check_warns_of_a_wager_that_favors_the_player(shell: Shell, tmp_path: Path) -> None:
    """A warning, not a refusal: a house may intend it."""
    sheet = tmp_path / "mine.toml"
    sheet.write_text(SUNDAY)
    ran = shell("check", str(sheet))
    assert (ran.code, ran.err) == (0, "warning: Royal Pair favors the player: house edge -6.6287%\n")
    assert shell("check", str(sheet), "--set", "decks=2").err == ""


def test_check_as_json_has_readings_and_favors(shell: Shell, tmp_path: Path) -> None:
    """The same information as data."""
    sheet = tmp_path / "mine.toml"
    sheet.write_text(SUNDAY)
    data = read_json(shell("check", str(sheet), "--json"))
    head = ["version", "sheet", "game", "name", "accepted"]
    assert list(data) == [*head, "warnings", "readings", "favors_player"]
    assert data["warnings"] == [entry["text"] for entry in data["favors_player"]]
    assert data["readings"][0] == {
        "wager": "Royal Pair",
        "table": "",
        "line": "suited K and Q",
        "terms": "pays 30 to 1",
        "means": "your first two cards: all of one suit, and exactly the ranks Q K",
        "pays": "Qs Ks",
        "misses": "Qs Kh",
        "why": "not 'suited': nothing is paid",
        "printed": True,
    }


@pytest.mark.usefixtures("warm")
def test_check_of_a_sheet_without_side_wagers_loads_no_numba() -> None:
    """It has nothing to compute."""
    code = "import sys; from holecard.cli import main; sys.argv = ['holecard', 'check', 'classic']\n"
    code += "try: main()\nexcept SystemExit: pass\nprint('numba' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "False"


def test_broken_toml_is_refused(shell: Shell, tmp_path: Path) -> None:
    """The message names the position where the parser stopped."""
    sheet = tmp_path / "mine.toml"
    sheet.write_text('name = "Mine\n')
    ran = shell("check", str(sheet))
    assert ran.code == 2
    assert "this is not TOML" in ran.err
    assert "line 1" in ran.err


def test_schema_is_a_json_schema_that_knows_the_words(shell: Shell) -> None:
    """An editor can use it for completion and validation."""
    data = read_json(shell("schema"))
    assert data["$schema"].startswith("https://json-schema.org/")
    assert set(data["required"]) == {"name"}
    assert data["additionalProperties"] is False
    assert data["$defs"]["DealerRules"]["properties"]["soft_17"]["enum"] == ["hit", "stand"]


def test_check_marks_house_tables(shell: Shell) -> None:
    """In words for people, as `printed` for programs."""
    assert shell("check", "face-up").out.count("House table, not printed on the sheet.") == 2
    readings = read_json(shell("check", "face-up", "--json"))["readings"]
    assert {reading["printed"] for reading in readings} == {False}
    assert all(reading["printed"] for reading in read_json(shell("check", "match-up", "--json"))["readings"])
