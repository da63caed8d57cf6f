"""Simulated results are values: the same run gives an equal result, however long it took."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import holecard
from holecard.simulation.simulate_luck import simulate_luck
from tests.selection import quick

RUNS: dict[str, Callable[[int], object]] = {
    "simulate": lambda seed: holecard.simulate("classic", "never bust", rounds=500, seed=seed),
    "simulate_luck": lambda seed: simulate_luck("classic", "never bust", rounds=500, seed=seed),
    "simulate_count": lambda seed: holecard.simulate_count("classic", "hi-lo", 500, seed, strategy="never bust"),
    "verify": lambda seed: holecard.verify("classic", "never bust", rounds=500, seed=seed, replay=2),
    "sweep": lambda seed: holecard.sweep("classic", {"decks": [1, 2]}, "never bust", rounds=500, seed=seed),
}


@pytest.mark.parametrize("name", quick(RUNS, "simulate", "simulate_luck", "simulate_count", "sweep"))
def test_equal_runs_have_equal_results(name: str) -> None:
    run = RUNS[name]
    assert run(1) == run(1)
    assert hash(run(1)) == hash(run(1))
    assert run(1) != run(2)
