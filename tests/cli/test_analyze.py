"""`holecard analyze` on real games: text, JSON, shoes, charts, refusals. See test_show_analysis.py for the layout."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import holecard
from holecard.kernels import cache
from holecard.sheets.read import rules
from tests.cli.shell import Shell, flat, read_json
from tests.selection import quick

CHART = Path(__file__).parents[1] / "published" / "six-decks-soft-17-hit.txt"
#: A chart without splits, which is analyzed quickly.
PLAIN = ("--strategy", "never bust")


def sheets() -> Iterator[str]:
    yield from holecard.games(examples=True)


@pytest.mark.parametrize("game", quick(sheets(), "european"))
def test_every_sheet_can_be_analyzed(shell: Shell, game: str) -> None:
    """The JSON adds up; the text fits 80 columns and nothing is cut off."""
    data = read_json(shell("analyze", game, "--json", "--hands"))
    the_main_game_adds_up(data["main"])
    assert list(data["wagers"]) == [wager.name for wager in rules(game).wager]
    for wager in data["wagers"].values():
        the_wager_adds_up(wager)
    for hand in data["hands"]:
        values = [choice["ev"] for choice in hand["choices"]]
        assert all(better >= worse - 1e-12 for better, worse in pairwise(values))
    ran = shell("analyze", game)
    assert ran.code == 0
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "…" not in ran.out
    assert all(name in ran.out for name in data["wagers"])


def the_main_game_adds_up(main: dict[str, Any]) -> None:
    """Probabilities sum to one and contributions to the EV; the error is within its bound."""
    assert sum(main["distribution"].values()) == pytest.approx(1, abs=1e-9)
    assert main["win"] + main["push"] + main["loss"] == pytest.approx(1, abs=1e-9)
    assert sum(float(Fraction(net)) * p for net, p in main["distribution"].items()) == pytest.approx(
        main["ev"], abs=1e-6
    )
    assert sum(part["contribution"] for part in main["by_dealer"].values()) == pytest.approx(main["ev"], abs=1e-12)
    assert sum(part["probability"] for part in main["by_dealer"].values()) == pytest.approx(1, abs=1e-12)
    assert main["house_edge"] == -main["ev"]
    assert main["error_bound"] < 1e-12


def the_wager_adds_up(wager: dict[str, Any]) -> None:
    """Probabilities sum to one, returns and taxes to the EV."""
    assert sum(line["probability"] for line in wager["lines"]) == pytest.approx(1)
    assert sum(line["return"] for line in [*wager["lines"], *wager["taxes"]]) == pytest.approx(wager["ev"])
    assert float(Fraction(wager["exact"])) == wager["ev"]


@pytest.mark.parametrize("game", quick(["double-up", "quick-pay"], "quick-pay"))
def test_every_starting_hand_fits_80_columns(shell: Shell, game: str) -> None:
    """The games with the most actions."""
    out = shell("analyze", game, "--hands").out
    assert max(map(len, out.splitlines())) <= 80
    assert "…" not in out
    assert out.count("Starting hands v") == 10


def test_house_tables_are_marked(shell: Shell) -> None:
    """A house pay table is never shown as a printed one."""
    assert shell("analyze", "face-up", *PLAIN).out.count("House table, not printed on the sheet.") == 2
    assert "House table" not in shell("analyze", "match-up", *PLAIN).out


def test_seen_ranks_are_averaged_over_their_suits(shell: Shell) -> None:
    """Cards seen without suits still allow every wager to be computed, with an EV between those of the best and worst
    suits.
    """
    data = read_json(shell("analyze", "match-up", *PLAIN, "--seen", "2,2,5", "--json"))
    assert data["shoe"] == {"cards": 309, "counts": data["shoe"]["counts"], "suits_known": False}
    assert "2:22" in data["shoe"]["counts"]
    assert data["skipped"] == {}
    suited = read_json(shell("analyze", "match-up", *PLAIN, "--seen", "2s,2h,5d", "--json"))
    assert suited["skipped"] == {}
    assert suited["main"]["ev"] == data["main"]["ev"]


def test_a_shoe_of_ranks_leaves_out_what_depends_on_suits(shell: Shell) -> None:
    """The output names these wagers."""
    counts = " ".join(f"{rank}:24" for rank in "A23456789TJQK")
    data = read_json(shell("analyze", "match-up", *PLAIN, "--shoe", counts, "--json"))
    assert "Match Up" in data["skipped"]
    assert "3 Card Bonus" in data["skipped"]


@pytest.mark.slow
def test_a_chart_is_priced(shell: Shell) -> None:
    """The standard chart costs a little more than the best play: -0.0061814880839 instead of -0.0061538912292."""
    data = read_json(shell("analyze", "classic", "--strategy", str(CHART), "--json"))
    assert data["main"]["ev"] == pytest.approx(-0.0061814880839, abs=5e-14)
    assert data["strategy"] == f"the chart {CHART}"
    assert data["convention"].startswith("every hand, split or not, is played by one chart")
    parts = data["main"]["by_dealer"].values()
    assert sum(part["contribution"] for part in parts) == pytest.approx(data["main"]["ev"], abs=1e-12)


@pytest.mark.slow
def test_a_strategy_is_priced_by_its_name(shell: Shell) -> None:
    """Basic strategy is the best chart, so both commands have one EV."""
    data = read_json(shell("analyze", "classic", "--strategy", "basic", "--json"))
    chart = read_json(shell("strategy", "classic", "--json"))
    assert data["strategy"] == "the best total-dependent chart"
    assert data["main"]["ev"] == pytest.approx(chart["ev"], abs=1e-13)
    assert chart["house_edge"] == -chart["ev"]
    assert chart["cost"] == pytest.approx(chart["optimum_ev"] - chart["ev"])


def test_a_chart_with_a_hole_is_refused(shell: Shell, tmp_path: Path) -> None:
    """The message names the cell."""
    text = CHART.read_text(encoding="utf-8")
    missing = tmp_path / "missing.txt"
    missing.write_text(text.replace(" 16     S   S", " 16     S    ", 1), encoding="utf-8")
    illegal = tmp_path / "illegal.txt"
    illegal.write_text(text.replace(" 16     S   S", " 16     S   R", 1), encoding="utf-8")
    for file, cell in ((missing, "hard 16"), (illegal, "hard 16 v 3")):
        ran = shell("analyze", "classic", "--strategy", str(file))
        assert ran.code == 2
        assert cell in ran.err
        assert ran.out == ""


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--shoe", "A:-3 T:20"], "-3"),
        (["--shoe", "A:x"], "not a number of cards"),
        (["--shoe", "A:1 T:2"], "card"),
        (["--shoe", "T:0"], "card"),
        (["--shoe", "Z:3"], "'Z' is not a card"),
        (["--seen", "Zs"], "'Zs' is not a card"),
        (["--seen", "As As As As As As As"], "As"),
        (["--set", "natral=1"], "did you mean 'natural'"),
        (["--strategy", ""], "'' is not a strategy's name or a chart's file"),
        (["--strategy", "nowhere.txt"], "'nowhere.txt' is not a strategy's name or a chart's file"),
    ],
)
def test_bad_input_is_refused(shell: Shell, options: list[str], says: str) -> None:
    """Exit code 2, nothing on standard output, no traceback."""
    ran = shell("analyze", "classic", *options)
    assert ran.code == 2
    assert ran.out == ""
    assert says in ran.err
    assert "Traceback" not in ran.err


def test_an_unknown_game_is_refused_with_the_nearest_one(shell: Shell) -> None:
    """The message suggests a name."""
    ran = shell("analyze", "duble-up")
    assert ran.code == 2
    assert "did you mean 'double-up'" in ran.err


@pytest.mark.parametrize("command", ["analyze", "evaluate"])
def test_the_commands_have_help_with_examples(shell: Shell, command: str) -> None:
    """`holecard COMMAND --help`."""
    ran = shell(command, "--help")
    assert ran.code == 0
    assert f"holecard {command}" in flat(ran.out.replace("│", " "))
    assert "Examples" in ran.out


@pytest.mark.parametrize("warm", quick([False, True], True))
def test_the_first_compilation_is_announced(shell: Shell, monkeypatch: pytest.MonkeyPatch, warm: bool) -> None:
    """On standard error, and only if something must be compiled."""
    monkeypatch.setattr(cache, "is_warm", lambda what: warm or what != "analyze")
    ran = shell("analyze", "classic", "--json")
    assert ran.code == 0
    assert ("compiling the kernels for hands and splits (once, about" in ran.err) is not warm


def test_rules_are_compared(shell: Shell) -> None:
    """The published values by decks, and the cost of hitting soft 17."""
    words = ["--vary", "decks=1,6,8", "--vary", "dealer.soft_17=hit,stand", "--json"]
    grid = read_json(shell("analyze", "classic", *words))["grid"]
    edges = {tuple(entry["vary"].values()): entry["main"]["house_edge"] for entry in grid}
    assert edges["1", "hit"] == pytest.approx(0.0000873473288, abs=5e-14)
    assert edges["6", "hit"] == pytest.approx(0.0061538912292, abs=5e-14)
    assert edges["8", "hit"] == pytest.approx(0.0064455385192, abs=5e-14)
    assert edges["6", "stand"] == pytest.approx(0.0040287023612, abs=5e-14)


def test_compared_side_wagers_are_those_of_the_analysis(shell: Shell) -> None:
    """The fractions are the same."""
    grid = read_json(shell("analyze", "upcard-luck-21", *PLAIN, "--vary", "decks=1,6", "--json"))["grid"]
    whole = read_json(shell("analyze", "upcard-luck-21", *PLAIN, "--json"))
    assert {name: wager["exact"] for name, wager in grid[1]["wagers"].items()} == {
        name: wager["exact"] for name, wager in whole["wagers"].items()
    }


def test_a_compared_wager_that_cannot_be_computed_is_named(shell: Shell) -> None:
    """Once, with the reason; for programs once per game, as in the analysis of one game."""
    words = ["analyze", "match-up", *PLAIN, "--shoe", " ".join(f"{rank}:24" for rank in "A23456789TJQK")]
    whole = read_json(shell(*words, "--json"))
    assert whole["skipped"]
    grid = read_json(shell(*words, "--vary", "soft_17=hit,stand", "--json"))["grid"]
    assert [entry["skipped"] for entry in grid] == [whole["skipped"]] * 2
    assert [entry["shoe"] for entry in grid] == [whole["shoe"]] * 2
    out = flat(shell(*words, "--vary", "soft_17=hit,stand").out)
    for name, reason in whole["skipped"].items():
        assert out.count(f"{name} Not computed: {reason}.") == 1


def test_compared_edges_have_their_error_bound(shell: Shell) -> None:
    """The bound is that of the analysis; the text shows the largest."""
    grid = read_json(shell("analyze", "classic", "--vary", "decks=1,6", "--json"))["grid"]
    whole = read_json(shell("analyze", "classic", "--json"))["main"]
    assert grid[1]["main"] == {key: whole[key] for key in ("ev", "house_edge", "error_bound")}
    assert grid[0]["main"]["error_bound"] > 0


@pytest.mark.slow
def test_a_compared_chart_is_named(shell: Shell) -> None:
    """Text and JSON name its file, and its edge is that of the analysis."""
    words = ["analyze", "classic", "--strategy", str(CHART)]
    data = read_json(shell(*words, "--vary", "decks=6", "--json"))
    whole = read_json(shell(*words, "--json"))
    assert data["strategy"] == whole["strategy"] == f"the chart {CHART}"
    assert data["grid"][0]["main"]["ev"] == whole["main"]["ev"]
    # A long name may wrap at the edge of the terminal.
    squeezed = "".join(shell(*words, "--vary", "decks=6").out.split())
    assert f"Strategy:thechart{''.join(str(CHART).split())}." in squeezed


@pytest.mark.slow
def test_output_without_color_or_box_characters_works() -> None:
    """Characters that the encoding lacks are replaced."""
    script = Path(sys.executable).parent / "holecard"
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "NO_COLOR": "1"}
    ran = subprocess.run([script, "analyze", "face-up", *PLAIN], capture_output=True, env=environment, check=False)
    assert ran.returncode == 0, ran.stderr
    assert b"\x1b" not in ran.stdout
