"""The end of an account: name, sessions and money go at once, in the middle of a round too, and its rounds stay."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from holecard.server.accounts.deletion import Deletion
from holecard.server.accounts.sessions import User
from holecard.server.errors import Refusal
from holecard.server.game.commands import DealNow, PlaceBet, Sit, TakeAction
from holecard.server.game.entries import TableClosed, reason_without_name
from holecard.server.game.frames import public_entry
from holecard.server.host.host import Host
from holecard.server.settings import ServerSettings
from holecard.server.store import schema
from holecard.server.web.app import create_app
from holecard.server.web.services import Services, services
from holecard.table.events import Action
from tests.server.fake_clock import FakeClock
from tests.server.test_accounts import PASSWORD, registered, settings, signed_in
from tests.server.test_host import Player, clean
from tests.server.test_sessions import closed_after_refusal
from tests.server.test_web import Person, operator, play_some

GONE = {"password": PASSWORD}


@pytest.fixture
def client(database: str) -> Iterator[TestClient]:
    with TestClient(create_app(settings(database), FakeClock())) as found:
        yield found


def made_by(client: TestClient) -> Services:
    found: Services = client.app.state.services  # type: ignore[attr-defined]
    return found


def balances(client: TestClient) -> dict[str, int]:
    assert client.portal is not None
    return client.portal.call(made_by(client).reader.balances)


def user_id(client: TestClient, name: str) -> str:
    assert client.portal is not None
    found = client.portal.call(made_by(client).accounts.find, name)
    assert found is not None
    return str(found.id)


def check_all(client: TestClient) -> None:
    """Audit the database."""
    assert client.portal is not None
    client.portal.call(clean, made_by(client))


def test_an_account_ends_with_its_name_sessions_seats_and_money(client: TestClient) -> None:
    """The bet that was not dealt comes back first. The name is free for somebody else, who has nothing of it."""
    ann, bob = registered(client), Person(client)
    phone, table, user = signed_in(client), ann.open(), user_id(client, "Ann")
    ann.command(table, do="sit", seat=1)
    ann.command(table, do="bet", seat=1, main=1000)
    with phone.socket(table) as socket, bob.socket(table) as other:
        socket.until("balance")
        other.until("balance")
        ended = ann.post("/api/v1/account/delete", GONE)
        assert ended.status_code == 204
        assert "Max-Age=0" in ended.headers["set-cookie"]
        assert closed_after_refusal(socket, None) == 4001
        assert other.until("entry")[-1]["view"]["seats"] == []
        assert other.command(do="sit", seat=1)["type"] == "done"
    assert phone.get("/api/v1/me").status_code == 401
    (shown,) = bob.get("/api/v1/tables").json()
    assert list(shown["taken"].values()) == [bob.get("/api/v1/me").json()["name"]]
    left = balances(client)
    assert (left[f"player:{user}"], left[f"held:{table}:1"], left["bank"]) == (0, 0, -100_000)
    refused = Person(client, "nobody").post("/api/v1/sign-in", {"name": "Ann", **GONE})
    assert refused.status_code == 401
    again = registered(client)
    assert again.get("/api/v1/history").json() == []
    check_all(client)


@pytest.mark.slow
def test_nothing_of_the_person_is_left_but_the_logs(client: TestClient) -> None:
    """No drill, no computation, no failed sign-in, no password, and no name in any row."""
    ann = registered(client, "Annabella")
    question = ann.get("/api/v1/games/classic/drill").json()["question"]
    ann.post("/api/v1/games/classic/drill", {"number": question["number"], "action": question["actions"][0]})
    ann.post("/api/v1/jobs", {"what": "check", "game": "classic"})
    ann.post("/api/v1/sign-in", {"name": "annabella", "password": "wrong guess"})
    ann.command(ann.open(), do="sit", seat=1)
    assert ann.post("/api/v1/account/delete", GONE).status_code == 204
    assert client.portal is not None
    for table in schema.metadata.sorted_tables:
        rows = client.portal.call(made_by(client).reader.rows, select(table))
        assert table in (schema.log, schema.tables, schema.transfers) or "nnabella" not in str(rows), table.name
        if table in (schema.drills, schema.jobs, schema.sessions, schema.arrivals):
            assert rows == [], table.name
        if table is schema.tables:
            assert [json.loads(row["seats"]) for row in rows] == [{}]
        if table is schema.users:
            assert [(row["name"], row["password"], row["role"]) for row in rows] == [("former player", None, "guest")]


def test_the_rounds_of_others_show_no_name(client: TestClient) -> None:
    """In replays, on connections that resume, and where a table was closed."""
    ann, bob = registered(client, "Annabella"), Person(client)
    table = bob.open()
    bob.command(table, do="sit", seat=1)
    ann.command(table, do="sit", seat=2)
    before = bob.get(f"/api/v1/tables/{table}").json()["number"]
    ann.command(table, do="leave", seat=2)
    ann.command(table, do="sit", seat=2)
    while bob.get("/api/v1/history").json() == []:
        for person, seat in ((bob, 1), (ann, 2)):
            assert person.command(table, do="bet", seat=seat, main=1000).status_code == 200
        assert bob.command(table, do="deal").status_code == 200
        while (view := bob.get(f"/api/v1/tables/{table}").json()["view"])["phase"] != "done":
            asked = (bob, ann)[view["asked"] - 1]
            action = "no insurance" if view["phase"] == "insurance" else "stand"
            assert asked.command(table, do="act", seat=view["asked"], action=action).status_code == 200
    address = f"/api/v1/tables/{table}/rounds/1/replay"
    assert "Annabella" in bob.get(address).text
    assert ann.post("/api/v1/account/delete", GONE).status_code == 204
    replay = bob.get(address)
    assert replay.status_code == 200
    assert "Annabella" not in replay.text
    assert "former player" in replay.text
    with bob.socket(table, after=before - 1) as socket:
        assert "Annabella" not in json.dumps(socket.until("balance"))
    assert bob.command(table, do="leave", seat=1).status_code == 200
    assert bob.command(table, do="close").status_code == 200
    closed = bob.get(f"/api/v1/tables/{table}").json()["view"]["closed"]
    assert closed == "closed by the player who opened it"
    boss, other = operator(client), bob.open()
    boss.command(other, do="close")
    assert bob.get(f"/api/v1/tables/{other}").json()["view"]["closed"] == "closed by an operator"


def test_a_server_that_starts_again_sends_no_entry_with_the_name(database: str) -> None:
    """It folds the table from its log, where the name still is."""
    with TestClient(create_app(settings(database), FakeClock())) as client:
        ann, bob = registered(client, "Annabella"), Person(client)
        table = bob.open()
        ann.command(table, do="sit", seat=1)
        assert ann.post("/api/v1/account/delete", GONE).status_code == 204
    with TestClient(create_app(settings(database), FakeClock())) as client:
        again = Person(client, "nobody")
        again.cookies = bob.cookies
        with again.socket(table, after=1) as socket:
            assert "Annabella" not in json.dumps(socket.until("balance"))
        again.command(table, do="sit", seat=1)
    with TestClient(create_app(settings(database), FakeClock())) as client:
        again.client = client
        with again.socket(table, after=1) as socket:
            assert [one["type"] for one in socket.until("balance")] == ["hello", "snapshot", "balance"]


def test_reasons_of_earlier_versions_lose_their_names() -> None:
    assert reason_without_name("closed by Annabella") == "closed by a player or an operator"
    assert public_entry(TableClosed(reason="closed by Annabella"))["reason"] == "closed by a player or an operator"
    assert reason_without_name("nobody has bet for a while") == "nobody has bet for a while"


def test_only_the_password_deletes_an_account_and_guesses_are_counted(client: TestClient) -> None:
    ann = registered(client)
    assert ann.post("/api/v1/account/delete", {}).json()["code"] == "not allowed"
    codes = [ann.post("/api/v1/account/delete", {"password": "wrong guess"}).json()["code"] for _ in range(6)]
    assert codes == ["wrong password"] * 5 + ["too many"]
    assert ann.get("/api/v1/me").status_code == 200


def test_a_guest_needs_no_password(client: TestClient) -> None:
    ann = Person(client)
    assert ann.post("/api/v1/account/delete", {}).status_code == 204
    assert ann.get("/api/v1/me").status_code == 401
    assert balances(client)["bank"] == 0


def test_the_last_operator_stays(client: TestClient) -> None:
    boss, other = operator(client), operator(client)
    assert other.post("/api/v1/account/delete", GONE).status_code == 204
    refused = boss.post("/api/v1/account/delete", GONE).json()
    assert refused["code"] == "not allowed"
    assert refused["message"].startswith("you are the only operator; ")
    check_all(client)


def test_of_two_operators_who_leave_at_the_same_time_one_stays(database: str) -> None:
    async def run() -> None:
        clock = FakeClock()
        async with services(settings(database), clock) as one, services(settings(database), clock) as two:
            people = [await one.accounts.register(name, PASSWORD, "operator") for name in ("Ann", "Bob")]
            ends = (
                made.deletion.delete(person, PASSWORD, "a") for made, person in zip((one, two), people, strict=True)
            )
            found = await asyncio.gather(*ends, return_exceptions=True)
            assert sum(isinstance(error, Refusal) for error in found) >= 1, found
            left = await one.reader.rows(select(schema.users).where(schema.users.c.role == "operator"))
            assert len(left) == 2 - found.count(None) >= 1
            await clean(one)

    asyncio.run(run())


# In the middle of a round


async def sit_together(made: Services) -> tuple[Player, str]:
    """Bob, who opens a table and sits at its first seat."""
    bob = Player(made.host, await made.accounts.guest())
    table = await bob.open("classic")
    await bob.do(table, Sit(seat=1))
    return bob, table


async def leave_while_bob_is_asked(made: Services, bob: Player, table: str) -> User | None:
    """Let a new guest bet next to Bob and delete the account while Bob has to decide; None where nobody is asked."""
    ann = Player(made.host, await made.accounts.guest())
    await ann.do(table, Sit(seat=2))
    await bob.do(table, PlaceBet(seat=1, main=1000))
    await ann.do(table, PlaceBet(seat=2, main=1000))
    await bob.do(table, DealNow())
    hosted = await made.host.table(table)
    asked = hosted.table.state.asked
    is_asked = hosted.table.state.phase == "acting" and asked is not None and asked.number == 1
    if not is_asked:
        await made.host.void(table, "for the next try")
    await made.deletion.delete(ann.user, None, "a")
    assert not is_asked or hosted.table.staked(2) == 1000
    return ann.user if is_asked else None


async def end_round(made: Services, bob: Player, table: str) -> None:
    """Let Bob stand; the clock ends the hand of the person who has left."""
    hosted = await made.host.table(table)
    while not hosted.table.is_between_rounds:
        if hosted.table.state.asked is not None and hosted.table.state.asked.number == 1:
            await bob.do(table, TakeAction(seat=1, action=Action.STAND))
        else:
            await made.host.tick()


async def returned(made: Services, user: User) -> list[int]:
    """What the log says went back to the bank, in cents."""
    bodies = [json.loads(row.body) for row in await made.reader.entries(f"account:{user.id}")]
    return [body["cents"] for body in bodies if body["kind"] == "money returned"]


def test_the_clock_ends_the_hand_of_somebody_who_is_gone_and_the_bank_gets_the_win(database: str) -> None:
    async def run() -> None:
        clock = FakeClock()
        async with services(settings(database), clock) as made:
            bob, table = await sit_together(made)
            late: list[int] = []
            while not late:
                ann = await leave_while_bob_is_asked(made, bob, table)
                if ann is None:
                    continue
                assert await returned(made, ann) == [99_000]
                await end_round(made, bob, table)
                clock.forward(11)
                await made.deletion.look()
                late = (await returned(made, ann))[1:]  # nothing where the hand has lost
                assert await made.reader.balance(f"player:{ann.id}") == 0
                assert await made.reader.balance(f"held:{table}:2") == 0
            assert late[0] >= 1000
            await clean(made)

    asyncio.run(run())


def test_what_a_server_did_not_finish_the_next_one_does(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a crash between the end of the account and the end of its seats, days ago."""

    async def crash(_self: object, _user: str) -> None:
        raise ConnectionError

    async def run() -> None:
        clock = FakeClock()
        async with services(settings(database), clock) as made:
            bob, table = await sit_together(made)
            with monkeypatch.context() as patch:
                patch.setattr(Deletion, "_clear", crash)
                with pytest.raises(ConnectionError):
                    await made.deletion.delete(bob.user, None, "a")
            assert await made.reader.balance(f"player:{bob.user.id}") == 100_000
            assert await made.reader.tables_with(bob.user.id) == [table]
        clock.forward(10 * 86_400)
        async with services(settings(database), clock) as made:
            await made.deletion.look()
            await made.deletion.look()
            assert await made.reader.balance(f"player:{bob.user.id}") == 0
            assert await made.reader.tables_with(bob.user.id) == []
            assert await returned(made, bob.user) == [100_000]
            await clean(made)

    asyncio.run(run())


def test_an_account_that_cannot_be_cleared_now_is_gone_all_the_same(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(_self: object, _user: str) -> None:
        raise Refusal("not now")

    async def run() -> None:
        async with services(settings(database), FakeClock()) as made:
            bob, _ = await sit_together(made)
            monkeypatch.setattr(Host, "leave_all_seats", refuse)
            await made.deletion.delete(bob.user, None, "a")
            assert await made.accounts.find(bob.user.name) is None

    asyncio.run(run())


@pytest.mark.slow
def test_another_server_closes_the_connections_and_frees_the_seats(postgres_database: str) -> None:
    made = ServerSettings(database=postgres_database, skip_returns=True)
    clock = FakeClock()
    with TestClient(create_app(made, clock)) as here, TestClient(create_app(made, clock)) as there:
        ann = registered(here)
        phone, bob = signed_in(here), Person(here)
        phone.client = bob.client = there
        table = phone.open()
        phone.command(table, do="sit", seat=1)
        with phone.socket(table) as socket, bob.socket(table) as other:
            socket.until("balance")
            other.until("balance")
            assert ann.post("/api/v1/account/delete", GONE).status_code == 204
            assert closed_after_refusal(socket, None) == 4001
            assert other.until("entry")[-1]["view"]["seats"] == []


def test_rounds_of_a_deleted_account_stay(client: TestClient) -> None:
    """Also as what the wagers have returned, and for the audit."""
    ann = registered(client)
    table = ann.open()
    ann.command(table, do="sit", seat=1)
    play_some(ann, table, 3)
    assert ann.post("/api/v1/account/delete", GONE).status_code == 204
    assert client.portal is not None
    assert len(client.portal.call(made_by(client).reader.rows, select(schema.rounds))) == 3
    check_all(client)
