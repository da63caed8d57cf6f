"""The commands as seen from the shell: output, JSON, exit codes."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

import holecard
from tests.cli.shell import Shell, flat, read_json

ROUND = """
about = "A natural against a dealer who has none"
game  = "classic"
bets  = ["seat 1: $10"]
cards = "As 6d Kh 9c"
play  = []
paid  = [{ seat = 1, hand = 1, wager = "Bet", stake = "$10", net = "+$15", line = "natural: pays 3 to 2" }]
"""


# replay


def test_replay_tells_the_round_and_its_result(shell: Shell, tmp_path: Path) -> None:
    """Card by card, then each payment with its reason."""
    file = tmp_path / "round.toml"
    file.write_text(ROUND)
    ran = shell("replay", str(file))
    assert ran.code == 0
    assert "natural: pays 3 to 2" in ran.out
    assert "seat 1: +$15" in ran.out


def test_replay_as_json_lists_each_wager(shell: Shell, tmp_path: Path) -> None:
    """Stake, result and winning line, in cents."""
    file = tmp_path / "round.toml"
    file.write_text(ROUND)
    data = read_json(shell("replay", str(file), "--json"))
    assert data["wagers"] == [
        {
            "seat": 1,
            "hand": 1,
            "wager": "Bet",
            "stake": 1000,
            "net": 1500,
            "line": "natural: pays 3 to 2",
            "printed": True,
        }
    ]
    assert data["net"] == {"1": 1500}
    assert data["dealer"] == {"cards": ["6d", "9c"], "total": 15}


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ('"+$15"', '"+$20"', "the rules pay"),
        ("As 6d Kh 9c", "As 6d Kh", "the cards run out"),
        ("As 6d Kh 9c", "As 6d Kh 9c 2c", "cards are left"),
        ("As 6d Kh 9c", "As 6d Kh 9x", "not a card"),
        ("$10", "$3", "outside the limits"),
        ("play  = []", 'play  = ["seat 1: hit"]', "play is left"),
        ('"classic"', '"clasic"', "did you mean 'classic'"),
        ("about", "abuot", "did you mean 'about'"),
    ],
)
def test_an_edited_record_is_refused(shell: Shell, tmp_path: Path, before: str, after: str, says: str) -> None:
    """The message names the change."""
    assert before in ROUND
    file = tmp_path / "round.toml"
    file.write_text(ROUND.replace(before, after, 1))
    ran = shell("replay", str(file))
    assert ran.code == 2
    assert says in ran.err


def test_replay_takes_a_file_with_many_rounds(shell: Shell, tmp_path: Path) -> None:
    """One line for each; JSON and CSV have every wager; a round of another sheet is named with its table."""
    file = tmp_path / "rounds.toml"
    file.write_text("".join(_round(number) for number in (7, 8)))
    ran = shell("replay", str(file))
    assert ran.code == 0
    assert [line.split() for line in ran.out.splitlines() if line.strip().startswith("q0v")] == [
        ["q0vI", "7", "Classic", "Blackjack", "1:", "+$15"],
        ["q0vI", "8", "Classic", "Blackjack", "1:", "+$15"],
    ]
    assert "All of them replay to the cent." in ran.out
    data = read_json(shell("replay", str(file), "--json"))
    assert [(one["origin"]["number"], one["net"]) for one in data["rounds"]] == [(7, {"1": 1500}), (8, {"1": 1500})]
    assert shell("replay", str(file), "--format", "csv").out.count("natural: pays 3 to 2") == 2
    file.write_text(_round(7) + _round(8).replace(holecard.rules("classic").sha256, "0" * 64))
    ran = shell("replay", str(file))
    assert ran.code == 2
    assert "round entry 2 (table q0vI, round 8): the sheet has changed" in flat(ran.err)


def test_replay_takes_a_file_with_one_round_of_a_server(shell: Shell, tmp_path: Path) -> None:
    """Card by card, with the table that it was dealt at."""
    file = tmp_path / "rounds.toml"
    file.write_text(_round(7))
    ran = shell("replay", str(file))
    assert "Table q0vI, round 7, dealt by Holecard 0.1.0." in ran.out
    assert "natural: pays 3 to 2" in ran.out


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("number = 7", "", "round entry 1: 'number' is missing"),
        ("number = 7", "nmber = 7", "round entry 1: unknown key 'nmber'; did you mean 'number'"),
        ("1 = 'you'", "one = 'you'", "round entry 1: seats.one"),
        ("[[round]]", "about = 'x'\n[[round]]", "unknown key 'about'; every key belongs to a [[round]]"),
        ("[[round]]", "round = 3\n[other]", "write [[round]] before the keys of each round"),
        ("cards = ", "cards = 3 # ", "round entry 1: cards: 3 is not valid"),
    ],
)
def test_a_file_of_rounds_that_is_wrong_is_refused(
    shell: Shell, tmp_path: Path, before: str, after: str, says: str
) -> None:
    """The refusal names the entry and the key."""
    assert before in _round(7)
    file = tmp_path / "rounds.toml"
    file.write_text(_round(7).replace(before, after, 1))
    ran = shell("replay", str(file))
    assert ran.code == 2
    assert says in flat(ran.err)


def _round(number: int) -> str:
    head = f"[[round]]\ntable = 'q0vI'\nnumber = {number}\nat = 1793874487000\nshoe_id = '4kXJ'\nversion = '0.1.0'\n"
    return f"{head}sheet_hash = '{holecard.rules('classic').sha256}'\nseats = {{ 1 = 'you' }}\n{ROUND}\n"


# every command


@pytest.mark.parametrize("command", ["rules", "tables", "check", "play"])
def test_an_unknown_game_is_refused_with_the_nearest_one(shell: Shell, command: str) -> None:
    """Exit code 2, nothing on standard output."""
    ran = shell(command, "duble-up")
    assert ran.code == 2
    assert ran.out == ""
    assert "did you mean 'double-up'" in ran.err


@pytest.mark.parametrize("setting", ["natral=6 to 5", "settle.natural=6 for 5", "min=$3", "decks", "shoe.decks=0"])
def test_a_bad_setting_is_refused(shell: Shell, setting: str) -> None:
    """Unknown, unreadable, ambiguous, without a value, out of range."""
    ran = shell("rules", "classic", "--set", setting)
    assert ran.code == 2
    assert ran.err


@pytest.mark.parametrize("command", ["games", "rules", "tables", "check", "schema", "replay", "play"])
def test_every_command_has_help_with_an_example(shell: Shell, command: str) -> None:
    """`holecard COMMAND --help`."""
    ran = shell(command, "--help")
    assert ran.code == 0
    assert f"holecard {command}" in flat(ran.out.replace("│", " "))
    assert "xample" in ran.out


@pytest.mark.parametrize("command", ["verify", "house-odds", "evaluate", "play"])
def test_help_fits_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch, shell: Shell, command: str) -> None:
    """A paragraph breaks only where the next word does not fit; flags have no type and defaults no parentheses."""
    monkeypatch.setenv("COLUMNS", "90")
    monkeypatch.setenv("TERMINAL_WIDTH", "90")
    ran = shell(command, "--help")
    lines = [line.strip() for line in ran.out.split("Examples:")[0].splitlines()]
    for line, following in pairwise(lines):
        assert not line or not following or len(line) + 1 + len(following.split()[0]) > 86, line
    assert "<bool>" not in ran.out
    assert "default: (" not in ran.out


def test_the_console_script_is_installed() -> None:
    """`holecard --version` in a new process."""
    script = Path(sys.executable).parent / "holecard"
    ran = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout == f"holecard {holecard.__version__}\n"


def test_words_that_look_like_markup_are_printed_as_they_are(shell: Shell) -> None:
    """A sheet's name may contain any characters."""
    ran = shell("rules", "classic", "--set", "about=[/red] [bold]loud[/bold]")
    assert ran.code == 0
    assert "[/red] [bold]loud[/bold]" in ran.out


@pytest.mark.slow
def test_output_without_suit_symbols_works() -> None:
    """Characters that the encoding lacks are replaced."""
    script = Path(sys.executable).parent / "holecard"
    for words in (["tables", "face-up"], ["games"], ["play", "face-up"]):
        ran = subprocess.run([script, *words], capture_output=True, env={"PYTHONIOENCODING": "ascii"}, check=False)
        assert ran.returncode == 0, ran.stderr
