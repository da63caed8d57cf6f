"""Run a function in one write transaction, from the event loop.

SQLite gets a thread with a connection of its own. Through the asynchronous driver every statement would switch threads
twice, and that takes longer than the statement itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

from holecard.server.store.database import connect_thread, is_lost, is_sqlite
from holecard.server.store.sqlite_file import file_of, still_there

_Answer = TypeVar("_Answer")
#: Seconds until a transaction has failed. It is longer than a statement may take, which is said to the database first.
_LONGEST = 20.0


class Transactions(Protocol):
    """Runs functions in transactions, one after the other."""

    async def run(self, work: Callable[[Connection], _Answer]) -> _Answer:
        """Run a function in a transaction, commit, and return what the function returned."""

    async def stop(self) -> None:
        """Close what was opened."""


def transactions(engine: AsyncEngine) -> Transactions:
    """Return the way of writing that suits a database."""
    return ThreadTransactions(engine) if is_sqlite(engine) else LoopTransactions(engine)


class LoopTransactions:
    """Transactions of an asynchronous driver."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def run(self, work: Callable[[Connection], _Answer]) -> _Answer:
        """Run a function in a transaction, commit, and return what the function returned."""
        async with asyncio.timeout(_LONGEST), self._engine.begin() as connection:
            return await connection.run_sync(work)

    async def stop(self) -> None:
        """Leave the engine to its owner."""


class ThreadTransactions:
    """Transactions in a thread."""

    def __init__(self, engine: AsyncEngine) -> None:
        file = file_of(engine.url)
        assert file is not None
        self._check_file = still_there(file)
        self.engine = connect_thread(engine, self._check_file)
        self._thread = ThreadPoolExecutor(1, "database")
        self._connection: Connection | None = None
        """It stays open: taking it from a pool and giving it back takes as long as a small transaction."""

    async def run(self, work: Callable[[Connection], _Answer]) -> _Answer:
        """Run a function in a transaction, commit, and return what the function returned."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, work)

    async def stop(self) -> None:
        """Close the thread's connection."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    def _run(self, work: Callable[[Connection], _Answer]) -> _Answer:
        self._check_file()
        if self._connection is None:
            self._connection = self.engine.connect().execution_options(writes=True)
        try:
            with self._connection.begin():
                found = work(self._connection)
        except Exception as error:
            if is_lost(error):
                self._close()
            raise
        # Nobody reads what is written to a file that was removed in the meantime.
        self._check_file()
        return found

    def _close(self) -> None:
        """Close the connection; the next transaction opens a new one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()
        self.engine.dispose()
