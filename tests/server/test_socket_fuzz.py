"""Fuzzed socket messages: no server error, a typed refusal for each, and nothing changes for those that are refused."""

from __future__ import annotations

import json
import random
import socket
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
import structlog
from fastapi.testclient import TestClient

from holecard.server.audit.audit import audit
from holecard.server.settings import ServerSettings
from holecard.server.store.one_moment import one_moment
from holecard.server.web.app import create_app
from tests.server.real_server import real_server
from tests.server.test_problems import LIBRARY_WORDS
from tests.server.test_web import COMMANDS, Person, Socket, key, seated

_TYPES = ("refused", "done", "pong")
#: Without those after which the clock plays on, or nothing is left to play.
_COMMANDS = [command for name, command in COMMANDS.items() if name not in ("leave", "close")]
_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 7, 8, 2**31, 2**63, 10**30, -(10**30), 0.5, 1e308, "", "1", "bet", "\x00", "🂡"),
    *("é" * 70, "a" * 300, [], {}, [1], {"do": "deal"}, {"do": {"do": "deal"}}, {"": ""}, ["sit", 1], "\u202eflip"),
)


@pytest.fixture
def client(sqlite: str) -> Iterator[TestClient]:
    settings = ServerSettings(
        database=sqlite, messages_per_second=100_000, message_burst=1_000_000, guest_burst=10_000, skip_returns=True
    )
    with TestClient(create_app(settings)) as found:
        yield found


def fuzzed(rng: random.Random) -> str:
    """Return a message: noise, or a valid one that was changed."""
    kind = rng.randrange(8)
    if kind == 0:
        return "".join(chr(rng.choice((rng.randrange(128), rng.randrange(0xD800)))) for _ in range(rng.randrange(60)))
    if kind == 1:
        depth = rng.choice((10, 200, 1000, 8000))
        return rng.choice(('{"type":' * depth, "[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth))
    message: dict[str, Any] = {"type": "command", "id": key(), "command": dict(rng.choice(_COMMANDS))}
    if kind == 2:
        message["command"][rng.choice(("seat", "main", "amount"))] = 10 ** rng.randrange(400)
        return json.dumps(message)
    for _ in range(rng.randint(1, 3)):
        _change(message, rng)
    text = json.dumps(message, ensure_ascii=rng.random() < 0.5)
    if kind == 3:
        cut = rng.randrange(len(text))
        return text[:cut] + rng.choice(("", "\\", '"', "\x00", "}")) + text[cut + rng.randrange(4) :]
    return text


def _change(message: dict[str, Any], rng: random.Random) -> None:
    """Change, add or remove a key, at the top or in the command."""
    inner = message.get("command")
    place = inner if isinstance(inner, dict) and inner and rng.random() < 0.7 else message
    names = list(place) or ["type"]
    match rng.randrange(4):
        case 0:
            place.pop(rng.choice(names), None)
        case 1:
            place[rng.choice(("", "more", "seat", "sides", "amount", "do", "id", "🂡"))] = deepcopy(rng.choice(_VALUES))
        case 2:
            place["sides"] = {f"wager {number}": deepcopy(rng.choice(_VALUES)) for number in range(rng.randrange(30))}
        case _:
            place[rng.choice(names)] = deepcopy(rng.choice(_VALUES))


def answer(opened: Socket) -> dict[str, Any]:
    """Return the next message that answers something; entries and balances come in between."""
    while (message := opened.next())["type"] not in _TYPES:
        pass
    return message


def fuzz(client: TestClient, seed: int, count: int) -> dict[str, int]:
    """Send messages to a table; return how many were answered in each way."""
    rng = random.Random(seed)
    ann, bob = Person(client), Person(client)
    # The clock waits, so that nothing changes but by the messages.
    opening = {"id": key(), "game": "classic", "pace": {"bet": 600, "act": 600}}
    table = ann.post("/api/v1/tables", opening).json()["id"]
    for command in ({"do": "sit", "seat": 1}, {"do": "bet", "seat": 1, "main": 1000}):
        assert ann.command(table, **command).status_code == 200
    found = dict.fromkeys(_TYPES, 0)
    with structlog.testing.capture_logs() as logs:
        for number in range(0, count, 10):
            person = (ann, bob)[number // 10 % 2]
            before = state(person, table)
            with person.socket(table) as opened:
                for _ in range(10):
                    opened.session.send_text(fuzzed(rng))
                    got = answer(opened)
                    found[got["type"]] += 1
                    after = state(person, table)
                    if got["type"] == "refused":
                        assert got["code"]
                        assert 0 < len(got["message"]) < 1000
                        assert not any(phrase in got["message"] for phrase in LIBRARY_WORDS)
                        assert after == before
                    before = after
    assert not [log for log in logs if log["log_level"] not in ("debug", "info")]
    refusals = [log for log in logs if log["event"] == "refused"]
    assert len(refusals) >= found["refused"]
    audited = client.portal.call(_audit, client)  # type: ignore[union-attr]
    assert audited.is_clean, audited.problems
    return found


def state(person: Person, table: str) -> tuple[Any, int]:
    shown = person.get(f"/api/v1/tables/{table}").json()
    return ({**shown, "now": 0}, person.get("/api/v1/me").json()["balance"])


async def _audit(client: TestClient) -> Any:
    async with one_moment(client.app.state.services.engine) as reader:  # type: ignore[attr-defined]
        return await audit(reader)


@pytest.mark.slow
def test_fuzzed_messages_are_refused_in_words(client: TestClient) -> None:
    found = fuzz(client, 1, 200)
    assert found["refused"] > 150


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_many_fuzzed_messages_are_refused_in_words(client: TestClient, seed: int) -> None:
    assert fuzz(client, 100 + seed, 2000)["refused"] > 1500


def test_binary_frames_are_refused_in_words(client: TestClient) -> None:
    ann, table = seated(client)
    before = state(ann, table)
    with ann.socket(table) as opened:
        opened.until("balance")
        for data in (b"", b"\x00\xff", json.dumps({"type": "ping"}).encode(), b"x" * 20_000):
            opened.session.send_bytes(data)
            assert answer(opened)["type"] == "refused"
        opened.session.send_json({"type": "ping"})
        assert answer(opened)["type"] == "pong"
    assert state(ann, table) == before


@pytest.mark.slow
def test_many_messages_at_once_are_all_answered(client: TestClient) -> None:
    ann, table = seated(client)
    with ann.socket(table) as opened:
        opened.until("balance")
        sent = [key() for _ in range(300)]
        for one in sent:
            opened.session.send_json({"type": "command", "id": one, "command": {"do": "bet", "seat": 2, "main": 1000}})
        got = [answer(opened) for _ in sent]
        assert [one["id"] for one in got] == sent
        assert {one["code"] for one in got} == {"not allowed"}


@pytest.mark.slow
def test_half_open_connections_stop_nobody(sqlite: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Connections that send half a request, half a handshake or a broken frame, and then nothing, or vanish."""
    options = ("--messages-per-second", "1000", "--message-burst", "1000", "--guest-burst", "1000", "--skip-returns")
    with real_server(sqlite, *options) as (address, process):
        from docs.table_client import play, post

        host, _, port = address.rpartition("//")[2].partition(":")
        _, cookie = post(address, "/api/v1/guest", {})
        made, _ = post(address, "/api/v1/tables", {"id": key(), "game": "classic"}, cookie)
        path = f"/api/v1/tables/{made['id']}/socket"
        handshake = (
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: {cookie}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ).encode()
        ends = (b"", b"\x81", b"\x81\xfe\xff\xff", b"\xff" * 20, b"\x81\x80", b"\x88\x00", b"\x09\xff" + b"\x00" * 8)
        held = []
        for sent in (b"", b"GET / HT", handshake[:60], *(handshake + end for end in ends)):
            for stays in (True, False):
                one = socket.create_connection((host, int(port)), 5)
                one.sendall(sent)
                held.append(one)
                if not stays:
                    one.close()
        assert play(address)
        assert process.poll() is None
        for one in held:
            one.close()
        assert play(address)
    assert "Traceback" not in capfd.readouterr().err
