"""Private tables: the lobby leaves them out, and their link is the key, which nobody can guess."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from holecard.server.settings import ServerSettings
from holecard.server.web.app import create_app
from tests.server.fake_clock import FakeClock
from tests.server.test_operators import is_clean
from tests.server.test_web import UNHURRIED, Person, key, operator, play_some


@pytest.fixture
def client(sqlite: str) -> Iterator[TestClient]:
    patient = ServerSettings(database=sqlite, skip_returns=True, message_burst=1000)
    with TestClient(create_app(patient, FakeClock())) as found:
        yield found


def opened(person: Person, **more: Any) -> Any:
    return person.post("/api/v1/tables", {"id": key(), "game": "classic", "pace": UNHURRIED, **more})


def listed(person: Person) -> list[str]:
    return [table["id"] for table in person.get("/api/v1/tables").json()]


def test_the_lobby_shows_a_private_table_to_its_opener_to_those_who_sit_there_and_to_operators(
    client: TestClient,
) -> None:
    ann, bob, eve, boss = Person(client), Person(client), Person(client), operator(client)
    public = ann.open()
    answer = opened(ann, private=True)
    private = answer.json()["id"]
    assert answer.json()["private"] is True
    assert listed(ann) == listed(boss) == [public, private]
    assert listed(bob) == listed(eve) == [public]
    assert bob.command(private, do="sit", seat=2).status_code == 200
    assert listed(bob) == [public, private]
    bob.command(private, do="leave", seat=2)
    assert listed(bob) == [public]


def test_who_has_the_link_watches_and_plays(client: TestClient) -> None:
    ann, bob = Person(client), Person(client)
    private = opened(ann, private=True).json()["id"]
    assert bob.get(f"/api/v1/tables/{private}").json()["table"]["private"] is True
    with bob.socket(private) as socket:
        assert socket.until("balance")[0]["table"]["private"] is True
        assert socket.command(do="sit", seat=1)["type"] == "done"


@pytest.mark.real_shoes
def test_nobody_guesses_the_link(client: TestClient) -> None:
    """72 random bits: at a billion guesses a second, one of a thousand tables is found in some 150 years."""
    ann = Person(client)
    ids = {opened(ann, private=True).json()["id"] for _ in range(10)}
    assert len(ids) == 10
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{12}", one) for one in ids)


def test_no_list_of_somebody_else_names_a_private_table(client: TestClient) -> None:
    """Whatever a stranger may ask for without the link: lobby, games, history, metrics."""
    ann, eve = Person(client), Person(client)
    private = opened(ann, private=True).json()["id"]
    ann.command(private, do="sit", seat=1)
    play_some(ann, private, 1)
    paths = [path for path, methods in client.get("/openapi.json").json()["paths"].items() if "get" in methods]
    asked = [path.replace("{name}", "classic") for path in paths if "{table_id}" not in path and "{job_id}" not in path]
    assert {"/api/v1/tables", "/api/v1/history", "/api/v1/history/shoes", "/metrics"} <= set(asked)
    slow = ("edges", "strategy", "drill", "file")
    for path in (path for path in asked if not path.endswith(slow)):
        assert private not in eve.get(path).text, path
        assert private in ann.get("/api/v1/history").text


def test_a_table_is_public_unless_its_opener_says_otherwise_and_the_same_id_opens_it_once(client: TestClient) -> None:
    ann = Person(client)
    assert opened(ann).json()["private"] is False
    first = opened(ann, id="a-private-table", private=True)
    assert opened(ann, id="a-private-table", private=True).json() == first.json()
    assert opened(ann, id="a-private-table").json()["code"] == "command id reused"


def test_the_audit_knows_which_tables_are_private(sqlite: str) -> None:
    with TestClient(create_app(ServerSettings(database=sqlite, skip_returns=True), FakeClock())) as client:
        opened(Person(client), private=True)
    assert asyncio.run(is_clean(sqlite))
    with sqlite3.connect(sqlite.partition("///")[2]) as file:
        file.execute("UPDATE tables SET private = 0")
    assert not asyncio.run(is_clean(sqlite))
