"""Results are values: equal when equal, hashable, and the same after pickling and copying."""

from __future__ import annotations

import copy
import pickle

import pytest

import holecard
from holecard.exact.analysis import analyze
from holecard.exact.evaluate import evaluate


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: analyze(holecard.rules("match-up", split_hands=1)), id="analysis"),
        pytest.param(lambda: evaluate("classic", "T,6 v T"), id="evaluation"),
    ],
)
def test_a_result_equals_its_copies(make: object) -> None:
    """Computed twice, pickled, and deep-copied; and usable as a key."""
    assert callable(make)
    found = make()
    assert found == make()
    assert hash(found) == hash(make())
    assert pickle.loads(pickle.dumps(found)) == found
    assert copy.deepcopy(found) == found


def test_results_of_different_games_differ() -> None:
    """One deck less gives a different result."""
    one, other = (analyze(holecard.rules("classic", decks=decks), wagers=False) for decks in (1, 2))
    assert one != other
