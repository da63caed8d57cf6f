"""Failed sign-ins make the next one wait: after a few free attempts the wait doubles each time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncEngine

from holecard.server.errors import TooMany
from holecard.server.store import schema
from holecard.server.store.database import is_sqlite, reading, writing

_FREE_ATTEMPTS = 4
_FIRST_WAIT = 1_000
_LONGEST_WAIT = 15 * 60_000


class LockOut:
    """Counts failed sign-ins by name and by address."""

    def __init__(self, engine: AsyncEngine, now: Callable[[], int]) -> None:
        self._engine = engine
        self._now = now

    async def check(self, *keys: str) -> None:
        """Refuse a sign-in that comes too early."""
        query = select(schema.sign_ins.c.locked_until).where(schema.sign_ins.c.key.in_(keys))
        async with reading(self._engine) as connection:
            until = max((row[0] for row in await connection.execute(query)), default=0)
        if until > self._now():
            seconds = (until - self._now() + 999) // 1000
            raise TooMany(f"too many failed attempts; try again in {seconds} seconds")

    async def failed(self, *keys: str) -> None:
        """Count a failure."""
        async with writing(self._engine) as connection:
            for key in keys:
                query = select(schema.sign_ins.c.failures).where(schema.sign_ins.c.key == key)
                failures = ((await connection.execute(query)).scalar() or 0) + 1
                row = {"key": key, "failures": failures, "locked_until": self._now() + _wait(failures)}
                made: Any = (sqlite if is_sqlite(self._engine) else postgresql).insert(schema.sign_ins).values(row)
                await connection.execute(made.on_conflict_do_update(index_elements=["key"], set_=row))

    async def succeeded(self, key: str) -> None:
        """Forget the failures of a name."""
        async with writing(self._engine) as connection:
            await connection.execute(delete(schema.sign_ins).where(schema.sign_ins.c.key == key))


def _wait(failures: int) -> int:
    """Return how long the next attempt has to wait, in milliseconds."""
    if failures <= _FREE_ATTEMPTS:
        return 0
    doublings = min(failures - _FREE_ATTEMPTS - 1, 20)
    return min(_FIRST_WAIT << doublings, _LONGEST_WAIT)
