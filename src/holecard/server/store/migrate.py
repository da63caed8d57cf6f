"""Bring a database to the newest version of the schema, with alembic; the server does this when it starts.

Commands that only read refuse a database of another version.
"""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

from holecard.errors import Refusal
from holecard.server.store.database import connect, is_lost, reading, shown

_MIGRATIONS = Path(__file__).parent / "migrations"
#: Processes that start together on one PostgreSQL take turns.
_LOCK = 7_021_213


async def open_database(url: str, *, pool_size: int = 5) -> AsyncEngine:
    """Return an engine for a database, brought to the newest version; refuse one that cannot be used."""
    waiting = connect(url, waits=True)
    try:
        await migrate(waiting)
    except Exception as error:
        if isinstance(error, CommandError):
            raise Refusal(f"{shown(url)} was made by a newer version of Holecard; install that version") from None
        if not is_lost(error):
            raise
        raise Refusal(f"cannot open the database {shown(url)}: {getattr(error, 'orig', None) or error}") from None
    finally:
        await waiting.dispose()
    return connect(url, pool_size=pool_size)


async def migrate(engine: AsyncEngine) -> None:
    """Run the migrations that are missing."""
    async with engine.connect() as connection:
        await connection.execution_options(writes=True)
        async with connection.begin():
            await connection.run_sync(upgrade)


def upgrade(connection: Connection, version: str = "head") -> None:
    """Run the migrations that are missing, up to a version; tests make old databases with it."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, version)


async def check_version(engine: AsyncEngine) -> None:
    """Refuse a database that has another version of the schema."""
    async with reading(engine) as connection:
        found = await connection.run_sync(lambda sync: MigrationContext.configure(sync).get_current_revision())
    newest = ScriptDirectory(str(_MIGRATIONS)).get_current_head() or ""
    if found is None:
        raise Refusal("this is not the database of a table server; name the one that `holecard serve` uses")
    if found < newest:
        raise Refusal(
            f"the database has version {found}, and this program reads version {newest}; "
            "start `holecard serve` on it once, or on a copy of it, to update it"
        )
    if found > newest:
        raise Refusal("the database was made by a newer version of Holecard; install that version")
