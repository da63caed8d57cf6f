"""A connection has the rights that its session has now, and clients know the server's time."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from starlette.websockets import WebSocketDisconnect

from holecard.server.accounts import sessions
from holecard.server.errors import NotSignedIn
from holecard.server.settings import ServerSettings
from holecard.server.store import schema
from holecard.server.store.database import reading, writing
from holecard.server.web.app import create_app
from holecard.server.web.services import Services, services
from tests.patience import patient
from tests.server.fake_clock import FakeClock
from tests.server.test_web import UNHURRIED, Person, Socket, operator, seated


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def client(sqlite: str, clock: FakeClock) -> Iterator[TestClient]:
    with TestClient(create_app(ServerSettings(database=sqlite, skip_returns=True), clock)) as found:
        yield found


def made_by(client: TestClient) -> Services:
    found: Services = client.app.state.services  # type: ignore[attr-defined]
    return found


def call(client: TestClient, work: Any, *arguments: Any) -> None:
    assert client.portal is not None
    client.portal.call(work, *arguments)


def closed_after_refusal(socket: Socket, sent: str | None) -> int:
    """Return the code with which a connection is closed, after the refusal that says why."""
    refused = socket.until("refused")[-1]
    assert (refused["code"], refused["id"]) == ("not signed in", sent)
    with pytest.raises(WebSocketDisconnect) as closed:
        socket.next()
    return closed.value.code


def test_signing_out_closes_the_connections_of_the_session_at_once(client: TestClient) -> None:
    ann, table = seated(client)
    bob = Person(client)
    with ann.socket(table) as mine, bob.socket(table) as other:
        mine.until("balance")
        other.until("balance")
        assert ann.post("/api/v1/sign-out").status_code == 204
        assert closed_after_refusal(mine, None) == 4001
        assert other.command(do="sit", seat=2)["type"] == "done"


@pytest.mark.parametrize("message", ["command", "ping"])
def test_a_session_that_another_process_ended_is_refused_at_the_next_message(
    client: TestClient, clock: FakeClock, sqlite: str, message: str
) -> None:
    ann, table = seated(client)
    sent = {"type": "ping"} if message == "ping" else {"type": message, "id": "withdraw-1"}
    with ann.socket(table) as socket:
        socket.until("balance")
        with sqlite3.connect(sqlite.partition("///")[2]) as other:
            other.execute("DELETE FROM sessions")
        other.close()
        clock.forward(11)
        if message == "command":
            sent["command"] = {"do": "withdraw", "seat": 1}  # type: ignore[assignment]
        socket.session.send_json(sent)
        assert closed_after_refusal(socket, sent.get("id")) == 4001
    hosted = call_table(client, table)
    assert [player.number for player in hosted.table.state.seats] == [1]


def call_table(client: TestClient, table: str) -> Any:
    return next(hosted for hosted in made_by(client).host.tables if hosted.id == table)


def test_an_operator_who_was_dismissed_closes_no_table_over_an_open_connection(client: TestClient) -> None:
    _, table = seated(client)
    boss = operator(client)
    name = boss.get("/api/v1/me").json()["name"]
    with boss.socket(table) as socket:
        call(client, made_by(client).accounts.set_role, name, "player")
        assert socket.command(do="close")["code"] == "not allowed"
        call(client, made_by(client).accounts.set_role, name, "operator")
        assert socket.command(do="close")["type"] == "done"


def test_sessions_in_use_are_read_again_before_they_are_too_old(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        clock = FakeClock()
        async with services(ServerSettings(database=sqlite, skip_returns=True), clock) as made:
            known = made.accounts.sessions
            tokens = [await known.begin(await made.accounts.guest()) for _ in range(3)]
            clock.forward(6)
            users = [await known.user_of(token) for token in tokens[:2]]
            monkeypatch.setattr(sessions, "_AT_ONCE", 1)
            await known.read_in_advance()
            clock.forward(6)
            with monkeypatch.context() as patch:
                patch.setattr(sessions, "reading", None)  # nobody reads
                assert [await known.user_of(token) for token in tokens[:2]] == users
                with pytest.raises(TypeError):
                    await known.user_of(tokens[2])
            await delete_sessions(made.engine, users[0].id)  # as another process does
            await known.read_in_advance()
            with pytest.raises(NotSignedIn):
                await known.user_of(tokens[0])
            assert await known.user_of(tokens[1]) == users[1]

    asyncio.run(run())


@pytest.mark.slow
def test_the_clock_goes_on_where_sessions_cannot_be_read(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with services(ServerSettings(database=sqlite, skip_returns=True)) as made:
            ticks, tick = 0, made.host.tick

            async def counted() -> None:
                nonlocal ticks
                ticks += 1
                await tick()

            async def fails() -> None:
                raise RuntimeError

            monkeypatch.setattr(made.host, "tick", counted)
            monkeypatch.setattr(made.accounts.sessions, "read_in_advance", fails)
            async with asyncio.timeout(patient(20)):
                while ticks < 3:
                    await asyncio.sleep(0.05)

    asyncio.run(run())


async def delete_sessions(engine: AsyncEngine, user: str) -> None:
    async with writing(engine) as connection:
        await connection.execute(delete(schema.sessions).where(schema.sessions.c.user == user))


def test_a_session_that_was_read_while_it_ended_is_not_kept(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        clock = FakeClock()
        async with services(ServerSettings(database=sqlite, skip_returns=True), clock) as made:
            token = await made.accounts.sessions.begin(await made.accounts.guest())
            clock.forward(11)

            @asynccontextmanager
            async def slow(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
                async with reading(engine) as connection:
                    yield connection
                await made.accounts.sessions.end(token)

            with monkeypatch.context() as patch:
                patch.setattr(sessions, "reading", slow)
                await made.accounts.sessions.user_of(token)  # asked before the session ended
            with pytest.raises(NotSignedIn):
                await made.accounts.sessions.user_of(token)

    asyncio.run(run())


# The time


def test_clients_get_the_time_of_the_server(client: TestClient, clock: FakeClock) -> None:
    ann, table = seated(client)
    clock.forward(5)
    found = ann.get(f"/api/v1/tables/{table}").json()
    assert found["now"] == clock()
    assert found["view"]["deadline"] == clock() + 1000 * UNHURRIED["bet"] - 5_000
    with ann.socket(table) as socket:
        assert socket.until("balance")[0]["now"] == clock()


def test_everybody_at_a_table_is_shown_the_deadline_that_moved(
    sqlite: str, client: TestClient, clock: FakeClock
) -> None:
    """After the database was away, and on a connection that resumes after a restart."""
    ann, table = seated(client)
    with ann.socket(table) as socket:
        number = socket.until("balance")[1]["number"]
        clock.forward(19)
        call(client, made_by(client).host.come_back)
        shown = socket.until("snapshot")[-1]
        assert (shown["number"], shown["view"]["deadline"]) == (number, clock() + 1000 * UNHURRIED["bet"])
        assert socket.next()["type"] == "balance"
    clock.forward(19)
    with TestClient(create_app(ServerSettings(database=sqlite, skip_returns=True), clock)) as second:
        ann.client = second
        with ann.socket(table, after=number) as socket:
            shown = socket.until("balance")[1]
            assert (shown["number"], shown["view"]["deadline"]) == (number, clock() + 1000 * UNHURRIED["bet"])
        assert ann.get(f"/api/v1/tables/{table}").json()["view"]["deadline"] == clock() + 1000 * UNHURRIED["bet"]
        bob = Person(second)
        fresh = bob.open()
        with bob.socket(fresh, after=bob.get(f"/api/v1/tables/{fresh}").json()["number"]) as socket:
            assert socket.next()["type"] == "hello"
            assert socket.command(do="sit", seat=1)["type"] == "done"  # nothing was missed, and no deadline moved


def test_the_rows_of_sessions_that_have_ended_are_deleted(sqlite: str, clock: FakeClock) -> None:
    async def run() -> None:
        async with services(ServerSettings(database=sqlite, skip_returns=True, session_days=1), clock) as made:
            ann = await made.accounts.guest()
            old = [await made.accounts.sessions.begin(ann) for _ in range(3)]
            clock.forward(12 * 3600)
            kept = await made.accounts.sessions.begin(ann)
            clock.forward(13 * 3600)
            new = await made.accounts.sessions.begin(ann)
            assert len(await made.reader.rows(select(schema.sessions))) == 2
            for token in (kept, new):
                assert await made.accounts.sessions.user_of(token) == ann
            with pytest.raises(NotSignedIn):
                await made.accounts.sessions.user_of(old[0])

    asyncio.run(run())
