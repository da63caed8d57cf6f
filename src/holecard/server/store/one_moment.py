"""Read a database as it is at one moment, while others write to it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import RowMapping
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from holecard.server.store.database import is_sqlite, reading
from holecard.server.store.read import StoreReader


class _MomentReader(StoreReader):
    """Reads in one transaction, which sees no later commits."""

    def __init__(self, engine: AsyncEngine, connection: AsyncConnection) -> None:
        super().__init__(engine)
        self._connection = connection

    async def _all(self, query: Any) -> Sequence[RowMapping]:
        return (await self._connection.execute(query)).mappings().all()


@asynccontextmanager
async def one_moment(engine: AsyncEngine) -> AsyncIterator[StoreReader]:
    """Give a reader for which time stands still; writers do not wait for it."""
    async with reading(engine) as connection:
        if not is_sqlite(engine):
            await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        async with connection.begin():
            yield _MomentReader(engine, connection)
