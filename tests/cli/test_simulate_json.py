"""`holecard simulate --json`: its keys, that every number follows from the counts, and that runs repeat exactly."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import holecard
from holecard.charts.named_strategies import never_bust
from holecard.sheets.read import rules
from holecard.simulation.plays.fresh_shoes import ROUNDS_PER_CHUNK
from tests.cli.shell import Shell, flat, read_json

ROOT = Path(__file__).parents[2]
CHART = ROOT / "tests" / "published" / "six-decks-soft-17-hit.txt"
PLAIN = ("--strategy", "never bust")
F = Fraction
ESTIMATE = ("ev", "house_edge", "standard_error", "low", "high", "standard_deviation")


# What it says


def test_the_json_adds_up(shell: Shell) -> None:
    """Every number follows from the histogram, which counts every round."""
    data = read_json(shell("simulate", "upcard-luck-21", *PLAIN, "--rounds", "20k", "--level", "0.9", "--json"))
    assert list(data) == [
        *("version", "sheet", "game", "decks", "procedure", "seed", "rounds", "asked", "complete", "level"),
        *("seats", "insurance", "not_sampled", "settings"),
    ]
    assert (data["game"], data["decks"], data["seed"], data["level"]) == ("upcard-luck-21", 6, 1, 0.9)
    assert (data["rounds"], data["asked"], data["complete"]) == (20_000, 20_000, True)
    assert data["procedure"] == "a fresh shoe of 6 decks for every round"
    assert data["not_sampled"] == []
    (seat,) = data["seats"]
    assert list(seat) == [
        *("strategy", "ev", "house_edge", "standard_error", "low", "high", "standard_deviation", "average_stake"),
        *("wins", "pushes", "losses", "counts", "wagers", "fresh_shoe_ev"),
    ]
    assert seat["strategy"] == "never bust"
    assert seat["average_stake"] == 1.0
    nets = {F(net): count for net, count in seat["counts"].items()}
    assert sum(nets.values()) == 20_000
    assert seat["wins"] == sum(count for net, count in nets.items() if net > 0)
    assert seat["pushes"] == nets[F(0)]
    assert seat["wins"] + seat["pushes"] + seat["losses"] == 20_000
    the_estimate_follows(seat, nets)
    assert list(seat["wagers"]) == ["Upcard Luck", "Taxpayer's Fortune"]
    for wager in seat["wagers"].values():
        the_wager_adds_up(wager)
    insurance = data["insurance"]
    assert list(insurance) == ["taken", *ESTIMATE, "counts"]
    assert insurance["taken"] == sum(insurance["counts"].values()) == pytest.approx(20_000 / 13, abs=200)
    the_estimate_follows(insurance, {F(net): count for net, count in insurance["counts"].items()})


def the_wager_adds_up(wager: dict[str, Any]) -> None:
    """Placed in every round; each result belongs to one line, and was taxed or not."""
    assert list(wager) == [
        *("unit", "printed", "placed", *ESTIMATE, "counts", "lines", "taxes"),
    ]
    assert wager["placed"] == sum(line["count"] for line in wager["lines"]) == 20_000
    assert sum(line["count"] for line in wager["taxes"]) < 20_000
    the_estimate_follows(wager, {F(net): count for net, count in wager["counts"].items()})


def the_estimate_follows(said: dict[str, Any], nets: dict[Fraction, int]) -> None:
    rounds = sum(nets.values())
    mean = sum(net * count for net, count in nets.items()) / rounds
    variance = sum(count * (net - mean) ** 2 for net, count in nets.items()) / (rounds - 1)
    assert said["ev"] == pytest.approx(float(mean), abs=1e-15)
    assert said["standard_deviation"] == pytest.approx(float(variance) ** 0.5, rel=1e-12)
    assert said["standard_error"] == pytest.approx((float(variance) / rounds) ** 0.5, rel=1e-12)
    # Nine out of ten are within 1.6449 standard errors.
    assert said["high"] - said["ev"] == pytest.approx(1.6448536 * said["standard_error"], rel=1e-6)
    assert said["ev"] - said["low"] == pytest.approx(said["high"] - said["ev"], rel=1e-9)


def test_what_is_unknown_is_null(shell: Shell) -> None:
    """One round has no error, and a hole card face up leaves nothing to insure against."""
    data = read_json(shell("simulate", "classic", *PLAIN, "--rounds", "1", "--json"))
    assert [data["seats"][0][key] for key in ("standard_error", "low", "high", "standard_deviation")] == [None] * 4
    assert read_json(shell("simulate", "face-up", *PLAIN, "--rounds", "10", "--json"))["insurance"] is None


def test_a_shoe_can_be_dealt_down(shell: Shell) -> None:
    """The output shows the exact value of a fresh shoe next to the mean, and explains the difference."""
    asked = ("simulate", "classic", *PLAIN, "--rounds", "40k", "--procedure", "cut:75")
    data = read_json(shell(*asked, "--json"))
    assert "cut card at 75%" in data["procedure"]
    assert data["rounds"] == pytest.approx(40_000, rel=0.01)
    assert data["complete"] is True, "whole shoes, so about as many rounds"
    exact = holecard.analyze("classic", strategy=never_bust(rules("classic").tables), wagers=False).main.ev
    assert data["seats"][0]["fresh_shoe_ev"] == pytest.approx(exact, abs=1e-12)
    assert read_json(shell(*asked[:-2], "--json"))["seats"][0]["fresh_shoe_ev"] is None
    out = flat(shell(*asked).out)
    apart = data["seats"][0]["ev"] - exact
    assert f"expected value {exact:+.4f} exactly this procedure {apart:+.4f}" in out


def test_settings_and_seed_are_heeded(shell: Shell) -> None:
    """Another payoff for naturals gives other nets, another seed deals other cards; the output states both."""
    data = read_json(
        shell("simulate", "classic", *PLAIN, "--rounds", "5000", "--json", "--set", "settle.natural=6 to 5")
    )
    assert "1.2" in data["seats"][0]["counts"]
    assert "1.5" not in data["seats"][0]["counts"]
    assert data["settings"] == {"settle.natural": "6 to 5"}
    other = read_json(shell("simulate", "classic", *PLAIN, "--rounds", "5000", "--json", "--seed", "2"))
    assert other["seed"] == 2
    assert other["seats"][0]["losses"] != data["seats"][0]["losses"]


def test_it_is_what_python_gets(shell: Shell) -> None:
    """The same description and the same counts."""
    data = read_json(shell("simulate", "classic", *PLAIN, "--rounds", "3000", "--seed", "9", "--json"))
    found = holecard.simulate("classic", "never bust", 3000, 9)
    assert isinstance(found, holecard.Simulation)
    assert {F(net): count for net, count in data["seats"][0]["counts"].items()} == found.main.histogram


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


def test_threads_change_nothing(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither does reading a chart from a file; the JSON contains nothing that another run would not repeat."""
    monkeypatch.setitem(ROUNDS_PER_CHUNK, "cpu", 100_000)
    asked = ("simulate", "classic", *PLAIN, "--seats", "2", "--rounds", "300k", "--json")
    one = shell(*asked, "--executor", "threads:1")
    two = shell(*asked, "--executor", "threads:2")
    assert one.code == two.code == 0
    assert one.out == two.out


def test_a_run_goes_on_to_the_same_result(shell: Shell, tmp_path: Path) -> None:
    """New rounds are added to the saved ones; a complete run is only shown again."""
    asked = ("simulate", "classic", *PLAIN, "--seed", "3", "--json")
    file = ("--resume", str(tmp_path / "run.json"))
    begun = read_json(shell(*asked, "--rounds", "4000", *file))
    assert begun["rounds"] == 4000
    gone_on = shell(*asked, "--rounds", "10_000", *file)
    assert gone_on.out == shell(*asked, "--rounds", "10_000").out
    assert shell(*asked, "--rounds", "10_000", *file).out == gone_on.out


# Strategies, seats and wagers


def test_each_seat_has_its_strategy(shell: Shell) -> None:
    """In the given order, with as many seats as strategies; a chart is named by its file."""
    words = ("--strategy", str(CHART), "--strategy", "mimic the dealer", "--strategy", "never bust")
    data = read_json(shell("simulate", "classic", *words, "--rounds", "50k", "--json"))
    names = [f"the chart {CHART}", "mimic the dealer", "never bust"]
    assert [seat["strategy"] for seat in data["seats"]] == names
    stakes = [seat["average_stake"] for seat in data["seats"]]
    assert stakes[0] > 1.1 > stakes[1] == stakes[2] == 1, "only the chart doubles and splits"
    text = flat(shell("simulate", "classic", *words, "--rounds", "50k").out)
    assert f"seat 1 {names[0]} seat 2 {names[1]} seat 3 {names[2]} rounds" in text.replace("- ", "-")


def test_one_strategy_serves_all_seats(shell: Shell) -> None:
    """A chart is named by its file at each of them."""
    data = read_json(
        shell("simulate", "classic", "--strategy", str(CHART), "--seats", "7", "--rounds", "100", "--json")
    )
    assert [seat["strategy"] for seat in data["seats"]] == [f"the chart {CHART}"] * 7


def test_a_name_is_not_read_as_a_file(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if a file with that name exists."""
    monkeypatch.chdir(tmp_path)
    Path("never bust").write_text("no chart", encoding="utf-8")
    data = read_json(shell("simulate", "classic", *PLAIN, "--rounds", "10", "--json"))
    assert data["seats"][0]["strategy"] == "never bust"


def test_the_best_chart_is_what_is_played_unless_said(shell: Shell) -> None:
    """With its name or without an option."""
    first = shell("simulate", "classic", "--rounds", "1000", "--json")
    assert read_json(first)["seats"][0]["strategy"] == "the best total-dependent chart"
    assert shell("simulate", "classic", "--strategy", "Basic strategy", "--rounds", "1000", "--json").out == first.out


@pytest.mark.slow
@pytest.mark.parametrize("words", [["simulate"], ["simulate", "--reduce-variance"], ["verify"]])
def test_the_best_chart_can_have_its_exceptions(shell: Shell, words: list[str]) -> None:
    """It has its own name in every command that plays."""
    name, *option = words
    ran = shell(name, "classic", *option, "--strategy", "basic with exceptions", "--rounds", "100k", "--json")
    data = read_json(ran)
    said = data["strategy"] if "strategy" in data else data["seats"][0]["strategy"]
    assert said == "the best total-dependent chart with exceptions for two cards"


@pytest.mark.parametrize(
    ("words", "wagers"),
    [([], ["Match Up", "3 Card Bonus"]), (["--wager", "3 Card Bonus"], ["3 Card Bonus"]), (["--main-only"], [])],
)
def test_side_wagers_can_be_chosen(shell: Shell, words: list[str], wagers: list[str]) -> None:
    """The output names those left out; the main wager is unchanged."""
    asked = ("simulate", "match-up", *PLAIN, "--rounds", "2000")
    data = read_json(shell(*asked, *words, "--json"))
    assert list(data["seats"][0]["wagers"]) == wagers
    assert data["not_sampled"] == [name for name in ("Match Up", "3 Card Bonus") if name not in wagers]
    assert data["seats"][0]["counts"] == read_json(shell(*asked, "--json"))["seats"][0]["counts"]
    out = flat(shell(*asked, *words).out)
    assert (f"Not sampled: {', '.join(data['not_sampled'])}." in out) is (len(wagers) < 2)
