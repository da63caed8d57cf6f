"""A house pay table is marked in every command that shows its wager, for people and for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.cli.shell import Shell, flat, read_json
from tests.selection import one_in, quick, quick_where

HOUSE = "house table, not printed on the sheet"
FEW = ("--strategy", "never bust", "--rounds", "2000")
#: Commands that show the 2-Card Bonus or a Hedge Bet with a mark and a footnote.
STARRED: dict[str, tuple[str, tuple[str, ...]]] = {
    "verify": ("2-Card Bonus", ("verify", "face-up", *FEW, "--replay", "10")),
    "vary": ("Bonus", ("analyze", "face-up", "--vary", "decks=6")),
    "play": ("2-Card Bonus", ("play", "face-up", "--auto", "--rounds", "2", "--seed", "3")),
    "evaluate": ("Hedge 18", ("evaluate", "quick-pay", "T,6 v T")),
    "replay": ("2-Card Bonus", ("replay", "tests/rounds/face-up/2-card-bonus-suited-lines.toml")),
}
#: The same commands for games whose tables are all printed.
PRINTED: dict[str, tuple[str, ...]] = {
    "simulate": ("simulate", "match-up", *FEW),
    "verify": ("verify", "match-up", *FEW, "--replay", "10"),
    "vary": ("analyze", "match-up", "--vary", "decks=6"),
    "play": ("play", "match-up", "--auto", "--rounds", "2", "--seed", "3"),
    "replay": ("replay", "tests/rounds/match-up/bonuses-lost-hand-won.toml"),
}


def test_simulate_says_it_in_a_sentence(shell: Shell) -> None:
    """Under the heading of each of the two bonuses."""
    assert flat(shell("simulate", "face-up", *FEW).out).count(f"{HOUSE[0].upper()}{HOUSE[1:]}.") == 2


@pytest.mark.parametrize("command", quick_where(STARRED, lambda command: command != "verify"))
def test_house_tables_have_a_mark_and_a_footnote(shell: Shell, command: str) -> None:
    """The name never appears in a table without its mark."""
    name, words = STARRED[command]
    out = shell(*words).out
    assert f"* {HOUSE}" in flat(out)
    below = out.partition("Comparisons")[2] if command == "verify" else out
    assert f"{name}*" in below
    assert f"{name} " not in below


def test_the_closing_account_has_a_mark_and_a_footnote(shell: Shell) -> None:
    """It is read on its own, long after the rounds."""
    closing = shell("play", "face-up", "--auto", "--rounds", "2", "--seed", "3").out.partition("Session summary")[2]
    assert "2-Card Bonus*" in closing
    assert "4-Card Bonus*" in closing
    assert f"* {HOUSE}" in closing


@pytest.mark.parametrize("command", quick(PRINTED, "simulate", "play", "replay"))
def test_printed_tables_have_no_mark(shell: Shell, command: str) -> None:
    """A mark on everything would mean nothing."""
    out = flat(shell(*PRINTED[command]).out)
    assert HOUSE not in out.lower()
    assert "Bonus*" not in out


def printed(found: Mapping[str, Mapping[str, Any]]) -> dict[str, bool]:
    return {name: wager["printed"] for name, wager in found.items()}


@pytest.mark.parametrize(
    ("game", "expected"),
    one_in(
        2,
        [
            ("face-up", {"2-Card Bonus": False, "4-Card Bonus": False}),
            ("match-up", {"Match Up": True, "3 Card Bonus": True}),
        ],
    ),
)
def test_programs_read_it_in_every_command(shell: Shell, game: str, expected: dict[str, bool]) -> None:
    """Every command uses the same key."""
    assert printed(read_json(shell("simulate", game, *FEW, "--json"))["seats"][0]["wagers"]) == expected
    assert printed(read_json(shell("verify", game, *FEW, "--replay", "10", "--json"))["wagers"]) == expected
    assert printed(read_json(shell("analyze", game, "--vary", "decks=6", "--json"))["grid"][0]["wagers"]) == expected


def test_programs_read_it_of_a_spot_and_of_a_record(shell: Shell) -> None:
    spot = read_json(shell("evaluate", "quick-pay", "T,6 v T", "--json"))
    assert printed(spot["after_check"]) == dict.fromkeys(["Hedge 18", "Hedge 19", "Hedge 20", "Hedge 21"], False)
    record = read_json(shell("replay", "tests/rounds/face-up/2-card-bonus-suited-lines.toml", "--json"))
    assert {(wager["wager"], wager["printed"]) for wager in record["wagers"]} == {
        ("Bet", True),
        ("2-Card Bonus", False),
    }
