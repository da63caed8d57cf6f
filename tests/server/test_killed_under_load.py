"""A server that is killed while many play loses no command that it has answered, and its accounts still add up."""

from __future__ import annotations

import asyncio
from threading import Timer

import pytest

from bench.server_bots import Load, play
from holecard.server.audit.audit import Audit, audit
from holecard.server.host.hosted_table import stream_of
from holecard.server.store.database import connect
from holecard.server.store.read import StoreReader
from tests.patience import patient
from tests.server.real_server import real_server

#: Seconds of play until the server is killed, and of the whole evening if it were not.
_KILLED, _EVENING = patient(0.4), patient(12)


def killed_under_load(database: str, tables: int) -> Load:
    """Start a server, let bots play, and kill it; return what the bots saw."""
    options = ("--skip-returns", "--guest-burst", "1000")
    with real_server(database, *options) as (address, process):
        return asyncio.run(play(address, tables, _EVENING, lambda: Timer(_KILLED, process.kill).start()))


async def look(database: str, load: Load) -> tuple[dict[str, int], Audit]:
    """Return how long the logs of the bots' tables are, and what an audit finds."""
    engine = connect(database)
    reader = StoreReader(engine)
    logs = {table: len(await reader.entries(stream_of(table))) for table in load.answered}
    found = await audit(reader)
    await engine.dispose()
    return logs, found


@pytest.mark.slow
def test_nothing_that_was_answered_is_lost(database: str) -> None:
    for _ in range(2):  # the second server starts with what the first one left
        load = killed_under_load(database, 30)
        logs, found = asyncio.run(look(database, load))
        assert len(logs) == 30
        assert sum(load.answered.values()) > 30 * 6  # opened, committed, sat, bet, dealt, and more
        assert {table: number for table, number in load.answered.items() if logs[table] < number} == {}
        assert found.problems == []
        assert found.entries > sum(logs.values())
