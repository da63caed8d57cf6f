"""News from other processes on the same PostgreSQL: which table has new entries. With SQLite there is one process."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from holecard.server.store.database import is_sqlite


class Listener(Protocol):
    """Who wants to know."""

    async def catch_up(self, table_id: str, sequence: int) -> None:
        """Read what other processes have appended to a table, up to this sequence number or further."""


class Notices:
    """Listens to PostgreSQL's notifications."""

    def __init__(self, engine: AsyncEngine, listener: Listener) -> None:
        self._engine = engine
        self._listener = listener
        self._connection: AsyncConnection | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Begin to listen."""
        if is_sqlite(self._engine):
            return
        self._connection = await self._engine.connect()
        raw = await self._connection.get_raw_connection()
        driver: Any = raw.driver_connection
        await driver.add_listener("holecard", self._heard)

    async def stop(self) -> None:
        """Stop listening."""
        if self._connection is not None:
            await self._connection.close()

    def _heard(self, _connection: object, _pid: int, _channel: str, words: str) -> None:
        stream, _, sequence = words.rpartition(" ")
        kind, _, name = stream.partition(":")
        if kind == "table":
            task = asyncio.get_running_loop().create_task(self._listener.catch_up(name, int(sequence)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
