"""`holecard sweep`: its table, JSON and CSV, agreement of each line with `holecard simulate`, Ctrl-C, refusals."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from holecard.cli import progress
from holecard.kernels import cache
from holecard.simulation import sweep as sweeps
from holecard.simulation.results import Simulation
from holecard.simulation.run.chunks import WorkersLost
from holecard.simulation.simulate import simulate
from tests.cli.shell import Ran, Shell, flat, read_json
from tests.cli.terminal import IMPATIENT, Terminal

ROOT = Path(__file__).parents[2]
CHART = ROOT / "tests" / "published" / "six-decks-soft-17-hit.txt"
PAGE = ROOT / "docs" / "sweep.md"
PLAIN = ("--strategy", "never bust", "--rounds", "20k")
GRID = ("classic", "double-up", "--vary", "decks=6,8", *PLAIN)
POINTS = [("classic", "6"), ("classic", "8"), ("double-up", "6"), ("double-up", "8")]


@pytest.fixture(autouse=True)
def marked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The parts recorded as compiled."""
    names: list[str] = []
    monkeypatch.setattr(cache, "mark_warm", names.append)
    monkeypatch.setattr(cache, "is_warm", lambda _: True)
    return names


def rows(ran: Ran) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(ran.out)))


# What is printed


def test_every_line_is_what_simulate_finds(shell: Shell, marked: list[str]) -> None:
    """Exactly, for two games with two rules on two threads, with and without the side wagers of `simulate`."""
    data = read_json(shell("sweep", *GRID, "--seed", "3", "--executor", "threads:2", "--json"))
    assert marked[-1] == "sweep", "after what it consists of"
    assert [(line["game"], line["vary"]["decks"]) for line in data["grid"]] == POINTS
    for line in data["grid"]:
        decks = line["vary"]["decks"]
        alone = read_json(shell("simulate", line["game"], "--set", f"decks={decks}", *PLAIN, "--seed", "3", "--json"))
        (seat,) = alone["seats"]
        for key in ("ev", "standard_error", "low", "high", "standard_deviation", "counts"):
            assert line[key] == seat[key]
        for key in ("decks", "procedure", "rounds"):
            assert line[key] == alone[key]
        assert (line["exact"], line["z"]) == (None, None)


def test_the_json_says_what_was_asked(shell: Shell) -> None:
    """Settings and values as typed."""
    words = ("--vary", "settle.natural='6 to 5',3 to 2", "--set", "dealer.soft_17=stand", *PLAIN)
    data = read_json(shell("sweep", "classic", *words, "--json"))
    assert data["games"] == ["classic"]
    assert data["vary"] == {"settle.natural": ["6 to 5", "3 to 2"]}
    assert data["settings"] == {"dealer.soft_17": "stand"}
    assert (data["strategy"], data["seed"], data["rounds"]) == ("never bust", 1, 20_000)
    assert (data["points"], data["complete"]) == (2, True)
    assert ["1.2" in line["counts"] for line in data["grid"]] == [True, False]


def test_the_csv_says_the_same(shell: Shell) -> None:
    """All digits; empty fields for what was not requested."""
    lines = rows(shell("sweep", *GRID, "--csv"))
    grid = read_json(shell("sweep", *GRID, "--json"))["grid"]
    keys = ("ev", "house_edge", "standard_error", "low", "high", "standard_deviation", "rounds")
    assert list(lines[0]) == ["game", "decks", *keys, "exact", "z"]
    assert [(line["game"], line["decks"]) for line in lines] == POINTS
    for line, point in zip(lines, grid, strict=True):
        assert [float(line[key]) for key in keys] == [point[key] for key in keys]
        assert (line["exact"], line["z"]) == ("", "")


@pytest.mark.slow
def test_the_exact_value_is_shown_next_to_the_mean(shell: Shell, marked: list[str]) -> None:
    """As in `holecard analyze` for that chart; z uses its deviation."""
    asked = ("--strategy", str(CHART), "--rounds", "20k", "--exact")
    exact = read_json(shell("analyze", "classic", "--strategy", str(CHART), "--json"))["main"]
    data = read_json(shell("sweep", "classic", *asked, "--json"))
    (line,) = data["grid"]
    assert data["strategy"] == f"the chart {CHART}"
    assert line["exact"] == {key: exact[key] for key in ("ev", "error_bound", "standard_deviation")}
    assert line["z"] == pytest.approx((line["ev"] - exact["ev"]) / (exact["standard_deviation"] / 20_000**0.5))
    (row,) = rows(shell("sweep", "classic", *asked, "--csv"))
    assert (float(row["exact"]), float(row["z"])) == (exact["ev"], line["z"])
    out = flat(shell("sweep", "classic", *asked).out)
    assert f"{exact['ev']:+.7f} {line['z']:+.2f} {line['standard_deviation']:.4f}" in out
    assert (marked[0], marked.count("sweep-exact")) == ("analyze", 3)


def test_the_table_has_a_line_for_each(shell: Shell) -> None:
    """With the numbers of the JSON, rounded according to their error."""
    ran = shell("sweep", *GRID)
    out = flat(ran.out)
    assert "Classic Blackjack, Double-Up Blackjack" in out
    assert "strategy never bust rounds 20,000 for each line, seed 1" in out
    for line in read_json(shell("sweep", *GRID, "--json"))["grid"]:
        half = line["high"] - line["ev"]
        label = f"{line['game']} {line['vary']['decks']}"
        spread = f"{line['standard_error']:.4f} {half:.4f} {line['standard_deviation']:.4f}"
        assert f"{label} {line['ev']:+.4f} {spread}" in out
    assert "exact" not in out


@pytest.mark.slow
def test_many_words_and_long_names_fit_80_columns(shell: Shell) -> None:
    """Columns that do not fit continue below; nothing is cut."""
    file = "european"
    words = ("--vary", "decks=6,8", "--vary", "dealer.soft_17=hit,stand", "--vary", "settle.natural=6 to 5")
    out = shell("sweep", file, "upcard-luck-21", *words, "--strategy", "never bust", "--rounds", "100", "--exact").out
    assert max(map(len, out.splitlines())) <= 80
    assert "…" not in out
    for heading in ("EV", "error", "exact", "z", "deviation"):
        assert f" {heading}" in out
    assert out.count("upcard-luck-21") == 4 * out.count("game ")


def test_one_round_says_nothing_of_its_error(shell: Shell) -> None:
    """A dash for people, null in JSON and an empty field in CSV."""
    asked = ("sweep", "classic", "--strategy", "never bust", "--rounds", "1")
    assert read_json(shell(*asked, "--json"))["grid"][0]["standard_error"] is None
    assert rows(shell(*asked, "--csv"))[0]["standard_error"] == ""
    assert "nan" not in shell(*asked).out


def test_settings_of_the_same_name_are_distinguished(shell: Shell) -> None:
    """By their sections."""
    words = ("--vary", "wager.Match Up.max=$50", "--vary", "wager.3 Card Bonus.max=$50")
    out = shell("sweep", "match-up", *words, "--strategy", "never bust", "--rounds", "10").out
    assert "Match Up." in out
    assert "3 Card Bonus." in out


# Refused


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["match-up", "classic", "--vary", "wager.Match Up.max=$5,$9"],
            "classic: wager.Match Up: there is no side wager with this name",
        ),
        (["classic", "double-up", "--vary", "natral=1,2"], "classic: natral: no section has this key"),
        (["classic", "--vary", "decks=6,x"], "classic: decks: 'x' is not valid"),
        (["classic", "--vary", "decks"], "write a setting and its values"),
        (["classic", "--vary", "decks=6", "--vary", "decks=8"], "decks: this setting is given twice; give it once"),
        (["classic", "--vary", "decks=6", "--set", "shoe.decks=8"], "decks: shoe.decks is the same setting"),
        (["classic", "classic"], "classic is named twice"),
        (["nowhere"], "nowhere: no game or file has this name"),
        (["classic", "--rounds", "1.5"], "'1.5' is not a whole number"),
        (["classic", "--strategy", "never bost"], "did you mean 'never bust'"),
        (["classic", "face-up", "--strategy", str(CHART)], "face-up: "),
        (["classic", "--json", "--csv"], "leave one of them out"),
        (["classic", "--executor", "thread"], "unknown executor 'thread'"),
        (["classic", "--device", "abacus", "--strategy", "never bust"], "unknown device 'abacus'"),
    ],
)
def test_what_cannot_be_swept_is_refused(shell: Shell, marked: list[str], words: list[str], says: str) -> None:
    """With exit code 2, before anything is played."""
    ran = shell("sweep", *words)
    assert (ran.code, ran.out, marked) == (2, "", [])
    assert says in flat(ran.err)


# Ctrl-C and the bar


def ending(error: BaseException, after: int) -> Callable[..., Iterator[sweeps.SweepPoint]]:
    """Make a sweep end this way."""
    as_it_was = sweeps.sweeping

    def sweeping(asked: Any, *words: Any, **how: Any) -> Iterator[sweeps.SweepPoint]:
        yield from as_it_was(replace(asked, points=asked.points[:after]), *words, **how)
        raise error

    return sweeping


@pytest.mark.parametrize("after", [0, 3])
def test_ctrl_c_ends_with_what_is_finished(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, marked: list[str], after: int
) -> None:
    """The finished lines, a message on standard error, and the exit code of an interrupt."""
    monkeypatch.setattr(sweeps, "sweeping", ending(KeyboardInterrupt(), after))
    ran = shell("sweep", *GRID, "--json")
    data = json.loads(ran.out)
    assert (ran.code, data["complete"], data["points"], len(data["grid"])) == (130, False, 4, after)
    assert f"stopped early: {after} of 4 lines are done" in ran.err
    ran = shell("sweep", *GRID, "--csv")
    assert (ran.code, len(rows(ran))) == (130, after)
    ran = shell("sweep", *GRID)
    assert ran.code == 130
    assert ("No line was finished." in ran.out) is (after == 0)
    assert ("double-up 6 -0." in flat(ran.out)) is (after == 3)
    assert "double-up 8" not in flat(ran.out)
    assert "sweep" not in marked, "what was interrupted may not have compiled everything"


def test_lost_workers_leave_what_is_finished(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the command ends with an error."""
    monkeypatch.setattr(sweeps, "sweeping", ending(WorkersLost("all are gone"), 1))
    ran = shell("sweep", *GRID, "--csv")
    assert (ran.code, [line["game"] for line in rows(ran)]) == (2, ["classic"])
    assert "all are gone" in ran.err


@pytest.mark.slow
def test_ctrl_c_at_a_terminal(shell: Shell) -> None:
    """A bar shows the progress of the whole grid and disappears; the unfinished line is left out."""
    shell("sweep", "classic", "--strategy", "never bust", "--rounds", "10")  # so that nothing is left to compile
    asked = ("sweep", "classic", "--vary", "decks=6,8", "--strategy", "never bust", "--rounds", "1e12")
    screen = Terminal(*asked, "--executor", "threads:1", program=IMPATIENT)
    assert "Classic" not in screen.until("0 of 2 points, "), "the lines come after the sweep"
    assert "of 2,000,000 M rounds" in screen.until(" M/s")
    screen.interrupt()
    code, rest = screen.ends()
    assert code == 130
    assert "No line was finished." in rest
    assert "stopped early: 0 of 2 lines are done" in rest
    assert "Traceback" not in rest


@pytest.mark.parametrize(("seconds", "tty", "shows"), [(0.9, True, False), (1.1, True, True), (1.1, False, False)])
def test_a_bar_shows_only_when_it_takes_long(
    monkeypatch: pytest.MonkeyPatch, seconds: float, tty: bool, shows: bool
) -> None:
    """After more than a second, and only on a terminal; points, rounds and rate are those of the whole grid."""
    found: list[Simulation] = []
    simulate("classic", "never bust", 1_000_000, wagers=(), on_progress=found.append)
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(progress.sys.stderr, "isatty", lambda: tty, raising=False)
    started: list[Any] = []
    make = progress._bar
    monkeypatch.setattr(progress, "_bar", lambda total: started.append(make(total)) or started[-1])
    with progress.SweepBar(5, 2_000_000) as bar:
        now[0] += seconds / 2
        bar.show_point(0, found[0])
        now[0] += seconds / 2
        bar.show_point(1, found[0])
        assert len(started) == shows
        now[0] += 1.5
        bar.show_point(4, found[0])
    assert len(started) == tty
    if tty:
        # Eight million rounds since the first report.
        rate = 8 / (1.5 + seconds / 2)
        said = started[0].tasks[0].description
        assert said == f"4 of 5 points, 9.0 of 10.0 M rounds, {rate:.1f} M/s"


# The page


def test_it_is_explained(shell: Shell) -> None:
    """`holecard sweep --help`, and the command is listed."""
    ran = shell("sweep", "--help")
    assert ran.code == 0
    assert "holecard sweep GAME --vary decks=1,2,6,8 --exact" in flat(ran.out)
    assert "sweep" in shell("--help").out


def test_every_key_and_column_is_documented(shell: Shell) -> None:
    """In the order they are printed."""
    page = PAGE.read_text(encoding="utf-8").partition("## `--json`")[2]
    data = read_json(shell("sweep", "classic", "--strategy", "never bust", "--rounds", "10", "--exact", "--json"))
    whole, _, rest = page.partition("Each line of `grid`:")
    line, _, columns = rest.partition("## `--csv`")
    header = shell("sweep", "classic", "--strategy", "never bust", "--rounds", "10", "--csv").out.splitlines()[0]
    for section, keys in ((whole, data), (line, data["grid"][0]), (columns, header.split(","))):
        places = [section.index(f"`{key}`") for key in keys]
        assert places == sorted(places)
    assert all(f"`{key}`" in line for key in data["grid"][0]["exact"])
