"""Timing of jobs: they run alternately, so that a noisy machine affects all of them equally."""

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
    """The seconds of every run of one job."""

    runs: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.runs)

    @property
    def best(self) -> float:
        return min(self.runs)

    def over(self, other: Times) -> float:
        """Return the median ratio to another job, run by run."""
        return statistics.median(mine / yours for mine, yours in zip(self.runs, other.runs, strict=True))


def seconds(job: Job, clock: Clock = time.thread_time) -> float:
    """Return the time of one run: CPU time of this thread, unless another clock is given."""
    begun = clock()
    job()
    return clock() - begun


def alternate(*jobs: Job, repeats: int = REPEATS, clock: Clock = time.thread_time) -> list[Times]:
    """Run all jobs in turn, after one run each to warm up, and return their times."""
    for job in jobs:
        job()
    rounds = [[seconds(job, clock) for job in jobs] for _ in range(repeats)]
    return [Times(runs) for runs in zip(*rounds, strict=True)]


def load() -> str:
    """Describe the load: on a busy machine, times are longer and two threads may be no faster than one."""
    cores = os.cpu_count()
    try:
        return f"load average {os.getloadavg()[0]:.1f} on {cores} cores"
    except (AttributeError, OSError):  # Not available on every system.
        return f"{cores} cores"
