"""Sign-ins: how many guesses are checked, how long the next one waits, and that nobody else waits for hashes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest
import structlog
from fastapi.testclient import TestClient
from sqlalchemy import select
from starlette.requests import HTTPConnection

from holecard.server.accounts import lock_out, passwords
from holecard.server.accounts.accounts import Accounts
from holecard.server.errors import NotSignedIn, TooMany
from holecard.server.game.commands import PlaceBet, Sit
from holecard.server.settings import ServerSettings
from holecard.server.store import schema
from holecard.server.store.database import reading
from holecard.server.web.app import create_app
from holecard.server.web.identity import client_address
from holecard.server.web.rates import Connections
from holecard.server.web.services import Services, services
from tests.patience import patient, until
from tests.server.fake_clock import FakeClock
from tests.server.test_host import Player
from tests.server.test_web import Person

PASSWORD = "correct horse"


class Checks:
    """Checks of passwords, counted, without the work of a hash; they can be held up."""

    def __init__(self) -> None:
        self.count = self.now = self.most = 0
        self.go = threading.Event()
        self.go.set()
        self._lock = threading.Lock()

    def hash(self, password: str) -> str:
        return f"hash of {password}"

    def verify(self, password: str, known: str | None) -> bool:
        with self._lock:
            self.count += 1
            self.now += 1
            self.most = max(self.most, self.now)
        self.go.wait(patient(20))
        with self._lock:
            self.now -= 1
        return known == self.hash(password)


#: As the server uses it; tests have a faster one.
REAL = passwords._HASHER


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> Iterator[Checks]:
    found = Checks()
    monkeypatch.setattr(passwords, "_HASHER", found)
    monkeypatch.setattr(passwords, "_verify", found.verify)
    yield found
    found.go.set()


async def guess(accounts: Accounts, name: str = "Ann", address: str = "a", password: str = "wrong guess") -> str:
    try:
        await accounts.sign_in(name, password, address)
    except (NotSignedIn, TooMany) as refused:
        return str(refused)
    return "right"


def settings(database: str) -> ServerSettings:
    return ServerSettings(database=database, skip_returns=True)


@pytest.mark.slow
def test_of_many_guesses_at_once_five_are_checked_whatever_process_they_reach(database: str, checks: Checks) -> None:
    async def run() -> None:
        clock = FakeClock()
        async with services(settings(database), clock) as one, services(settings(database), clock) as two:
            await one.accounts.register("Ann", PASSWORD)
            found = await asyncio.gather(
                *(guess((one, two)[n % 2].accounts, address=f"address {n}") for n in range(60)), return_exceptions=True
            )
            assert found.count("this name and password do not belong together") == 5, found
            assert found.count("too many failed attempts; try again in 1 second") == 55
            assert checks.count == 5

    asyncio.run(run())


@pytest.mark.usefixtures("checks")
def test_failed_sign_ins_are_refused_over_http(sqlite: str) -> None:
    with TestClient(create_app(settings(sqlite), FakeClock())) as client:
        client.post("/api/v1/accounts", json={"name": "Ann", "password": PASSWORD})
        wrong = {"name": "ann", "password": "wrong guess"}
        assert [client.post("/api/v1/sign-in", json=wrong).status_code for _ in range(6)] == [401] * 5 + [429]
        right = {"name": "ann", "password": PASSWORD}
        assert client.post("/api/v1/sign-in", json=right).status_code == 429


@pytest.mark.slow
def test_one_address_has_twenty_guesses_whatever_names_it_tries(database: str, checks: Checks) -> None:
    async def run() -> None:
        async with services(settings(database), FakeClock()) as made:
            await asyncio.gather(*(guess(made.accounts, f"nobody {n}") for n in range(60)))
            assert checks.count == 20
            assert "do not belong together" in await guess(made.accounts, "nobody 1", "another address")

    asyncio.run(run())


@pytest.mark.usefixtures("checks")
def test_the_wait_doubles_is_forgotten_with_time_and_ends_with_the_right_password(database: str) -> None:
    async def run() -> None:
        clock = FakeClock()
        async with services(settings(database), clock) as made:
            await made.accounts.register("Ann", PASSWORD)
            waits = []
            for number in range(20):
                await guess(made.accounts, address=f"address {number}")
                words = await guess(made.accounts, address="x")
                if words.startswith("too many"):
                    waits.append(int(words.split()[-2]))
                    clock.forward(waits[-1])
            assert waits[:11] == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900]
            assert set(waits[11:]) <= {900}
            # A person with the right password in the middle of it, from an address that has failed.
            assert await guess(made.accounts, address="x", password=PASSWORD) == "right"
            assert [await guess(made.accounts, address="y") for _ in range(5)] == [
                "this name and password do not belong together"
            ] * 5
            clock.forward(3600)
            # Six have decayed; one more is free again.
            assert "do not belong" in await guess(made.accounts, address="y")

    asyncio.run(run())


@pytest.mark.usefixtures("checks")
def test_a_success_does_not_leave_the_address_locked(database: str) -> None:
    async def run() -> None:
        clock = FakeClock()
        async with services(settings(database), clock) as made:
            await made.accounts.register("Ann", PASSWORD)
            for number in range(19):
                await guess(made.accounts, f"nobody {number}")
            assert [await guess(made.accounts, password=PASSWORD) for _ in range(30)] == ["right"] * 30
            assert "do not belong together" in await guess(made.accounts, "nobody 20")
            assert await guess(made.accounts, password=PASSWORD) == "too many failed attempts; try again in 1 second"
            clock.forward(1)
            assert await guess(made.accounts, password=PASSWORD) == "right"

    asyncio.run(run())


@pytest.mark.usefixtures("checks")
def test_attempts_that_are_forgotten_leave_the_database(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock_out, "_CLEANING", 3)

    async def keys(made: Services) -> set[str]:
        async with reading(made.engine) as connection:
            return set((await connection.execute(select(schema.sign_ins.c.key))).scalars())

    async def run() -> None:
        clock = FakeClock()
        async with services(settings(database), clock) as made:
            await guess(made.accounts, "nobody 1", "a")
            clock.forward(300)
            await guess(made.accounts, "nobody 2", "b")
            clock.forward(400)
            await guess(made.accounts, "nobody 3", "c")
            assert await keys(made) == {"name:nobody 2", "address:b", "name:nobody 3", "address:c"}

    asyncio.run(run())


@pytest.mark.slow
def test_a_bet_does_not_wait_for_hashes_and_too_many_may_not_queue(sqlite: str, checks: Checks) -> None:
    async def run() -> None:
        async with services(settings(sqlite)) as made:
            player = Player(made.host, await made.accounts.guest())
            table = await player.open("classic")
            checks.go.clear()
            guesses = [
                asyncio.create_task(guess(made.accounts, f"nobody {n}", f"address {n}"))
                for n in range(passwords.MOST_WAITING)
            ]
            await until(lambda: passwords._waiting == passwords.MOST_WAITING, "every guess waits")
            await until(lambda: checks.now == passwords.AT_ONCE, "as many are checked as may be at once")
            assert await guess(made.accounts) == "many people sign in just now; try again in a moment"
            await player.do(table, Sit(seat=1))
            await player.do(table, PlaceBet(seat=1, main=1000))
            assert await asyncio.to_thread(lambda: 17) == 17
            checks.go.set()
            await asyncio.gather(*guesses)
            assert checks.most == passwords.AT_ONCE

    asyncio.run(run())


@pytest.mark.slow
def test_the_real_hashes_are_argon2id_and_tell_right_from_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (REAL.memory_cost, REAL.time_cost) == (65_536, 3)
    monkeypatch.setattr(passwords, "_HASHER", REAL)

    async def run() -> None:
        known = await passwords.hash_password(PASSWORD)
        assert known.startswith("$argon2id$")
        assert await passwords.is_password(PASSWORD, known)
        assert not await passwords.is_password("wrong guess", known)

    asyncio.run(run())


# Guests and connections


def test_one_address_gets_twenty_guests_at_once_and_then_a_few_a_minute(sqlite: str) -> None:
    clock = FakeClock()
    with TestClient(create_app(settings(sqlite), clock)) as client:
        found = [client.post("/api/v1/guest").status_code for _ in range(25)]
        assert found == [201] * 20 + [429] * 5
        assert client.post("/api/v1/guest").json()["message"] == "too many new guests from your address; wait a moment"
        client.cookies.clear()
        ann = {"name": "Ann", "password": PASSWORD}
        assert client.post("/api/v1/accounts", json=ann).status_code == 429
        clock.forward(20)
        assert [client.post("/api/v1/guest").status_code for _ in range(3)] == [201, 201, 429]


def test_an_ipv6_network_counts_as_one_address() -> None:
    def address(host: str) -> str:
        return client_address(HTTPConnection({"type": "http", "client": (host, 1)}))

    assert address("2001:db8::1") == address("2001:db8:0:0:ffff::2") == "2001:db8::/64"
    assert address("2001:db8:0:1::2") == "2001:db8:0:1::/64"
    assert address("203.0.113.5") == "203.0.113.5"
    assert address("testclient") == "testclient"


def test_connections_are_limited_and_counted_down(sqlite: str) -> None:
    limited = ServerSettings(database=sqlite, skip_returns=True, sockets_per_user=1)
    with TestClient(create_app(limited)) as client:
        ann, bob = Person(client), Person(client)
        table = ann.open()
        for _ in range(2):
            with ann.socket(table) as socket, bob.socket(table) as other:
                assert socket.until("balance")[0]["type"] == other.until("balance")[0]["type"] == "hello"
                with structlog.testing.capture_logs() as logs, ann.socket(table) as second:
                    refused = second.next()
                    assert (refused["code"], refused["message"]) == (
                        "too many",
                        "you have 1 connection; close one first",
                    )
                    assert second.session.receive()["code"] == 1013
                assert [log["code"] for log in logs] == ["too many"]


def test_connections_that_are_over_are_forgotten() -> None:
    connections = Connections(1)
    with pytest.raises(RuntimeError), connections.one_more("ann"):
        raise RuntimeError
    assert not connections._open
