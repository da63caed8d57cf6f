"""Plays with a known tally for every unit, and executors that simulate the failures of a cluster."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from holecard.simulation.run.resume_file import Saved
from holecard.simulation.run.tally import Played, Range, Tally

KINDS = 7


def tally_of(units: Iterable[int]) -> Tally:
    """The number of units, their kind and their sum, so that a missing or repeated unit is noticed."""
    kinds = [0] * KINDS
    total = 0
    for unit in units:
        kinds[(unit * 2654435761 >> 7) % KINDS] += 1
        total += unit
    return Tally({"units": sum(kinds), "kinds": kinds, "sums": [[total, -total]]})


def tally_of_ranges(ranges: Iterable[Range]) -> Tally:
    return tally_of(unit for first, end in ranges for unit in range(first, end))


@dataclass(frozen=True)
class FakePlay:
    """A simple play. It sleeps `seconds` for each chunk."""

    seconds: float = 0.0
    fingerprint: str = "fake"

    def play(self, first: int, units: int) -> Tally:
        time.sleep(self.seconds)
        return tally_of(range(first, first + units))


@dataclass(frozen=True)
class Deadly(FakePlay):
    """Kills the process that plays the chunk with this unit, as long as it can add marks to a folder."""

    unit: int = 0
    folder: str = ""
    times: int = 1

    def play(self, first: int, units: int) -> Tally:
        if first <= self.unit < first + units and self._makes_a_mark():
            os._exit(1)
        return super().play(first, units)

    def _makes_a_mark(self) -> bool:
        for number in range(self.times):
            try:
                os.close(os.open(os.path.join(self.folder, f"died-{number}"), os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            return True
        return False


@dataclass(frozen=True)
class Wrong(FakePlay):
    """A play that fails for one of its units."""

    unit: int = 0

    def play(self, first: int, units: int) -> Tally:
        if first <= self.unit < first + units:
            raise ZeroDivisionError(f"unit {self.unit}")
        return super().play(first, units)


class Losing(ThreadPoolExecutor):
    """Loses calls: `loses` gives for each call, by its number, the error it is lost with."""

    def __init__(self, threads: int, loses: Callable[[int], Exception | None]) -> None:
        super().__init__(threads)
        self.calls = 0
        self._loses = loses

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.calls += 1
        error = self._loses(self.calls)
        if error is None:
            return super().submit(fn, *args, **kwargs)
        future: Future[Any] = Future()
        future.set_exception(error)
        return future


class Breaking(Executor):
    """Plays a given number of calls immediately; then it is broken and fails every later call."""

    def __init__(self, calls: int) -> None:
        self.left = calls
        self.is_closed = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self.left < 0:
            raise BrokenExecutor("a worker died")
        self.left -= 1
        future: Future[Any] = Future()
        if self.left < 0:
            future.set_exception(BrokenExecutor("a worker died"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        self.is_closed = True


class Watched(ThreadPoolExecutor):
    """Records the largest number of calls in flight."""

    def __init__(self, threads: int) -> None:
        super().__init__(threads)
        self.out = self.most = 0
        self._lock = threading.Lock()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        with self._lock:
            self.out += 1
            self.most = max(self.most, self.out)
        future = super().submit(fn, *args, **kwargs)
        future.add_done_callback(self._back)
        return future

    def _back(self, _: object) -> None:
        with self._lock:
            self.out -= 1


def marks(folder: os.PathLike[str]) -> int:
    """The number of processes that a deadly play has killed."""
    return len([name for name in os.listdir(folder) if name.startswith("died-")])


def saved(played: Played) -> Saved:
    """The saved state, as a resumed run reads it."""
    return Saved("fake", {}, played)


def check_partial(played: Played) -> None:
    """Check that the tally is that of exactly the units it names."""
    assert played.tally == tally_of_ranges(played.units.ranges)
