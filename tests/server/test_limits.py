"""Limits per user hold over processes and sockets; tables that nobody uses leave the memory."""

from __future__ import annotations

import asyncio

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncEngine

import holecard
from holecard.server.errors import TooMany
from holecard.server.game.commands import CloseTable, Leave, PlaceBet, Sit
from holecard.server.settings import ServerSettings
from holecard.server.store import database as store
from holecard.server.store import schema
from holecard.server.store.database import writing
from holecard.server.web.app import create_app
from holecard.server.web.services import services
from tests.patience import milliseconds, patient
from tests.server.test_host import Player
from tests.server.test_web import Person


def settings(database: str, **more: int) -> ServerSettings:
    return ServerSettings(database=database, skip_returns=True, message_burst=10_000, **more)


def test_seats_are_limited_over_all_processes_even_at_once(database: str) -> None:
    async def run() -> None:
        limited = settings(database, seats_per_user=2)
        async with services(limited) as one, services(limited) as two:
            player = Player(one.host, await one.accounts.guest())
            tables = [await player.open("classic") for _ in range(6)]
            same = [Player(made.host, player.user) for made in (one, two) * 3]
            sits = (who.do(table, Sit(seat=1), f"sit-{table}") for who, table in zip(same, tables, strict=True))
            found = await asyncio.gather(*sits, return_exceptions=True)
            refused = [error for error in found if isinstance(error, TooMany)]
            assert len(refused) == 4, found
            assert str(refused[0]) == "you hold 2 seats; leave one first"
            sat = [table for table, answer in zip(tables, found, strict=True) if isinstance(answer, int)]
            await player.do(sat[0], Leave(seat=1))
            await player.do(sat[0], Sit(seat=2))
            await player.do(sat[0], CloseTable())
            await player.do(next(table for table in tables if table not in sat), Sit(seat=1))

    asyncio.run(run())


def test_open_tables_are_limited_over_all_processes_even_at_once(database: str) -> None:
    async def run() -> None:
        limited = settings(database, tables_per_user=3)
        async with services(limited) as one, services(limited) as two:
            user = await one.accounts.guest()
            same = [Player(made.host, user) for made in (one, two) * 4]
            for number, player in enumerate(same):
                player.number = 100 * number
            found = await asyncio.gather(*(player.open("classic") for player in same), return_exceptions=True)
            assert sum(isinstance(answer, TooMany) for answer in found) == 5, found
            table = next(answer for answer in found if isinstance(answer, str))
            same[0].number = 10_000
            with pytest.raises(TooMany, match="you have 3 open tables"):
                await same[0].open("classic", **{"shoe.decks": 1})
            assert len(await one.reader.rows(select(schema.sheets))) == 1, "a refused table stores its sheet"
            with pytest.raises(TooMany, match="you have 3 open tables; close one first"):
                await same[0].open("classic")
            await same[0].do(table, CloseTable())
            await same[0].open("classic")

    asyncio.run(run())


async def lock_awaited(engine: AsyncEngine) -> None:
    """Wait until a transaction in this database waits for a row that another one has locked."""
    waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    async with asyncio.timeout(patient(20)), engine.connect() as connection:
        while not (await connection.execute(text(waits))).scalar():
            await connection.rollback()  # a transaction sees the activity as it was when it began to look
            await asyncio.sleep(0.01)


def test_who_sits_down_waits_for_another_process_that_counts_the_same_seats(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = {**store.POSTGRES_LIMITS, "lock_timeout": str(round(milliseconds(20)))}
    monkeypatch.setattr(store, "POSTGRES_LIMITS", waits)

    async def run() -> None:
        async with services(settings(postgres_database)) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open("classic")
            async with writing(made.engine) as connection:
                rows = select(schema.users).where(schema.users.c.id == player.user.id)
                await connection.execute(rows.with_for_update())
                sits = asyncio.create_task(player.do(table, Sit(seat=1)))
                await lock_awaited(made.engine)
                assert not sits.done()
            await sits

    asyncio.run(run())


def test_seats_are_limited_through_the_socket(sqlite: str) -> None:
    with TestClient(create_app(settings(sqlite, seats_per_user=1))) as client:
        ann = Person(client)
        table = ann.open()
        with ann.socket(table) as socket:
            assert socket.command(do="sit", seat=1)["type"] == "done"
            refused = socket.command(do="sit", seat=2)
            assert (refused["code"], refused["message"]) == ("too many", "you hold 1 seat; leave one first")
        assert ann.command(table, do="sit", seat=2).status_code == 429


def test_a_refused_seat_leaves_no_trace(sqlite: str) -> None:
    async def run() -> None:
        async with services(settings(sqlite, seats_per_user=1)) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open("classic")
            await player.do(table, Sit(seat=1))
            before = await made.reader.entries(f"table:{table}")
            with pytest.raises(TooMany):
                await player.do(table, Sit(seat=2))
            assert await made.reader.entries(f"table:{table}") == before
            assert list((await made.host.table(table)).table.seats) == [1]

    asyncio.run(run())


def test_tables_that_nobody_uses_leave_the_memory(sqlite: str) -> None:
    async def run() -> None:
        async with services(settings(sqlite, tables_per_user=100)) as made:
            player = Player(made.host, await made.accounts.guest())
            tables = [await player.open("classic") for _ in range(5)]
            closed, watched, bet, idle, used = tables
            await player.do(closed, CloseTable())
            await player.do(bet, Sit(seat=1))
            await player.do(bet, PlaceBet(seat=1, main=1000))
            (await made.host.table(watched)).watchers.add(lambda _hosted: None)
            made.host.forget(60)
            assert {hosted.id for hosted in made.host.tables} == set(tables)
            made.host.forget(0)
            assert {hosted.id for hosted in made.host.tables} == {watched, bet}
            assert (await made.host.table(idle)).table.closed is None
            await player.do(used, Sit(seat=2))
            assert holecard.rules("classic").tables.seats >= 2

    asyncio.run(run())
