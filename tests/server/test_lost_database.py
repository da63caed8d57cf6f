"""What the server does when its database fails: no bets, plain words, no money lost, and recovery without a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, OperationalError

import holecard
from holecard.server.errors import Unavailable
from holecard.server.game.commands import DealNow, Leave, PlaceBet, Sit
from holecard.server.game.entries import Pace
from holecard.server.game.frames import snapshot
from holecard.server.host.host import Host
from holecard.server.host.hosted_table import HostedTable
from holecard.server.store.transactions import SqliteTransactions
from holecard.server.web.app import create_app
from holecard.server.web.services import Services, services
from tests.patience import patient, until
from tests.server.conftest import new_database
from tests.server.fake_clock import FakeClock
from tests.server.postgres import PostgresServer
from tests.server.test_clock import dealt_table
from tests.server.test_host import Player, actor
from tests.server.test_lost_seeds import clean, settings
from tests.server.test_web import Person


class Trouble:
    """Makes the database fail: at a moment of a write, or for everybody."""

    def __init__(self) -> None:
        self.moment: str | None = None
        self.is_gone = False
        self.goes_after_commit = False

    def after(self, moment: str) -> None:
        """Lose the database after a commit that nobody doubts."""
        if moment == "after commit" and self.goes_after_commit:
            self.is_gone = True

    def on_moment(self, moment: str) -> None:
        if moment == self.moment:
            self._fail()

    def on_statement(self, *_arguments: object) -> None:
        if self.is_gone:
            self._fail()

    def _fail(self) -> None:
        raise OperationalError("INSERT", {}, Exception("disk I/O error"))


def listen(made: Services, name: str, heard: Callable[..., None]) -> None:
    """Listen to every connection of a server: those of the event loop, and that of the thread that writes."""
    writing = made.appender.transactions
    engines = [made.engine.sync_engine, *([writing.engine] if isinstance(writing, SqliteTransactions) else [])]
    for engine in engines:
        event.listen(engine, name, heard)


def test_a_write_that_fails_changes_nothing(database: str) -> None:
    async def run() -> None:
        trouble = Trouble()
        async with services(settings(database), FakeClock(), trouble.on_moment) as made:
            ann, table = await dealt_table(made)
            await ann.do(table, Sit(seat=2))
            hosted = await made.host.table(table)
            before, log = snapshot(hosted.table, (1,)), await made.reader.entries(f"table:{table}")
            trouble.moment = "before commit"
            with pytest.raises(Unavailable, match="no bets are taken until it can"):
                await ann.do(table, Leave(seat=2), "leave-it")
            with pytest.raises(Unavailable):
                await ann.open("classic")
            assert snapshot(hosted.table, (1,)) == before
            assert await made.reader.entries(f"table:{table}") == log
            trouble.moment = None
            await ann.do(table, Leave(seat=2), "leave-it")
            assert len(await made.reader.entries(f"table:{table}")) == len(log) + 1
            await clean(made)

    asyncio.run(run())


def test_a_commit_whose_outcome_is_unknown_has_one_effect(database: str) -> None:
    """The row is stored, the answer is lost, and the database is gone for a while."""

    async def run() -> None:
        trouble = Trouble()
        async with services(settings(database), FakeClock(), trouble.on_moment) as made:
            listen(made, "before_cursor_execute", trouble.on_statement)
            ann = Player(made.host, await made.accounts.guest())
            table = await ann.open("classic")
            await ann.do(table, Sit(seat=1))
            trouble.moment = "after commit"
            hosted = await made.host.table(table)
            told: list[int] = []
            hosted.watchers.add(lambda one: told.append(one.table.sequence))

            def lost_after_commit(moment: str) -> None:
                if moment == "after commit":
                    trouble.is_gone = True
                    trouble._fail()

            made.appender._on_moment = lost_after_commit
            with pytest.raises(Unavailable):
                await ann.do(table, PlaceBet(seat=1, main=1000), "bet-once")
            with pytest.raises(Unavailable):
                await ann.do(table, PlaceBet(seat=1, main=1000), "bet-once")
            assert hosted.is_doubtful
            made.appender._on_moment = lambda _moment: None
            trouble.is_gone = False
            await ann.do(table, PlaceBet(seat=1, main=1000), "bet-once")
            assert not hosted.is_doubtful
            assert await made.reader.balance(f"player:{ann.user.id}") == 99_000
            rows = await made.reader.entries(f"table:{table}")
            assert hosted.table.sequence == len(rows) == told[-1]
            await ann.do(table, DealNow())
            await clean(made)

    asyncio.run(run())


def test_the_clock_reads_again_what_an_unknown_commit_stored(sqlite: str) -> None:
    async def run() -> None:
        trouble = Trouble()
        async with services(settings(sqlite), FakeClock()) as made:
            listen(made, "before_cursor_execute", trouble.on_statement)
            ann = Player(made.host, await made.accounts.guest())
            table = await ann.open("classic")
            hosted = await made.host.table(table)

            def lost(moment: str) -> None:
                trouble.is_gone = moment == "after commit"
                trouble.on_statement()

            made.appender._on_moment = lost
            with pytest.raises(Unavailable):
                await ann.do(table, Sit(seat=1))
            assert not hosted.table.seats
            made.appender._on_moment, trouble.is_gone = (lambda _moment: None), False
            await made.host.tick()
            assert list(hosted.table.seats) == [1]

    asyncio.run(run())


@pytest.mark.parametrize("what", ["writes", "everything", "one command"])
def test_after_an_outage_everybody_has_the_whole_time_again(what: str, sqlite: str) -> None:
    async def run() -> None:
        trouble, clock = Trouble(), FakeClock()
        async with services(settings(sqlite), clock, trouble.on_moment) as made:
            listen(made, "before_cursor_execute", trouble.on_statement)
            ann, table = await dealt_table(made)
            hosted = await made.host.table(table)
            length = hosted.table.sequence
            trouble.is_gone, trouble.moment = what == "everything", "before commit"
            clock.forward(29 if what == "one command" else 60)
            failing = ann.do(table, Leave(seat=1)) if what == "one command" else made.host.tick()
            with pytest.raises(Unavailable):
                await failing
            trouble.is_gone, trouble.moment = False, None
            for seconds in (1, 28):
                await made.host.tick()
                clock.forward(seconds)
            await made.host.tick()
            assert hosted.table.sequence == length
            clock.forward(2)
            await made.host.tick()
            assert hosted.table.sequence > length

    asyncio.run(run())


def test_who_waits_for_one_table_does_not_wait_for_others(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        clock = FakeClock()
        async with services(settings(sqlite), clock) as made:
            ann = Player(made.host, await made.accounts.guest())
            tables = [await ann.open("classic") for _ in range(3)]
            other = Host(made.reader, made.appender, clock)
            load, go_on = other._loader.load, asyncio.Event()

            async def slow(table: str) -> HostedTable:
                if table == tables[0]:
                    await go_on.wait()
                return await load(table)

            monkeypatch.setattr(other._loader, "load", slow)
            waiting = [asyncio.create_task(other.table(tables[0])) for _ in range(2)]
            async with asyncio.timeout(patient(10)):
                await other.table(tables[1])
            go_on.set()
            assert len({id(hosted) for hosted in await asyncio.gather(*waiting)}) == 1

            monkeypatch.setattr("holecard.server.host.host._LOADED_AT_ONCE", 1)
            fresh = Host(made.reader, made.appender, clock)
            clock.forward(1_000_000)
            for host in (made.host, fresh):
                host.come_back()
            for number in (1, 2, 3):
                await fresh.tick()
                assert len(fresh.tables) == number

    asyncio.run(run())


class DeadlockError(Exception):
    sqlstate = "40P01"


def test_a_deadlock_is_tried_again(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL ends one of two transactions that wait for each other: nobody has taken a number or a name."""

    async def run() -> None:
        async with services(settings(sqlite), FakeClock()) as made:
            ann = Player(made.host, await made.accounts.guest())
            run, left = made.appender.transactions.run, [0]

            async def dead(work: Any) -> Any:
                left[0] -= 1
                if left[0] >= 0:
                    raise DBAPIError("INSERT", {}, DeadlockError())
                return await run(work)

            monkeypatch.setattr(made.appender.transactions, "run", dead)
            left[0] = 4
            table = await ann.open("classic")
            left[0] = 4
            assert (await made.accounts.register("Ann", "a long password")).name == "Ann"
            left[0] = 5
            with pytest.raises(Unavailable, match="try again"):
                await ann.do(table, Sit(seat=1), "sit-once")
            await ann.do(table, Sit(seat=1), "sit-once")
            await clean(made)

    asyncio.run(run())


def test_a_full_disk_takes_no_bets_and_loses_nothing(sqlite: str) -> None:
    """SQLite may not grow beyond its pages: "database or disk is full", until it may again."""

    async def run() -> None:
        async with services(settings(sqlite), FakeClock()) as made:
            most = {"pages": 0}

            def limit(connection: Any) -> None:
                connection.exec_driver_sql(f"PRAGMA max_page_count = {most['pages'] or 1_000_000}")

            listen(made, "begin", limit)
            ann = Player(made.host, await made.accounts.guest())
            table = await ann.open("classic")
            await ann.do(table, Sit(seat=1))
            most["pages"] = 1  # SQLite takes that for "not more than there are"
            refused = None
            for number in range(500):
                try:
                    await ann.do(table, PlaceBet(seat=1, main=1000 + 500 * (number % 2)))
                except Unavailable as error:
                    refused = error
                    break
            assert refused is not None
            log = await made.reader.entries(f"table:{table}")
            hosted = await made.host.table(table)
            assert hosted.table.sequence == len(log)
            held = await made.reader.balance(f"held:{table}:1")
            assert held == hosted.money.held[1]
            most["pages"] = 0
            await ann.do(table, PlaceBet(seat=1, main=2000))
            await ann.do(table, DealNow())
            await clean(made)

    asyncio.run(run())


def test_sockets_stay_open_while_nothing_can_be_stored(sqlite: str) -> None:
    trouble = Trouble()
    with TestClient(create_app(settings(sqlite), on_moment=trouble.on_moment)) as client:
        made: Services = client.app.state.services  # type: ignore[attr-defined]
        listen(made, "before_cursor_execute", trouble.on_statement)
        ann = Person(client)
        table = ann.open()
        with ann.socket(table) as socket:
            assert socket.command(do="sit", seat=1)["type"] == "done"
            for trouble.moment, trouble.is_gone in (("before commit", False), (None, True)):
                answer = socket.command(do="bet", seat=1, main=1000)
                assert answer["code"] == "unavailable"
                assert answer["message"].startswith("the server cannot")
                socket.session.send_json({"type": "ping"})
                assert socket.next()["type"] == "pong"
                assert ann.get("/readyz").status_code == 503
                assert ann.get("/healthz").status_code == 200
                lobby = ann.get("/api/v1/tables")
                assert (lobby.status_code == 503) == trouble.is_gone
            trouble.moment, trouble.is_gone = None, False
            assert ann.get("/readyz").status_code == 200
            assert socket.command(do="bet", seat=1, main=1000)["type"] == "done"
        assert ann.get("/api/v1/me").json()["balance"] == 99_000


def test_a_balance_that_cannot_be_read_comes_later(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holecard.server.web.socket._PAUSE", 0.05)
    trouble = Trouble()
    with TestClient(create_app(settings(sqlite), on_moment=trouble.after)) as client:
        made: Services = client.app.state.services  # type: ignore[attr-defined]
        listen(made, "before_cursor_execute", trouble.on_statement)
        ann = Person(client)
        table = ann.open()
        with ann.socket(table) as socket:
            socket.command(do="sit", seat=1)
            trouble.goes_after_commit = True
            assert socket.command(do="bet", seat=1, main=1000)["type"] == "done"
            trouble.goes_after_commit = trouble.is_gone = False
            while (message := socket.next())["type"] != "balance" or message["cents"] != 99_000:
                pass
        assert ann.get("/api/v1/me").json()["balance"] == 99_000


def test_a_lost_database_is_said_to_those_who_connect(sqlite: str) -> None:
    trouble = Trouble()
    with TestClient(create_app(settings(sqlite))) as client:
        made: Services = client.app.state.services  # type: ignore[attr-defined]
        listen(made, "before_cursor_execute", trouble.on_statement)
        ann = Person(client)
        table = ann.open()
        trouble.is_gone = True
        with ann.socket(table) as socket:
            assert socket.next()["code"] == "unavailable"
            assert socket.session.receive() == {"type": "websocket.close", "code": 1013, "reason": "unavailable"}
        trouble.is_gone = False
        with ann.socket(table) as socket:
            assert socket.next()["type"] == "hello"


@contextmanager
def own_postgres() -> Iterator[PostgresServer]:
    with TemporaryDirectory(prefix="holecard-") as folder:
        server = PostgresServer(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop()
            server.close()


@pytest.mark.slow
def test_postgresql_may_stop_and_start_again() -> None:
    """Two servers: both refuse while it is gone, both go on afterwards, and one hears of the other again."""
    with own_postgres() as server:
        database = new_database(server.address)

        async def run() -> None:
            async with services(settings(database)) as one, services(settings(database)) as two:
                ann = Player(one.host, await one.accounts.guest())
                table = (
                    await one.host.open(
                        holecard.rules("classic"), "classic", Pace(bet=600, act=600), actor(ann.user), "open-one"
                    )
                ).table
                await ann.do(table, Sit(seat=1))
                other = await two.host.table(table)
                await asyncio.to_thread(server.stop)
                for made in (one, two):
                    with pytest.raises(Unavailable):
                        await Player(made.host, ann.user).do(table, PlaceBet(seat=1, main=1000), "bet-once")
                await asyncio.to_thread(server.start)
                await ann.do(table, PlaceBet(seat=1, main=1000), "bet-once")
                await until(lambda: other.table.next_state.seats, "the other server hears of the bet")
                await Player(two.host, ann.user).do(table, DealNow(), "deal-once")
                await clean(one)

        asyncio.run(run())
