"""Jobs: started when there is room, stopped at their time limit or when nobody wants them any more."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from holecard.errors import shortly
from holecard.server.errors import NotFound, TooLarge, TooMany
from holecard.server.games import Games
from holecard.server.jobs.process import answer_of
from holecard.server.jobs.requests import JobRequest
from holecard.server.jobs.worker import work
from holecard.server.settings import ServerSettings

JobState: TypeAlias = Literal["waiting", "running", "done", "refused", "canceled", "timed out", "failed"]
#: Finished jobs that are kept for their owner to read.
_KEPT = 200


@dataclass(slots=True)
class Job:
    """One computation of one user."""

    id: str
    user: str
    what: str
    begun_at: int
    state: JobState = "waiting"
    result: dict[str, Any] | None = None
    code: str | None = None
    message: str | None = None
    task: asyncio.Task[None] | None = None

    @property
    def is_over(self) -> bool:
        """Whether it has ended, in whatever way."""
        return self.state not in ("waiting", "running")


class Jobs:
    """Runs jobs, a few at a time."""

    def __init__(self, settings: ServerSettings, games: Games, now: Callable[[], int]) -> None:
        self._settings = settings
        self._games = games
        self._now = now
        self._jobs: dict[str, Job] = {}
        self._room = asyncio.Semaphore(settings.job_processes)

    def start(self, request: JobRequest, user: str) -> Job:
        """Start a job, or let it wait until there is room."""
        if len((request.sheet or "").encode()) > self._settings.largest_sheet:
            raise TooLarge(f"a sheet has at most {self._settings.largest_sheet:,} bytes")
        running = sum(job.user == user and not job.is_over for job in self._jobs.values())
        if running >= self._settings.jobs_per_user:
            raise TooMany(f"you have {running} computations; wait for one of them, or cancel it")
        self._forget()
        job = Job(secrets.token_urlsafe(9), user, request.what, self._now())
        self._jobs[job.id] = job
        job.task = asyncio.create_task(self._run(job, request), name=f"job {job.id}")
        return job

    def find(self, job_id: str, user: str) -> Job:
        """Return a user's own job."""
        job = self._jobs.get(job_id)
        if job is None or job.user != user:
            raise NotFound(f"you have no computation {shortly(job_id)}")
        return job

    def cancel(self, job_id: str, user: str) -> Job:
        """Stop a job."""
        job = self.find(job_id, user)
        if not job.is_over and job.task is not None:
            job.state = "canceled"
            job.task.cancel()
        return job

    async def stop(self) -> None:
        """Stop all jobs."""
        tasks = [job.task for job in self._jobs.values() if job.task is not None and not job.task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, job: Job, request: JobRequest) -> None:
        async with self._room:
            job.state = "running"
            file = None if request.game is None else self._games.file(request.game)
            try:
                kind, *rest = await answer_of(work, (request, file), self._settings.job_seconds)
            except TimeoutError:
                job.state, job.message = "timed out", f"stopped after {self._settings.job_seconds} seconds"
            except EOFError:
                job.state, job.message = "failed", "the computation ended without an answer"
            else:
                if kind == "done":
                    job.state, (job.result,) = "done", rest
                else:
                    job.state, (job.code, job.message) = "refused", rest

    def _forget(self) -> None:
        over = [job.id for job in self._jobs.values() if job.is_over]
        for job_id in over[: max(0, len(over) - _KEPT)]:
            del self._jobs[job_id]
