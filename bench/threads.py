"""Benchmarks of one thread against two, by wall time and by the longest path.

On a busy machine, wall time depends mostly on other processes. The *longest path* is what wall time would be with
enough free cores: the CPU time of the calling thread, plus, wherever it shares work among threads, the time of the
thread that would finish last if each took the next piece as soon as it was free.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest import mock

import holecard
from bench.complete import complete_analysis
from bench.timing import Clock, Times, alternate
from holecard.exact.solved_game import main_ev


@contextmanager
def longest_path() -> Iterator[Clock]:
    """Yield a clock for jobs that share work through `ThreadPoolExecutor.map`."""
    shared = 0.0
    share = ThreadPoolExecutor.map

    def watched(pool: ThreadPoolExecutor, work: Callable[..., Any], *items: Iterable[Any]) -> Iterator[Any]:
        nonlocal shared

        def timed(*given: Any) -> tuple[Any, float]:
            begun = time.thread_time()
            found = work(*given)
            return found, time.thread_time() - begun

        done = list(share(pool, timed, *items))
        shared += last_done([seconds for _, seconds in done], pool._max_workers)
        return iter([found for found, _ in done])

    with mock.patch.object(ThreadPoolExecutor, "map", watched):
        yield lambda: time.thread_time() + shared


def last_done(pieces: list[float], workers: int) -> float:
    """Return when the last worker is done, if each takes the next piece as soon as it is free."""
    free = [0.0] * workers
    for piece in pieces:
        first = min(range(workers), key=free.__getitem__)
        free[first] += piece
    return max(free)


def two_threads(game: str, repeats: int) -> None:
    """Measure EV and strategy of a game, and the complete analysis, which is mostly the distribution."""
    sheet = holecard.rules(game)
    print(f"\nTwo threads: {game}")
    print(f"  {'':26} {'one':>12} {'two':>12}   {'target':10} one / two: median, best")
    for name, job, times in (("EV and strategy", main_ev, repeats), ("everything", complete_analysis, 3)):
        one, two = partial(job, sheet), partial(job, sheet, threads=2)
        print(f"  {name}")
        _row("  wall time", *alternate(one, two, repeats=times, clock=time.perf_counter))
        with longest_path() as clock:
            _row("  longest path", *alternate(one, two, repeats=times, clock=clock))


def _row(name: str, one: Times, two: Times) -> None:
    print(f"  {name:26} {1e3 * one.median:9.2f} ms {1e3 * two.median:9.2f} ms   {'>= 1.5':10}", end="")
    print(f" {one.over(two):.2f}, {one.best / two.best:.2f}")
