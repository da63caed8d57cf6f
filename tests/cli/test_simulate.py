"""`holecard simulate` at the terminal: its output, Ctrl-C, the progress bar, and its help page."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import holecard
from holecard import report
from holecard.cli import progress
from holecard.kernels import cache
from holecard.report.numbers import decimals
from holecard.sheets.read import rules
from holecard.simulation.results import InsuranceSample, LineCount, SeatResult, Simulation, WagerSample
from holecard.simulation.statistics.estimates import ShoeSums
from tests.cli.shell import Shell, flat
from tests.cli.terminal import IMPATIENT, Terminal
from tests.selection import one_in, quick

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "simulation.md"
PLAIN = ("--strategy", "never bust")
CTRL_C = "\x03"
F = Fraction


def sheets() -> Iterator[str]:
    yield from holecard.games(examples=True)


def made(histogram: dict[Fraction, int], seats: int = 1, **changes: Any) -> Simulation:
    """A run with these net results for every seat."""
    rounds = sum(histogram.values())
    asked = changes.get("asked", rounds)
    parts: dict[str, Any] = {
        "procedure": "as never before",
        "seed": 5,
        "rounds": rounds,
        "asked": asked,
        "complete": rounds == asked,
        "seats": (SeatResult("by feel", histogram, 2 * rounds),) * seats,
        "insurance": None,
    }
    return replace(a_run(), **{**parts, **changes})


@functools.cache
def a_run() -> Simulation:
    return holecard.simulate("classic", "never bust", 10)


def printed(found: Simulation) -> str:
    return flat(report.text(found))


# What is shown


@pytest.mark.parametrize("game", one_in(3, sheets()), ids=lambda game: Path(game).stem)
def test_every_sheet_fits_80_columns(shell: Shell, game: str) -> None:
    """With several seats; every wager is listed, sampled or not, and no number is missing."""
    ran = shell("simulate", game, *PLAIN, "--seats", "3", "--rounds", "30k")
    assert ran.code == 0
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "nan" not in ran.out
    assert "…" not in ran.out
    out = flat(ran.out)
    assert rules(game).name in out
    assert "rounds 30,000, seed 1" in out
    for wager in rules(game).wager:
        assert wager.name in out


def test_numbers_come_with_their_errors() -> None:
    """A coin with 5,100 heads in 10,000 tosses has a mean of 0.02 and a standard error just below 0.01."""
    out = printed(made({F(1): 5_100, F(-1): 4_900}))
    assert "dealt as never before strategy by feel rounds 10,000, seed 5" in out
    assert "expected value +0.0200 standard error 0.0100" in out
    assert "house edge -2.00% 95% interval -3.96% to -0.04%" in out
    assert "average stake 2.000000" in out
    assert "rounds won 51.0000% 5,100 pushed 0.0000% 0 lost 49.0000% 4,900" in out
    # √(0.51 · 0.49 / 10,000)
    assert "-1 4,900 0.4900000 0.0049990 1 5,100 0.5100000 0.0049990" in out
    assert "all 10,000 1.0000000" in out
    assert "Per unit of insurance" not in out
    assert "seat" not in out.lower()


def test_insurance_is_reported_separately() -> None:
    """Per unit of insurance, with its own number of bets."""
    out = printed(made({F(1): 60, F(-1): 40}, insurance=InsuranceSample({F(2): 3, F(-1): 7})))
    assert "Insurance Per unit of insurance" in out
    # The sum of squares around -0.1 is 18.9; √(18.9 / 9 / 10) = 0.458.
    assert "expected value -0.10 standard error 0.46" in out
    assert "won 30.0000% 3 of 10 taken" in out
    assert "It was never offered." in printed(made({F(1): 1}, insurance=InsuranceSample({F(2): 0, F(-1): 0})))


LUCK = WagerSample(
    name="Luck",
    unit="unit staked",
    histogram={F(-1): 90, F(4): 10},
    lines=(LineCount("pair", "4 to 1", F(4), 10), LineCount("loses", "lose", F(-1), 90)),
    taxes=(),
)


FORTUNE = WagerSample(
    name="Fortune",
    unit="round, in dollars",
    histogram={F(-5): 50, F(0): 50},
    lines=(LineCount("natural", "$40", F(40), 0), LineCount("token kept", "nothing", F(0), 100)),
    taxes=(LineCount("20", "$5", F(-5), 50),),
)


def test_side_wagers_are_shown_line_by_line() -> None:
    """With mean and error, in dollars where amounts are fixed; a wager that could never be placed says so."""
    seat = SeatResult("by feel", {F(1): 100}, 100, wagers=(LUCK, FORTUNE, replace(LUCK, name="Hedge", histogram={})))
    out = printed(replace(made({F(1): 100}), seats=(seat,)))
    luck, _, fortune = out.partition("Luck Per unit staked")[2].partition("Fortune Per round, in dollars")
    # A mean of -0.5 with a variance of 25 · 0.09 · 100 / 99 = 2.27, so that the error is 0.15.
    assert "expected value -0.50 standard error 0.15" in luck
    assert "house edge 50% 95% interval 20% to 80%" in luck
    assert "pair 4 to 1 10 0.1000000 0.0300000 loses lose 90 0.9000000 0.0300000" in luck
    # Half of the rounds cost $5: an error of √(6.25 · 100 / 99 / 100) = 0.25.
    assert "expected value -$2.50 per round; standard error 0.25 95% interval -$2.99 to -$2.01" in fortune
    assert "natural $40 0 0.0000000 0.0000000 token kept nothing 100 1.0000000" in fortune
    assert "tax takes times share standard error" in fortune
    assert "20 $5 50 0.5000000 0.0500000" in fortune
    assert "Hedge Per unit staked, placed whenever possible. It could never be placed." in fortune


def test_seats_are_shown_side_by_side() -> None:
    """With the interval; a strategy shared by all seats is named once."""
    out = printed(made({F(1): 5_100, F(-1): 4_900}, seats=2))
    assert "strategy by feel seats 2" in out
    assert "seat 1 +0.0200 0.0100 +0.0004 +0.0396 seat 2 +0.0200" in out
    assert out.count("Net result of a round") == 2


def test_one_round_says_so() -> None:
    """Unknown values are not printed."""
    out = printed(made({F(3, 2): 1}, seats=2, insurance=InsuranceSample({F(2): 0, F(-1): 1})))
    assert "nan" not in out
    assert "one round has no standard error" in out


@pytest.mark.parametrize(
    ("shoes", "says"),
    [
        (ShoeSums(1, -10, 100, 50, 2500, -500), "-0.200000 one shoe has no standard error"),
        # Results of -3 and -7 in 25 rounds each, both 2 off what 25 rounds lose: √(2 · (2² + 2²)) / 50.
        (ShoeSums(2, -10, 58, 50, 1250, -250), "-0.200 standard error 0.080"),
    ],
)
def test_one_shoe_says_so(shoes: ShoeSums, says: str) -> None:
    """However many rounds it has: the error of the mean needs several shoes. The other errors do not."""
    histogram = {F(1): 20, F(-1): 30}
    seat = SeatResult("by feel", histogram, 50, wagers=(LUCK,), shoes=shoes)
    run = made(histogram, insurance=InsuranceSample({F(2): 3, F(-1): 7}))
    out = printed(replace(run, seats=(seat,), fresh=(-0.1,)))
    assert f"expected value {says}" in out
    assert f"this procedure {says.replace('-0.2', '-0.1', 1)}" in out
    assert "one round" not in out
    for place in ("Net result of a round", "placed whenever possible.", "any hand."):
        assert f"{place} Errors here assume independent rounds" in out
    assert "independent" not in printed(run)


@pytest.mark.parametrize(("se", "places"), [(0.0116, 3), (0.01, 3), (0.00026, 5), (3.0, 2), (0.0, 6), (1e-30, 15)])
def test_two_digits_of_an_error_are_shown(se: float, places: int) -> None:
    """Never more than a float holds, and six digits without an error."""
    assert decimals(se) == places


# Ctrl-C, the bar and the clock


@pytest.mark.parametrize("keys", quick([CTRL_C, CTRL_C * 2]), ids=["once", "twice"])
def test_ctrl_c_ends_with_what_was_played(shell: Shell, keys: str) -> None:
    """In a terminal, where a bar shows progress; the exit code is that of an interrupt."""
    shell("simulate", "classic", *PLAIN, "--rounds", "10")  # so that nothing is left to compile
    asked = ("simulate", "classic", *PLAIN, "--rounds", "1e12", "--executor", "threads:1")
    screen = Terminal(*asked, program=IMPATIENT)
    bar = screen.until("of 1,000,000 M rounds")
    assert "Classic" not in bar, "the result comes after the run"
    assert "ev -0.0" in screen.until(", standard error ")
    screen.interrupt(keys)
    code, rest = screen.ends()
    assert code == 130
    assert "of 1,000,000,000,000: stopped early, seed 1" in flat(rest)
    assert "house edge" in rest
    assert "stopped early: " in rest
    assert "Traceback" not in rest


def stopped(monkeypatch: pytest.MonkeyPatch, found: Simulation) -> None:
    """Make a run end this way."""
    monkeypatch.setattr("holecard.simulation.simulate.simulate", lambda *_, **__: found)


def test_a_stopped_run_is_distinguished_from_a_complete_one(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """In JSON, in words, on standard error and by the exit code."""
    stopped(monkeypatch, made({F(1): 60, F(-1): 40}, asked=1_000))
    ran = shell("simulate", "classic", *PLAIN, "--json")
    data = json.loads(ran.out)
    assert (ran.code, data["complete"], data["rounds"], data["asked"]) == (130, False, 100, 1_000)
    ran = shell("simulate", "classic", *PLAIN)
    assert ran.code == 130
    assert "rounds 100 of 1,000: stopped early, seed 5" in flat(ran.out)
    assert "stopped early: 100 of 1,000 rounds were played" in ran.err
    stopped(monkeypatch, made({}, asked=1_000))
    ran = shell("simulate", "classic", *PLAIN)
    assert (ran.code, "No round was played." in ran.out) == (130, True)


@pytest.mark.parametrize(("seconds", "tty", "shows"), [(0.9, True, False), (1.1, True, True), (1.1, False, False)])
def test_a_bar_shows_only_when_it_takes_long(
    monkeypatch: pytest.MonkeyPatch, seconds: float, tty: bool, shows: bool
) -> None:
    """After more than a second, and only on a terminal."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(progress.sys.stderr, "isatty", lambda: tty, raising=False)
    started: list[Any] = []
    make = progress._bar
    monkeypatch.setattr(progress, "_bar", lambda total: started.append(make(total)) or started[-1])
    with progress.SimulationBar(200) as bar:
        for _ in range(2):
            now[0] += seconds / 2
            bar.show_main(made({F(1): 60, F(-1): 40}, asked=200))
    assert len(started) == shows


def test_the_rate_counts_what_was_played_here() -> None:
    """It excludes rounds from a file and the time to load kernels; if the run is too short, no rate is shown."""
    playing = progress.SimulationBar(10)
    resumed = made({F(1): 50_000_000}, seconds=20.0)
    playing.show_main(resumed)
    assert playing.rate(replace(resumed, rounds=51_000_000, seconds=20.5)) is None
    after = replace(resumed, rounds=70_000_000, seconds=24.0)
    assert playing.rate(after) == 5_000_000
    assert playing.pace(after) == "played in 24.0 s, 5.0 million rounds per second once started"


@pytest.mark.parametrize("warm", [False, True])
def test_the_first_compilation_is_announced(shell: Shell, monkeypatch: pytest.MonkeyPatch, warm: bool) -> None:
    """On standard error, and only if something must be compiled."""
    monkeypatch.setattr(cache, "is_warm", lambda what: warm and what == "simulate")
    ran = shell("simulate", "classic", *PLAIN, "--rounds", "10", "--json")
    assert ran.code == 0
    words = f"compiling the kernels for simulated rounds (once, about {cache.GROUPS['rounds'][1]} s) ...\n"
    assert ran.err == ("" if warm else words)


# Help


def test_the_help_has_examples(shell: Shell) -> None:
    """`holecard simulate --help`, and the command is listed."""
    ran = shell("simulate", "--help")
    assert ran.code == 0
    assert "holecard simulate GAME --rounds 1e9" in flat(ran.out)
    assert "simulate" in shell("--help").out
