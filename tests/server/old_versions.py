"""Make a database what an earlier version of Holecard left: the same rows, in the tables of that time."""

from __future__ import annotations

from sqlalchemy import Connection, MetaData, select

from holecard.server.store import schema
from holecard.server.store.database import connect
from holecard.server.store.migrate import upgrade


async def go_back(database: str, version: str) -> None:
    """Keep of every row what the tables of a version had; nobody may use the database meanwhile."""
    engine = connect(database, waits=True)
    async with engine.connect() as connection:
        await connection.execution_options(writes=True)
        async with connection.begin():
            await connection.run_sync(_go_back, version)
    await engine.dispose()


def _go_back(connection: Connection, version: str) -> None:
    tables = schema.metadata.sorted_tables
    kept = {table.name: connection.execute(select(table)).mappings().all() for table in tables}
    schema.metadata.drop_all(connection)
    connection.exec_driver_sql("DROP TABLE alembic_version")
    upgrade(connection, version)
    old = MetaData()
    old.reflect(connection)
    for table in old.sorted_tables:
        names = table.columns.keys()
        if rows := [{name: row[name] for name in names} for row in kept.get(table.name, ())]:
            connection.execute(table.insert(), rows)
