"""How jobs are timed: in turn, block after block, so that a machine's moods fall on all of them alike."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

Job: TypeAlias = Callable[[], object]
Clock: TypeAlias = Callable[[], float]

REPEATS = 15


class Times(NamedTuple):
    """Seconds of every run of one job."""

    runs: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.runs)

    @property
    def best(self) -> float:
        return min(self.runs)

    def over(self, other: Times) -> float:
        """How many times as long as another job, each run beside the other's: the median."""
        return statistics.median(mine / yours for mine, yours in zip(self.runs, other.runs, strict=True))


def seconds(job: Job, clock: Clock = time.thread_time) -> float:
    """Time of one run; processor time of this thread unless another clock is asked for."""
    begun = clock()
    job()
    return clock() - begun


def alternate(*jobs: Job, repeats: int = REPEATS, clock: Clock = time.thread_time) -> list[Times]:
    """Runs of all jobs in turn, after one of each to warm up."""
    for job in jobs:
        job()
    rounds = [[seconds(job, clock) for job in jobs] for _ in range(repeats)]
    return [Times(runs) for runs in zip(*rounds, strict=True)]


def load() -> str:
    """How busy the machine is: beside others every time is longer, and two threads are no faster than one."""
    cores = os.cpu_count()
    try:
        return f"load average {os.getloadavg()[0]:.1f} on {cores} cores"
    except (AttributeError, OSError):  # Not every system keeps one.
        return f"{cores} cores"
