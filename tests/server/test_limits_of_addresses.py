"""What strangers can do to a server: sessions that nobody has, odd headers, long histories, and reading nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient
from starlette.requests import HTTPConnection

from holecard.server.errors import SessionEnded
from holecard.server.settings import ServerSettings
from holecard.server.web import services as web_services
from holecard.server.web.app import create_app
from holecard.server.web.identity import client_address
from holecard.server.web.services import services
from tests.patience import patient
from tests.server.fake_clock import FakeClock
from tests.server.test_web import Person, client

__all__ = ["client"]


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("10.1.2.3", "10.1.2.3"),
        ("::ffff:10.1.2.3", "10.1.2.3"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("testclient", "testclient"),
    ],
)
def test_clients_are_counted_by_address(host: str, counted: str) -> None:
    connection = cast(HTTPConnection, SimpleNamespace(client=SimpleNamespace(host=host)))
    assert client_address(connection) == counted


@pytest.mark.parametrize("origin", ["http://[", "null", "http://", "https://evil.example", "x" * 5_000])
def test_a_page_of_another_origin_is_refused(client: TestClient, origin: str) -> None:
    ann = Person(client)
    table = ann.open()
    refused = ann.get("/api/v1/me", headers={"Origin": origin})
    assert (refused.status_code, refused.json()["code"]) == (403, "not allowed")
    assert len(refused.json()["message"]) < 300
    client.cookies = ann.cookies  # type: ignore[assignment]
    with client.websocket_connect(f"/api/v1/tables/{table}/socket", headers={"Origin": origin}) as session:
        assert session.receive_json()["code"] == "not allowed"


def test_sessions_that_nobody_has_are_counted_and_not_kept(sqlite: str) -> None:
    settings = ServerSettings(database=sqlite, messages_per_second=1, message_burst=5)
    with TestClient(create_app(settings, FakeClock())) as client:
        reader: Any = client.app.state.services.accounts.sessions  # type: ignore[attr-defined]
        asked: list[str] = []
        found = reader._read

        async def counted(hashed: list[str]) -> Any:
            asked.extend(hashed)
            return await found(hashed)

        reader._read = counted
        stranger = Person(client, "nobody")
        stranger.cookies = {"holecard_session": "x" * 43}
        answers = [stranger.get("/api/v1/me").status_code for _ in range(10)]
        assert answers == [401] * 5 + [429] * 5
        assert len(asked) == 10, "one that was refused before may have a session by now"
    with TestClient(create_app(settings, FakeClock())) as client:
        stranger = Person(client, "nobody")
        stranger.cookies = {"holecard_session": "y" * 10_000}
        known: Any = client.app.state.services.accounts.sessions  # type: ignore[attr-defined]
        known._read = None  # nobody asks the database
        assert stranger.get("/api/v1/me").status_code == 401


@contextmanager
def with_wrong_cookies(sqlite: str) -> Iterator[tuple[TestClient, Person, str]]:
    """A server, somebody with a session, and that person's table, after too many wrong cookies from that address."""
    settings = ServerSettings(database=sqlite, messages_per_second=1, message_burst=20, guest_burst=2)
    with TestClient(create_app(settings, FakeClock())) as client:
        ann = Person(client)
        table = ann.open()
        stranger = Person(client, "nobody")
        for number in range(21):
            stranger.cookies = {"holecard_session": f"{number:043}"}
            answer = stranger.get("/api/v1/me").status_code
        assert answer == 429
        yield client, ann, table


def test_wrong_cookies_keep_nobody_with_a_session_out(sqlite: str) -> None:
    with with_wrong_cookies(sqlite) as (client, ann, table):
        client.app.state.services.accounts.sessions._known.clear()  # type: ignore[attr-defined]
        assert ann.get("/api/v1/me").status_code == 200
        assert ann.command(table, do="sit", seat=1).status_code == 200
        with ann.socket(table) as socket:
            assert socket.command(do="bet", seat=1, main=1000)["type"] == "done"
        assert Person(client, "nobody").get("/api/v1/visitor").json() == {"person": None}


def test_new_guests_of_an_address_do_not_keep_a_guest_from_registering(sqlite: str) -> None:
    with with_wrong_cookies(sqlite) as (client, ann, _table):
        assert Person(client, "nobody").post("/api/v1/guest").status_code == 201
        assert Person(client, "nobody").post("/api/v1/guest").status_code == 429
        registered = ann.post("/api/v1/accounts", {"name": "Ann", "password": "correct horse"})
        assert registered.status_code == 201
        assert ann.get("/api/v1/me").json()["name"] == "Ann"


def test_a_flood_of_wrong_cookies_costs_few_statements_and_nobody_waits_behind_it(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with services(ServerSettings(database=sqlite, skip_returns=True), FakeClock()) as made:
            known = made.accounts.sessions
            ann = await made.accounts.guest()
            token = await known.begin(ann)
            known._known.clear()
            statements: list[int] = []
            read = known._read

            async def counted(hashed: list[str]) -> Any:
                statements.append(len(hashed))
                return await read(hashed)

            monkeypatch.setattr(known, "_read", counted)
            wrong = (known.user_of(f"{number:043}") for number in range(1000))
            *refused, user = await asyncio.gather(*wrong, known.user_of(token), return_exceptions=True)
            assert user == ann
            assert all(isinstance(error, SessionEnded) for error in refused)
            assert statements == [500, 500, 1]

    asyncio.run(run())


def test_who_asks_while_sessions_are_read_gets_what_is_stored_after_that(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a session that has just ended would open the door once more."""

    async def run() -> None:
        async with services(ServerSettings(database=sqlite, skip_returns=True), FakeClock()) as made:
            known = made.accounts.sessions
            token = await known.begin(await made.accounts.guest())
            known._known.clear()
            was_read, may_go_on = asyncio.Event(), asyncio.Event()
            read = known._read

            async def held(hashed: list[str]) -> Any:
                found = await read(hashed)
                was_read.set()
                await may_go_on.wait()
                return found

            monkeypatch.setattr(known, "_read", held)
            before = asyncio.create_task(known.user_of(token))
            await was_read.wait()
            await known.end(token)
            after = asyncio.create_task(known.user_of(token))
            await asyncio.sleep(0)
            may_go_on.set()
            await before
            with pytest.raises(SessionEnded):
                await after

    asyncio.run(run())


def test_a_long_history_counts_as_many_messages(sqlite: str) -> None:
    settings = ServerSettings(database=sqlite, messages_per_second=1, message_burst=25)
    with TestClient(create_app(settings, FakeClock())) as client:
        ann = Person(client)
        assert ann.get("/api/v1/history?limit=201").status_code == 422
        answers = [ann.get("/api/v1/history?limit=200").status_code for _ in range(4)]
        assert answers == [200, 200, 429, 429]


def test_a_client_that_reads_nothing_does_not_hold_up_the_shutdown(
    sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_services, "_GOODBYE", 0.05)

    class Stuck:
        async def say_goodbye(self, _reason: str) -> None:
            await asyncio.Event().wait()

        def wake(self) -> None:
            """Send nothing."""

    async def run() -> None:
        async with services(ServerSettings(database=sqlite, shutdown_seconds=0), FakeClock()) as made:
            made.sockets.add(Stuck())
            async with asyncio.timeout(patient(5)):
                await made.begin_to_close()

    asyncio.run(run())
