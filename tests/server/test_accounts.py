"""What people do with their own account: another password, sessions in a list, and the end of some of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from fastapi.testclient import TestClient
from sqlalchemy import Connection, event, select

from holecard.server.accounts.sessions import Sessions, browser_family
from holecard.server.errors import NotSignedIn, WrongPassword
from holecard.server.settings import ServerSettings
from holecard.server.store import schema
from holecard.server.store.database import connect, writing
from holecard.server.store.migrations.versions import v0011_accounts
from holecard.server.store.read import StoreReader
from holecard.server.web.app import create_app
from holecard.server.web.services import services
from tests.server.fake_clock import FakeClock
from tests.server.test_returns import undo_accounts
from tests.server.test_sessions import closed_after_refusal
from tests.server.test_web import Person

PASSWORD = "correct horse"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
HOUR = 3_600


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def client(database: str, clock: FakeClock) -> Iterator[TestClient]:
    with TestClient(create_app(settings(database), clock)) as found:
        yield found


def settings(database: str) -> ServerSettings:
    return ServerSettings(database=database, skip_returns=True, guest_burst=1000, message_burst=1000)


def registered(client: TestClient, name: str = "Ann") -> Person:
    person = Person(client, "nobody")
    assert person.post("/api/v1/accounts", {"name": name, "password": PASSWORD}).status_code == 201
    return person


def signed_in(client: TestClient, name: str = "Ann", **more: object) -> Person:
    """The same person in another browser."""
    person = Person(client, "nobody")
    assert person.post("/api/v1/sign-in", {"name": name, "password": PASSWORD}, **more).status_code == 200
    return person


# Requests that are repeated

#: As `crypto.getRandomValues` and hexadecimal digits make it: 128 bits.
KEY = "00112233445566778899aabbccddeeff"


def people(database: str) -> list[str]:
    """The names of everybody in a database."""

    async def read() -> list[str]:
        engine = connect(database)
        found = await StoreReader(engine).rows(select(schema.users.c.name).order_by(schema.users.c.created_at))
        await engine.dispose()
        return [row["name"] for row in found]

    return asyncio.run(read())


def test_a_guest_who_asks_again_with_the_same_id_is_the_same_guest(
    client: TestClient, database: str, clock: FakeClock
) -> None:
    """As after a lost answer, from a browser without a cookie; after ten minutes the id is forgotten."""
    first, again, other = (Person(client, "nobody") for _ in range(3))
    made = first.post("/api/v1/guest", {"id": KEY})
    assert again.post("/api/v1/guest", {"id": KEY}).json() == made.json()
    assert other.post("/api/v1/guest", {"id": KEY[::-1]}).json()["name"] != made.json()["name"]
    assert len(people(database)) == 2
    assert [person.get("/api/v1/me").status_code for person in (first, again)] == [200, 200]
    assert first.cookies != again.cookies
    clock.forward(601)
    assert other.post("/api/v1/guest", {"id": KEY}).json()["name"] != made.json()["name"]


def test_an_account_that_is_asked_for_again_is_created_once(client: TestClient, database: str) -> None:
    """By a guest too, whose cookie has ended by then; and an id gives nobody an account without its password."""
    body = {"name": "Ann", "password": PASSWORD, "id": KEY}
    ann, guest = Person(client, "nobody"), Person(client)
    guest_cookies = dict(guest.cookies)
    assert ann.post("/api/v1/accounts", body).json() == Person(client, "nobody").post("/api/v1/accounts", body).json()
    named = {"name": "Bob", "password": PASSWORD, "id": "b" * 22}
    assert guest.post("/api/v1/accounts", named).status_code == 201
    guest.cookies = guest_cookies
    assert guest.post("/api/v1/accounts", named).json()["name"] == "Bob"
    assert sorted(people(database)) == ["Ann", "Bob"]
    for taken in ({**body, "password": "wrong guess"}, {**body, "name": "Eve"}, {**named, "id": KEY}):
        refused = Person(client, "nobody").post("/api/v1/accounts", taken).json()
        assert refused["code"] == "command id reused", taken
    assert Person(client, "nobody").post("/api/v1/guest", {"id": KEY}).json()["code"] == "command id reused"


def test_the_id_of_a_guest_does_not_open_the_account_that_the_guest_became(client: TestClient) -> None:
    ann = Person(client, "nobody")
    ann.post("/api/v1/guest", {"id": KEY})
    assert ann.post("/api/v1/accounts", {"name": "Ann", "password": PASSWORD}).status_code == 201
    assert Person(client, "nobody").post("/api/v1/guest", {"id": KEY}).json()["code"] == "command id reused"


@pytest.mark.parametrize("key", ["", "short", "a" * 21, "a" * 65, "a" * 31 + "!"])
def test_an_id_that_could_be_guessed_is_refused(client: TestClient, key: str) -> None:
    assert Person(client, "nobody").post("/api/v1/guest", {"id": key}).status_code == 422


def test_ids_are_kept_as_hashes(sqlite: str) -> None:
    with TestClient(create_app(settings(sqlite))) as client:
        Person(client, "nobody").post("/api/v1/guest", {"id": KEY})
        files = list(Path(sqlite.partition("///")[2]).parent.glob("holecard.db*"))
        assert sha256(KEY.encode()).hexdigest().encode() in b"".join(file.read_bytes() for file in files)
        assert not any(KEY.encode() in file.read_bytes() for file in files)


def test_of_ten_requests_at_once_with_one_id_all_get_the_same_person(database: str) -> None:
    async def run() -> None:
        clock = FakeClock()
        async with services(settings(database), clock) as one, services(settings(database), clock) as two:
            some = [made.accounts for made in (one, two) for _ in range(5)]
            guests = await asyncio.gather(*(accounts.guest(KEY) for accounts in some))
            assert len(set(guests)) == 1
            (guest, *_) = guests
            bobs = (accounts.register("Bob", PASSWORD, request="b" * 22, guest=guest) for accounts in some)
            assert set(await asyncio.gather(*bobs)) == {(guest.id, "Bob", "player")}
            anns = (accounts.register("Ann", PASSWORD, request="a" * 22) for accounts in some)
            assert len(set(await asyncio.gather(*anns))) == 1

    asyncio.run(run())


# Passwords


def test_a_new_password_ends_all_other_sessions(client: TestClient) -> None:
    ann, phone = registered(client), signed_in(client)
    with phone.socket(ann.open()) as socket:
        socket.until("balance")
        changed = ann.post("/api/v1/account/password", {"old": PASSWORD, "new": "battery staple"})
        assert changed.status_code == 204
        assert closed_after_refusal(socket, None) == 4001
    assert [person.get("/api/v1/me").status_code for person in (ann, phone)] == [200, 401]
    tries = [
        phone.post("/api/v1/sign-in", {"name": "Ann", "password": password}).status_code
        for password in (PASSWORD, "battery staple")
    ]
    assert tries == [401, 200]


def test_wrong_old_passwords_count_as_failed_sign_ins(client: TestClient, clock: FakeClock) -> None:
    """The session stays; five guesses are checked, wherever they are made, and the right one has to wait then, too."""
    ann = registered(client)
    wrong = {"old": "wrong guess", "new": "battery staple"}
    answers = [ann.post("/api/v1/account/password", wrong).json()["code"] for _ in range(3)]
    answers += [
        ann.post("/api/v1/sign-in", {"name": "ann", "password": "wrong guess"}).json()["code"] for _ in range(2)
    ]
    answers += [ann.post("/api/v1/account/password", {**wrong, "old": PASSWORD}).json()["code"]]
    assert answers == ["wrong password"] * 3 + ["not signed in"] * 2 + ["too many"]
    assert ann.get("/api/v1/me").status_code == 200
    clock.forward(1)
    assert ann.post("/api/v1/account/password", {**wrong, "old": PASSWORD}).status_code == 204


def test_a_guest_has_no_password_to_change(client: TestClient) -> None:
    refused = Person(client).post("/api/v1/account/password", {"old": PASSWORD, "new": PASSWORD})
    assert refused.status_code == 403
    assert refused.json()["message"] == "a guest has no password; choose a name and a password first"


def test_of_two_changes_at_once_one_is_made(database: str) -> None:
    async def run() -> None:
        async with services(settings(database), FakeClock()) as made:
            ann = await made.accounts.register("Ann", PASSWORD)
            tokens = [await made.accounts.sessions.begin(ann) for _ in range(2)]
            changes = (
                made.accounts.change_password(ann, PASSWORD, f"battery staple {token}", token, "a") for token in tokens
            )
            found = await asyncio.gather(*changes, return_exceptions=True)
            assert [type(one) for one in found if one is not None] == [WrongPassword], found
            (kept,) = await made.reader.rows(select(schema.sessions))
            mine = tokens[found.index(None)]
            assert await made.accounts.sessions.user_of(mine) == ann
            assert (await made.accounts.sessions.of_user(ann.id, mine))[0].is_this
            assert kept["user"] == ann.id

    asyncio.run(run())


# Sessions


def test_a_person_sees_where_the_account_is_signed_in(client: TestClient, clock: FakeClock) -> None:
    """The id names a session, and is not its token; another person's sessions are not in the list."""
    begun = clock()
    ann = registered(client)
    registered(client, "Bob")
    clock.forward(60)
    other = signed_in(client, headers={"User-Agent": FIREFOX})
    found = ann.get("/api/v1/sessions").json()
    assert [(one["this"], one["created_at"], one["used_at"], one["browser"]) for one in found] == [
        (True, begun, begun, None),
        (False, begun + 60_000, begun + 60_000, "Firefox"),
    ]
    assert [one["this"] for one in other.get("/api/v1/sessions").json()] == [True, False]
    tokens = (ann.cookies["holecard_session"], other.cookies["holecard_session"])
    assert not any(one["id"] in token or token in str(found) for one in found for token in tokens)
    assert ann.get("/api/v1/me", headers={"Cookie": f"holecard_session={found[1]['id']}"}).status_code == 401


def test_one_session_ends_or_all_others_do(client: TestClient) -> None:
    ann, bob = registered(client), registered(client, "Bob")
    second, third, fourth = (signed_in(client) for _ in range(3))
    called = next(one["id"] for one in second.get("/api/v1/sessions").json() if one["this"])
    assert bob.delete(f"/api/v1/sessions/{called}").json()["message"].startswith(f"you have no session '{called}'")
    assert ann.delete(f"/api/v1/sessions/{called}").status_code == 204
    assert second.get("/api/v1/me").status_code == 401
    assert [ann.delete(f"/api/v1/sessions/{one}").status_code for one in (called, "a%00b", "%25", "a" * 99)] == [
        404
    ] * 4
    assert third.delete("/api/v1/sessions").status_code == 204
    assert [person.get("/api/v1/me").status_code for person in (ann, third, fourth, bob)] == [401, 200, 401, 200]
    assert [one["this"] for one in third.get("/api/v1/sessions").json()] == [True]


def test_connections_of_an_ended_session_are_closed_at_once(client: TestClient) -> None:
    """And those of the session that ended the others stay, and so do those of other people."""
    ann = registered(client)
    table, phone, bob = ann.open(), signed_in(client), Person(client)
    with ann.socket(table) as here, phone.socket(table) as there, bob.socket(table) as other:
        for socket in (here, there, other):
            socket.until("balance")
        assert ann.delete("/api/v1/sessions").status_code == 204
        assert closed_after_refusal(there, None) == 4001
        assert here.command(do="sit", seat=1)["type"] == "done"
        assert other.command(do="sit", seat=2)["type"] == "done"


@pytest.mark.slow
def test_connections_to_another_server_are_closed_when_it_hears_of_it(postgres_database: str) -> None:
    """Nothing happens at the table, and no clock is moved: only the news closes the connection."""
    one, two = (create_app(settings(postgres_database), FakeClock()) for _ in range(2))
    with TestClient(one) as here, TestClient(two) as there:
        ann = registered(here)
        phone = signed_in(here)
        phone.client = there
        with phone.socket(phone.open()) as socket:
            socket.until("balance")
            assert ann.delete("/api/v1/sessions").status_code == 204
            assert closed_after_refusal(socket, None) == 4001


def test_a_session_that_nobody_uses_ends_and_one_in_use_is_written_once_an_hour(database: str) -> None:
    async def run() -> None:
        clock = FakeClock()
        async with services(settings(database), clock) as made:
            # Not those of the server, which reads its sessions in advance by itself.
            sessions, writes = Sessions(made.engine, days=30, idle_days=2, now=clock), 0

            def count(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
                nonlocal writes
                writes += statement.startswith("UPDATE sessions")

            event.listen(made.engine.sync_engine, "before_cursor_execute", count)
            ann = await made.accounts.guest()
            used, unused = await sessions.begin(ann), await sessions.begin(ann)
            for _ in range(3 * 24 * 2):
                for _ in range(10):
                    await sessions.user_of(used)
                await sessions.read_in_advance()
                clock.forward(HOUR / 2)
            assert writes == 3 * 24 - 1
            assert await sessions.user_of(used) == ann
            with pytest.raises(NotSignedIn, match="this session has ended"):
                await sessions.user_of(unused)
            assert len(await sessions.of_user(ann.id, used)) == 1
            await sessions.begin(ann)  # rows that are over are deleted then
            assert len(await made.reader.rows(select(schema.sessions))) == 2
            sessions.read_again()
            clock.forward(HOUR * 49)
            with pytest.raises(NotSignedIn):
                await sessions.user_of(used)

    asyncio.run(run())


def test_the_migration_keeps_the_sessions_that_there_are(database: str) -> None:
    """They count as used when the database was brought to the new version; nobody knows when they began."""

    def upgrade(connection: Connection) -> None:
        with Operations.context(MigrationContext.configure(connection)):
            v0011_accounts.upgrade()

    async def run() -> None:
        clock = FakeClock()
        async with services(settings(database), clock) as made:
            ann = await made.accounts.guest()
            token = await made.accounts.sessions.begin(ann, "Firefox")
            async with writing(made.engine) as connection:
                await undo_accounts(connection)
                await connection.run_sync(upgrade)
            made.accounts.sessions.read_again()
            assert await made.accounts.sessions.user_of(token) == ann
            (session,) = await made.accounts.sessions.of_user(ann.id, token)
            assert (session.created_at, session.browser) == (None, None)
            assert session.used_at > clock()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("sent", "family"),
    [
        (FIREFOX, "Firefox"),
        ("Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15", "Safari"),
        ("Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36", "Chrome"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0", "Edge"),
        ("Mozilla/5.0 (X11) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 OPR/115.0", "Opera"),
        ("python-requests/2.32", None),
        ("", None),
    ],
)
def test_a_browser_is_called_by_its_family(sent: str, family: str | None) -> None:
    assert browser_family(sent) == family
