"""Which kernels a computation announces, and which ones are compiled before the tests start."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import holecard
from holecard.errors import Refusal
from holecard.kernels import cache
from tests import compile_kernels

CHART = "mimic the dealer"


class AnnouncedError(Exception):
    """A computation has named its kernels; the test needs no more of it."""


def stop(what: str) -> None:
    raise AnnouncedError(what)


@pytest.mark.parametrize(
    ("module", "options", "kernels"),
    [
        ("simulation.simulate", {"procedure": "fresh"}, "simulate"),
        ("simulation.simulate", {"procedure": "cut:75"}, "simulate-shoes"),
        ("simulation.simulate", {"procedure": "rounds:10"}, "simulate-shoes"),
        ("simulation.simulate", {"procedure": "shuffler"}, "simulate-shufflers"),
        ("simulation.simulate_luck", {"procedure": "fresh"}, "luck"),
        ("simulation.simulate_luck", {"procedure": "cut:75"}, "luck-cut-card"),
        ("simulation.simulate_luck", {"procedure": "rounds:10"}, "luck-shoes"),
        ("simulation.simulate_luck", {"procedure": "shuffler"}, "luck-shoes"),
        ("exact.analysis", {}, "analyze"),
        ("exact.analysis", {"splits": "optimal"}, "analyze-optimum"),
    ],
)
def test_a_computation_announces_the_kernels_that_it_needs(
    monkeypatch: pytest.MonkeyPatch, module: str, options: dict[str, str], kernels: str
) -> None:
    """Each has its own name where other kernels are needed."""
    place = importlib.import_module(f"holecard.{module}")
    monkeypatch.setattr(place, "compiling", stop)
    compute: Callable[..., object] = getattr(place, {"exact.analysis": "analyze"}.get(module, module.split(".")[1]))
    with pytest.raises(AnnouncedError, match=f"^{kernels}$"):
        compute(holecard.rules("classic", split_hands=2), **options)


@pytest.mark.parametrize(
    ("first", "then"),
    [("simulate-shoes", "simulate-shufflers"), ("analyze", "analyze-optimum"), ("luck-shoes", "luck-cut-card")],
)
def test_what_needs_more_kernels_is_not_warm(markers: Path, first: str, then: str) -> None:
    """It compiles for seconds, and says so."""
    cache.mark_warm(first)
    assert list(markers.iterdir())
    assert not cache.is_warm(then)


def test_a_sweep_announces_nothing_that_it_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The optimum is not a chart, so rounds cannot be played by it."""
    monkeypatch.setattr("holecard.simulation.sweep.compiling", stop)
    with pytest.raises(Refusal):
        holecard.sweep("classic", strategy="optimal", rounds=10)


@pytest.fixture
def markers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of markers, empty; kernels stay where they are."""
    monkeypatch.setattr(cache, "_marked", set())
    monkeypatch.setattr(cache, "_marker", lambda group: tmp_path / group)
    return tmp_path


@pytest.mark.slow
def test_all_kernels_are_compiled_before_the_tests(markers: Path) -> None:
    """A group that no part compiles would be announced in the middle of a test."""
    with cache.announcing(lambda _: None):
        compile_kernels.compile_exact()
        compile_kernels.compile_play()
    assert {path.name for path in markers.iterdir()} == set(cache.GROUPS)


def test_parts_that_failed_mark_nothing(monkeypatch: pytest.MonkeyPatch, markers: Path) -> None:
    """The next run compiles them again."""

    class Failed:
        def __init__(self, _command: list[str]) -> None:
            pass

        def wait(self) -> int:
            return 1

    monkeypatch.setattr(sys, "argv", ["compile_kernels"])
    monkeypatch.setattr(subprocess, "Popen", Failed)
    with pytest.raises(SystemExit, match="failed"):
        compile_kernels.main()
    assert not list(markers.iterdir())
