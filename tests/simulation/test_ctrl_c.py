"""Ctrl-C ends a run early, and the result has exactly the units played."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from holecard.simulation.run.chunks import run
from holecard.simulation.run.tally import Played, Tally, Units
from tests.patience import patient
from tests.selection import quick
from tests.simulation.fake_play import Breaking, FakePlay, Watched, check_partial, saved, tally_of

ROOT = Path(__file__).parents[2]
UNITS = 500


@pytest.mark.usefixtures("_ctrl_c")
def test_ctrl_c_ends_with_what_was_played_and_what_was_in_flight() -> None:
    """No more chunks are submitted; the outcome lists its units."""
    saves: list[Played] = []

    def press(played: Played) -> None:
        if played.units.count == 30:
            signal.raise_signal(signal.SIGINT)

    with Watched(2) as pool:
        outcome = run(FakePlay(0.02), 10_000, executor=pool, chunk=10, on_progress=press, save=saves.append)
        assert pool.out == 0
    assert not outcome.complete
    # Three chunks were done, and at most four are in flight; the one that finished last is not replaced.
    assert outcome.played.units == Units(((0, 60),))
    check_partial(outcome.played)
    assert saves[-1] == outcome.played


@dataclass(frozen=True)
class Pressed(FakePlay):
    """Ctrl-C reaches the workers of the first two chunks."""

    def play(self, first: int, units: int) -> Tally:
        if first < 20:
            raise KeyboardInterrupt
        return super().play(first, units)


def test_ctrl_c_that_reaches_the_workers_does_not_count_twice() -> None:
    """Their chunks are lost, and the run waits for the others in flight."""
    with ThreadPoolExecutor(2) as pool:
        outcome = run(Pressed(0.05), UNITS, executor=pool, chunk=10)
    assert outcome.played.units == Units(((20, 40),))
    check_partial(outcome.played)


@dataclass(frozen=True)
class Stuck(FakePlay):
    """Plays its first chunk, and blocks in the others until it is released."""

    def play(self, first: int, units: int) -> Tally:
        if first:
            LET_GO.wait(patient(20))
        return super().play(first, units)


LET_GO = threading.Event()


@pytest.mark.usefixtures("_ctrl_c")
def test_a_second_ctrl_c_waits_for_nothing() -> None:
    """Chunks in flight are dropped and are not in the outcome."""
    LET_GO.clear()

    def press(_: Played) -> None:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    with ThreadPoolExecutor(2) as pool:
        outcome = run(Stuck(), UNITS, executor=pool, chunk=10, on_progress=press)
        LET_GO.set()
    assert outcome.played.units == Units(((0, 10),))
    assert not outcome.complete


@pytest.mark.usefixtures("_ctrl_c")
def test_ctrl_c_is_left_alone_where_it_means_something_else() -> None:
    """A program with its own handler keeps it, and another thread has no handler to change."""
    pressed: list[int] = []

    def press(_: Played) -> None:
        signal.raise_signal(signal.SIGINT)

    signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        assert run(FakePlay(), UNITS, executor=Breaking(9), chunk=250, on_progress=press).complete
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    assert pressed == [signal.SIGINT] * 2
    with ThreadPoolExecutor(1) as other:
        assert other.submit(run, FakePlay(), UNITS, executor=Breaking(9), chunk=250).result().complete


INTERRUPTED = """
import json, signal, sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from holecard.simulation.run.chunks import run
from tests.patience import patient
from tests.simulation.fake_play import FakePlay

signal.signal(signal.SIGINT, signal.default_int_handler)
pools = {"threads": lambda: ThreadPoolExecutor(2), "processes": lambda: ProcessPoolExecutor(2, get_context("spawn"))}
outcome = run(
    FakePlay(0.02),
    10**6,
    executor=pools[sys.argv[1]],
    chunk=10,
    on_progress=lambda played: print("playing", flush=True),
)
print(json.dumps([outcome.complete, outcome.played.units.ranges, outcome.played.tally.to_data()]), flush=True)
"""


@pytest.mark.parametrize("kind", quick(["threads", "processes"], "processes"))
def test_ctrl_c_in_a_terminal_ends_early_and_the_rest_can_be_played(kind: str) -> None:
    """The whole process group receives it, worker processes too; the missing units are played later, with the same
    result.
    """
    child = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, kind],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert child.stdout is not None
    for _ in range(5):
        assert child.stdout.readline() == "playing\n"
    os.killpg(child.pid, signal.SIGINT)
    said, complaints = child.communicate(timeout=patient(30))
    assert child.returncode == 0, complaints
    complete, ranges, data = json.loads(said.splitlines()[-1])
    assert not complete
    played = Played(Units.of(map(tuple, ranges)), Tally.from_data(data))
    assert played.units.count >= 50
    check_partial(played)
    units = played.units.end + 100
    outcome = run(FakePlay(), units, executor=Breaking(10**6), chunk=17, done=saved(played))
    assert outcome.played.tally == tally_of(range(units))
