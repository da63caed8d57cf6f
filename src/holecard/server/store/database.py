"""The connection to the database: SQLite with a write-ahead log, or PostgreSQL."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from holecard.server.errors import Unavailable

#: Seconds to wait for another process that writes to the same SQLite file.
_BUSY_SECONDS = 10


def connect(url: str, *, pool_size: int = 5) -> AsyncEngine:
    """Return an engine for a database; nothing is opened before its first use."""
    # Neither errors nor logs show what was written: seeds and cards are among it.
    logging.getLogger("aiosqlite").setLevel(logging.INFO)
    if make_url(url).get_backend_name() != "sqlite":
        return create_async_engine(url, pool_size=pool_size, max_overflow=5, pool_pre_ping=True, hide_parameters=True)
    engine = create_async_engine(url, connect_args={"timeout": _BUSY_SECONDS}, hide_parameters=True)
    _listen(engine.sync_engine)
    return engine


def connect_thread(engine: AsyncEngine) -> Engine:
    """Return an engine for the same SQLite file that is used in a thread, without an event loop."""
    made = create_engine(
        engine.url.set(drivername="sqlite"), connect_args={"timeout": _BUSY_SECONDS}, hide_parameters=True
    )
    _listen(made)
    return made


def _listen(engine: Engine) -> None:
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)


def is_lost(error: BaseException) -> bool:
    """Return whether an error says that the database is gone, full or busy, and not that a statement is wrong."""
    if isinstance(error, DBAPIError):
        return not isinstance(error, IntegrityError | ProgrammingError)
    # What asyncpg raises while it connects is not wrapped.
    return isinstance(error, OSError | TimeoutError | NoConnectionFree) or type(error).__module__.startswith("asyncpg.")


@asynccontextmanager
async def reading(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Yield a connection to read from; a lost database is refused in plain words."""
    with _in_plain_words():
        async with engine.connect() as connection:
            yield connection


@asynccontextmanager
async def writing(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Yield a connection whose transaction is committed at the end; a lost database is refused in plain words."""
    with _in_plain_words():
        async with engine.connect() as connection:
            await connection.execution_options(writes=True)
            async with connection.begin():
                yield connection


@contextmanager
def _in_plain_words() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if not is_lost(error):
            raise
        raise Unavailable("the server cannot reach its database now; try again in a moment") from None


def is_sqlite(engine: AsyncEngine) -> bool:
    """Return whether the engine talks to SQLite."""
    return engine.dialect.name == "sqlite"


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # A commit reaches the disk before it is acknowledged; group commit makes that cheap.
    connection.isolation_level = None
    cursor = connection.cursor()
    for words in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={1000 * _BUSY_SECONDS}"):
        cursor.execute(f"PRAGMA {words}")
    cursor.close()


def _begin_sqlite(connection: Any) -> None:
    # Readers begin deferred. Writers say BEGIN IMMEDIATE, so that they wait at the start and not in the middle.
    options = connection.get_execution_options()
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes") else "BEGIN")
