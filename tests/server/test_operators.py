"""`holecard operator`: the first operator is made on the server's machine, and a running server takes notice."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest
import typer
from fastapi.testclient import TestClient

from holecard.server.accounts.accounts import NameTaken
from holecard.server.accounts.names import NameReserved
from holecard.server.accounts.operators import appoint, dismiss
from holecard.server.accounts.sessions import User
from holecard.server.audit.audit import audit
from holecard.server.errors import NotAllowed, NotFound
from holecard.server.settings import ServerSettings
from holecard.server.store.database import connect
from holecard.server.store.read import StoreReader
from holecard.server.web.app import create_app
from holecard.server.web.services import services
from tests.cli.shell import Shell, shell

__all__ = ["shell"]

PASSWORD = "correct horse"


def unasked() -> str:
    pytest.fail("nobody should be asked for a password")


@pytest.mark.slow
def test_the_first_operator_is_made_before_the_first_start(database: str) -> None:
    """The account is new, its money is in the ledger, and the person can sign in."""
    settings = ServerSettings(database=database)
    assert asyncio.run(appoint(settings, "Ann", lambda: PASSWORD))
    with TestClient(create_app(settings)) as client:
        answer = client.post("/api/v1/sign-in", json={"name": "ann", "password": PASSWORD})
        money = {"balance": settings.starting_money, "held": 0, "buy_in_below": settings.starting_money // 10}
        assert answer.json() == {"name": "Ann", "role": "operator", "notice": None, **money}
        assert client.post("/api/v1/audit").json()["clean"] is True


@pytest.mark.slow
def test_an_account_becomes_an_operator_and_a_player_again_while_the_server_runs(sqlite: str) -> None:
    settings, now = ServerSettings(database=sqlite), [1_000_000]
    with TestClient(create_app(settings, lambda: now[0])) as client:
        client.post("/api/v1/accounts", json={"name": "Ann", "password": PASSWORD})
        assert client.post("/api/v1/audit").status_code == 403
        assert not asyncio.run(appoint(settings, "ann", unasked))
        now[0] += 11_000
        assert client.post("/api/v1/audit").status_code == 200
        asyncio.run(dismiss(settings, "ANN"))
        now[0] += 11_000
        assert client.post("/api/v1/audit").status_code == 403
    with sqlite3.connect(sqlite.partition("///")[2]) as connection:
        entries = [json.loads(body) for (body,) in connection.execute("SELECT body FROM log ORDER BY sequence")]
    assert entries == [
        {"kind": "opened", "name": "Ann", "role": "player", "cents": 100_000},
        {"kind": "role given", "role": "operator"},
        {"kind": "role given", "role": "player"},
    ]
    assert asyncio.run(is_clean(sqlite))


def test_a_guest_is_named_once_and_its_log_says_so(database: str) -> None:
    async def run() -> None:
        async with services(ServerSettings(database=database, skip_returns=True)) as made:
            guest = await made.accounts.guest()
            await made.accounts.register("Bob", PASSWORD)
            with pytest.raises(NameTaken, match="the name 'bob' is taken"):
                await made.accounts.register("bob", PASSWORD, guest=guest)
            named = (made.accounts.register(name, PASSWORD, guest=guest) for name in ("Ann", "Annie"))
            found = await asyncio.gather(*named, return_exceptions=True)
            assert sum(isinstance(one, NotAllowed) for one in found) == 1
            (ann,) = (one for one in found if isinstance(one, User))
            assert ann == await made.accounts.find(ann.name)
            rows = await made.reader.entries(f"account:{guest.id}")
            assert [json.loads(row.body)["kind"] for row in rows] == ["opened", "guest named"]
        assert await is_clean(database)

    asyncio.run(run())


def test_an_operator_may_have_a_name_of_the_house(database: str) -> None:
    """Somebody who can open the database decides; nobody else gets such a name, and no guest becomes one."""

    async def run() -> None:
        async with services(ServerSettings(database=database, skip_returns=True)) as made:
            guest = await made.accounts.guest()
            for person in (None, guest):
                with pytest.raises(NameReserved):
                    await made.accounts.register("Holecard operator", PASSWORD, guest=person)
            boss = await made.accounts.register("Holecard operator", PASSWORD, "operator")
            assert await made.accounts.sign_in("holecard Operator", PASSWORD, "a") == boss

    asyncio.run(run())


def test_a_session_that_another_process_ended_ends_here_too(sqlite: str) -> None:
    settings, now = ServerSettings(database=sqlite), [1_000_000]
    with TestClient(create_app(settings, lambda: now[0])) as client:
        client.post("/api/v1/guest")
        assert client.get("/api/v1/me").status_code == 200
        with sqlite3.connect(sqlite.partition("///")[2]) as other:
            other.execute("DELETE FROM sessions")
        other.close()
        now[0] += 11_000
        assert client.get("/api/v1/me").status_code == 401


@pytest.mark.slow
def test_who_cannot_be_an_operator(sqlite: str) -> None:
    settings = ServerSettings(database=sqlite)
    with TestClient(create_app(settings)) as client:
        guest = client.post("/api/v1/guest").json()["name"]
    with pytest.raises(NotAllowed, match="is a guest without a password"):
        asyncio.run(appoint(settings, guest, unasked))
    with pytest.raises(NotAllowed, match="at least 8 characters"):
        asyncio.run(appoint(settings, "Ann", lambda: "short"))
    for name in ("A", "Ann\u202e", "a" * 31):
        with pytest.raises(NotAllowed, match="a name has"):
            asyncio.run(appoint(settings, name, unasked))
    with pytest.raises(NotFound, match="no operator is called 'Ann'"):
        asyncio.run(dismiss(settings, "Ann"))


async def is_clean(database: str) -> bool:
    engine = connect(database)
    found = await audit(StoreReader(engine))
    await engine.dispose()
    return found.is_clean


def test_the_command_asks_for_a_password(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def prompt(words: str, **options: object) -> str:
        assert options == {"hide_input": True, "confirmation_prompt": True}
        asked.append(words)
        return PASSWORD

    monkeypatch.setattr(typer, "prompt", prompt)
    file = str(tmp_path / "holecard.db")
    ran = shell("operator", "Ann", "--database", file)
    assert (ran.code, ran.out) == (0, "Ann is an operator with a new account.\n")
    assert shell("operator", "Ann", "--database", file).out == "Ann is an operator.\n"
    assert asked == ["Password for Ann"]
    assert shell("operator", "Ann", "--remove", "--database", file).out == "Ann is a player again.\n"
    ran = shell("operator", "Ann", "--remove", "--database", file)
    assert ran.code == 2
    assert "no operator is called 'Ann'" in ran.err
    assert asyncio.run(is_clean(f"sqlite+aiosqlite:///{file}"))
