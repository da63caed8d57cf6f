"""A server that is killed while many play loses no command that it has answered, and its accounts still add up."""

from __future__ import annotations

import asyncio
from subprocess import Popen

import pytest

from bench.server_bots import Load, play
from holecard.server.audit.audit import Audit, audit
from holecard.server.host.hosted_table import stream_of
from holecard.server.store.database import connect
from holecard.server.store.read import StoreReader
from tests.patience import patient, until
from tests.server.real_server import real_server

_TABLES = 30
#: Answered commands until the server is killed: to open, commit a shoe, sit, bet, deal, and more at each table.
_ENOUGH = _TABLES * 6
#: Seconds of the whole evening if it were not.
_EVENING = patient(30)


def killed_under_load(database: str) -> Load:
    """Start a server, let bots play, and kill it; return what the bots saw."""
    options = ("--skip-returns", "--guest-burst", "1000")
    with real_server(database, *options) as (address, process):
        return asyncio.run(_play(address, process))


async def _play(address: str, process: Popen[str]) -> Load:
    killing: list[asyncio.Task[None]] = []

    async def kill(load: Load) -> None:
        await until(lambda: sum(load.answered.values()) > _ENOUGH, "enough is played")
        process.kill()

    load = await play(address, _TABLES, _EVENING, lambda load: killing.append(asyncio.create_task(kill(load))))
    await asyncio.gather(*killing)
    return load


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
        load = killed_under_load(database)
        logs, found = asyncio.run(look(database, load))
        assert len(logs) == _TABLES
        assert {table: number for table, number in load.answered.items() if logs[table] < number} == {}
        assert found.problems == []
        assert found.entries > sum(logs.values())
