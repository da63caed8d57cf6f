"""A real server in a process of its own, whose cards the test chooses. It can be killed and started again."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import socket
import subprocess
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.browser.stacked_server import StackFile, stacked_command
from tests.known_shoes import holecard_command
from tests.pages.programs import ROOT
from tests.patience import patient, wait_until
from tests.server.real_server import hold_port

#: Nobody is too slow in a test, and nobody too fast.
_OPTIONS = (
    "--no-open",
    "--skip-returns",
    "--guests-per-minute=1000",
    "--guest-burst=1000",
    "--messages-per-second=1000",
    "--message-burst=1000",
    "--tables-per-user=1000",
    "--shutdown-seconds=1",
)
SLOW_PACE = {"bet": 600, "act": 600}
_number = itertools.count(1)


class House:
    """A server: with the cards that a test chooses, or with those that follow from the test's name."""

    def __init__(self, folder: Path, *options: str, fair: bool = False) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._stack_path, self._fair = folder / "stack.json", fair
        self._stack = StackFile(self._stack_path)
        self._log = folder / "server.log"
        self._words = ["serve", "-d", str(folder / "holecard.db"), *_OPTIONS, *options]
        self._process: subprocess.Popen[bytes] | None = None
        self._held: socket.socket | None = None
        self.address = ""
        self.stack("")

    def start(self) -> House:
        """Start it and wait until it answers: on a port that it chooses, later on the same one."""
        try:
            return self._start()
        except BaseException:
            self.stop()
            raise

    def _start(self) -> House:
        program = holecard_command() if self._fair else stacked_command(self._stack_path)
        command = [*program, *self._words, f"--port={self.address.rpartition(':')[2] or 0}"]
        said = self._log.stat().st_size if self._log.exists() else 0
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=ROOT, env=_environment())
        wait_until(lambda: self._has_address(said), "the server prints its address", 30)
        wait_until(self._answers, "the server answers", 30)
        if self._held is not None:
            self._held.close()
            self._held = None
        return self

    def _has_address(self, begin: int) -> bool:
        assert self._process is not None
        text = self._log.read_text()[begin:]
        assert self._process.poll() is None, text
        found = re.search(r"Holecard is at (http://\S+:\d+)/", text)
        self.address = found[1] if found else self.address
        return found is not None

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self._log.read_text()
        with suppress(OSError):
            urllib.request.urlopen(f"{self.address}/healthz", timeout=patient(5)).close()
            return True
        return False

    def stack(self, cards: str) -> None:
        """Choose the next cards, in the order in which they are dealt."""
        self._stack.write(cards)

    def kill(self) -> None:
        """End it as a power failure would."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._held = hold_port(int(self.address.rpartition(":")[2]))

    def stop(self) -> None:
        """End it as an operator does."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(patient(15))
            except subprocess.TimeoutExpired:
                self.kill()
        if self._held is not None:
            self._held.close()


class Guest:
    """Somebody without a browser: opens tables, sits and bets over HTTP."""

    def __init__(self, house: House, cookie: str | None = None) -> None:
        self._house = house
        self.cookie = cookie
        if cookie is None:
            self.post("/api/v1/guest", None)

    def get(self, path: str) -> Any:
        """Return the answer to a request."""
        return self._send(urllib.request.Request(self._house.address + path))

    def post(self, path: str, body: object) -> Any:
        """Send a request with a body."""
        data = b"" if body is None else json.dumps(body).encode()
        return self._send(
            urllib.request.Request(self._house.address + path, data, {"Content-Type": "application/json"})
        )

    def _send(self, request: urllib.request.Request) -> Any:
        if self.cookie is not None:
            request.add_header("Cookie", f"holecard_session={self.cookie}")
        with urllib.request.urlopen(request, timeout=patient(30)) as answer:
            set_cookie = answer.headers.get("Set-Cookie", "")
            if set_cookie.startswith("holecard_session="):
                self.cookie = set_cookie.partition("=")[2].partition(";")[0]
            return json.load(answer)

    def open_table(self, game: str, settings: dict[str, object] | None = None, **pace: int) -> str:
        """Open a table that waits long for everybody; return its id."""
        key = f"open-table-{os.getpid()}-{next(_number)}"
        body = {"id": key, "game": game, "settings": settings or {}, "pace": {**SLOW_PACE, **pace}}
        return str(self.post("/api/v1/tables", body)["id"])

    def do(self, table: str, **command: object) -> Any:
        """Send a command to a table; a refusal is an error of the test."""
        key = f"command-{os.getpid()}-{next(_number)}"
        return self.post(f"/api/v1/tables/{table}/commands", {"id": key, "command": command})

    def see(self, table: str) -> dict[str, Any]:
        """Return the table as this person sees it."""
        view: dict[str, Any] = self.get(f"/api/v1/tables/{table}")["view"]
        return view


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}", "PYTHONDONTWRITEBYTECODE": ""}
