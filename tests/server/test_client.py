"""The client of docs/protocol.md plays a round at a real server, over a connection that keeps breaking."""

from __future__ import annotations

import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.make_protocol import CLIENT
from docs.table_client import TableClient, decide, play, post
from tests.server.real_server import real_server


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    database = tmp_path_factory.mktemp("server") / "holecard.db"
    with real_server(str(database), "--messages-per-second", "1000", "--message-burst", "1000") as (found, _):
        yield found


def test_the_client_plays_a_round(address: str, tmp_path: Path) -> None:
    """As its first line says, from another folder."""
    copy = tmp_path / "table_client.py"
    copy.write_text(CLIENT.read_text(encoding="utf-8"), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(copy), address], capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    opened, *results = done.stdout.splitlines()
    assert "has 100000 cents and opens table" in opened
    assert results
    assert all(line.endswith(")") and "cents" in line for line in results)


@pytest.mark.parametrize("game", ["quick-pay", "european"])
def test_the_client_plays_other_games(address: str, game: str) -> None:
    """With late wagers, which it declines, and without a hole card."""
    assert play(address, game)


def test_a_client_whose_connection_breaks_after_every_message_sees_the_same_round(address: str) -> None:
    _, cookie = post(address, "/api/v1/guest", {})
    table, _ = post(address, "/api/v1/tables", {"id": str(uuid.uuid4()), "game": "classic"}, cookie)
    client = TableClient(address, table["id"], cookie)
    client.send(do="sit", seat=1)
    client.send(do="bet", seat=1, main=1000)
    client.send(do="deal")
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
    watching = TableClient(address, table["id"], cookie)
    assert next(watching.views()) == view
