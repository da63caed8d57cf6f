"""`holecard verify`: the verdict, every comparison, its JSON, exit codes, and what is refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from holecard.sheets.read import rules
from holecard.simulation import verify as comparing
from holecard.simulation.plays.fresh_shoes import ROUNDS_PER_CHUNK
from holecard.simulation.verify import Verification
from tests.cli.shell import Shell, flat, read_json
from tests.selection import quick
from tests.simulation.mutations import DOUBLES, SMALL, broken

DOCS = Path(__file__).parents[2] / "docs" / "json.md"
CHART = Path(__file__).parents[1] / "published" / "six-decks-soft-17-hit.txt"
PLAIN = ("--strategy", "never bust", "--replay", "40")
REAL = comparing.verify
#: Comparisons of the classic game, how many are histograms, and how many there are without other runs.
COMPARED, HISTOGRAMS, ALONE = 18, 6, 7


def against(monkeypatch: pytest.MonkeyPatch, **settings: object) -> None:
    """Make the exact side compute with another rule."""
    monkeypatch.setattr(comparing, "verify", partial(REAL, against=rules("classic", settings)))


@pytest.mark.slow
def test_a_right_game_agrees(shell: Shell) -> None:
    """The verdict comes first, and the exit code is 0."""
    ran = shell("verify", "classic", *PLAIN, "--rounds", "200k")
    assert ran.code == 0
    assert ran.out.startswith(f"Exact and simulated agree in all of {COMPARED} comparisons. Largest difference:\n")
    out = flat(ran.out)
    assert "strategy never bust" in out
    assert "rounds 200,000, seed 1" in out
    for compared in (
        "Main wager exact simulated",
        "mean -0.0",
        "net results",
        "Dealer exact",
        "opening cards",
        "Insurance",
    ):
        assert compared in out.partition("Comparisons")[2]
    assert out.count("chi² ") == HISTOGRAMS
    assert out.count(" z +") + out.count(" z -") == COMPARED - HISTOGRAMS
    assert "The sheet was read a second time and compared with " in out
    # As many by charts that try every action, and one with several seats.
    assert "40 of the rounds were replayed at the table, card by card, and 41 more" in out.partition("Classic")[0]
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "nan" not in ran.out


def test_a_wrong_rule_differs(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The output names the difference and its size, and the exit code is 1."""
    against(monkeypatch, natural="7 to 5")
    ran = shell("verify", "classic", *PLAIN, "--rounds", "200k")
    assert ran.code == 1
    assert ran.out.startswith("Exact and simulated differ in ")
    verdict = flat(ran.out.partition("\n\n")[0])
    assert "main wager, net results: 3/2 occurred " in verdict
    assert "although its probability is 0" in verdict
    assert "differs" in ran.out.partition("Comparisons")[2]
    assert max(map(len, ran.out.splitlines())) <= 80
    ran = shell("verify", "classic", *PLAIN, "--rounds", "200k", "--json")
    assert (ran.code, json.loads(ran.out)["agrees"]) == (1, False)


@pytest.mark.slow
def test_the_json(shell: Shell) -> None:
    """Keys as documented; every comparison with z or chi-square."""
    data = read_json(shell("verify", "classic", *PLAIN, "--rounds", "50k", "--seed", "4", "--json"))
    assert list(data) == [
        *(
            "version",
            "sheet",
            "game",
            "decks",
            "procedure",
            "seed",
            "rounds",
            "asked",
            "complete",
            "strategy",
            "convention",
        ),
        *("agrees", "verdict", "level", "judged", "comparisons", "reading", "shown", "same_rounds", "not_played"),
        *("replay", "not_compared", "settings", "wagers"),
    ]
    assert (data["game"], data["seed"], data["rounds"], data["complete"]) == ("classic", 4, 50_000, True)
    assert data["strategy"] == "never bust"
    assert data["agrees"] is True
    assert data["judged"] == len(data["comparisons"]) == COMPARED
    assert data["reading"]["differences"] == data["shown"]["differences"] == []
    assert min(data["reading"]["cells"], data["shown"]["compared"]) > 1000
    assert data["same_rounds"]["differences"] == data["not_played"] == []
    dealt_down = data["replay"].pop("dealt_down")
    assert 4 < dealt_down < 200
    assert data["replay"] == {"rounds": 40, "tried": 41, "differing": 0, "differences": []}
    mean, deviation, nets, _, adjusted, luck, every_action, *_ = data["comparisons"]
    assert (adjusted["what"], luck["what"]) == ("mean, luck-adjusted", "mean luck")
    assert every_action["what"] == "mean, every action, luck-adjusted"
    assert (deviation["what"], deviation["kind"]) == ("standard deviation", "deviation")
    assert mean["z"] == pytest.approx((mean["simulated"] - mean["exact"]) / mean["standard_error"])
    assert nets["degrees"] == 3, "lost, pushed, won and a natural"
    assert nets["z"] is None
    for compared in data["comparisons"]:
        assert (compared["z"] is None) == (compared["kind"] == "histogram") == (compared["statistic"] is not None)
        assert 0 <= compared["p"] <= compared["adjusted"] <= 1
    section = DOCS.read_text(encoding="utf-8").partition("## `holecard verify")[2].partition("\n## ")[0]
    places = [section.index(f"`{key}`") for key in data]
    assert places == sorted(places)
    assert [key for key in mean if f"`{key}`" not in section] == []


@pytest.mark.slow
def test_every_line_of_a_side_wager_is_compared(shell: Shell) -> None:
    """In a separate table; wagers left out are named."""
    asked = ("verify", "match-up", *PLAIN, "--rounds", "5000")
    data = read_json(shell(*asked, "--json"))
    lines = [len(wager.lines) + 1 for wager in rules("match-up").tables.wagers]
    for name, count in zip(("Match Up", "3 Card Bonus"), lines, strict=True):
        kinds = [compared["kind"] for compared in data["comparisons"] if compared["name"] == name]
        assert kinds == ["mean", "deviation", "histogram", *["frequency"] * count]
    assert data["not_compared"] == []
    out = shell(*asked).out
    assert max(map(len, out.splitlines())) <= 80
    assert "Not compared" not in out
    assert "3 Card Bonus exact simulated difference" in flat(out)


@pytest.mark.slow
def test_what_is_not_compared_is_named(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """In text and in JSON."""
    monkeypatch.setattr(comparing, "verify", partial(REAL, wagers=["Match Up"]))
    asked = ("verify", "match-up", *PLAIN, "--rounds", "5000")
    assert read_json(shell(*asked, "--json"))["not_compared"] == ["3 Card Bonus"]
    assert "Not compared: 3 Card Bonus." in flat(shell(*asked).out)


@pytest.mark.parametrize("game", quick(["classic", "small"]))
def test_a_mistake_that_exact_and_simulated_share_ends_with_1(shell: Shell, tmp_path: Path, game: str) -> None:
    """The first difference is printed with a record, which `holecard replay` reads."""
    if game == "small":
        sheet = tmp_path / "small.toml"
        sheet.write_text(SMALL, encoding="utf-8")
        game = str(sheet)
    with broken(DOUBLES):
        ran = shell("verify", game, "--strategy", "never bust", "--replay", "200", "--rounds", "20k")
    assert ran.code == 1
    assert re.search(r"Replayed at the table, card by card, \d+ of \d+ rounds differ:\n  Round ", ran.out)
    assert "simulated: seat 1 has a net result of " in ran.out
    assert "Exact and simulated agree in all of " in ran.out
    record = tmp_path / "round.toml"
    first = ran.out.split("\n  Round ")[1].splitlines()
    record.write_text("\n".join(line for line in first if line.startswith("      ")), encoding="utf-8")
    assert shell("replay", str(record)).code == 0


@pytest.mark.slow
def test_a_chart_is_called_by_its_file(shell: Shell) -> None:
    """As in other commands."""
    data = read_json(
        shell("verify", "classic", "--strategy", str(CHART), "--replay", "0", "--rounds", "100k", "--json")
    )
    assert data["strategy"] == f"the chart {CHART}"
    assert data["agrees"] is True


@pytest.mark.slow
def test_threads_change_nothing(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results are identical."""
    monkeypatch.setitem(ROUNDS_PER_CHUNK, "cpu", 100_000)
    asked = ("verify", "classic", *PLAIN, "--rounds", "300k", "--json")
    assert shell(*asked, "--executor", "threads:1").out == shell(*asked, "--executor", "threads:2").out


@pytest.mark.slow
def test_too_few_rounds_are_reported(shell: Shell) -> None:
    """Comparisons without enough rounds are counted and marked; the others are judged."""
    ran = shell("verify", "classic", *PLAIN, "--rounds", "30")
    assert ran.code == 0
    judged = ALONE - 4
    assert flat(ran.out).startswith(
        f"Exact and simulated agree in all of the {judged} comparisons judged. Largest difference:"
    )
    said = re.search(rf"4 of {ALONE} comparisons had too few .*; about (\S+) are enough for all", flat(ran.out))
    assert said is not None
    assert ran.out.partition("Comparisons")[2].count("not judged") == 4
    enough = said[1].replace(",", "")
    # Insurance is offered in one of 13 rounds and won 31 times of 100: 12 · 13 / 0.309.
    assert int(enough) == 510
    data = read_json(shell("verify", "classic", *PLAIN, "--rounds", "550", "--json"))
    assert data["judged"] == len(data["comparisons"]) == ALONE


@pytest.mark.slow
def test_nothing_judged_is_not_an_agreement(shell: Shell) -> None:
    """The exit code is 1, in text and in JSON."""
    ran = shell("verify", "match-up", *PLAIN, "--rounds", "1")
    assert ran.code == 1
    assert ran.out.startswith("Nothing could be judged, so this is not agreement.\n")
    # The rarest line, two suited matches, has a probability of 0.00021: about 12 / 0.00021 rounds.
    assert "24 of 24 comparisons had too few rounds to be judged" in flat(ran.out)
    assert "about 58,000 are enough for all." in flat(ran.out)
    assert "nan" not in ran.out
    assert "1 rounds" not in ran.out
    ran = shell("verify", "match-up", *PLAIN, "--rounds", "1", "--json")
    data = json.loads(ran.out)
    assert (ran.code, data["agrees"], data["judged"]) == (1, False, 0)


@pytest.mark.slow
def test_a_stopped_run_is_judged_and_marked(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the exit code of an interrupt."""

    def stopped(*args: Any, **how: Any) -> Verification:
        found = REAL(*args, **how)
        return replace(found, sampled=replace(found.sampled, asked=10**9, complete=False))

    monkeypatch.setattr(comparing, "verify", stopped)
    ran = shell("verify", "classic", *PLAIN, "--rounds", "50k")
    assert ran.code == 130
    assert ran.out.startswith("Exact and simulated agree")
    assert "stopped early: 50,000 of 1,000,000,000 rounds were played" in ran.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--rounds", "1.5"], "not a whole number"),
        (["--strategy", "basicc"], "did you mean 'basic'?"),
        (["--device", "tpu"], "unknown device 'tpu'"),
        (["--executor", "dask:nowhere"], "write dask://host:port"),
        (["--set", "natral=1"], "did you mean"),
    ],
)
def test_bad_input_is_refused(shell: Shell, words: list[str], says: str) -> None:
    """With a clear message, exit code 2 and nothing on standard output."""
    ran = shell("verify", "classic", *PLAIN, *words)
    assert (ran.code, ran.out) == (2, "")
    assert says in flat(ran.err)


def test_the_help_has_examples(shell: Shell) -> None:
    """`holecard verify --help`, and the command is listed."""
    ran = shell("verify", "--help")
    assert ran.code == 0
    assert "holecard verify GAME --rounds 1e9 --seed 7" in flat(ran.out)
    assert "verify" in shell("--help").out
