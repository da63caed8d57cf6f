"""The connection to the database: SQLite with a write-ahead log, or PostgreSQL."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, ProgrammingError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from holecard.errors import Refusal, shortly
from holecard.server.errors import Unavailable
from holecard.server.store.sqlite_file import address_of, file_of, prepare, still_there

_Found = TypeVar("_Found")
_Arguments = ParamSpec("_Arguments")
#: Seconds to wait for another process that writes to the same SQLite file.
_BUSY_SECONDS = 10
_running: set[asyncio.Future[Any]] = set()
_PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={1000 * _BUSY_SECONDS}")
#: Seconds until a statement, or an attempt to connect, has failed: PostgreSQL may be on a machine that is gone.
_STATEMENT_SECONDS = 15
#: What PostgreSQL gets for each connection, in milliseconds and seconds: nobody waits long for a row that another
#: process has locked, and a process that is frozen in a transaction, or whose machine is gone, loses its locks.
POSTGRES_LIMITS = {
    "lock_timeout": "3000",
    "idle_in_transaction_session_timeout": "10000",
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
ADDRESSES = "name a file for SQLite, or an address such as postgresql+asyncpg://user@host/name"


def connect(url: str, *, pool_size: int = 5, waits: bool = False) -> AsyncEngine:
    """Return an engine for a database; nothing is opened before its first use.

    Only an engine that `waits` may take long for a statement or a transaction, as audits and migrations do.
    """
    # Neither errors nor logs show what was written: seeds and cards are among it.
    logging.getLogger("aiosqlite").setLevel(logging.INFO)
    try:
        file = file_of(url)
        if file is None:
            return create_async_engine(
                url,
                pool_size=pool_size,
                max_overflow=5,
                pool_pre_ping=True,
                hide_parameters=True,
                connect_args={} if waits else _limits(url),
            )
    except (ArgumentError, ImportError):
        raise Refusal(f"{shown(url)} is not a database; {ADDRESSES}") from None
    prepare(file)
    engine = create_async_engine(address_of(file), connect_args={"timeout": _BUSY_SECONDS}, hide_parameters=True)
    _listen(engine.sync_engine, still_there(file))
    return engine


def _limits(url: str) -> dict[str, Any]:
    """Return how long a connection waits, for asyncpg; other drivers have other words for it."""
    if make_url(url).get_driver_name() != "asyncpg":
        return {}
    seconds = {"timeout": _STATEMENT_SECONDS, "command_timeout": _STATEMENT_SECONDS}
    return {**seconds, "server_settings": POSTGRES_LIMITS}


def shown(url: str) -> str:
    """Return the address of a database without its password."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return shortly(url)


def connect_writer(engine: AsyncEngine, check_file: Callable[..., None]) -> Engine:
    """Return an engine for the same SQLite file, whose statements run in the thread that calls them."""
    made = create_engine(
        engine.url.set(drivername="sqlite"), connect_args={"timeout": _BUSY_SECONDS}, hide_parameters=True
    )
    _listen(made, check_file)
    return made


@contextmanager
def waiting_for_writers(connection: Connection) -> Iterator[None]:
    """Let a connection to SQLite wait for those that write; outside of this it does not."""
    raw = connection.connection.cursor()
    raw.execute(f"PRAGMA busy_timeout={1000 * _BUSY_SECONDS}")
    try:
        yield
    finally:
        raw.execute("PRAGMA busy_timeout=0")
        raw.close()


def _listen(engine: Engine, check_file: Callable[..., None]) -> None:
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    event.listen(engine, "checkout", check_file)


def is_lost(error: BaseException) -> bool:
    """Return whether an error says that the database is gone, full or busy, and not that a statement is wrong."""
    if isinstance(error, DBAPIError):
        return not isinstance(error, IntegrityError | ProgrammingError)
    # What asyncpg raises while it connects is not wrapped.
    return isinstance(error, OSError | TimeoutError | NoConnectionFree) or type(error).__module__.startswith("asyncpg.")


@asynccontextmanager
async def reading(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Yield a connection to read from; a lost database is refused in plain words."""
    with in_plain_words():
        async with engine.connect() as connection:
            yield connection


@asynccontextmanager
async def writing(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Yield a connection whose transaction is committed at the end; a lost database is refused in plain words."""
    with in_plain_words():
        async with engine.connect() as connection:
            await connection.execution_options(writes=True)
            async with connection.begin():
                yield connection


async def database_time(engine: AsyncEngine) -> int:
    """Return PostgreSQL's time, in milliseconds since 1970: the one clock of all processes that use it."""
    async with reading(engine) as connection:
        found = await connection.exec_driver_sql("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT")
        return int(found.scalar_one())


async def uninterrupted(work: Coroutine[Any, Any, _Found]) -> _Found:
    """Return what a query finds; if its caller is canceled, the query still ends, or its connection would stay open."""
    task = asyncio.ensure_future(work)
    _running.add(task)
    task.add_done_callback(_running.discard)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([task])
        raise


async def end_queries() -> None:
    """Wait for the queries of this event loop, before its connections are closed."""
    here = asyncio.get_running_loop()
    while running := [task for task in _running if task.get_loop() is here]:
        await asyncio.wait(running)


def to_the_end(
    work: Callable[_Arguments, Coroutine[Any, Any, _Found]],
) -> Callable[_Arguments, Coroutine[Any, Any, _Found]]:
    """Let a function with queries end, even if its caller is canceled."""

    @wraps(work)
    async def run(*arguments: _Arguments.args, **named: _Arguments.kwargs) -> _Found:
        return await uninterrupted(work(*arguments, **named))

    return run


@contextmanager
def in_plain_words() -> Iterator[None]:
    """Refuse in plain words what a lost database makes impossible."""
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
    try:
        cursor = connection.cursor()
        for words in _PRAGMAS:
            cursor.execute(f"PRAGMA {words}")
        cursor.close()
    except Exception:
        connection.close()  # nobody else would
        raise


def _begin_sqlite(connection: Any) -> None:
    # Readers begin deferred. Writers say BEGIN IMMEDIATE, so that they wait at the start and not in the middle.
    options = connection.get_execution_options()
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes") else "BEGIN")
