"""Jobs: started when there is room, stopped at their time limit or when nobody wants them any more.

Every process of the server takes jobs that wait, says each second how far its own are, and gives up those of processes
that are no longer seen.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import structlog
from pydantic import TypeAdapter

from holecard.errors import plural, shortly
from holecard.server.errors import NotFound, TooLarge, Unavailable
from holecard.server.games import Games
from holecard.server.jobs.job import Job, next_job
from holecard.server.jobs.job_store import JobLimits, JobStore
from holecard.server.jobs.process import answer_of
from holecard.server.jobs.requests import JobRequest
from holecard.server.jobs.worker import work
from holecard.server.settings import ServerSettings

#: Seconds between looks at the jobs in the database, and between attempts to store a result.
_LOOK = 1.0
_ATTEMPTS = 30
#: Seconds between looks for jobs that are lost or old.
_TIDY = 5.0
#: Seconds that a running look gets at the end; a query that is canceled in the middle leaves its connection open.
_PATIENCE = 3.0
#: Milliseconds after which a process that does not report is taken for dead, and those for which jobs are kept.
_MISSED = 20_000
_DAY = 86_400_000
_log = structlog.get_logger("holecard.server")
_requests: TypeAdapter[JobRequest] = TypeAdapter(JobRequest)


@dataclass(slots=True)
class _Running:
    """A job that runs in this process."""

    computing: asyncio.Task[tuple[Any, ...]]
    ending: asyncio.Task[None] | None = None
    """Waits for the answer and stores it; it is never canceled."""
    is_wanted: bool = True
    news: tuple[str, float] | None = None
    """Its progress, if that is not stored yet."""


class Jobs:
    """Runs jobs, a few at a time."""

    name = "jobs"

    def __init__(
        self,
        settings: ServerSettings,
        games: Games,
        store: JobStore,
        now: Callable[[], int],
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._games = games
        self._store = store
        self._now = now
        self._seconds = seconds
        self._runner = secrets.token_hex(8)
        self._running: dict[str, _Running] = {}
        self._wake = asyncio.Event()
        self.waiting = 0
        """How many waited over all processes at the last look."""
        self._is_stopping = False
        self._task: asyncio.Task[None] | None = None
        self._next_report = self._next_tidying = 0.0

    @property
    def running(self) -> int:
        """How many run in this process."""
        return len(self._running)

    async def start(self, request: JobRequest, user: str) -> Job:
        """Start a job, or let it wait until there is room."""
        if len((request.sheet or "").encode()) > self._settings.largest_sheet:
            raise TooLarge(f"a sheet has at most {self._settings.largest_sheet:,} bytes")
        job_id = secrets.token_urlsafe(9)
        limits = JobLimits(self._settings.jobs_per_user, self._settings.jobs_waiting)
        await self._store.add(job_id, user, request.what, request.model_dump_json(), self._now(), limits)
        self._wake.set()
        return await self.find(job_id, user)

    async def find(self, job_id: str, user: str) -> Job:
        """Return a user's own job."""
        job = await self._store.find(job_id, user)
        if job is None:
            raise NotFound(f"you have no computation {shortly(job_id)}")
        return job

    async def cancel(self, job_id: str, user: str) -> Job:
        """Stop a job; one that runs in another process ends there within a second or two."""
        await self._store.cancel(job_id, user, self._now())
        job = await self.find(job_id, user)
        if job.is_over and job_id in self._running:
            self._kill(job_id)
        return job

    def begin(self) -> None:
        """Begin to take jobs that wait."""
        self._task = asyncio.create_task(self._look_forever(), name="jobs")

    def clock_was_set(self) -> None:
        """Give up nobody's jobs before every process has reported by the new time."""
        self._next_tidying = self._seconds() + _MISSED / 1000

    async def stop(self) -> None:
        """Stop all jobs of this process; they wait for the next one."""
        self._is_stopping = True
        self._wake.set()
        if self._task is not None:
            _, late = await asyncio.wait([self._task], timeout=_PATIENCE)
            for task in late:
                task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        running = tuple(self._running.values())
        for job in running:
            job.is_wanted = False
            job.computing.cancel()
        await asyncio.gather(*(job.ending for job in running if job.ending is not None), return_exceptions=True)
        if running:
            with suppress(Unavailable):
                await self._store.give_back(self._runner)

    async def _look_forever(self) -> None:
        has_failed = False
        while not self._is_stopping:
            self._wake.clear()
            try:
                await self.look()
                has_failed = False
            except Exception as error:
                if not has_failed:
                    _log.error("computations cannot be started", error=type(error).__name__)
                has_failed = True
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), _LOOK)

    async def look(self) -> None:
        """Report, stop what is no longer wanted, give up what others have left, and take what waits."""
        if self._seconds() >= self._next_report:
            self._next_report = self._seconds() + _LOOK
            await self._report()
        if self._seconds() >= self._next_tidying:
            self._next_tidying = self._seconds() + _TIDY
            await self._store.tidy(self._runner, self._now(), _MISSED, self._now() - _DAY)
        active, served = await self._store.active()
        self.waiting = sum(job.state == "waiting" for job in active)
        ours = {job.id for job in active if job.runner == self._runner and job.state == "running"}
        for job_id in self._running.keys() - ours:
            self._kill(job_id)
        places = self._settings.job_processes
        while len(self._running) < places and not self._is_stopping:
            chosen = next_job(active, served, self._runner, places)
            if chosen is None:
                return
            request = await self._store.claim(chosen.id, self._runner, self._now())
            if request is not None:
                self._run(chosen.id, _requests.validate_json(request))
            active, served = await self._store.active()

    async def _report(self) -> None:
        if self._running:
            news = {job_id: job.news for job_id, job in self._running.items()}
            await self._store.report(self._runner, news, self._now())
            for job_id, told in news.items():
                if job_id in self._running and self._running[job_id].news == told:
                    self._running[job_id].news = None

    def _run(self, job_id: str, request: JobRequest) -> None:
        file = None if request.game is None else self._games.file(request.game)

        def hear(stage: str, share: float) -> None:
            job.news = (stage, share)

        arguments = (request, file, self._settings.job_memory)
        computing = asyncio.create_task(
            answer_of(work, arguments, self._settings.job_seconds, hear), name=f"job {job_id}"
        )
        job = self._running[job_id] = _Running(computing)
        job.ending = asyncio.create_task(self._end(job_id, request.what, job), name=f"end of job {job_id}")

    def _kill(self, job_id: str) -> None:
        job = self._running[job_id]
        job.is_wanted = False
        job.computing.cancel()

    async def _end(self, job_id: str, what: str, job: _Running) -> None:
        """Wait until a job has ended, and store how."""
        await asyncio.wait([job.computing])
        try:
            if job.is_wanted:
                await self._store_end(job_id, self._found(job_id, what, job.computing))
        finally:
            del self._running[job_id]
            self._wake.set()

    def _found(self, job_id: str, what: str, computed: asyncio.Task[tuple[Any, ...]]) -> dict[str, Any]:
        """Return what is stored of a job that has ended."""
        error = computed.exception()
        if isinstance(error, TimeoutError):
            seconds = plural(self._settings.job_seconds, "second")
            _log.info("refused", job=job_id, what=what, code="timed out")
            return {"state": "timed out", "message": f"stopped after {seconds}, which is the limit"}
        if error is not None:
            _log.error("a computation failed", job=job_id, what=what, error=type(error).__name__)
            return {"state": "failed", "message": "the computation ended without an answer"}
        kind, *rest = computed.result()
        if kind == "done":
            return {"state": "done", "result": rest[0]}
        _log.info("refused", job=job_id, what=what, code=rest[0])
        return {"state": "refused", "code": rest[0], "message": rest[1]}

    async def _store_end(self, job_id: str, found: dict[str, Any]) -> None:
        """Store the end of a job; where the database is away, try again for a while."""
        for _ in range(_ATTEMPTS):
            with suppress(Unavailable):
                await self._store.finish(job_id, self._runner, self._now(), **found)
                return
            await asyncio.sleep(0 if self._is_stopping else _LOOK)
        _log.error("a result could not be stored", job=job_id)
