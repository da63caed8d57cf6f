"""`holecard simulate`: what is printed, its JSON, what repeats to the bit, resume, Ctrl-C, and what is refused."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import holecard
from docs.fill_readme import filled
from holecard.cli import simulate as command
from holecard.cli.show_simulation import decimals, show_simulation
from holecard.cli.simulate import Playing, read_rounds
from holecard.errors import Refusal
from holecard.kernels import cache
from holecard.sheets.read import rules
from holecard.simulation.results import Insured, LineCount, SeatResult, Simulation, WagerSample
from holecard.simulation.simulate import MOST_ROUNDS
from holecard.strategy.named import never_bust
from tests.cli import terminal
from tests.cli.shell import Shell, flat, read_json
from tests.cli.terminal import Terminal

ROOT = Path(__file__).parents[2]
CHART = ROOT / "tests" / "published" / "six-decks-soft-17-hit.txt"
PAGE = ROOT / "docs" / "simulation.md"
PLAIN = ("--strategy", "never bust")
CTRL_C = "\x03"

F = Fraction


def sheets() -> Iterator[str]:
    yield from holecard.games()
    yield from sorted(map(str, (ROOT / "examples" / "games").glob("*.toml")))


def made(histogram: dict[Fraction, int], seats: int = 1, **changes: Any) -> Simulation:
    """A run with these net results at every seat."""
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


def printed(capsys: pytest.CaptureFixture[str], found: Simulation) -> str:
    show_simulation(found)
    return flat(capsys.readouterr().out)


# Reading


@pytest.mark.parametrize(
    ("text", "rounds"),
    [
        ("1", 1),
        ("1000000", 10**6),
        ("1_000_000", 10**6),
        ("1,000,000", 10**6),
        ("1e9", 10**9),
        ("1E9", 10**9),
        ("10e6", 10**7),
        ("2.5e6", 2_500_000),
        ("10M", 10**7),
        ("1.5m", 1_500_000),
        ("3k", 3000),
        ("2G", 2 * 10**9),
        ("2B", 2 * 10**9),
        ("1T", 10**12),
        (" 7 ", 7),
        (str(MOST_ROUNDS), MOST_ROUNDS),
    ],
)
def test_rounds_are_read_as_people_write_them(text: str, rounds: int) -> None:
    """To the last round, whatever the size."""
    assert read_rounds(text) == rounds


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1.5", "no whole number"),
        ("1.0005k", "no whole number"),
        ("many", "no number of rounds"),
        ("", "no number of rounds"),
        ("-5", "no number of rounds"),
        ("1e-3", "no number of rounds"),
        ("nan", "no number of rounds"),
        ("inf", "no number of rounds"),
        ("1e999999999", "no number of rounds"),
        ("²", "no number of rounds"),
        ("0", "between 1 and"),
        (str(MOST_ROUNDS + 1), "between 1 and 9,223,372,036,854,775,807 (63 bits)"),
        ("1e300", "between 1 and"),
    ],
)
def test_rounds_that_cannot_be_played_are_refused(shell: Shell, text: str, says: str) -> None:
    """In plain words that quote them, with exit code 2."""
    ran = shell("simulate", "classic", "--rounds", text)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
    assert repr(text) in ran.err


# For programs


def test_the_json_adds_up(shell: Shell) -> None:
    """Every number follows from the histogram, which counts every round."""
    data = read_json(shell("simulate", "upcard-luck-21", *PLAIN, "--rounds", "20k", "--level", "0.9", "--json"))
    assert list(data) == [
        *("game", "decks", "procedure", "seed", "rounds", "asked", "complete", "level"),
        *("seats", "insurance", "not_sampled", "settings"),
    ]
    assert (data["game"], data["decks"], data["seed"], data["level"]) == ("upcard-luck-21", 6, 1, 0.9)
    assert (data["rounds"], data["asked"], data["complete"]) == (20_000, 20_000, True)
    assert data["procedure"] == "a fresh shoe of 6 decks for every round"
    assert data["not_sampled"] == []
    (seat,) = data["seats"]
    assert list(seat) == [
        *("strategy", "mean", "se", "low", "high", "sd", "average_stake", "wins", "pushes", "losses", "histogram"),
        *("wagers", "fresh_shoe"),
    ]
    assert seat["strategy"] == "never bust"
    assert seat["average_stake"] == 1.0
    nets = {F(net): count for net, count in seat["histogram"].items()}
    assert sum(nets.values()) == 20_000
    assert seat["wins"] == sum(count for net, count in nets.items() if net > 0)
    assert seat["pushes"] == nets[F(0)]
    assert seat["wins"] + seat["pushes"] + seat["losses"] == 20_000
    the_estimate_follows(seat, nets)
    assert list(seat["wagers"]) == ["Upcard Luck", "Taxpayer's Fortune"]
    for wager in seat["wagers"].values():
        the_wager_adds_up(wager)
    insurance = data["insurance"]
    assert list(insurance) == ["taken", "mean", "se", "low", "high", "sd", "histogram"]
    assert insurance["taken"] == sum(insurance["histogram"].values()) == pytest.approx(20_000 / 13, abs=200)
    the_estimate_follows(insurance, {F(net): count for net, count in insurance["histogram"].items()})


def the_wager_adds_up(wager: dict[str, Any]) -> None:
    """Placed in every round; each ended on one line, and was taxed or not."""
    assert list(wager) == [
        *("unit", "placed", "mean", "se", "low", "high", "sd", "histogram", "lines", "taxes"),
    ]
    assert wager["placed"] == sum(line["count"] for line in wager["lines"]) == 20_000
    assert sum(line["count"] for line in wager["taxes"]) < 20_000
    the_estimate_follows(wager, {F(net): count for net, count in wager["histogram"].items()})


def the_estimate_follows(said: dict[str, Any], nets: dict[Fraction, int]) -> None:
    rounds = sum(nets.values())
    mean = sum(net * count for net, count in nets.items()) / rounds
    variance = sum(count * (net - mean) ** 2 for net, count in nets.items()) / (rounds - 1)
    assert said["mean"] == pytest.approx(float(mean), abs=1e-15)
    assert said["sd"] == pytest.approx(float(variance) ** 0.5, rel=1e-12)
    assert said["se"] == pytest.approx((float(variance) / rounds) ** 0.5, rel=1e-12)
    # Nine out of ten lie within 1.6449 standard errors.
    assert said["high"] - said["mean"] == pytest.approx(1.6448536 * said["se"], rel=1e-6)
    assert said["mean"] - said["low"] == pytest.approx(said["high"] - said["mean"], rel=1e-9)


def test_what_is_unknown_is_null(shell: Shell) -> None:
    """One round has no error; without a hole card insurance is not told from the opening cards."""
    data = read_json(shell("simulate", "classic", *PLAIN, "--rounds", "1", "--json"))
    assert [data["seats"][0][key] for key in ("se", "low", "high", "sd")] == [None] * 4
    european = str(ROOT / "examples" / "games" / "european.toml")
    data = read_json(shell("simulate", european, *PLAIN, "--rounds", "10", "--json"))
    assert data["insurance"] is None
    assert data["not_sampled"][-1] == "Insurance"


def test_a_shoe_can_be_dealt_down(shell: Shell) -> None:
    """The mean then stands beside the exact one of a fresh shoe, and the difference is said."""
    asked = ("simulate", "classic", *PLAIN, "--rounds", "40k", "--procedure", "cut:75")
    data = read_json(shell(*asked, "--json"))
    assert "cut card at 75%" in data["procedure"]
    assert data["rounds"] == pytest.approx(40_000, rel=0.01)
    assert data["complete"] is True, "whole shoes, so about as many rounds"
    exact = holecard.analyze("classic", strategy=never_bust(rules("classic").tables), wagers=False).main.ev
    assert data["seats"][0]["fresh_shoe"] == pytest.approx(exact, abs=1e-12)
    assert read_json(shell(*asked[:-2], "--json"))["seats"][0]["fresh_shoe"] is None
    out = flat(shell(*asked).out)
    apart = data["seats"][0]["mean"] - exact
    assert f"expected value {exact:+.4f} exactly this procedure {apart:+.4f}" in out


def test_settings_and_seed_are_heeded(shell: Shell) -> None:
    """Another natural pays other nets, another seed deals other cards; both are said."""
    data = read_json(
        shell("simulate", "classic", *PLAIN, "--rounds", "5000", "--json", "--set", "settle.natural=6 to 5")
    )
    assert "1.2" in data["seats"][0]["histogram"]
    assert "1.5" not in data["seats"][0]["histogram"]
    assert data["settings"] == {"settle.natural": "6 to 5"}
    other = read_json(shell("simulate", "classic", *PLAIN, "--rounds", "5000", "--json", "--seed", "2"))
    assert other["seed"] == 2
    assert other["seats"][0]["losses"] != data["seats"][0]["losses"]


def test_it_is_what_python_gets(shell: Shell) -> None:
    """The same words, the same counts."""
    data = read_json(shell("simulate", "classic", *PLAIN, "--rounds", "3000", "--seed", "9", "--json"))
    found = holecard.simulate("classic", "never bust", 3000, 9)
    assert isinstance(found, holecard.Simulation)
    assert {F(net): count for net, count in data["seats"][0]["histogram"].items()} == found.main.histogram


def test_every_key_is_documented(shell: Shell) -> None:
    """In docs/json.md, in the order they are printed."""
    data = read_json(shell("simulate", "upcard-luck-21", *PLAIN, "--rounds", "10", "--json"))
    page = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    section = page.partition("## `holecard simulate")[2].partition("\n## ")[0]
    places = [section.index(f"`{key}`") for key in data]
    assert places == sorted(places)
    wager = data["seats"][0]["wagers"]["Taxpayer's Fortune"]
    keys = [*data["seats"][0], *data["insurance"], *wager, *wager["lines"][0], *wager["taxes"][0]]
    assert [key for key in keys if f'"{key}"' not in section] == []


# The same to the last bit


def test_threads_change_nothing(shell: Shell) -> None:
    """Nor a chart's file beside its name; the JSON holds nothing that another run would not repeat."""
    asked = ("simulate", "classic", *PLAIN, "--seats", "2", "--rounds", "9e6", "--json")
    one = shell(*asked, "--executor", "threads:1")
    two = shell(*asked, "--executor", "threads:2")
    assert one.code == two.code == 0
    assert one.out == two.out


def test_a_run_goes_on_to_the_same_result(shell: Shell, tmp_path: Path) -> None:
    """More rounds are added to those that were saved; what is complete is only shown again."""
    asked = ("simulate", "classic", *PLAIN, "--seed", "3", "--json")
    file = ("--resume", str(tmp_path / "run.json"))
    begun = read_json(shell(*asked, "--rounds", "4000", *file))
    assert begun["rounds"] == 4000
    gone_on = shell(*asked, "--rounds", "10_000", *file)
    assert gone_on.out == shell(*asked, "--rounds", "10_000").out
    assert shell(*asked, "--rounds", "10_000", *file).out == gone_on.out


# Strategies and seats


def test_each_seat_has_its_strategy(shell: Shell) -> None:
    """In the order they are said, and as many seats as strategies; a chart by its file."""
    words = ("--strategy", str(CHART), "--strategy", "mimic the dealer", "--strategy", "never bust")
    data = read_json(shell("simulate", "classic", *words, "--rounds", "50k", "--json"))
    names = [f"the total-dependent chart {CHART}", "mimic the dealer", "never bust"]
    assert [seat["strategy"] for seat in data["seats"]] == names
    stakes = [seat["average_stake"] for seat in data["seats"]]
    assert stakes[0] > 1.1 > stakes[1] == stakes[2] == 1, "only the chart doubles and splits"
    text = flat(shell("simulate", "classic", *words, "--rounds", "50k").out)
    assert f"seat 1 {names[0]} seat 2 {names[1]} seat 3 {names[2]} rounds" in text.replace("- ", "-")


def test_one_strategy_serves_all_seats(shell: Shell) -> None:
    """And a chart is called by its file at each of them."""
    data = read_json(
        shell("simulate", "classic", "--strategy", str(CHART), "--seats", "7", "--rounds", "100", "--json")
    )
    assert [seat["strategy"] for seat in data["seats"]] == [f"the total-dependent chart {CHART}"] * 7


def test_a_name_is_no_file(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where there is one that is called the same."""
    monkeypatch.chdir(tmp_path)
    Path("never bust").write_text("no chart", encoding="utf-8")
    data = read_json(shell("simulate", "classic", *PLAIN, "--rounds", "10", "--json"))
    assert data["seats"][0]["strategy"] == "never bust"


def test_the_best_chart_is_what_is_played_unless_said(shell: Shell) -> None:
    """By its name or without a word."""
    first = shell("simulate", "classic", "--rounds", "1000", "--json")
    assert read_json(first)["seats"][0]["strategy"] == "the best total-dependent chart"
    assert shell("simulate", "classic", "--strategy", "optimal", "--rounds", "1000", "--json").out == first.out


# For people


@pytest.mark.parametrize("game", list(sheets()), ids=lambda game: Path(game).stem)
def test_every_sheet_fits_80_columns(shell: Shell, game: str) -> None:
    """With several seats; every wager is there, sampled or not, and nothing is left unknown."""
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


def test_numbers_come_with_their_errors(capsys: pytest.CaptureFixture[str]) -> None:
    """A coin that fell 5,100 times in 10,000 has a mean of 0.02 and a standard error just below 0.01."""
    out = printed(capsys, made({F(1): 5_100, F(-1): 4_900}))
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


def test_insurance_is_told_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    """Per unit of insurance; with its own number of bets."""
    out = printed(capsys, made({F(1): 60, F(-1): 40}, insurance=Insured({F(2): 3, F(-1): 7})))
    assert "Insurance Per unit of insurance" in out
    # The sum of squares around -0.1 is 18.9; √(18.9 / 9 / 10) = 0.458.
    assert "expected value -0.10 standard error 0.46" in out
    assert "won 30.0000% 3 of 10 taken" in out
    assert "It was never offered." in printed(capsys, made({F(1): 1}, insurance=Insured({F(2): 0, F(-1): 0})))


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


def test_side_wagers_are_shown_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    """With mean and error, in dollars where amounts are fixed; one that could never be placed says so."""
    seat = SeatResult("by feel", {F(1): 100}, 100, wagers=(LUCK, FORTUNE, replace(LUCK, name="Hedge", histogram={})))
    out = printed(capsys, replace(made({F(1): 100}), seats=(seat,)))
    luck, _, fortune = out.partition("Luck Per unit staked")[2].partition("Fortune Per round, in dollars")
    # A mean of -0.5 with a variance of 25 · 0.09 · 100 / 99 = 2.27, so that the error is 0.15.
    assert "expected value -0.50 standard error 0.15" in luck
    assert "house edge 50% 95% interval 20% to 80%" in luck
    assert "pair 4 to 1 10 0.1000000 0.0300000 loses lose 90 0.9000000 0.0300000" in luck
    # Half of the rounds cost $5: an error of √(6.25 · 100 / 99 / 100) = 0.25.
    assert "expected value -$2.50 a round; standard error 0.25 95% interval -$2.99 to -$2.01" in fortune
    assert "natural $40 0 0.0000000 0.0000000 token kept nothing 100 1.0000000" in fortune
    assert "tax takes times share standard error" in fortune
    assert "20 $5 50 0.5000000 0.0500000" in fortune
    assert "Hedge Per unit staked, placed whenever it can be. It could never be placed." in fortune


@pytest.mark.parametrize(
    ("words", "wagers"),
    [([], ["Match Up", "3 Card Bonus"]), (["--wager", "3 Card Bonus"], ["3 Card Bonus"]), (["--main-only"], [])],
)
def test_side_wagers_can_be_chosen(shell: Shell, words: list[str], wagers: list[str]) -> None:
    """Those that are left out are named; the main wager is the same."""
    asked = ("simulate", "match-up", *PLAIN, "--rounds", "2000")
    data = read_json(shell(*asked, *words, "--json"))
    assert list(data["seats"][0]["wagers"]) == wagers
    assert data["not_sampled"] == [name for name in ("Match Up", "3 Card Bonus") if name not in wagers]
    assert data["seats"][0]["histogram"] == read_json(shell(*asked, "--json"))["seats"][0]["histogram"]
    out = flat(shell(*asked, *words).out)
    assert (f"Not sampled: {', '.join(data['not_sampled'])}." in out) is (len(wagers) < 2)


def test_seats_are_shown_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    """With the interval; one strategy that all follow is named once."""
    out = printed(capsys, made({F(1): 5_100, F(-1): 4_900}, seats=2))
    assert "strategy by feel seats 2" in out
    assert "seat 1 +0.0200 0.0100 +0.0004 +0.0396 seat 2 +0.0200" in out
    assert out.count("Net result of a round") == 2


def test_one_round_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is written that is not known."""
    out = printed(capsys, made({F(3, 2): 1}, seats=2, insurance=Insured({F(2): 0, F(-1): 1})))
    assert "nan" not in out
    assert "one round says nothing of its error" in out


@pytest.mark.parametrize(("se", "places"), [(0.0116, 3), (0.01, 3), (0.00026, 5), (3.0, 2), (0.0, 6), (1e-30, 15)])
def test_two_digits_of_an_error_are_shown(se: float, places: int) -> None:
    """Never more than a float has, and six without an error."""
    assert decimals(se) == places


# Ctrl-C, the bar and the clock


@pytest.mark.parametrize("keys", [CTRL_C, CTRL_C * 2], ids=["once", "twice"])
def test_ctrl_c_ends_with_what_was_played(shell: Shell, monkeypatch: pytest.MonkeyPatch, keys: str) -> None:
    """In a terminal, where a bar shows how far it is; the exit code is that of an interrupt."""
    shell("simulate", "classic", *PLAIN, "--rounds", "10")  # so that nothing is left to compile
    monkeypatch.setattr(terminal, "_COMMAND", [sys.executable, "-m", "holecard", "simulate"])
    screen = Terminal("classic", *PLAIN, "--rounds", "1e12")
    bar = screen.until("of 1,000,000 M rounds")
    assert "Classic" not in bar, "the result comes after the run"
    assert "ev -0.0" in screen.until(" ± ")
    screen.type(keys)
    code, rest = screen.ends()
    assert code == 130
    assert "of 1,000,000,000,000: stopped early, seed 1" in flat(rest)
    assert "house edge" in rest
    assert "stopped: " in rest
    assert "Traceback" not in rest


def stopped(monkeypatch: pytest.MonkeyPatch, found: Simulation) -> None:
    """Have a run end like this."""
    monkeypatch.setattr("holecard.simulation.simulate.simulate", lambda *_, **__: found)


def test_a_run_that_was_stopped_is_told_from_a_whole_one(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """In JSON, in words, on the error stream and by the exit code."""
    marked: list[str] = []
    monkeypatch.setattr(command, "mark_warm", marked.append)
    stopped(monkeypatch, made({F(1): 60, F(-1): 40}, asked=1_000))
    ran = shell("simulate", "classic", *PLAIN, "--json")
    data = json.loads(ran.out)
    assert (ran.code, data["complete"], data["rounds"], data["asked"]) == (130, False, 100, 1_000)
    ran = shell("simulate", "classic", *PLAIN)
    assert ran.code == 130
    assert "rounds 100 of 1,000: stopped early, seed 5" in flat(ran.out)
    assert "stopped: 100 of 1,000 rounds were played" in ran.err
    assert marked == ["simulate"] * 2
    stopped(monkeypatch, made({}, asked=1_000))
    ran = shell("simulate", "classic", *PLAIN)
    assert (ran.code, "No round was played." in ran.out) == (130, True)
    assert marked == ["simulate"] * 2, "nothing was compiled to the end"


@pytest.mark.parametrize(("seconds", "tty", "shows"), [(0.9, True, False), (1.1, True, True), (1.1, False, False)])
def test_a_bar_shows_only_when_it_takes_long(
    monkeypatch: pytest.MonkeyPatch, seconds: float, tty: bool, shows: bool
) -> None:
    """More than a second, and somebody to look at it."""
    now = [100.0]
    monkeypatch.setattr(command.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(command.sys.stderr, "isatty", lambda: tty, raising=False)
    started: list[bool] = []
    with Playing(200) as playing:
        monkeypatch.setattr(playing._bar, "start", lambda: started.append(True))
        for _ in range(2):
            now[0] += seconds / 2
            playing.show(made({F(1): 60, F(-1): 40}, asked=200))
    assert started == [True] * shows


def test_the_rate_counts_what_was_played_here(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither the rounds of a file nor the time to load the kernels; where it is too short to tell, nothing."""
    playing = Playing(10)
    resumed = made({F(1): 50_000_000}, seconds=20.0)
    playing.show(resumed)
    assert playing.rate(replace(resumed, rounds=51_000_000, seconds=20.5)) is None
    after = replace(resumed, rounds=70_000_000, seconds=24.0)
    assert playing.rate(after) == 5_000_000
    playing.say_pace(after)
    assert "played in 24.0 s, 5.0 million rounds a second" in capsys.readouterr().err


@pytest.mark.parametrize("warm", [False, True])
def test_the_first_compilation_is_announced(shell: Shell, monkeypatch: pytest.MonkeyPatch, warm: bool) -> None:
    """On the error stream, and only while there is something to wait for."""
    monkeypatch.setattr(cache, "is_warm", lambda what: warm and what == "simulate")
    ran = shell("simulate", "classic", *PLAIN, "--rounds", "10", "--json")
    assert ran.code == 0
    assert ran.err == ("" if warm else "compiling the kernels (once) ...\n")


# Refusals


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--strategy", "never burst"], "did you mean 'never bust'?"),
        (["--strategy", "nowhere.txt"], "'nowhere.txt' is no chart's file and no strategy's name"),
        (["--strategy", str(PAGE)], "simulation.md"),
        ([*PLAIN, "--seats", "9"], "9 seats cannot be dealt to; this table has 1 to 7"),
        ([*PLAIN, "--seats", "0"], "0 seats cannot be dealt to"),
        ([*PLAIN, *PLAIN, "--seats", "3"], "2 strategies for 3 seats"),
        ([*PLAIN, "--level", "95"], "a level of 95.0 is none"),
        ([*PLAIN, "--seed", "-1"], "seed -1 does not fit 64 bits"),
        ([*PLAIN, "--device", "cuda"], "no CUDA card answers here"),
        ([*PLAIN, "--device", "tpu"], "no device is called 'tpu'"),
        ([*PLAIN, "--executor", "treads:2"], "did you mean 'threads:2'?"),
        ([*PLAIN, "--executor", "threads:0"], "0 threads are asked for"),
        ([*PLAIN, "--executor", "dask://127.0.0.1:1"], "no Dask scheduler answers at 127.0.0.1:1"),
        ([*PLAIN, "--resume", "nowhere/run.json"], "the resume file nowhere/run.json cannot be written"),
        ([*PLAIN, "--set", "decks=0"], "shoe.decks"),
        ([*PLAIN, "--procedure", "cut:0"], "a cut card at 0% is not in the shoe"),
        ([*PLAIN, "--wager", "Lucky Ladies"], "no side wager called 'Lucky Ladies' can be sampled"),
        ([*PLAIN, "--wager", "Luck", "--main-only"], "leave one of them out"),
    ],
)
def test_bad_input_is_refused(shell: Shell, words: list[str], says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In plain words, with exit code 2 and nothing printed."""
    monkeypatch.setattr("numba.cuda.is_available", lambda: False)
    ran = shell("simulate", "classic", "--rounds", "1000", *words)
    assert (ran.code, ran.out) == (2, "")
    assert says in flat(ran.err)
    assert "Traceback" not in ran.err


def test_a_chart_of_another_game_is_refused(shell: Shell) -> None:
    """Before anything is played."""
    ran = shell("simulate", "face-up", "--strategy", str(CHART), "--rounds", "1000")
    assert (ran.code, ran.out) == (2, "")
    assert str(CHART) in ran.err


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (["--seed", "4"], "seed: 3 there, 4 here"),
        (["--strategy", "mimic the dealer"], "strategies"),
        (["--set", "decks=8"], "decks: 6 there, 8 here"),
        (["--rounds", "100"], "only 100 are asked for"),
    ],
)
def test_a_file_of_another_run_is_refused(shell: Shell, tmp_path: Path, changes: list[str], says: str) -> None:
    """Never merged: the file is as it was."""
    file = tmp_path / "run.json"
    asked = ["simulate", "classic", "--resume", str(file), "--rounds", "1000", "--seed", "3"]
    assert shell(*asked, *PLAIN).code == 0
    before = file.read_bytes()
    ran = shell(*asked, *(changes if "--strategy" in changes else [*PLAIN, *changes]))
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
    assert file.read_bytes() == before


def test_a_file_that_is_none_is_refused(shell: Shell) -> None:
    """And not written over."""
    text = CHART.read_bytes()
    ran = shell("simulate", "classic", *PLAIN, "--rounds", "1000", "--resume", str(CHART))
    assert ran.code == 2
    assert "is no resume file" in ran.err
    assert CHART.read_bytes() == text


# Words


def test_the_help_has_examples(shell: Shell) -> None:
    """`holecard simulate --help`, and the command is listed."""
    ran = shell("simulate", "--help")
    assert ran.code == 0
    assert "holecard simulate GAME --rounds 1e9" in flat(ran.out)
    assert "simulate" in shell("--help").out


def test_the_page_shows_what_the_command_prints() -> None:
    """Every example of docs/simulation.md is run."""
    text = PAGE.read_text(encoding="utf-8")
    assert filled(text).splitlines() == text.splitlines()


def test_a_refusal_of_a_round_is_one() -> None:
    """From Python too."""
    with pytest.raises(Refusal, match="no whole number"):
        read_rounds("0.5")


# Without luck


def test_without_luck_the_mean_is_the_same_and_the_error_far_less(shell: Shell) -> None:
    found = read_json(shell("simulate", "classic", *PLAIN, "--rounds", "1e5", "--reduce-variance", "--json"))
    plain = read_json(shell("simulate", "classic", *PLAIN, "--rounds", "1e5", "--main-only", "--json"))
    exact = holecard.analyze("classic", strategy=never_bust(rules("classic").tables), wagers=False).main
    assert found["raw"]["mean"] == pytest.approx(plain["seats"][0]["mean"], abs=1e-12)
    assert found["raw"]["se"] == pytest.approx(plain["seats"][0]["se"], rel=1e-6)
    assert abs(found["reduced"]["mean"] - exact.ev) < 4 * found["reduced"]["se"]
    assert found["gain"] > 1000
    assert abs(found["luck"]["z"]) < 4
    assert found["complete"] is True


def test_without_luck_is_shown_beside_the_raw_mean(shell: Shell) -> None:
    printed = flat(shell("simulate", "classic", *PLAIN, "--rounds", "1e5", "--reduce-variance").out)
    for words in ("as it fell", "without luck", "times fewer rounds", "mean luck", "fresh shoe"):
        assert words in printed


@pytest.mark.parametrize(
    "beside", [("--seats", "2"), ("--procedure", "cut:75"), ("--wager", "Match Up"), ("--device", "cuda")]
)
def test_what_luck_cannot_be_taken_out_of_is_refused(shell: Shell, beside: tuple[str, str]) -> None:
    refused = shell("simulate", "match-up", *PLAIN, *beside, "--reduce-variance", "--rounds", "1000")
    assert refused.code == 2
    assert f"leave out {beside[0]}" in refused.err
