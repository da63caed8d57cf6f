"""Everything a server consists of, made in order and stopped in reverse."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Protocol

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from holecard.server.accounts.accounts import Accounts
from holecard.server.accounts.deletion import Deletion
from holecard.server.compute.computing import Computing
from holecard.server.compute.edges import Edges
from holecard.server.errors import Unavailable
from holecard.server.games import Games
from holecard.server.host.host import Host
from holecard.server.host.limits import UserLimits
from holecard.server.host.server_clock import ServerClock, wall_clock
from holecard.server.jobs.job_store import JobStore
from holecard.server.jobs.jobs import Jobs
from holecard.server.learning.charts import StrategyCharts
from holecard.server.learning.drill_store import DrillStore
from holecard.server.operation.metrics import LoopDelay, Metrics
from holecard.server.operation.stored_returns import StoredReturns
from holecard.server.operation.theories import Theories
from holecard.server.records.coach_sessions import CoachSessions
from holecard.server.records.expectations import KnownExpectations
from holecard.server.settings import ServerSettings
from holecard.server.store.append import Appender, nothing
from holecard.server.store.database import database_time, end_queries, is_sqlite
from holecard.server.store.head_file import HeadKeeper
from holecard.server.store.migrate import open_database
from holecard.server.store.notices import Notices
from holecard.server.store.read import StoreReader
from holecard.server.web.accepting import file_limit, most_connections
from holecard.server.web.connections import ConnectionLimits, OpenConnections
from holecard.server.web.rates import Connections, Rates, Turns

#: Seconds between looks at the clock; at the end, between looks at the rounds that are open.
_TICK = 0.25
#: Milliseconds between looks at the clock of PostgreSQL.
_FOLLOW = 5_000
_LOOK = 0.05
#: Seconds that the clock gets to end what it does: a query that is canceled in the middle leaves its connection open.
_PATIENCE = 3.0
#: Seconds that connections get to close.
_GOODBYE = 2.0
#: Seconds that a computation of the workers may take: people wait for the first; others may delay the second.
_COMPUTATION = 60.0
_SLOW_COMPUTATION = 600.0
#: Seconds until a table that nobody uses is dropped from memory.
_UNUSED = 60.0
_log = structlog.get_logger("holecard.server")


class OpenSocket(Protocol):
    """A connection to a table."""

    async def say_goodbye(self, reason: str) -> None:
        """Close the connection with a reason."""

    def wake(self, user: str) -> None:
        """Look whether the session still stands, if it is one of this user, and send what is new."""

    def tell_balance(self, user: str) -> None:
        """Send what this user has, if it is the user of the connection."""


@dataclass(frozen=True, slots=True)
class Services:
    """What the routes use."""

    settings: ServerSettings
    engine: AsyncEngine
    reader: StoreReader
    appender: Appender
    accounts: Accounts
    deletion: Deletion
    games: Games
    host: Host
    rates: Rates
    turns: Turns
    """Who reads much: histories, statistics, exports, replays and shoes."""
    arrivals: Rates
    """New guests and accounts, by address."""
    connections: Connections
    """Sockets by user."""
    open_connections: OpenConnections
    jobs: Jobs
    metrics: Metrics
    loop_delay: LoopDelay
    returns: StoredReturns
    now: Callable[[], int]
    sockets: set[OpenSocket]
    """The connections to tables."""
    computing: Computing
    """Answers people who wait: the coach, drills, charts."""
    expectations: KnownExpectations
    drills: DrillStore
    charts: StrategyCharts
    """What the wagers of sheets return on average."""
    coach_sessions: CoachSessions
    """What the coach has added up of rounds at tables."""
    edges: Edges
    """The exact house edges of games."""
    head: HeadKeeper
    """Knows whether the log went back."""
    clients_ahead: Rates
    """Warnings of clients that have seen more than the logs have."""

    def account_changed(self, user: str) -> None:
        """Let every connection of a user look at its session; those whose session has ended are closed."""
        self.accounts.sessions.read_again(user)
        for socket in tuple(self.sockets):
            socket.wake(user)

    async def begin_to_close(self) -> None:
        """Take no new bets, let the rounds end as long as the settings allow, and close the connections."""
        self.host.is_closing = True
        _log.info("closing", open_rounds=self.host.open_rounds)
        with suppress(TimeoutError):
            async with asyncio.timeout(self.settings.shutdown_seconds):
                while self.host.open_rounds:
                    await asyncio.sleep(_LOOK)
        goodbyes = (socket.say_goodbye("the server is closing") for socket in tuple(self.sockets))
        # A client that reads nothing would let everybody wait.
        with suppress(TimeoutError):
            async with asyncio.timeout(_GOODBYE):
                await asyncio.gather(*goodbyes, return_exceptions=True)
        _log.info("closed", open_rounds=self.host.open_rounds)


@asynccontextmanager
async def services(
    settings: ServerSettings,
    wall: Callable[[], int] = wall_clock,
    on_moment: Callable[[str], None] = nothing,
    steady: Callable[[], int] | None = None,
) -> AsyncIterator[Services]:
    """Open the database, start the tasks, and stop them at the end."""
    now = ServerClock(wall, steady)
    engine = await open_database(settings.database)
    reader, head = StoreReader(engine), HeadKeeper(settings.database)
    await head.start(reader)
    appender = Appender(engine, on_moment, head.committed)
    metrics, loop_delay, returns = Metrics(), LoopDelay(), StoredReturns(reader)
    metrics.went_back.set(head.lost)
    theories = Theories(reader, appender, returns, metrics, megabytes=settings.job_memory)
    limits = UserLimits(settings.tables_per_user, settings.seats_per_user, settings.starting_money)
    host = Host(reader, appender, now, metrics, limits)
    rates = Rates(settings.messages_per_second, settings.message_burst, now.lasting)
    arrivals = Rates(settings.guests_per_minute / 60, settings.guest_burst, now.lasting, "new guests from your address")
    connections = Connections(settings.sockets_per_user)
    games = Games(settings.games)
    accounts = Accounts(engine, appender, settings, now, games.smallest_bet, now.lasting)
    jobs = Jobs(settings, games, JobStore(engine), now)
    computing = Computing(settings, _COMPUTATION, _SLOW_COMPUTATION, metrics.refused_computation)
    made = Services(
        settings=settings,
        engine=engine,
        reader=reader,
        appender=appender,
        accounts=accounts,
        deletion=Deletion(accounts, host, reader, appender, now),
        games=games,
        host=host,
        rates=rates,
        turns=Turns(),
        arrivals=arrivals,
        connections=connections,
        open_connections=_open_connections(settings, metrics),
        jobs=jobs,
        metrics=metrics,
        loop_delay=loop_delay,
        returns=returns,
        now=now,
        sockets=set(),
        head=head,
        clients_ahead=Rates(1 / 60, 1, now.lasting),
        computing=computing,
        coach_sessions=CoachSessions(reader, computing.advise, computing.review),
        edges=Edges(computing.charts),
        expectations=KnownExpectations(computing.charts),
        drills=DrillStore(engine),
        charts=StrategyCharts(computing.charts),
    )
    appender.start()
    notices = Notices(engine, host, made.account_changed)
    await notices.start()
    await host.catch_up_orders()
    shared = None if is_sqlite(engine) or not now.is_own else engine
    if shared is not None:
        now.begin(await database_time(shared))
    host.come_back()
    stopping = asyncio.Event()
    measuring = asyncio.create_task(loop_delay.measure(), name="loop delay")
    clock = asyncio.create_task(_keep_time(made, now, shared, stopping), name="clock")
    jobs.begin()
    if not settings.skip_returns:
        theories.start()
    try:
        yield made
    finally:
        stopping.set()
        await _end(clock)
        measuring.cancel()
        await asyncio.gather(measuring, return_exceptions=True)
        await theories.stop()
        await returns.stop()
        await jobs.stop()
        await made.expectations.stop()
        await made.edges.stop()
        await made.coach_sessions.stop()
        await made.computing.close()
        await notices.stop()
        await appender.stop()
        await head.stop()
        await end_queries()
        await engine.dispose()


def _open_connections(settings: ServerSettings, metrics: Metrics) -> OpenConnections:
    limits = ConnectionLimits(
        most=most_connections(settings.connections),
        per_address=settings.connections_per_address,
        request_seconds=settings.request_seconds,
        answer_seconds=settings.answer_seconds,
    )
    metrics.limit_connections(limits.most, file_limit())
    return OpenConnections(limits, time.monotonic, metrics.closed_connection)


async def _end(task: asyncio.Task[None]) -> None:
    """Wait until a task has ended; cancel it where the database keeps it waiting."""
    _, late = await asyncio.wait([task], timeout=_PATIENCE)
    for one in late:
        one.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def follow_clock(made: Services, clock: ServerClock, shared: AsyncEngine | None) -> None:
    """Follow the clock of this machine, or that of the database; where it was set, everybody gets the time again."""
    asked_at = clock.steady()
    step = clock.follow(clock.wall() if shared is None else await database_time(shared), asked_at)
    if step:
        _log.warning("the clock was set", seconds=step / 1000)
        made.host.give_time_again()
        made.jobs.clock_was_set()


async def _keep_time(made: Services, clock: ServerClock, shared: AsyncEngine | None, stopping: asyncio.Event) -> None:
    """Let the clock decide at every table where it is time, and look after accounts, until the server stops."""
    host, has_failed, followed_at = made.host, False, clock.steady()
    while not stopping.is_set():
        try:
            if shared is None or clock.steady() >= followed_at + _FOLLOW:
                followed_at = clock.steady()
                await follow_clock(made, clock, shared)
            await host.tick()
            with suppress(Unavailable):  # a person whose session is needed hears why not
                await made.accounts.sessions.read_in_advance()
                await made.deletion.look()
        except Exception as error:
            # Said once, and without the error's own text, which may show what is stored.
            if not has_failed:
                _log.error("the clock stands still", error=type(error).__name__)
            has_failed = True
        else:
            if has_failed:
                _log.info("the clock runs again")
            has_failed = False
        host.forget(_UNUSED)
        with suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), _TICK)
