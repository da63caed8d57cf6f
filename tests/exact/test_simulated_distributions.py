"""Exact distributions against counts of simulated rounds, one net result at a time: `data/simulated.toml`."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

import holecard
from holecard.charts.layout import Layout
from holecard.charts.text import read_chart_text
from holecard.exact.results import MainGame

SIMULATED: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "data" / "simulated.toml").read_text())[
    "simulated"
]
#: The largest allowed deviation of any net result beyond the stated error, in standard errors.
MOST_OFF = 5.0


def _name(case: dict[str, Any]) -> str:
    return " ".join([case["game"], *(f"{word}={value}" for word, value in case["settings"].items())])


def _main(case: dict[str, Any]) -> MainGame:
    sheet = holecard.rules(case["game"], case["settings"])
    return holecard.analyze(sheet, strategy=read_chart_text(case["chart"], Layout.of(sheet.tables)), wagers=False).main


QUICK = ("classic",)


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in SIMULATED if _name(case) in QUICK], ids=_name)
def test_every_net_result_comes_as_often_as_computed(case: dict[str, Any]) -> None:
    """Six decks."""
    compare(case)


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in SIMULATED if _name(case) not in QUICK], ids=_name)
def test_every_net_result_of_other_games_too(case: dict[str, Any]) -> None:
    """The other games, decks and numbers of hands."""
    compare(case)


def compare(case: dict[str, Any]) -> None:
    """With 2e11 rounds the rarest net results are known to half a percent, the others much better."""
    main, rounds = _main(case), case["rounds"]
    counts = {Fraction(net): count for net, count in case["counts"].items()}
    assert sum(counts.values()) == rounds
    assert set(counts) <= {net for net, _ in main.distribution}
    squares = 0.0
    for (net, probability), error in zip(main.distribution, main.probability_errors, strict=True):
        off = abs(counts.get(net, 0) / rounds - probability)
        beyond = max(off - error, 0.0) / sqrt(probability * (1 - probability) / rounds)
        assert beyond < MOST_OFF, f"{net}: {counts.get(net, 0) / rounds} simulated, {probability} within {error}"
        squares += beyond**2
        # A larger error would hide mistakes.
        assert error < 0.1 * probability + 1e-9, f"{net}: {error}"
    free = len(main.distribution) - 1
    assert squares < free + 5 * sqrt(2 * free)
