"""Real servers in processes of their own: two share a database, and one that is killed is carried on."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from holecard.server.audit.audit import Audit, audit
from holecard.server.settings import database_url
from holecard.server.store.database import connect as connect_database
from holecard.server.store.read import StoreReader
from tests.patience import patient
from tests.server.real_server import real_server

_ids = count(1)
_OPTIONS = ("--messages-per-second", "1000", "--message-burst", "1000", "--guest-burst", "1000", "--skip-returns")


class Visitor:
    """A guest, who can ask any server that knows the session."""

    def __init__(self, address: str) -> None:
        self.cookie = ""
        self.ask(address, "/api/v1/guest", {})

    def ask(self, address: str, path: str, body: Any = None) -> Any:
        """Send a request; return the answer, or the refusal."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Cookie": self.cookie}
        try:
            with urllib.request.urlopen(
                urllib.request.Request(address + path, data, headers), timeout=patient(20)
            ) as answer:
                self.cookie = answer.headers.get("Set-Cookie", "").partition(";")[0] or self.cookie
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            with refused:
                return json.load(refused)

    def open(self, address: str, game: str = "classic") -> str:
        pace = {"bet": 600, "act": 600}
        found: str = self.ask(address, "/api/v1/tables", {"id": self.key(), "game": game, "pace": pace})["id"]
        return found

    def do(self, address: str, table: str, **command: Any) -> Any:
        return self.ask(address, f"/api/v1/tables/{table}/commands", {"id": self.key(), "command": command})

    def look(self, address: str, table: str) -> Any:
        return self.ask(address, f"/api/v1/tables/{table}")

    @contextmanager
    def watch(self, address: str, table: str, after: int | None = None) -> Iterator[Watch]:
        url = f"{address.replace('http', 'ws', 1)}/api/v1/tables/{table}/socket"
        query = "" if after is None else f"?after={after}"
        with connect(url + query, additional_headers={"Cookie": self.cookie}, close_timeout=patient(1)) as socket:
            yield Watch(socket)

    @staticmethod
    def key() -> str:
        return f"process-{next(_ids)}"


class Watch:
    """A connection to a table, and the entries that it has shown."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.entries: list[dict[str, Any]] = []

    def until(self, number: int) -> list[dict[str, Any]]:
        """Read until the entry with a number is shown; return all entries so far."""
        ends = time.monotonic() + patient(10)
        while not self.entries or self.entries[-1]["number"] < number:
            message = json.loads(self.socket.recv(timeout=max(0.0, ends - time.monotonic())))
            if message["type"] == "entry":
                self.entries.append(message)
            if message["type"] == "snapshot" and message["number"] >= number:
                break
        return self.entries


def deal_a_round(people: dict[int, Visitor], addresses: dict[int, str], table: str) -> None:
    """Bet and deal until a round waits for somebody."""
    while True:
        for seat, person in people.items():
            assert person.do(addresses[seat], table, do="bet", seat=seat, main=1000)["type"] == "done"
        assert people[1].do(addresses[1], table, do="deal")["type"] == "done"
        if people[1].look(addresses[1], table)["view"]["phase"] != "done":
            return


def play_on(people: dict[int, Visitor], address: str, table: str) -> int:
    """Play a round to its end; return the number of its last entry."""
    while True:
        now = people[1].look(address, table)
        asked = now["view"]["asked"]
        if asked is None:
            return int(now["number"])
        actions = [choice["action"] for choice in people[asked].look(address, table)["view"]["choices"]]
        action = next(one for one in ("stand", "no insurance", "no surrender") if one in actions)
        assert people[asked].do(address, table, do="act", seat=asked, action=action)["type"] == "done"


def audited(database: str) -> Audit:
    async def run() -> Audit:
        engine = connect_database(database_url(database))
        try:
            return await audit(StoreReader(engine))
        finally:
            await engine.dispose()

    return asyncio.run(run())


def _without_times(shown: dict[str, Any]) -> dict[str, Any]:
    return {**shown, "now": 0, "view": {**shown["view"], "deadline": 0}}


@pytest.mark.slow
def test_a_killed_server_continues_the_round_when_it_is_started_again(sqlite: str) -> None:
    with real_server(sqlite, *_OPTIONS) as (address, process):
        ann = Visitor(address)
        table = ann.open(address)
        ann.do(address, table, do="sit", seat=1)
        deal_a_round({1: ann}, {1: address}, table)
        before = ann.look(address, table)
        balance = ann.ask(address, "/api/v1/me")["balance"]
        process.kill()
        process.wait()
    with real_server(sqlite, *_OPTIONS) as (address, _):
        again = ann.look(address, table)
        assert _without_times(again) == _without_times(before)
        assert again["view"]["deadline"] > before["view"]["deadline"]  # the whole time again
        assert ann.ask(address, "/api/v1/me")["balance"] == balance
        with ann.watch(address, table, before["number"]) as watching:
            last = play_on({1: ann}, address, table)
            entries = watching.until(last)
        assert [entry["number"] for entry in entries] == list(range(before["number"] + 1, last + 1))
        after = ann.look(address, table)["view"]
        assert entries[-1]["view"] == after
        assert after["phase"] == "done"
        won = sum(result["net"] for result in after["results"])
        staked = sum(sum(hand["stakes"].values()) for seat in before["view"]["seats"] for hand in seat["hands"])
        settled = sum(result["net"] for result in before["view"]["results"])
        assert ann.ask(address, "/api/v1/me")["balance"] == balance + staked + won - settled
    found = audited(sqlite)
    assert found.is_clean, found.problems


@pytest.mark.slow
def test_two_servers_show_one_table_and_one_carries_on_alone(postgres_database: str) -> None:
    with (
        real_server(postgres_database, *_OPTIONS) as (one, process),
        real_server(postgres_database, *_OPTIONS) as (two, _),
    ):
        ann, bob = Visitor(one), Visitor(two)
        people, addresses = {1: ann, 2: bob}, {1: one, 2: two}
        table = ann.open(one)
        assert [info["id"] for info in bob.ask(two, "/api/v1/tables")] == [table]
        assert ann.do(one, table, do="sit", seat=1)["type"] == "done"
        assert "taken" in bob.do(two, table, do="sit", seat=1)["message"]
        assert bob.do(two, table, do="sit", seat=2)["type"] == "done"
        assert ann.ask(two, "/api/v1/me")["balance"] == 100_000
        begin = ann.look(one, table)["number"]
        with ann.watch(two, table, begin) as stays, bob.watch(two, table, begin) as other:
            with ann.watch(one, table, begin) as breaks:
                number = bob.do(two, table, do="bet", seat=2, main=1000)["number"]
                breaks.until(number)
                assert ann.ask(one, "/api/v1/tables")[0]["taken"].keys() == {"1", "2"}
                deal_a_round(people, addresses, table)
                seen = ann.look(one, table)["number"]
                first = list(breaks.until(seen))
                process.kill()
                process.wait()
            assert ann.look(two, table)["number"] == seen
            # The connection broke before its last message arrived.
            kept = first[:-1]
            with ann.watch(two, table, kept[-1]["number"]) as again:
                last = play_on(people, two, table)
                assert kept + again.until(last) == stays.until(last)
            assert again.entries[-1]["view"] == ann.look(two, table)["view"]
            assert other.until(last)[-1]["view"] == bob.look(two, table)["view"]
        for seat, person in people.items():
            net = sum(
                event["net"]
                for entry in other.entries
                for event in entry["events"]
                if event["event"] == "result" and event["seat"] == seat
            )
            assert person.ask(two, "/api/v1/me")["balance"] == 100_000 + net
    found = audited(postgres_database)
    assert found.is_clean, found.problems
