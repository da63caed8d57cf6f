"""The strategy "optimal": the best play for the exact cards; where rounds are played by a chart, a refusal."""

from __future__ import annotations

import pytest

import holecard
from holecard.errors import Refusal
from tests.cli.shell import Shell, flat, read_json

#: Published values for six decks: of composition-dependent play, and of the best total-dependent chart.
OPTIMAL_EV, BASIC_EV = -0.0061538912292, -0.0061814880839


@pytest.mark.parametrize("typed", ["optimal", "optimum", "composition-dependent optimum"])
def test_optimal_is_analyzed_as_optimal_play(shell: Shell, typed: str) -> None:
    data = read_json(shell("analyze", "classic", "--strategy", typed, "--json"))
    assert data["main"]["ev"] == pytest.approx(OPTIMAL_EV, abs=5e-14)
    assert data["strategy"] == "composition-dependent optimum"
    assert data["convention"].startswith("CDZ-")
    assert data == read_json(shell("analyze", "classic", "--json"))


def test_basic_is_the_best_chart() -> None:
    found = holecard.analyze("classic", strategy="basic", wagers=False)
    assert found.main.ev == pytest.approx(BASIC_EV, abs=5e-14)
    assert found.strategy == "the best total-dependent chart"


def test_a_grid_is_compared_under_optimal_play() -> None:
    found, plain = (holecard.compare("classic", {"decks": [1, 6]}, strategy=one) for one in ("optimal", None))
    assert found == plain
    assert found.strategy == "composition-dependent optimum"


def test_optimal_play_may_also_be_optimal_after_splits(shell: Shell) -> None:
    words = ("analyze", "classic", "--set", "split_hands=2", "--shoe", "A:4 8:4 T:8", "--splits", "optimal", "--json")
    assert read_json(shell(*words, "--strategy", "optimal")) == read_json(shell(*words))


@pytest.mark.parametrize("typed", ["optimal", "optimum"])
@pytest.mark.parametrize(
    "command", ["simulate", "simulate --reduce-variance", "simulate --count hi-lo", "verify", "sweep"]
)
def test_rounds_cannot_be_played_optimally(shell: Shell, command: str, typed: str) -> None:
    """One sentence says why, and what can be used instead; exit code 2."""
    name, *options = command.split()
    ran = shell(name, "classic", *options, "--strategy", typed, "--rounds", "1000")
    assert (ran.code, ran.out) == (2, "")
    assert f"'{typed}' depends on the exact cards of a hand, so it is not a chart, and this needs one: use 'basic'" in (
        flat(ran.err)
    )
    assert "`holecard analyze` computes optimal play" in flat(ran.err)


def test_a_table_cannot_be_played_optimally() -> None:
    table = holecard.Table("classic")
    table.bet(10)
    with pytest.raises(Refusal, match="it is not a chart, and this needs one: use 'basic', the best chart"):
        table.play("optimal")


def test_a_name_that_is_almost_right_gets_one_that_works_there(shell: Shell) -> None:
    """No command suggests a name that it refuses."""
    assert "did you mean 'optimal'" in flat(shell("analyze", "classic", "--strategy", "optimol").err)
    assert "did you mean 'optimal'" not in flat(shell("simulate", "classic", "--strategy", "optimol").err)
    renamed = flat(shell("simulate", "classic", "--strategy", "optimal-with-exceptions").err)
    assert renamed.endswith("'optimal-with-exceptions' is now called 'basic with exceptions'")
