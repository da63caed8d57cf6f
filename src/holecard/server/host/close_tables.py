"""Close every table of a database that no server uses: after a backup was restored, or before a server is retired."""

from __future__ import annotations

from collections.abc import Callable

from holecard.server.host.host import Host
from holecard.server.store.append import Appender
from holecard.server.store.migrate import open_database
from holecard.server.store.read import StoreReader


async def close_tables(url: str, reason: str, now: Callable[[], int]) -> int:
    """Void the rounds that are not over, as if nobody had lost in them, and close the tables; return their number.

    Every shoe is revealed as cut short, so nobody can use what is known about its next cards.
    """
    engine = await open_database(url)
    reader, appender = StoreReader(engine), Appender(engine)
    try:
        appender.start()
        host = Host(reader, appender, now)
        tables = [row["id"] for row in await reader.open_tables()]
        for table in tables:
            await host.void(table, reason)
            await host.shut(table, reason)
        await appender.stop()
    finally:
        await engine.dispose()
    return len(tables)
