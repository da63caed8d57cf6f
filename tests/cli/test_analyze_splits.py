"""`holecard analyze --splits optimal`: what it prints, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from holecard.exact.results import OPTIMAL_CONVENTION
from tests.cli.shell import Shell, flat, read_json

CHART = Path(__file__).parents[1] / "published" / "six-decks-soft-17-hit.txt"
GAME = ("classic", "--set", "split_hands=2", "--shoe", "A:4 8:4 T:8", "--splits", "optimal")


def test_the_convention_and_the_play_of_each_number_are_named(shell: Shell) -> None:
    """The EV is that of optimal play; results computed for CDZ- only are labeled."""
    lines = shell("analyze", *GAME).out.splitlines()
    text = flat(" ".join(lines))
    assert f"splits {OPTIMAL_CONVENTION}" in text
    assert "gain over CDZ-" in text
    assert "Of CDZ- play. Every probability is exact" in text
    assert max(map(len, lines)) <= 80


def test_json_has_both_values(shell: Shell) -> None:
    found = read_json(shell("analyze", *GAME, "--json"))
    fixed = read_json(shell("analyze", *GAME[:-2], "--json"))
    assert found["convention"] == OPTIMAL_CONVENTION
    assert fixed["main"]["fixed_ev"] is None
    assert found["main"]["fixed_ev"] == fixed["main"]["ev"] < found["main"]["ev"]
    assert found["main"]["standard_deviation"] == fixed["main"]["standard_deviation"]
    assert found["main"]["distribution_method"].startswith("of CDZ- play")
    shares = sum(group["contribution"] for group in found["main"]["by_dealer"].values())
    assert shares == pytest.approx(found["main"]["ev"], abs=1e-12)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            ["--splits", "optimal"],
            "a pair makes at most two hands; this game allows 4: add --set split_hands=2",
        ),
        (["--splits", "best"], "--splits best: write fixed or optimal"),
        (["--splits", "optimal", "--strategy", str(CHART)], "--strategy fixes what is done after a split"),
        (["--splits", "optimal", "--vary", "decks=1,2"], "--vary compares edges under CDZ-"),
    ],
)
def test_what_cannot_be_computed_is_refused(shell: Shell, options: list[str], says: str) -> None:
    ran = shell("analyze", "classic", *options)
    assert ran.code == 2
    assert ran.out == ""
    assert says in flat(ran.err)
