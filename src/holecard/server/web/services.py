"""Everything a server consists of, made in order and stopped in reverse."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from holecard.server.accounts.accounts import Accounts
from holecard.server.games import Games
from holecard.server.host.host import Host
from holecard.server.jobs.jobs import Jobs
from holecard.server.operation.metrics import Metrics
from holecard.server.settings import ServerSettings
from holecard.server.store.append import Appender
from holecard.server.store.database import connect
from holecard.server.store.migrate import migrate
from holecard.server.store.notices import Notices
from holecard.server.store.read import Reader
from holecard.server.web.rates import Rates

#: Seconds between looks at the clock.
_TICK = 0.25
_log = structlog.get_logger("holecard.server")


def milliseconds() -> int:
    """Return the time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Services:
    """What the routes use."""

    settings: ServerSettings
    engine: AsyncEngine
    reader: Reader
    appender: Appender
    accounts: Accounts
    games: Games
    host: Host
    rates: Rates
    jobs: Jobs
    metrics: Metrics
    now: Callable[[], int]


def nothing(_moment: str) -> None:
    """Do nothing at a moment of the appender's work; tests that crash the server do something else."""


@asynccontextmanager
async def services(
    settings: ServerSettings, now: Callable[[], int] = milliseconds, on_moment: Callable[[str], None] = nothing
) -> AsyncIterator[Services]:
    """Open the database, start the tasks, and stop them at the end."""
    engine = connect(settings.database)
    await migrate(engine)
    reader, appender = Reader(engine), Appender(engine, on_moment)
    metrics = Metrics()
    host = Host(reader, appender, now, metrics.observe)
    rates = Rates(settings.messages_per_second, settings.message_burst, now)
    accounts = Accounts(engine, appender, settings, now)
    games = Games(settings.games)
    jobs = Jobs(settings, games, now)
    made = Services(settings, engine, reader, appender, accounts, games, host, rates, jobs, metrics, now)
    appender.start()
    notices = Notices(engine, host)
    await notices.start()
    clock = asyncio.create_task(_keep_time(host), name="clock")
    try:
        yield made
    finally:
        clock.cancel()
        with suppress(asyncio.CancelledError):
            await clock
        await jobs.stop()
        await notices.stop()
        await appender.stop()
        await engine.dispose()


async def _keep_time(host: Host) -> None:
    """Let the clock decide at every table where it is time, forever."""
    while True:
        await asyncio.sleep(_TICK)
        try:
            await host.tick()
        except Exception:
            _log.exception("the clock failed; it tries again")
