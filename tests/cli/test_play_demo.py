"""`holecard play` without a terminal: the demonstration, --auto, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from holecard import games, read_record, replay, rules
from holecard.charts.named_strategies import mimic_the_dealer
from holecard.charts.text import write_chart_text
from holecard.cli.play import summary
from holecard.cli.play.auto import AutoPlay
from holecard.table.table import Table
from tests.cli.terminal import run_here, run_play, text_view
from tests.selection import quick

VARIANTS = [game for game in games() if rules(game).extends]
#: The best chart and the comparison with it take a second for each game.
NEVER_BUST = ("--strategy", "never bust")


@pytest.fixture(autouse=True)
def _without_comparison(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "compares" not in request.node.name:
        monkeypatch.setattr(summary, "benchmark", lambda *_: None)


def test_without_a_terminal_a_round_of_each_variant_is_dealt() -> None:
    """Short, plain, with seeds shown, and with the result and reason of each wager; always the same."""
    shown = run_play()
    assert shown.returncode == 0
    assert shown.stderr == "" or "compiling the kernels for" in shown.stderr
    assert "Strategy: the best total-dependent chart." in shown.stdout
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
    assert run_here().stdout == shown.stdout


def test_only_the_game_that_is_named_is_shown() -> None:
    shown = run_here("quick-pay", "--seed", "1")
    assert "── Quick Pay Blackjack · seed 1 " in shown.stdout
    assert "Double-Up" not in shown.stdout


@pytest.mark.slow
def test_suits_are_letters_where_the_encoding_has_no_signs() -> None:
    shown = run_play(PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert shown.returncode == 0
    assert shown.stdout.isascii()
    assert "+---+---+" in shown.stdout
    assert "?" not in shown.stdout


@pytest.mark.parametrize("seats", quick([1, 3], 3))
@pytest.mark.parametrize("game", quick(games(), "double-up", "quick-pay", "face-up"))
def test_auto_plays_every_game_within_80_columns(game: str, seats: int) -> None:
    """And the session's account agrees with the table's."""
    view, paper = text_view()
    table = Table(game, bankroll="$500", seed=11)
    watch = AutoPlay(view, table, seats, "never bust")
    watch.run(rounds=40)
    assert watch.account.rounds == 40
    assert [watch.account.owns(seat) for seat in watch.seats] == [table.bankroll(seat) for seat in watch.seats]
    assert max(map(len, paper.getvalue().splitlines())) <= 80
    assert all(line == line.rstrip() for line in paper.getvalue().splitlines())


def test_auto_stops_when_the_money_is_gone() -> None:
    view, paper = text_view()
    AutoPlay(view, Table("classic", bankroll="$5", seed=2), 1, "never bust").run(rounds=0)
    assert "No seat can pay the smallest wager, $5." in paper.getvalue()


@pytest.mark.parametrize("game", games())
def test_record_saves_every_round_and_they_replay(game: str, tmp_path: Path) -> None:
    shown = run_here(
        game, "--auto", *NEVER_BUST, "--rounds", "6", "--seats", "2", "--seed", "5", "--record", str(tmp_path / "kept")
    )
    assert shown.exit_code == 0
    paths = sorted((tmp_path / "kept").iterdir())
    assert [path.name for path in paths] == [f"{game}-{number:04d}.toml" for number in range(1, 7)]
    for path in paths:
        assert replay(read_record(path.read_text(encoding="utf-8"), str(path)))[-1].phase == "done"


def test_a_sheet_is_played_from_its_file(tmp_path: Path) -> None:
    sheet = tmp_path / "mine.toml"
    sheet.write_text('name = "My Game"\nextends = "classic"\n[settle]\nties = "lose"\n', encoding="utf-8")
    shown = run_here(str(sheet), "--auto", *NEVER_BUST, "--rounds", "1", "--record", str(tmp_path))
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
        (["--auto"], "name the game to play"),
        (["classic", "--strategy", "never-bsut"], "did you mean 'never bust'?"),
        (["classic", "--record", "/dev/null/records"], "records cannot be saved"),
    ],
)
@pytest.mark.parametrize("auto", [True, False])
def test_bad_input_is_refused_with_code_2(words: list[str], reason: str, auto: bool) -> None:
    """On the error stream, with the reason."""
    refused = run_here(*words, *(["--auto"] if auto and "--auto" not in words else []))
    assert refused.exit_code == 2
    assert reason in refused.stderr
    assert refused.stdout == ""


def test_changed_settings_are_printed_and_so_are_decks_that_the_sheet_does_not_offer() -> None:
    shown = run_here(
        "double-up", "--set", "settle.natural='6 to 5'", "--set", "decks=4", "--auto", *NEVER_BUST, "--rounds", "1"
    )
    assert "With settle.natural = 6 to 5, shoe.decks = 4." in shown.stdout
    assert "The printed sheet does not offer 4 decks." in shown.stdout


def test_auto_plays_the_best_chart_and_compares_with_its_average() -> None:
    """Basic strategy hits 16 against 7 and stands on 12 against 4; the strategy is named at the start."""
    shown = run_here("classic", "--auto", "--rounds", "60", "--seed", "1")
    assert shown.exit_code == 0
    assert "Strategy: the best total-dependent chart. Bets: the minimum on every wager." in shown.stdout
    decided = re.findall(r"\((\d+)\) against (\d+|[JQKA]).: (\w+)", shown.stdout)
    stiff = [(int(total), upcard, action) for total, upcard, action in decided if 13 <= int(total) <= 16]
    for total, upcard, action in stiff:
        assert action in ("stand", "split") if upcard in "23456" else action in ("hit", "split"), (total, upcard)
    assert len(stiff) > 10
    # 60 bets of $5 at an EV of -0.0061815 (the best chart of six decks, dealer hits soft 17)
    assert re.search(r"expected +-\$1\.85\n", shown.stdout)


def test_auto_plays_the_strategy_that_is_named() -> None:
    """Never bust stands on every hard 12 or more."""
    shown = run_here("classic", "--auto", *NEVER_BUST, "--rounds", "40", "--seed", "1")
    assert "Strategy: never bust." in shown.stdout
    decided = re.findall(r"\((\d+)\) against .*: (\w+)", shown.stdout)
    assert {action for total, action in decided if int(total) >= 12} == {"stand"}
    assert {action for total, action in decided if int(total) <= 11} == {"hit"}


def test_auto_plays_a_chart_from_its_file(tmp_path: Path) -> None:
    """The file is named, and its cells are played."""
    chart = tmp_path / "mine.txt"
    chart.write_text(write_chart_text(mimic_the_dealer(rules("classic").tables)), encoding="utf-8")
    shown = run_here("classic", "--auto", "--strategy", str(chart), "--rounds", "30", "--seed", "1")
    assert f"Strategy: the chart {chart}.".replace(" ", "") in "".join(shown.stdout.split())
    decided = re.findall(r"\((\d+)\) against .*: (\w+)", shown.stdout)
    assert all((action == "hit") == (int(total) < 17) for total, action in decided)


def test_help_has_examples() -> None:
    shown = run_play("--help")
    assert shown.returncode == 0
    assert "holecard play GAME --seats 2" in shown.stdout
