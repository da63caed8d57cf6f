"""Run a function in one write transaction, from the event loop.

SQLite runs its statements in the event loop: each takes microseconds, and in a thread each would wait for the
interpreter. What may take long waits in a thread: a database that somebody else writes to, and the commit, which ends
when the disk has it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Protocol, TypeVar

from sqlalchemy import Connection, RootTransaction
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from holecard.server.store.database import connect_writer, is_lost, is_sqlite, uninterrupted, waiting_for_writers
from holecard.server.store.sqlite_file import file_of, still_there

_Answer = TypeVar("_Answer")
#: Seconds until a transaction has failed. It is longer than a statement may take, which is said to the database first.
_LONGEST = 20.0
#: Seconds after which nobody knows whether a connection still stands.
_IDLE = 1.0


class Transactions(Protocol):
    """Runs functions in transactions, one after the other."""

    async def run(self, work: Callable[[Connection], _Answer]) -> _Answer:
        """Run a function in a transaction, commit, and return what the function returned."""

    async def stop(self) -> None:
        """Close what was opened."""


def transactions(engine: AsyncEngine) -> Transactions:
    """Return the way of writing that suits a database."""
    return SqliteTransactions(engine) if is_sqlite(engine) else LoopTransactions(engine)


class LoopTransactions:
    """Transactions of an asynchronous driver, on one connection as long as it is used often."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._connection: AsyncConnection | None = None
        self._used_at = 0.0
        self._one_at_a_time = asyncio.Lock()

    async def run(self, work: Callable[[Connection], _Answer]) -> _Answer:
        """Run a function in a transaction, commit, and return what the function returned."""
        async with self._one_at_a_time, asyncio.timeout(_LONGEST):
            connection = await self._connected()
            try:
                async with connection.begin():
                    found = await connection.run_sync(work)
            except BaseException as error:
                if not isinstance(error, Exception) or is_lost(error):
                    await self._close()
                raise
        self._used_at = asyncio.get_running_loop().time()
        return found

    async def stop(self) -> None:
        """Give the connection back."""
        await self._close()

    async def _connected(self) -> AsyncConnection:
        """Return the connection; one that was not used for a while is given back, and the next one is tried first."""
        if self._connection is not None and asyncio.get_running_loop().time() > self._used_at + _IDLE:
            await self._close()
        if self._connection is None:
            self._connection = await self._engine.connect()
        return self._connection

    async def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


class SqliteTransactions:
    """Transactions whose statements run here, and whose commits run in a thread."""

    def __init__(self, engine: AsyncEngine) -> None:
        file = file_of(engine.url)
        assert file is not None
        self._check_file = still_there(file)
        self.engine = connect_writer(engine, self._check_file)
        self._thread = ThreadPoolExecutor(1, "database")
        self._connection: Connection | None = None
        """It stays open: taking it from a pool and giving it back takes as long as a small transaction."""
        self._one_at_a_time = asyncio.Lock()

    async def run(self, work: Callable[[Connection], _Answer]) -> _Answer:
        """Run a function in a transaction, commit, and return what the function returned."""
        async with self._one_at_a_time:
            # A commit that runs in the thread is not interrupted, and nobody begins before it has ended.
            return await uninterrupted(self._run(work))

    async def _run(self, work: Callable[[Connection], _Answer]) -> _Answer:
        self._check_file()
        try:
            connection, transaction = await self._begin()
            try:
                found = work(connection)
            except BaseException:
                await self._in_thread(transaction.rollback)
                raise
            await self._in_thread(transaction.commit)
        except Exception as error:
            if is_lost(error):
                await self._in_thread(self._close)
            raise
        # Nobody reads what is written to a file that was removed in the meantime.
        self._check_file()
        return found

    async def stop(self) -> None:
        """Close the connection."""
        await self._in_thread(self._close)
        self._thread.shutdown()

    async def _begin(self) -> tuple[Connection, RootTransaction]:
        """Begin at once where nobody else writes; wait for another writer in the thread."""
        if self._connection is not None:
            with suppress(OperationalError):
                return self._connection, self._connection.begin()
        return await self._in_thread(self._wait_and_begin)

    def _wait_and_begin(self) -> tuple[Connection, RootTransaction]:
        if self._connection is None:
            self._connection = self.engine.connect().execution_options(writes=True)
        with waiting_for_writers(self._connection):
            return self._connection, self._connection.begin()

    def _close(self) -> None:
        """Close the connection; the next transaction opens a new one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()
        self.engine.dispose()

    async def _in_thread(self, work: Callable[[], _Answer]) -> _Answer:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)
