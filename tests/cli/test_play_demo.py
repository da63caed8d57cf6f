"""`holecard play` without a terminal: the demonstration, --auto, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from holecard import games, read_record, replay, rules
from holecard.cli.play.auto import Watch
from holecard.table.table import Table
from tests.cli.terminal import quiet_felt, run_here, run_play

VARIANTS = [game for game in games() if rules(game).extends]


def test_without_a_terminal_a_round_of_each_variant_is_dealt() -> None:
    """Short, plain, with seeds shown, and with the result and reason of each wager; always the same."""
    shown = run_play()
    assert (shown.returncode, shown.stderr) == (0, "")
    lines = shown.stdout.splitlines()
    assert len(lines) < 120
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in shown.stdout
    assert "practice seed" in shown.stdout
    assert len(VARIANTS) == 5
    for game in VARIANTS:
        sheet = rules(game)
        assert f"── {sheet.name} · seed" in shown.stdout
        asked = [wager.name for wager in sheet.wager if wager.placed != "until the hole card is turned"]
        assert all(f"\n{name}" in shown.stdout for name in asked)
    assert run_play().stdout == shown.stdout


def test_only_the_game_that_is_named_is_shown() -> None:
    shown = run_here("quick-pay", "--seed", "1")
    assert "── Quick Pay Blackjack · seed 1 " in shown.stdout
    assert "Double-Up" not in shown.stdout


def test_letters_stand_for_suits_where_the_output_knows_no_signs() -> None:
    shown = run_play(PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert shown.returncode == 0
    assert shown.stdout.isascii()
    assert "+---+---+" in shown.stdout
    assert "?" not in shown.stdout


@pytest.mark.parametrize("seats", [1, 3])
@pytest.mark.parametrize("game", games())
def test_auto_plays_every_game_within_80_columns(game: str, seats: int) -> None:
    """The summary agrees with the table."""
    felt, paper = quiet_felt()
    table = Table(game, bankroll="$500", seed=11)
    watch = Watch(felt, table, seats)
    watch.run(rounds=40)
    assert watch.account.rounds == 40
    assert [watch.account.owns(seat) for seat in watch.seats] == [table.bankroll(seat) for seat in watch.seats]
    assert max(map(len, paper.getvalue().splitlines())) <= 80
    assert all(line == line.rstrip() for line in paper.getvalue().splitlines())


def test_auto_stops_when_the_money_is_gone() -> None:
    felt, paper = quiet_felt()
    Watch(felt, Table("classic", bankroll="$5", seed=2), 1).run(rounds=0)
    assert "Nobody can pay the smallest wager, $5." in paper.getvalue()


@pytest.mark.parametrize("game", games())
def test_record_saves_every_round_and_they_replay(game: str, tmp_path: Path) -> None:
    shown = run_here(game, "--auto", "--rounds", "6", "--seats", "2", "--seed", "5", "--record", str(tmp_path / "kept"))
    assert shown.exit_code == 0
    paths = sorted((tmp_path / "kept").iterdir())
    assert [path.name for path in paths] == [f"{game}-{number:04d}.toml" for number in range(1, 7)]
    for path in paths:
        assert replay(read_record(path.read_text(encoding="utf-8"), str(path)))[-1].phase == "done"


def test_a_sheet_of_ones_own_is_played_from_its_file(tmp_path: Path) -> None:
    sheet = tmp_path / "mine.toml"
    sheet.write_text('name = "My Game"\nextends = "classic"\n[settle]\nties = "lose"\n', encoding="utf-8")
    shown = run_here(str(sheet), "--auto", "--rounds", "1", "--record", str(tmp_path))
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert "My Game" in shown.stdout
    assert "operating system's random generator" in shown.stdout
    record = read_record((tmp_path / "mine-0001.toml").read_text(encoding="utf-8"))
    assert replay(record)[-1].phase == "done"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["doubel-up"], "did you mean 'double-up'?"),
        (["no-such-sheet.toml"], "cannot be read"),
        (["classic", "--set", "settle.natural=blue"], "settle.natural"),
        (["classic", "--set", "natural"], "write a setting and its value"),
        (["classic", "--bankroll", "lots"], "not an amount of money"),
        (["classic", "--bankroll", "$4"], "the smallest wager takes $5"),
        (["quick-pay", "--bankroll", "$9"], "the smallest wager takes $10"),
        (["classic", "--seats", "8"], "this table has 1 to 7"),
        (["classic", "--seats", "0"], "this table has 1 to 7"),
        (["--auto"], "say which game to play"),
        (["classic", "--record", "/dev/null/records"], "records cannot be saved"),
    ],
)
@pytest.mark.parametrize("auto", [True, False])
def test_bad_input_is_refused_with_code_2(words: list[str], reason: str, auto: bool) -> None:
    """On standard error, in the words of the refusal."""
    refused = run_here(*words, *(["--auto"] if auto and "--auto" not in words else []))
    assert refused.exit_code == 2
    assert reason in refused.stderr
    assert refused.stdout == ""


def test_settings_are_said_and_decks_the_sheet_does_not_offer_too() -> None:
    shown = run_here("double-up", "--set", "settle.natural='6 to 5'", "--set", "decks=4", "--auto", "--rounds", "1")
    assert "With settle.natural = 6 to 5, shoe.decks = 4." in shown.stdout
    assert "The printed sheet does not offer 4 decks." in shown.stdout


def test_help_has_examples() -> None:
    shown = run_play("--help")
    assert shown.returncode == 0
    assert "holecard play GAME --seats 2" in shown.stdout
