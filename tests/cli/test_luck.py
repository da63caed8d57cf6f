"""`holecard simulate --reduce-variance`: both estimates, described as in a plain run; Ctrl-C, and refusals."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import holecard
from holecard.charts.named_strategies import never_bust
from holecard.sheets.read import rules
from holecard.simulation import simulate_luck as runs
from holecard.simulation.luck_results import LuckSimulation
from holecard.simulation.simulate_luck import simulate_luck
from tests.cli.shell import Shell, flat, read_json
from tests.cli.terminal import IMPATIENT, Terminal

CHART = Path(__file__).parents[1] / "published" / "six-decks-soft-17-hit.txt"
PLAIN = ("--strategy", "never bust")
WITHOUT_LUCK = ("simulate", "classic", *PLAIN, "--reduce-variance")


def heading(out: str) -> list[str]:
    """The description of a run above its numbers, and their unit."""
    lines = out.splitlines()
    return lines[: lines.index("Main wager") + 2]


def test_without_luck_the_mean_is_the_same_and_the_error_far_less(shell: Shell) -> None:
    found = read_json(shell(*WITHOUT_LUCK, "--rounds", "1e5", "--json"))
    plain = read_json(shell("simulate", "classic", *PLAIN, "--rounds", "1e5", "--main-only", "--json"))
    exact = holecard.analyze("classic", strategy=never_bust(rules("classic").tables), wagers=False).main
    assert found["raw"]["ev"] == pytest.approx(plain["seats"][0]["ev"], abs=1e-12)
    assert found["raw"]["standard_error"] == pytest.approx(plain["seats"][0]["standard_error"], rel=1e-6)
    assert abs(found["luck_adjusted"]["ev"] - exact.ev) < 4 * found["luck_adjusted"]["standard_error"]
    assert found["gain"] > 1000
    assert abs(found["luck"]["z"]) < 4
    assert found["complete"] is True


def test_the_adjusted_mean_is_shown_next_to_the_raw_mean(shell: Shell) -> None:
    printed = flat(shell(*WITHOUT_LUCK, "--rounds", "1e5").out)
    for words in ("raw", "luck-adjusted", "× fewer rounds", "mean luck", "fresh shoe"):
        assert words in printed


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(
            ("classic", "--strategy", "basic", "--set", "decks=8", "--set", "dealer.soft_17=stand"),
            marks=pytest.mark.slow,
        ),
        ("face-up", *PLAIN, "--seed", "7"),
        ("double-up", *PLAIN),
        pytest.param(("classic", "--strategy", str(CHART)), marks=pytest.mark.slow),
    ],
    ids=["settings", "seed", "companion", "chart"],
)
def test_a_run_is_described_like_a_plain_one(shell: Shell, words: tuple[str, ...]) -> None:
    """Procedure, settings, strategy, rounds, seed and unit are identical, also in JSON."""
    asked = ("simulate", *words, "--rounds", "1000")
    without, plain = shell(*asked, "--reduce-variance"), shell(*asked, "--main-only")
    assert heading(without.out) == heading(plain.out)
    data, main = read_json(shell(*asked, "--reduce-variance", "--json")), read_json(shell(*asked, "--json"))
    assert data["strategy"] == main["seats"][0]["strategy"]
    for key in ("game", "decks", "procedure", "seed", "rounds", "asked", "complete", "settings"):
        assert data[key] == main[key]
    assert "played in " in without.err


def test_errors_and_the_interval_are_those_of_the_estimates(shell: Shell) -> None:
    """To the digits shown."""
    asked = (*WITHOUT_LUCK, "--rounds", "20k", "--level", "0.9")
    out, data = flat(shell(*asked).out), read_json(shell(*asked, "--json"))
    raw, adjusted, luck = data["raw"], data["luck_adjusted"], data["luck"]
    assert f"raw {raw['ev']:+.4f} standard error {raw['standard_error']:.4f}" in out
    assert f"luck-adjusted {adjusted['ev']:+.6f} standard error {adjusted['standard_error']:.6f}" in out
    ends = f"{-100 * adjusted['high']:.4f}% to {-100 * adjusted['low']:.4f}%"
    assert f"house edge {-100 * adjusted['ev']:.4f}% luck-adjusted; 90% interval {ends}" in out
    assert f"gain {data['gain']:,.0f}× fewer rounds" in out
    assert f"it is {abs(luck['z']):.1f} standard errors from 0." in out


@pytest.mark.parametrize(("rounds", "tells"), [("1", "one round"), ("2", "so few rounds")])
def test_too_few_rounds_claim_nothing(shell: Shell, rounds: str, tells: str) -> None:
    """No gain and no unfair dealing are claimed; one round does not have an error either."""
    ran = shell(*WITHOUT_LUCK, "--rounds", rounds)
    assert ran.code == 0
    out = flat(ran.out)
    assert "nan" not in out
    assert f"gain - {tells} cannot show it" in out
    assert out.endswith(f"if the cards are dealt fairly: {tells} cannot show it.")
    assert out.count("one round has no standard error") == (3 if rounds == "1" else 0)


# Ctrl-C and the bar


@pytest.mark.slow
def test_ctrl_c_ends_with_what_was_played(shell: Shell) -> None:
    """In a terminal, where a bar shows progress, speed, and the luck-adjusted mean."""
    shell(*WITHOUT_LUCK, "--rounds", "10")  # so that nothing is left to compile
    screen = Terminal(*WITHOUT_LUCK, "--rounds", "1e12", "--executor", "threads:1", program=IMPATIENT)
    bar = screen.until("of 1,000,000 M rounds")
    assert "Classic" not in bar, "the result comes after the run"
    screen.until(" M/s, ev -0.059")
    screen.until(", standard error 0.000")
    screen.interrupt()
    code, rest = screen.ends()
    assert code == 130
    assert "of 1,000,000,000,000: stopped early, seed 1" in flat(rest)
    assert "luck-adjusted -0.059" in flat(rest)
    assert "stopped early: " in rest
    assert "Traceback" not in rest


def test_a_stopped_run_is_distinguished_from_a_complete_one(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its text and by the exit code; before the first round there is nothing to show."""

    def stopped(*args: Any, **how: Any) -> LuckSimulation:
        return replace(simulate_luck(*args, **how), asked=9_000, complete=False)

    monkeypatch.setattr(runs, "simulate_luck", stopped)
    ran = shell(*WITHOUT_LUCK, "--rounds", "1000")
    assert ran.code == 130
    assert "rounds 1,000 of 9,000: stopped early, seed 1" in flat(ran.out)
    assert "stopped early: 1,000 of 9,000 rounds were played" in ran.err
    ran = shell(*WITHOUT_LUCK, "--rounds", "1000", "--json")
    assert (ran.code, json.loads(ran.out)["complete"]) == (130, False)
    monkeypatch.setattr(runs, "simulate_luck", lambda *args, **how: replace(stopped(*args, **how), rounds=0))
    ran = shell(*WITHOUT_LUCK, "--rounds", "1000")
    assert (ran.code, "No round was played." in ran.out, "nan" in ran.out) == (130, True, False)


# Refusals


@pytest.mark.parametrize("option", [("--wager", "Match Up"), ("--device", "cuda")])
def test_what_luck_cannot_be_taken_out_of_is_refused(shell: Shell, option: tuple[str, str]) -> None:
    refused = shell("simulate", "match-up", *PLAIN, *option, "--reduce-variance", "--rounds", "1000")
    assert refused.code == 2
    assert f"leave out {option[0]}" in refused.err


# Dealt-down shoes and several seats


def test_dealt_down_shoes_are_compared_with_fresh_ones(shell: Shell) -> None:
    asked = (*WITHOUT_LUCK, "--rounds", "1e5", "--procedure", "cut:75", "--seats", "2")
    out, data = flat(shell(*asked).out), read_json(shell(*asked, "--json"))
    plain = read_json(shell(*(word for word in asked if word != "--reduce-variance"), "--main-only", "--json"))
    adjusted = data["luck_adjusted"]
    for seat, raw in zip(data["seats"], plain["seats"], strict=True):
        assert seat["raw"]["ev"] == raw["ev"]
        assert seat["raw"]["standard_error"] == raw["standard_error"]
        assert seat["fresh_shoe_ev"] == raw["fresh_shoe_ev"]
        assert seat["strategy"] == raw["strategy"] == data["strategy"]
    assert adjusted["ev"] == pytest.approx(sum(seat["luck_adjusted"]["ev"] for seat in data["seats"]) / 2, abs=1e-12)
    assert data["gain"] > 1000
    assert f"expected value {data['fresh_shoe_ev']:+.6f} exactly" in out
    effect = adjusted["ev"] - data["fresh_shoe_ev"]
    assert f"this procedure {effect:+.6f} luck-adjusted; standard error {adjusted['standard_error']:.6f}" in out
    for words in ("cut card at 75%", "seats 2", "mean of all seats", "seat 2"):
        assert words in out


def test_each_seat_may_have_its_strategy(shell: Shell) -> None:
    data = read_json(
        shell(*WITHOUT_LUCK, "--strategy", "mimic the dealer", "--rounds", "1e5", "--procedure", "rounds:5", "--json")
    )
    assert [seat["strategy"] for seat in data["seats"]] == ["never bust", "mimic the dealer"]
    assert data["strategy"] is None
    for seat in data["seats"]:
        adjusted = seat["luck_adjusted"]
        assert abs(adjusted["ev"] - seat["fresh_shoe_ev"]) < 4 * adjusted["standard_error"] < 0.001
