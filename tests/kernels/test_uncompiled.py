"""The kernels give the same results as plain Python: numba changes how fast they are and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

#: Prints simulated rounds, luck-adjusted rounds, and the exact EV of a small shoe with and without splits.
PROGRAM = """
import json
import holecard
from holecard.simulation.simulate_luck import simulate_luck

chart, small = "mimic the dealer", {"A": 2, "8": 4, "T": 8}
played = holecard.simulate("match-up", chart, 40, seats=2, executor=1)
adjusted = simulate_luck("classic", chart, 40, executor=1).result
found = [holecard.analyze(holecard.rules("classic", split_hands=hands), small).main for hands in (1, 2)]
best = holecard.analyze(holecard.rules("classic", split_hands=2), small, splits="optimal")
print(json.dumps({
    "histograms": [{str(net): count for net, count in seat.histogram.items()} for seat in played.seats],
    "adjusted": [adjusted.raw.ev, adjusted.luck_adjusted.ev],
    "evs": [*(main.ev for main in found), best.main.ev],
    "distributions": [[probability for _, probability in main.distribution] for main in found],
}))
"""


def results(**environment: str) -> dict[str, Any]:
    """Run the program in a new process and return what it prints."""
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, env={**os.environ, **environment}, check=False
    )
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


@pytest.mark.slow
def test_uncompiled_kernels_give_the_same_results() -> None:
    """Rounds are equal; sums of floats agree to 1e-12, since compiled kernels may fuse a*b+c."""
    compiled, plain = results(), results(NUMBA_DISABLE_JIT="1")
    assert plain["histograms"] == compiled["histograms"]
    assert plain["adjusted"] == compiled["adjusted"]
    assert plain["evs"] == pytest.approx(compiled["evs"], abs=1e-12)
    for ours, theirs in zip(plain["distributions"], compiled["distributions"], strict=True):
        assert ours == pytest.approx(theirs, abs=1e-12)
