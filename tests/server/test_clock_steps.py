"""A clock that is set is an outage: everybody has the whole time again, and nobody waits longer than that."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import insert, select
from structlog.testing import capture_logs

from holecard.server.accounts.accounts import Accounts
from holecard.server.errors import NotSignedIn, SessionEnded, TooMany
from holecard.server.game.clock import deadline
from holecard.server.game.commands import DealNow, Leave, PlaceBet, Sit
from holecard.server.game.entries import Pace
from holecard.server.host import server_clock
from holecard.server.host.server_clock import STEP, ServerClock
from holecard.server.jobs.job_store import JobLimits, JobStore
from holecard.server.jobs.jobs import Jobs
from holecard.server.settings import ServerSettings
from holecard.server.store import schema
from holecard.server.store.database import reading, writing
from holecard.server.web import services as services_module
from holecard.server.web.app import create_app
from holecard.server.web.rates import Rates
from holecard.server.web.services import Services, follow_clock, services
from tests.server.fake_clock import SteppedClock
from tests.server.test_clock import dealt_table
from tests.server.test_host import Player, clean
from tests.server.test_web import Person

HOUR, DAY, YEAR = 3_600, 86_400, 31_557_600
STEPS = {"+3 s": 3, "-3 s": -3, "+1 h": HOUR, "-1 day": -DAY, "+10 y": 10 * YEAR, "-10 y": -10 * YEAR}
#: Seconds that a table waits, by what it waits for.
WAITS = {"bets": 20, "a decision": 30, "the first bet": 900, "the next round": 900}
each_step = pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
each_wait = pytest.mark.parametrize("what", WAITS)


def settings(database: str) -> ServerSettings:
    return ServerSettings(database=database, skip_returns=True, session_idle_days=365)


@pytest.fixture(autouse=True)
def _database_time(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give PostgreSQL the clock of the first server."""

    async def database_time(_engine: object) -> int:
        return _first_clock[0].wall()

    monkeypatch.setattr(services_module, "database_time", database_time)
    yield
    _first_clock.clear()


_first_clock: list[SteppedClock] = []


@asynccontextmanager
async def server(database: str, clock: SteppedClock) -> AsyncIterator[Services]:
    _first_clock.append(clock)
    async with services(settings(database), clock.wall, steady=clock.steady) as made:
        yield made


async def look(made: Services) -> None:
    """Do what the server does a few times a second."""
    assert isinstance(made.now, ServerClock)
    await follow_clock(made, made.now, None)
    await made.host.tick()


async def waiting_table(made: Services, what: str) -> str:
    """Return a table that waits for something."""
    if what == "a decision":
        return (await dealt_table(made))[1]
    player = Player(made.host, await made.accounts.guest(), Pace())
    table = await player.open("classic")
    if what != "the first bet":
        await player.do(table, Sit(seat=1))
    if what == "bets":
        await player.do(table, PlaceBet(seat=1, main=1000))
    if what == "the next round":
        hosted = await made.host.table(table)
        while hosted.table.rounds == 0 or not hosted.table.is_between_rounds:
            await player.do(table, PlaceBet(seat=1, main=1000))
            await player.do(table, DealNow())
            if not hosted.table.is_between_rounds:
                await player.do(table, Leave(seat=1))
                await made.host.tick()
                await player.do(table, Sit(seat=1))
    return table


async def length(made: Services, table: str) -> int:
    return len(await made.reader.entries(f"table:{table}"))


async def check_whole_time(made: Services, clock: SteppedClock, table: str, what: str) -> None:
    """Check that the table waits as long as it says from now on, and no longer."""
    before = await length(made, table)
    await look(made)
    due = deadline((await made.host.table(table)).table, made.host.up_since)
    assert due == made.now() + 1000 * WAITS[what]
    made.host.forget(0)
    clock.forward(WAITS[what] - 1)
    await look(made)
    assert await length(made, table) == before, "it did not wait"
    clock.forward(1 + STEP / 1000)
    await look(made)
    assert await length(made, table) > before, "it still waits"
    await clean(made)


@each_step
@each_wait
def test_everybody_has_the_whole_time_after_a_step(sqlite: str, what: str, step: int) -> None:
    async def run() -> None:
        clock = SteppedClock()
        async with server(sqlite, clock) as made:
            table = await waiting_table(made, what)
            await look(made)
            made.host.forget(0)  # those where nothing is at stake are read again when it is time
            clock.forward(WAITS[what] / 2)
            await look(made)
            clock.set(step)
            await check_whole_time(made, clock, table, what)

    asyncio.run(run())


@each_step
@each_wait
def test_a_clock_that_is_set_while_the_server_is_down(sqlite: str, what: str, step: int) -> None:
    async def run() -> None:
        clock = SteppedClock()
        async with server(sqlite, clock) as made:
            table = await waiting_table(made, what)
        clock.set(step)
        async with server(sqlite, clock) as made:
            await check_whole_time(made, clock, table, what)

    asyncio.run(run())


def test_a_step_while_a_command_is_stored(sqlite: str) -> None:
    """Its entry has the old time, which is a day ahead when it is on disk."""

    async def run() -> None:
        clock = SteppedClock()

        def set_back(moment: str) -> None:
            if moment == "before commit" and steps:
                clock.set(steps.pop())
                now.follow(clock.wall())

        steps: list[int] = []
        async with services(settings(sqlite), clock.wall, set_back, clock.steady) as made:
            assert isinstance(made.now, ServerClock)
            now = made.now
            player = Player(made.host, await made.accounts.guest(), Pace())
            table = await player.open("classic")
            await player.do(table, Sit(seat=1))
            steps.append(-DAY)
            await player.do(table, PlaceBet(seat=1, main=1000))
            made.host.give_time_again()
            await check_whole_time(made, clock, table, "bets")

    asyncio.run(run())


def test_a_step_is_said_once_and_a_small_difference_is_none(sqlite: str) -> None:
    async def run() -> None:
        clock = SteppedClock()
        async with server(sqlite, clock) as made:
            since = made.host.up_since
            with capture_logs() as logs:
                clock.set(STEP / 1000)
                await look(made)
                assert (logs, made.host.up_since) == ([], since)
                clock.set(HOUR)
                await look(made)
                await look(made)
            assert [(one["event"], one["log_level"]) for one in logs] == [("the clock was set", "warning")]

    asyncio.run(run())


def test_small_differences_are_caught_up_with_slowly_and_never_backwards() -> None:
    clock = SteppedClock()
    now = ServerClock(clock.wall, clock.steady)
    for seconds in (1.5, -1.5):
        clock.set(seconds)
        seen = [now()]
        for _ in range(160):
            clock.forward(1)
            assert now.follow(clock.wall()) == 0
            seen.append(now())
        assert all(980 <= later - earlier <= 1_020 for earlier, later in pairwise(seen))
        assert now() == clock.wall()
    for _ in range(2):
        clock.set(1.5)
        found = now.follow(clock.wall())
    assert found == 3_000, "many small steps are one large one"


def test_an_answer_that_took_long_says_nothing() -> None:
    clock = SteppedClock()
    now = ServerClock(clock.wall, clock.steady)
    asked_at = clock.steady()
    clock.forward(1.5)
    assert now.follow(clock.wall() + DAY, asked_at) == 0
    asked_at = clock.steady()
    clock.forward(0.5)
    assert now.follow(clock.wall() + HOUR * 1000, asked_at) == HOUR * 1000 + 250


def test_the_clocks_of_this_machine() -> None:
    assert server_clock.wall_clock() > 1_700_000_000_000
    assert server_clock.steady_clock() <= server_clock.steady_clock()


def test_a_socket_shows_the_new_deadline_and_the_new_time(sqlite: str) -> None:
    clock = SteppedClock()
    with TestClient(create_app(settings(sqlite), clock.wall, steady=clock.steady)) as client:
        ann = Person(client)
        table = ann.open()
        ann.command(table, do="sit", seat=1)
        with ann.socket(table) as socket:
            socket.until("balance")
            clock.set(-DAY)
            shown = socket.until("snapshot")[-1]
            assert shown["view"]["deadline"] - shown["now"] == 900_000
            assert shown["now"] == clock.wall()


# Two servers on one PostgreSQL


@pytest.mark.slow
def test_servers_with_different_clocks_use_that_of_the_database(postgres_database: str) -> None:
    """A minute apart, a table that one of them opened waits as long at the other one, which decides nothing early."""
    database, clock, late = postgres_database, SteppedClock(), SteppedClock()
    late.set(-60)

    async def run() -> None:
        async with server(database, clock) as one, server(database, late) as two:
            assert one.now() == two.now()
            table = await waiting_table(one, "a decision")
            before = await length(one, table)
            for made in (two, one):
                await made.host.tick()
                assert deadline((await made.host.table(table)).table, made.host.up_since) == one.now() + 30_000
            assert await length(one, table) == before

    asyncio.run(run())


@pytest.mark.parametrize("step", [HOUR, -HOUR])
def test_a_server_that_has_not_seen_the_step_yet_decides_nothing_early(database: str, step: int) -> None:
    """For some seconds, one server writes by the new time, and the other one reads by the old."""

    async def run() -> None:
        clock, other = SteppedClock(), SteppedClock()
        async with server(database, clock) as one:
            two = type(one.host)(one.reader, one.appender, ServerClock(other.wall, other.steady))
            two.come_back()
            clock.set(step)
            await look(one)
            player = Player(one.host, await one.accounts.guest(), Pace())
            table = await player.open("classic")
            await two.table(table)
            await player.do(table, Sit(seat=1))
            await player.do(table, PlaceBet(seat=1, main=1000))
            before = await length(one, table)
            await two.catch_up(table, before)
            await two.tick()
            assert await length(one, table) == before
            for both in (clock, other):
                both.forward(20)
            await two.tick()
            assert await length(one, table) > before

    asyncio.run(run())


# Everything else that waits


async def refused(accounts: Accounts) -> str:
    try:
        await accounts.sign_in("Ann", "wrong guess", "address")
    except (NotSignedIn, TooMany) as refusal:
        return str(refusal)
    raise AssertionError("the password was wrong")


@each_step
def test_a_lock_out_is_never_longer_than_the_longest_wait(database: str, step: int) -> None:
    async def run() -> None:
        clock = SteppedClock()
        async with server(database, clock) as made:
            while "too many" not in await refused(made.accounts):
                pass
            clock.set(step)
            await look(made)
            words = await refused(made.accounts)
            wait = re.search(r"again in (\d+) second", words)
            assert wait is None or int(wait[1]) <= 900
            clock.forward(900)
            assert "too many" not in await refused(made.accounts)

    asyncio.run(run())


@each_step
def test_a_session_does_not_end_before_its_days_are_over(sqlite: str, step: int) -> None:
    """A step forward ends no session of this server; by a clock that is set back, they only last longer."""

    async def run() -> None:
        clock = SteppedClock()
        async with server(sqlite, clock) as made:
            user = await made.accounts.guest()
            token = await made.accounts.sessions.begin(user)
            clock.forward(30 * DAY - 10)
            clock.set(step)
            await look(made)
            assert await made.accounts.sessions.user_of(token) == user
            await made.accounts.sessions.begin(user)  # deletes those that have ended
            assert await made.accounts.sessions.user_of(token) == user
            clock.forward(11)
            if step > 0:
                with pytest.raises(SessionEnded):
                    await made.accounts.sessions.user_of(token)

    asyncio.run(run())


@each_step
def test_a_session_that_ended_elsewhere_is_noticed(sqlite: str, step: int) -> None:
    async def run() -> None:
        clock = SteppedClock()
        async with server(sqlite, clock) as one, server(sqlite, clock) as two:
            token = await one.accounts.sessions.begin(await one.accounts.guest())
            await two.accounts.sessions.user_of(token)
            clock.set(step)
            await look(two)
            await one.accounts.sessions.end(token)
            clock.forward(11)
            with pytest.raises(SessionEnded):
                await two.accounts.sessions.user_of(token)

    asyncio.run(run())


@each_step
def test_rates_go_on(step: int) -> None:
    clock = SteppedClock()
    now = ServerClock(clock.wall, clock.steady)
    rates = Rates(1, 2, now.lasting)
    for _ in range(2):
        rates.take("ann")
    clock.set(step)
    now.follow(clock.wall())
    with pytest.raises(TooMany):
        rates.take("ann")
    clock.forward(1)
    rates.take("ann")
    with pytest.raises(TooMany):
        rates.take("ann")


@each_step
def test_the_computations_of_other_servers_are_not_given_up(database: str, step: int) -> None:
    """They report by the new time as soon as their server has seen it; one that has stopped does not."""

    async def run() -> None:
        clock = SteppedClock()
        async with server(database, clock) as made:
            user, store, seconds = await made.accounts.guest(), JobStore(made.engine), [0.0]
            jobs = Jobs(made.settings, made.games, store, made.now, lambda: seconds[0])
            row = {"user": user.id, "what": "check", "state": "running", "share": 0.0, "begun_at": made.now()}
            async with writing(made.engine) as connection:
                for name in ("alive", "dead"):
                    seen = {"id": name, "runner": name, "seen_at": made.now()}
                    await connection.execute(insert(schema.jobs).values(**row, **seen))
            await jobs.look()
            clock.set(step)
            await look(made)
            jobs.clock_was_set()
            seconds[0] += 10
            await jobs.look()
            assert await states(made) == {"alive": "running", "dead": "running"}
            await store.report("alive", {"alive": None}, made.now())
            seconds[0] += 11
            clock.forward(25)
            await store.report("alive", {"alive": None}, made.now())
            await jobs.look()
            assert (await states(made))["alive"] == "running"
            assert (await states(made))["dead"] == "failed"

    asyncio.run(run())


@each_step
def test_a_computation_that_waits_goes_on_waiting(database: str, step: int) -> None:
    async def run() -> None:
        clock = SteppedClock()
        async with server(database, clock) as made:
            await made.jobs.stop()  # nobody takes it
            store, user = JobStore(made.engine), await made.accounts.guest()
            await store.add("waits", user.id, "check", "{}", made.now(), JobLimits(1, 1))
            clock.set(step)
            await look(made)
            await store.tidy("runner", made.now(), 20_000, made.now() - 1000 * DAY)
            assert await states(made) == {"waits": "waiting"}

    asyncio.run(run())


async def states(made: Services) -> dict[str, str]:
    async with reading(made.engine) as connection:
        rows = await connection.execute(select(schema.jobs.c.id, schema.jobs.c.state))
        return {row.id: row.state for row in rows}
