"""The server over HTTP and WebSocket: who may do what, what bad input gets, and how a connection resumes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest
import structlog
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from holecard import __version__
from holecard.server.settings import ServerSettings
from holecard.server.web.app import create_app
from holecard.server.web.messages import PROTOCOL, server_messages
from tests.server.fake_clock import FakeClock

_ids = count(1)
#: Seconds, longer than any test takes.
UNHURRIED = {"bet": 600, "act": 600}


def key() -> str:
    return f"client-{next(_ids):08d}"


class Person:
    """Somebody with a browser: cookies of one's own, and a socket where one is wanted."""

    def __init__(self, client: TestClient, role: str = "guest") -> None:
        self.client = client
        self.cookies: dict[str, str] = {}
        if role == "guest":
            self.post("/api/v1/guest")
        elif role != "nobody":
            self.post("/api/v1/accounts", {"name": f"{role} {next(_ids)}", "password": "correct horse"})

    def post(self, path: str, body: Any = None, **more: Any) -> Any:
        return self._send("POST", path, body, **more)

    def get(self, path: str, **more: Any) -> Any:
        return self._send("GET", path, None, **more)

    def delete(self, path: str) -> Any:
        return self._send("DELETE", path, None)

    def _send(self, method: str, path: str, body: Any, **more: Any) -> Any:
        self.client.cookies = self.cookies  # type: ignore[assignment]
        answer = self.client.request(method, path, json=body, **more)
        self.cookies.update(answer.cookies)
        return answer

    def open(self, game: str = "classic") -> str:
        body = {"id": key(), "game": game, "pace": UNHURRIED}
        found: str = self.post("/api/v1/tables", body).json()["id"]
        return found

    def command(self, table: str, **command: Any) -> Any:
        return self.post(f"/api/v1/tables/{table}/commands", {"id": key(), "command": command})

    @contextmanager
    def socket(self, table: str, after: int | None = None) -> Iterator[Socket]:
        self.client.cookies = self.cookies  # type: ignore[assignment]
        query = "" if after is None else f"?after={after}"
        with self.client.websocket_connect(f"/api/v1/tables/{table}/socket{query}") as session:
            yield Socket(session)


class Socket:
    """A socket that checks every message it gets against the protocol."""

    def __init__(self, session: WebSocketTestSession) -> None:
        self.session = session

    def next(self) -> dict[str, Any]:
        message: dict[str, Any] = self.session.receive_json()
        server_messages.validate_python(message)
        return message

    def until(self, kind: str) -> list[dict[str, Any]]:
        """Return messages up to the first of a kind."""
        found = [self.next()]
        while found[-1]["type"] != kind:
            found.append(self.next())
        return found

    def command(self, **command: Any) -> dict[str, Any]:
        """Send a command; return the answer to it."""
        sent = key()
        self.session.send_json({"type": "command", "id": sent, "command": command})
        while True:
            message = self.next()
            if message["type"] in ("done", "refused") and message["id"] == sent:
                return message


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """One server for all tests that bring their own people and tables."""
    sqlite = f"sqlite+aiosqlite:///{tmp_path_factory.mktemp('web')}/holecard.db"
    settings = ServerSettings(database=sqlite, messages_per_second=10_000, message_burst=100_000, guest_burst=10_000)
    with TestClient(create_app(settings)) as found:
        yield found


# Who may do what


def seated(client: TestClient) -> tuple[Person, str]:
    ann = Person(client)
    table = ann.open()
    assert ann.command(table, do="sit", seat=1).status_code == 200
    assert ann.command(table, do="bet", seat=1, main=1000).status_code == 200
    return ann, table


COMMANDS: dict[str, dict[str, Any]] = {
    "sit": {"do": "sit", "seat": 2},
    "leave": {"do": "leave", "seat": 1},
    "seed": {"do": "add seed", "seed": "lucky"},
    "bet": {"do": "bet", "seat": 1, "main": 2000},
    "withdraw": {"do": "withdraw", "seat": 1},
    "deal": {"do": "deal"},
    "act": {"do": "act", "seat": 1, "action": "stand"},
    "place": {"do": "place", "seat": 1, "sides": {}},
    "close": {"do": "close"},
    "end round": {"do": "end round", "reason": "a wrong card"},
    "free seat": {"do": "free seat", "seat": 3, "reason": "a wrong name"},
}


def operator(client: TestClient) -> Person:
    person = Person(client, "player")
    accounts = client.app.state.services.accounts  # type: ignore[attr-defined]
    assert client.portal is not None
    client.portal.call(accounts.set_role, person.get("/api/v1/me").json()["name"], "operator")
    return person


# Sockets


def test_a_round_over_a_socket(client: TestClient) -> None:
    ann = Person(client)
    table = ann.open("quick-pay")
    with ann.socket(table) as socket:
        assert [message["type"] for message in socket.until("balance")] == ["hello", "snapshot", "balance"]
        assert socket.command(do="sit", seat=2)["type"] == "done"
        assert socket.command(do="bet", seat=2, main=1000)["type"] == "done"
        assert socket.command(do="deal")["type"] == "done"
        view = ann.get(f"/api/v1/tables/{table}").json()["view"]
        rng = random.Random(1)
        while view["phase"] != "done":
            if view["choices"]:
                answer = socket.command(do="act", seat=2, action=rng.choice(view["choices"])["action"])
            else:
                answer = socket.command(do="place", seat=2)
            assert answer["type"] == "done", answer
            view = ann.get(f"/api/v1/tables/{table}").json()["view"]
        net = sum(result["net"] for result in view["results"])
        assert ann.get("/api/v1/me").json()["balance"] == 100_000 + net
    rounds = ann.get("/api/v1/history").json()
    assert [(one["table"], one["seats"]) for one in rounds] == [(table, {"2": "you"})]


def play_some(person: Person, table: str, rounds: int) -> None:
    rng = random.Random(2)
    for _ in range(rounds):
        assert person.command(table, do="bet", seat=1, main=1000).status_code == 200
        assert person.command(table, do="deal").status_code == 200
        while (view := person.get(f"/api/v1/tables/{table}").json()["view"])["phase"] != "done":
            choice = rng.choice(view["choices"])
            assert (
                person.command(table, do="act", seat=1, action=choice["action"], amount=choice["high"]).status_code
                == 200
            )


def test_a_dropped_connection_gets_what_it_missed(client: TestClient) -> None:
    ann = Person(client)
    table = ann.open()
    ann.command(table, do="sit", seat=1)
    with ann.socket(table) as stays:
        seen = stays.until("balance")[1]["number"]
        play_some(ann, table, 2)
        last = ann.get(f"/api/v1/tables/{table}").json()["number"]
        whole = _entries(stays, last)
    elsewhere = ann.open()
    ann.command(elsewhere, do="sit", seat=1)
    ann.command(elsewhere, do="bet", seat=1, main=5000)
    free = ann.get("/api/v1/me").json()["balance"]
    for dropped in (seen, seen + 1, (seen + last) // 2, last - 1):
        with ann.socket(table, after=dropped) as again:
            again.next()
            missed = _entries(again, last)
            assert again.until("balance")[-1]["cents"] == free
        assert missed == whole[dropped - seen :]
        assert missed[-1]["view"] == whole[-1]["view"]


def _entries(socket: Socket, last: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while not found or found[-1]["number"] < last:
        message = socket.next()
        assert message["type"] != "snapshot", "these entries are no longer kept"
        if message["type"] == "entry":
            found.append(message)
    return found


def test_two_people_see_the_same_round_from_their_seats(client: TestClient) -> None:
    ann, bob = Person(client), Person(client)
    table = ann.open()
    ann.command(table, do="sit", seat=1)
    bob.command(table, do="sit", seat=2)
    ann.command(table, do="bet", seat=1, main=1000)
    assert "seat 2 may still bet" in ann.command(table, do="deal").json()["message"]
    bob.command(table, do="bet", seat=2, main=1000)
    assert bob.command(table, do="deal").status_code == 200
    mine, other = (person.get(f"/api/v1/tables/{table}").json()["view"] for person in (ann, bob))
    assert mine["dealer"] == other["dealer"]
    assert (mine["yours"], other["yours"]) == ([1], [2])


@pytest.mark.parametrize("broken", ["frame", "Host.command"])
def test_a_connection_that_fails_is_closed_and_tells_no_card(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], broken: str
) -> None:
    """Where sending fails, and where a command does."""

    def fail(*_arguments: object) -> None:
        raise KeyError("the hole card is Kd")

    ann, table = seated(client)
    bet = {"do": "bet", "seat": 1, "main": 1000}
    place = {"frame": "holecard.server.web.socket.frame", "Host.command": "holecard.server.host.host.Host.command"}
    with ann.socket(table) as socket:
        socket.until("balance")
        with monkeypatch.context() as patch:
            patch.setattr(place[broken], fail)
            socket.session.send_json({"type": "command", "id": "the-bet-1", "command": bet})
            with pytest.raises(WebSocketDisconnect) as closed:
                socket.until("balance")
    assert closed.value.code == 1011
    shown = capsys.readouterr()
    assert "a connection failed" in shown.out + shown.err
    assert "hole card" not in shown.out + shown.err  # an id of a table may hold "Kd" by chance
    with ann.socket(table) as socket:
        assert socket.until("balance")[1]["type"] == "snapshot"


# Bad input


BAD = [
    "",
    "{",
    "[]",
    "null",
    "17",
    '"bet"',
    "{}",
    '{"type": "bet"}',
    '{"type": "command"}',
    '{"type": "command", "id": "x", "command": {"do": "deal"}}',
    '{"type": "command", "id": "12345678", "command": {"do": "steal"}}',
    '{"type": "command", "id": "12345678", "command": {"do": "bet", "seat": 1, "main": -5}}',
    '{"type": "command", "id": "12345678", "command": {"do": "bet", "seat": 99, "main": 5}}',
    '{"type": "command", "id": "12345678", "command": {"do": "bet", "seat": 1, "main": 1e400}}',
    '{"type": "command", "id": "12345678", "command": {"do": "bet", "seat": true, "main": 1000}}',
    '{"type": "command", "id": "12345678", "command": {"do": "act", "seat": 1, "action": "fly"}}',
    '{"type": "command", "id": "12345678", "command": {"do": "sit", "seat": 1}, "more": 1}',
    "[" * 5000,
    "x" * 20_000,
    "\x00\ud83d",
]


def test_bad_messages_are_refused_in_words_and_change_nothing(client: TestClient) -> None:
    ann, table = seated(client)
    before = ann.get(f"/api/v1/tables/{table}").json()
    for text in BAD:
        with ann.socket(table) as socket:
            socket.until("balance")
            socket.session.send_text(text.encode("utf-8", "replace").decode())
            answer = socket.next()
            assert answer["type"] == "refused", text
            assert answer["message"]
            assert answer["id"] == ("12345678" if '"12345678"' in text else None)
            socket.session.send_json({"type": "ping"})
            assert socket.next()["type"] == "pong"
    after = ann.get(f"/api/v1/tables/{table}").json()
    assert {**after, "now": 0} == {**before, "now": 0}


def test_who_sends_nothing_but_garbage_is_cut_off(client: TestClient) -> None:
    ann, table = seated(client)
    with ann.socket(table) as socket:
        socket.until("balance")
        for _ in range(21):
            socket.session.send_text("garbage")
            assert socket.next()["type"] == "refused"
        assert socket.session.receive()["type"] == "websocket.close"


def test_a_page_of_another_site_is_refused(client: TestClient) -> None:
    ann, table = seated(client)
    answer = ann.get("/api/v1/me", headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403
    assert ann.get("/api/v1/me", headers={"Origin": "http://testserver"}).status_code == 200
    client.cookies = ann.cookies  # type: ignore[assignment]
    path = f"/api/v1/tables/{table}/socket"
    with client.websocket_connect(path, headers={"Origin": "https://evil.example"}) as session:
        assert json.loads(session.receive_text())["code"] == "not allowed"
        assert session.receive()["type"] == "websocket.close"


def test_too_many_messages_are_refused(sqlite: str) -> None:
    settings = ServerSettings(database=sqlite, messages_per_second=1, message_burst=5)
    with TestClient(create_app(settings, FakeClock())) as client:
        ann = Person(client)
        found = [ann.get("/api/v1/me").status_code for _ in range(8)]
        assert found[:4] == [200] * 4
        assert found[-1] == 429


def test_a_session_cookie_is_out_of_reach_for_scripts_and_other_sites(client: TestClient) -> None:
    answer = client.post("/api/v1/guest")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


def test_the_version_is_at_both_of_its_addresses(client: TestClient) -> None:
    answer = client.get("/version").json()
    assert answer == client.get("/api/v1/version").json() == {"version": __version__, "protocol": PROTOCOL}


def test_requests_are_described_once_for_everybody(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody may ask for the description, as often as they like, so it must cost next to nothing."""
    app = create_app(ServerSettings(database=sqlite, skip_returns=True))
    described, asked = app.openapi(), []
    monkeypatch.setattr(app, "openapi", lambda: asked.append(1) or described)
    with TestClient(app) as client:
        answers = [client.get("/openapi.json") for _ in range(3)]
    assert all(answer.json() == json.loads(json.dumps(described)) for answer in answers)
    assert answers[0].headers["content-type"] == "application/json"
    assert len(asked) == 1


def test_a_path_that_does_not_exist_gets_a_typed_answer_and_is_logged(client: TestClient) -> None:
    with structlog.testing.capture_logs() as logs:
        answer = client.get("/api/v1/nothing")
        assert answer.status_code == 404
        assert answer.json()["code"] == "not found"
        assert client.put("/api/v1/guest").json()["code"] == "refused"
    assert [(log["event"], log["path"], log["status"]) for log in logs] == [
        ("refused", "/api/v1/nothing", 404),
        ("refused", "/api/v1/guest", 405),
    ]


@pytest.mark.parametrize("after", ["abc", "-1", "", "1.5", "9" * 30, "9" * 5000, "%F0%9F%82%A1", "\u0664"])
def test_a_bad_number_in_the_address_of_a_socket_is_refused_in_words(client: TestClient, after: str) -> None:
    ann, table = seated(client)
    client.cookies = ann.cookies  # type: ignore[assignment]
    with (
        structlog.testing.capture_logs() as logs,
        client.websocket_connect(f"/api/v1/tables/{table}/socket?after={after}") as session,
    ):
        socket = Socket(session)
        refused = socket.next()
        assert refused["code"] == "unreadable"
        assert refused["message"].startswith("after: a message number such as 17 is needed, not ")
        assert session.receive()["code"] == 4000
    assert [log["code"] for log in logs if log["event"] == "refused"] == ["unreadable"]


def test_a_body_that_is_too_large_is_refused_whatever_its_headers_say(client: TestClient) -> None:
    ann = Person(client, "player")
    huge = {"what": "check", "sheet": "x" * 200_000}
    with structlog.testing.capture_logs() as logs:
        assert ann.post("/api/v1/jobs", huge).json()["code"] == "too large"
    assert [(log["event"], log["code"]) for log in logs] == [("refused", "too large")]
    client.cookies = ann.cookies  # type: ignore[assignment]
    chunks = (b"x" * 10_000 for _ in range(50))
    assert client.post("/api/v1/tables", content=chunks).status_code == 413
    assert ann.get("/api/v1/me").status_code == 200
