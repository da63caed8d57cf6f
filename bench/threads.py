"""One thread beside two, by the clock on the wall and along the longest path.

On a busy machine the wall clock tells more about others than about us. The *longest path* is processor time of the
calling thread, and of the busiest worker of every pool it waits for: with cores to spare, the wall time.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import get_ident
from typing import Any
from unittest import mock

import holecard
from bench.timing import Clock, Times, alternate
from holecard.exact.analysis import main_value


@contextmanager
def longest_path() -> Iterator[Clock]:
    """A clock for jobs that share their work among the threads of a pool."""
    worked: dict[ThreadPoolExecutor, Counter[int]] = {}
    submit = ThreadPoolExecutor.submit

    def watched(pool: ThreadPoolExecutor, work: Callable[..., Any], *given: Any, **named: Any) -> Future[Any]:
        by_thread = worked.setdefault(pool, Counter())

        def timed() -> Any:
            begun = time.thread_time_ns()
            try:
                return work(*given, **named)
            finally:
                by_thread[get_ident()] += time.thread_time_ns() - begun

        return submit(pool, timed)

    def now() -> float:
        return time.thread_time() + sum(max(by_thread.values()) for by_thread in worked.values()) / 1e9

    with mock.patch.object(ThreadPoolExecutor, "submit", watched):
        yield now


def two_threads(game: str, repeats: int) -> None:
    """Value and strategy of a game."""
    sheet = holecard.rules(game)
    one, two = partial(main_value, sheet), partial(main_value, sheet, threads=2)
    print(f"\nTwo threads: {game}, value and strategy")
    print(f"  {'':26} {'one':>12} {'two':>12}   {'aim':10} one over two: median, best")
    _row("wall time", *alternate(one, two, repeats=repeats, clock=time.perf_counter))
    with longest_path() as clock:
        _row("longest path", *alternate(one, two, repeats=repeats, clock=clock))


def _row(name: str, one: Times, two: Times) -> None:
    print(f"  {name:26} {1e3 * one.median:9.2f} ms {1e3 * two.median:9.2f} ms   {'>= 1.5':10}", end="")
    print(f" {one.over(two):.2f}, {one.best / two.best:.2f}")
