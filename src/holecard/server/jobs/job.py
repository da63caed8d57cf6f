"""A job as its owner sees it, and which of the jobs that wait is next."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

JobState: TypeAlias = Literal["waiting", "running", "done", "refused", "canceled", "timed out", "failed"]
ACTIVE = ("waiting", "running")


@dataclass(frozen=True, slots=True)
class Job:
    """One computation of one user."""

    id: str
    user: str
    what: str
    state: JobState
    stage: str | None
    share: float
    content: str | None
    """The result, as JSON."""
    code: str | None
    message: str | None

    @property
    def is_over(self) -> bool:
        """Whether it has ended, in whatever way."""
        return self.state not in ACTIVE

    @property
    def result(self) -> dict[str, Any] | None:
        """What was computed."""
        found: dict[str, Any] | None = None if self.content is None else json.loads(self.content)
        return found


class ActiveJob(NamedTuple):
    """A job that waits or runs."""

    id: str
    user: str
    state: str
    runner: str | None
    begun_at: int


def next_job(jobs: Sequence[ActiveJob], served: Mapping[str, int], runner: str, places: int) -> ActiveJob | None:
    """Return the job that gets the next free place at a runner with some places; None where nobody may have it.

    One user never has all places of a runner, unless there is only one. First come users with the fewest jobs running,
    of these the one who was served least recently (`served` has the time by user), of that user's the oldest job.
    """
    running = Counter(job.user for job in jobs if job.state == "running")
    here = Counter(job.user for job in jobs if job.state == "running" and job.runner == runner)
    most = max(1, places - 1)
    waiting = [job for job in jobs if job.state == "waiting" and here[job.user] < most]
    return min(waiting, key=lambda job: (running[job.user], served.get(job.user, 0), job.begun_at), default=None)
