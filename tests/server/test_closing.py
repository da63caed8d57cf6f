"""A signal closes the server: rounds end, nothing new begins, clients hear of it; a second signal ends it at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.known_shoes import KNOWN
from tests.pages.programs import ROOT
from tests.patience import patient, wait_until
from tests.server.test_web import key

_PROGRAM = """
import sys
from tests.known_shoes import install
from holecard.server.settings import ServerSettings
from holecard.server.web.run import serve
name, database, seconds = sys.argv[1:]
install(name)
serve(
    ServerSettings(database=database, port=0, shutdown_seconds=int(seconds), skip_returns=True),
    say=lambda words: print(words, flush=True),
)
"""


class Answer(NamedTuple):
    status: int
    body: Any


class Served:
    """A server in another process, and a guest of it."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self.address = address
        self.cookies = CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.cookies))
        wait_until(self.answers, "the server answers")
        self.send("/api/v1/guest", {})

    def answers(self) -> bool:
        with suppress(OSError):
            self.send("/healthz")
            return True
        return False

    def send(self, path: str, body: Any = None) -> Answer:
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.address.rstrip("/") + path, data, {"Content-Type": "application/json"})
        try:
            with self.opener.open(request, timeout=patient(20)) as answer:
                return Answer(answer.status, json.load(answer))
        except HTTPError as error:
            return Answer(error.code, json.load(error))

    def open(self) -> Answer:
        return self.send("/api/v1/tables", {"id": key(), "game": "classic", "pace": {"act": 600, "bet": 600}})

    def command(self, table: str, **command: Any) -> Answer:
        return self.send(f"/api/v1/tables/{table}/commands", {"id": key(), "command": command})

    def open_round(self, table: str) -> None:
        """Deal until somebody is asked."""
        assert self.command(table, do="sit", seat=1).status == 200
        for _ in range(50):
            self.command(table, do="bet", seat=1, main=1000)
            self.command(table, do="deal")
            if self.view(table)["asked"]:
                return
        raise AssertionError("nobody was asked in fifty rounds")

    def finish(self, table: str) -> None:
        """Stand until the round is over; then the server may be gone."""
        with suppress(URLError, ConnectionError):
            while (view := self.view(table))["phase"] != "done":
                actions = [choice["action"] for choice in view["choices"]]
                action = next(one for one in ("stand", "no insurance", "no surrender") if one in actions)
                assert self.command(table, do="act", seat=1, action=action).status == 200

    def view(self, table: str) -> dict[str, Any]:
        found: dict[str, Any] = self.send(f"/api/v1/tables/{table}").body["view"]
        return found

    def signal(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def socket(self, table: str) -> Any:
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.cookies)
        address = self.address.replace("http", "ws", 1)
        return connect(f"{address}api/v1/tables/{table}/socket", additional_headers={"Cookie": cookies})


@contextmanager
def server(folder: Path, seconds: int) -> Iterator[Served]:
    database = f"sqlite+aiosqlite:///{folder}/holecard.db"
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, KNOWN.name_of_process(), database, str(seconds)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        yield Served(process, next(word for word in said.split() if word.startswith("http")))
    finally:
        process.kill()
        process.communicate()


def read_to_the_end(socket: Any) -> tuple[list[dict[str, Any]], tuple[int, str]]:
    """Return all messages of a connection, and the code and reason with which it was closed."""
    messages: list[dict[str, Any]] = []
    try:
        while True:
            messages.append(json.loads(socket.recv(timeout=patient(20))))
    except ConnectionClosed as closed:
        said = closed.rcvd
        return messages, (said.code, said.reason) if said is not None else (0, "")


def until_closing(served: Served) -> None:
    wait_until(lambda: served.send("/readyz").status == 503, "the server begins to close")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_signal_lets_rounds_end_and_takes_no_bets(tmp_path: Path) -> None:
    with server(tmp_path, 60) as served:
        playing, waiting = served.open().body["id"], served.open().body["id"]
        served.open_round(playing)
        served.command(waiting, do="sit", seat=1)
        with served.socket(playing) as socket:
            served.signal()
            until_closing(served)
            for answer in (
                served.command(waiting, do="bet", seat=1, main=1000),
                served.open(),
            ):
                assert (answer.status, answer.body["code"]) == (503, "closing")
                assert "the server is closing" in answer.body["message"]
            assert served.process.poll() is None
            served.finish(playing)
            messages, goodbye = read_to_the_end(socket)
            assert goodbye == (1012, "the server is closing")
            assert any(message["type"] == "entry" and message["view"]["phase"] == "done" for message in messages)
        assert served.process.wait(timeout=patient(20)) == 0


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_rounds_get_only_so_long_and_a_second_signal_ends_at_once(tmp_path: Path) -> None:
    with server(tmp_path, 3600) as served:
        table = served.open().body["id"]
        served.open_round(table)
        served.signal()
        until_closing(served)
        served.signal()
        assert served.process.wait(timeout=patient(20)) == 0
    with server(tmp_path, 1) as served:
        assert served.send("/readyz").status == 200
        served.signal()
        assert served.process.wait(timeout=patient(20)) == 0
