"""The net results of an analysis are computed when first read, and still behave as values."""

from __future__ import annotations

import copy
import pickle

import pytest

from holecard.exact import analysis
from holecard.exact.deferred import Deferred


def test_it_is_computed_once() -> None:
    calls: list[int] = []
    deferred = Deferred(lambda: calls.append(1) or len(calls))
    assert calls == []
    assert (deferred.value, deferred.value) == (1, 1)


def test_it_equals_its_value() -> None:
    assert Deferred(lambda: (1, 2)) == Deferred.of((1, 2))
    assert Deferred(lambda: (1, 2)) != Deferred.of((1, 3))
    assert hash(Deferred(lambda: (1, 2))) == hash(Deferred.of((1, 2)))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_copies_hold_the_value(copied: object) -> None:
    """The deferred function cannot be pickled; its result can."""
    assert copied(Deferred(lambda: [1, 2])) == Deferred.of([1, 2])  # type: ignore[operator]


def test_the_edge_does_not_wait_for_the_distribution(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    whole = analysis._net_results
    monkeypatch.setattr(analysis, "_net_results", lambda *what: asked.append(what) or whole(*what))
    found = analysis.analyze("classic", {"A": 8, "5": 8, "6": 8, "T": 16}, wagers=False)
    assert found.house_edge == -found.ev == found.main.house_edge
    assert not asked
    mean = sum(float(net) * probability for net, probability in found.main.distribution)
    assert len(asked) == 1
    assert mean == pytest.approx(found.ev, abs=1e-9)
    assert pickle.loads(pickle.dumps(found)) == found
