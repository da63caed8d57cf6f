"""Jobs in the database, where every process of the server finds and cancels them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from holecard.errors import plural
from holecard.server.errors import TooMany
from holecard.server.jobs.job import ACTIVE, ActiveJob, Job, JobState
from holecard.server.store import schema
from holecard.server.store.database import reading, to_the_end, writing

#: Finished jobs of one user that are kept.
_KEPT = 50
_LONGEST_STAGE = 100
_jobs = schema.jobs.c
_is_active = _jobs.state.in_(ACTIVE)
_SHOWN = (
    *(_jobs.id, _jobs.user, _jobs.what, _jobs.state, _jobs.stage, _jobs.share),
    *(_jobs.result.label("content"), _jobs.code, _jobs.message),
)


class JobLimits(NamedTuple):
    """How many jobs there may be."""

    of_user: int
    """That wait or run."""
    waiting: int
    """That wait, of all users."""


class JobStore:
    """Writes and reads jobs."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @to_the_end
    async def add(self, job_id: str, user: str, what: str, request: str, now: int, limits: JobLimits) -> None:
        """Add a job that waits, or refuse it where there are as many as there may be; drop the oldest finished."""
        own = _jobs.user == user
        async with writing(self._engine) as connection:
            # Nobody else counts this user's jobs before the end of the transaction; SQLite has one writer anyway.
            await connection.execute(select(schema.users.c.id).where(schema.users.c.id == user).with_for_update())
            count = select(func.count()).select_from(schema.jobs).where(own, _is_active)
            found = (await connection.execute(count)).scalar_one()
            if found >= limits.of_user:
                raise TooMany(f"you have {plural(found, 'computation')}; wait until one is done, or cancel one")
            all_waiting = select(func.count()).select_from(schema.jobs).where(_jobs.state == "waiting")
            if (await connection.execute(all_waiting)).scalar_one() >= limits.waiting:
                raise TooMany(
                    f"{plural(limits.waiting, 'computation')} of other people wait; try again in some minutes"
                )
            finished = select(_jobs.id).where(own, ~_is_active)
            kept = finished.order_by(_jobs.ended_at.desc()).limit(_KEPT)
            await connection.execute(delete(schema.jobs).where(own, ~_is_active, _jobs.id.not_in(kept)))
            row = {"id": job_id, "user": user, "what": what, "request": request, "state": "waiting", "share": 0.0}
            await connection.execute(insert(schema.jobs), [{**row, "begun_at": now}])

    @to_the_end
    async def find(self, job_id: str, user: str) -> Job | None:
        """Return a user's own job."""
        async with reading(self._engine) as connection:
            query = select(*_SHOWN).where(_jobs.id == job_id, _jobs.user == user)
            row = (await connection.execute(query)).mappings().first()
        return None if row is None else Job(**row)

    @to_the_end
    async def active(self) -> tuple[list[ActiveJob], dict[str, int]]:
        """Return all jobs that wait or run, and when a job of each of their users was started last."""
        async with reading(self._engine) as connection:
            query = select(_jobs.id, _jobs.user, _jobs.state, _jobs.runner, _jobs.begun_at).where(_is_active)
            found = [ActiveJob(*row) for row in (await connection.execute(query)).all()]
            users = {job.user for job in found if job.state == "waiting"}
            if not users:
                return found, {}
            latest = select(_jobs.user, func.max(_jobs.started_at)).where(_jobs.user.in_(users)).group_by(_jobs.user)
            return found, {user: at or 0 for user, at in (await connection.execute(latest)).all()}

    @to_the_end
    async def claim(self, job_id: str, runner: str, now: int) -> str | None:
        """Take a job that waits, and return its request; None where another process or its owner was faster."""
        changes: dict[str, Any] = {"state": "running", "runner": runner, "started_at": now, "seen_at": now}
        async with writing(self._engine) as connection:
            claimed = update(schema.jobs).where(_jobs.id == job_id, _jobs.state == "waiting").values(**changes)
            if not (await connection.execute(claimed)).rowcount:
                return None
            return str((await connection.execute(select(_jobs.request).where(_jobs.id == job_id))).scalar_one())

    @to_the_end
    async def report(self, runner: str, news: Mapping[str, tuple[str, float] | None], now: int) -> None:
        """Say that a process is alive and runs these jobs, and how far they are where that is news."""
        own = (_jobs.runner == runner) & (_jobs.state == "running")
        async with writing(self._engine) as connection:
            for job_id, told in news.items():
                changes: dict[str, Any] = {"seen_at": now}
                if told is not None:
                    changes |= {"stage": _storable(told[0])[:_LONGEST_STAGE], "share": told[1]}
                await connection.execute(update(schema.jobs).where(own, _jobs.id == job_id).values(**changes))

    async def finish(self, job_id: str, runner: str, now: int, state: JobState, **found: str | None) -> None:
        """Store the end of a job, unless it was canceled or given up in the meantime."""
        own = (_jobs.id == job_id) & (_jobs.runner == runner) & (_jobs.state == "running")
        changes = {name: None if words is None else _storable(words) for name, words in found.items()}
        done = {"share": 1.0} if state == "done" else {}
        await self._end(own, now, {"state": state, **done, **changes})

    async def cancel(self, job_id: str, user: str, now: int) -> None:
        """Cancel a user's own job, if it is not over."""
        own = (_jobs.id == job_id) & (_jobs.user == user) & _is_active
        await self._end(own, now, {"state": "canceled", "message": "you canceled this computation"})

    @to_the_end
    async def give_back(self, runner: str) -> None:
        """Let the jobs of a process that stops wait for another one."""
        own = (_jobs.runner == runner) & (_jobs.state == "running")
        changes: dict[str, Any] = {"state": "waiting", "runner": None, "stage": None, "share": 0.0}
        async with writing(self._engine) as connection:
            await connection.execute(update(schema.jobs).where(own).values(**changes))

    @to_the_end
    async def tidy(self, runner: str, now: int, missed: int, kept_after: int) -> None:
        """Give up jobs of other processes that did not report for so long, and drop what ended before a time.

        What was seen in the future was seen by a clock that was set back since.
        """
        words = "the server that computed this has stopped; start the computation again"
        lost = (_jobs.state == "running") & (_jobs.runner != runner)
        lost &= (_jobs.seen_at < now - missed) | (_jobs.seen_at > now + missed)
        old = _jobs.ended_at < kept_after  # one that waits has not ended, however late it seems to be
        async with reading(self._engine) as connection:
            query = select(func.count()).select_from(schema.jobs).where(lost | old)
            if not (await connection.execute(query)).scalar_one():
                return
        await self._end(lost, now, {"state": "failed", "message": words})
        async with writing(self._engine) as connection:
            await connection.execute(delete(schema.jobs).where(old))

    @to_the_end
    async def _end(self, which: Any, now: int, changes: Mapping[str, Any]) -> None:
        """Store the end of some jobs; their requests are dropped."""
        async with writing(self._engine) as connection:
            ended = update(schema.jobs).where(which).values(**changes, ended_at=now, request=None, stage=None)
            await connection.execute(ended)


def _storable(words: str) -> str:
    """Return a text without the one character that PostgreSQL cannot store."""
    return words.replace("\0", "\N{REPLACEMENT CHARACTER}")
