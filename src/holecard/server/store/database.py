"""The connection to the database: SQLite with a write-ahead log, or PostgreSQL."""

from __future__ import annotations

from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

#: Seconds to wait for another process that writes to the same SQLite file.
_BUSY_SECONDS = 10


def connect(url: str, *, pool_size: int = 5) -> AsyncEngine:
    """Return an engine for a database; nothing is opened before its first use."""
    if make_url(url).get_backend_name() != "sqlite":
        return create_async_engine(url, pool_size=pool_size, max_overflow=5, pool_pre_ping=True)
    engine = create_async_engine(url, connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    event.listen(engine.sync_engine, "begin", _begin_sqlite)
    return engine


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
