"""News from other processes on the same PostgreSQL: entries of tables, orders of operators, changes of accounts.

With SQLite there is one process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Protocol

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from holecard.errors import Refusal
from holecard.server.store.database import is_lost, is_sqlite

#: Seconds between attempts to listen again.
_PAUSE = 0.5
#: The number of the first entry of an account: nobody has a session of it yet.
_NEW = "1"
_log = structlog.get_logger("holecard.server")


class Listener(Protocol):
    """Who wants to know."""

    def lacks(self, table_id: str, sequence: int) -> bool:
        """Return whether it has to read what was appended to a table up to this sequence number."""

    async def catch_up(self, table_id: str, sequence: int) -> None:
        """Read what other processes have appended to a table, up to this sequence number or further."""

    async def catch_up_all(self) -> None:
        """Read what other processes have appended while nobody listened."""

    async def catch_up_orders(self) -> None:
        """Read what operators have ordered elsewhere."""


class Notices:
    """Listens to PostgreSQL's notifications, and again after the connection was lost."""

    def __init__(self, engine: AsyncEngine, listener: Listener, on_account: Callable[[str], None]) -> None:
        self._engine = engine
        self._listener = listener
        self._on_account = on_account
        """Is called with the user whose account or sessions have changed."""
        self._connection: AsyncConnection | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_stopped = False
        self._listens_again = False

    async def start(self) -> None:
        """Begin to listen."""
        if is_sqlite(self._engine):
            return
        connection = await self._engine.connect()
        try:
            raw = await connection.get_raw_connection()
            driver: Any = raw.driver_connection
            driver.add_termination_listener(self._lost)
            await driver.add_listener("holecard", self._heard)
            if driver.is_closed():
                raise ConnectionError("the connection was lost at once")
        except BaseException:
            await _drop(connection)
            raise
        self._connection = connection

    async def stop(self) -> None:
        """Stop listening."""
        self._is_stopped = True
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._connection is not None:
            await _drop(self._connection)

    def _heard(self, _connection: object, _pid: int, _channel: str, words: str) -> None:
        stream, _, sequence = words.rpartition(" ")
        kind, _, name = stream.partition(":")
        if kind == "table" and self._listener.lacks(name, int(sequence)):
            self._begin(_heeded(self._listener.catch_up(name, int(sequence))))
        elif kind == "orders":
            self._begin(_heeded(self._listener.catch_up_orders()))
        elif kind == "account" and sequence != _NEW:
            self._on_account(name)

    def _lost(self, _connection: object) -> None:
        lost, self._connection = self._connection, None
        if self._is_stopped or lost is None:
            return
        self._begin(_drop(lost))
        if not self._listens_again:
            _log.warning("the database does not send news; listening again")
            self._listens_again = True
            self._begin(self._listen_again())

    async def _listen_again(self) -> None:
        """Connect again, as often as it takes, and read what was missed."""
        try:
            while not await self._has_caught_up():
                await asyncio.sleep(_PAUSE)
        finally:
            self._listens_again = False

    async def _has_caught_up(self) -> bool:
        """Listen on one connection, and read what was missed; return whether that is done."""
        try:
            if self._connection is None:
                await self.start()
            await self._listener.catch_up_all()
        except Exception as error:
            if not (is_lost(error) or isinstance(error, Refusal)):
                raise
            return False
        return self._connection is not None

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _heeded(work: Coroutine[Any, Any, None]) -> None:
    """Read what is new; what is missed is read before the next command, or by the clock."""
    with suppress(Refusal):
        await work


async def _drop(connection: AsyncConnection) -> None:
    """Close a connection for good: one that listens does not go back to the pool."""
    with suppress(Exception):
        await connection.invalidate()
        await connection.close()
