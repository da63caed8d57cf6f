"""The client of docs/protocol.md at a real server: a connection that keeps breaking, a server that is killed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from docs.make_protocol import CLIENT
from docs.table_client import TableClient, bet_and_deal, decide, play, post
from tests.patience import patient
from tests.server.plain_redeal import plain_problem
from tests.server.real_server import hold_port, real_server

#: Seconds for bets and decisions: however slow the machine, the clock decides nothing.
_SLOW = {"bet": 600, "act": 600}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    database = tmp_path_factory.mktemp("server") / "holecard.db"
    with real_server(
        str(database), "--messages-per-second", "1000", "--message-burst", "1000", "--guest-burst", "1000"
    ) as (found, _):
        yield found


def test_the_client_plays_a_round(address: str, tmp_path: Path) -> None:
    """As its first line says, from another folder."""
    copy = tmp_path / "table_client.py"
    copy.write_text(CLIENT.read_text(encoding="utf-8"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(copy), address],
        capture_output=True,
        text=True,
        timeout=patient(60),
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    opened, promised, *results = done.stdout.splitlines()
    assert "has 100000 cents and opens table" in opened
    assert re.fullmatch(r"The commitment is [0-9a-f]{64}, and my seed [0-9a-f]{32}\.", promised)
    assert results
    assert all(line.endswith(")") and "cents" in line for line in results)


@pytest.mark.parametrize("game", ["quick-pay", "european"])
def test_the_client_plays_other_games(address: str, game: str) -> None:
    """With late wagers, which it declines, and without a hole card."""
    assert play(address, game)


def test_a_client_whose_connection_breaks_after_every_message_sees_the_same_round(address: str) -> None:
    client = seated(address)
    numbers, answered = [], set()
    for view in client.views():
        numbers.append(client.number)
        client.socket.close()
        if view["phase"] == "done":
            break
        if view["asked"] == 1 and client.number not in answered:
            answered.add(client.number)
            decide(client, view)
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    watching = TableClient(address, client.url.split("/")[-2], client.headers["Cookie"])
    assert next(watching.views()) == view


def seated(address: str) -> TableClient:
    """Return a client that has bet and dealt."""
    _, cookie = post(address, "/api/v1/guest", {})
    table, _ = post(address, "/api/v1/tables", {"id": str(uuid.uuid4()), "game": "classic", "pace": _SLOW}, cookie)
    client = TableClient(address, table["id"], cookie)
    client.send(do="sit", seat=1)
    client.send(do="bet", seat=1, main=1000)
    client.send(do="deal")
    return client


@pytest.mark.slow
def test_a_round_continues_after_the_server_was_killed(tmp_path: Path) -> None:
    """Kill -9 at the first decision of a round; the next server deals on from the same shoe."""
    database = str(tmp_path / "holecard.db")
    before: dict[str, Any] = {}
    with real_server(database) as (address, process):
        client = seated(address)
        for view in client.views():
            if view["phase"] == "done":  # a blackjack: the next round
                client.send(do="bet", seat=1, main=1000)
                client.send(do="deal")
            if view["asked"] == 1:
                before = view
                break
        process.kill()
        process.wait()
    port = int(address.rpartition(":")[2])
    with hold_port(port), real_server(database, "--port", str(port)):
        views = client.views()
        view = before
        while view["phase"] != "done":
            assert view["shoe"]["commitment"] == before["shoe"]["commitment"]
            assert view["dealer"]["cards"][:1] == before["dealer"]["cards"][:1]
            if view["asked"] == 1:
                decide(client, view)
            view = next(views)
        views.close()
    assert view["round"] == before["round"]
    assert view["results"]


def closed_with(address: str, path: str, cookie: str, *messages: str) -> tuple[int | None, list[str]]:
    """Return the code with which the server closes a connection after these messages, and what it sent before."""
    found: list[str] = []
    with connect(address.replace("http", "ws", 1) + path, additional_headers={"Cookie": cookie}) as socket:
        for message in messages:
            with suppress(ConnectionClosed):
                socket.send(message)
        with suppress(ConnectionClosed):
            while True:
                found.append(str(socket.recv(timeout=patient(10))))
        return socket.close_code, found


def test_connections_are_closed_with_the_codes_of_the_page(address: str) -> None:
    client = seated(address)
    path, cookie = client.url.partition(":")[2].partition("/api")[2], client.headers["Cookie"]
    code, (refused,) = closed_with(address, f"/api{path}", "")
    assert (code, '"not signed in"' in refused) == (4000, True)
    code, (refused,) = closed_with(address, "/api/v1/tables/nowhere/socket", cookie)
    assert (code, '"not found"' in refused) == (4000, True)
    assert closed_with(address, f"/api{path}", cookie, *["garbage"] * 21)[0] == 1008
    assert closed_with(address, f"/api{path}", cookie, "x" * 70_000)[0] == 1009


@pytest.mark.slow
def test_a_server_that_shuts_down_says_so(tmp_path: Path) -> None:
    with real_server(str(tmp_path / "holecard.db"), "--shutdown-seconds", "1") as (address, process):
        client = seated(address)
        views = client.views()  # kept: its end closes the connection
        next(view for view in views if view["phase"] == "done" or view["asked"] == 1)
        process.terminate()
        with suppress(ConnectionClosed):
            while True:
                client.socket.recv(timeout=patient(10))
        assert client.socket.close_code == 1012
        assert process.wait(patient(10)) in (0, -15)


def test_the_client_adds_a_seed_that_is_in_the_document(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    """After it has seen the commitment, which is the one of the document."""
    _, cookie = post(address, "/api/v1/guest", {})
    settings = {"shoe.procedure": "fresh each round"}
    opening = {"id": str(uuid.uuid4()), "game": "classic", "settings": settings, "pace": _SLOW}
    table, _ = post(address, "/api/v1/tables", opening, cookie)
    client = TableClient(address, table["id"], cookie)
    client.send(do="sit", seat=1)
    view = next(one for one in client.views() if one["yours"])
    bet_and_deal(client, view["shoe"])
    for seen in client.views():
        if seen["phase"] == "done":
            break
        if seen["asked"] == 1:
            decide(client, seen)
    request = urllib.request.Request(
        f"{address}/api/v1/tables/{table['id']}/shoes/{view['shoe']['id']}", headers={"Cookie": cookie}
    )
    with urllib.request.urlopen(request, timeout=patient(30)) as answer:
        shoe = json.load(answer)
    assert plain_problem(shoe) is None
    words = capsys.readouterr().out
    assert words == f"The commitment is {shoe['commitment']}, and my seed {shoe['player_seeds'][0]}.\n"
