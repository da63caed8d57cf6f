"""A person at the terminal, for tests: a real one (pty), or answers handed in one by one."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

import typer
from rich.console import Console
from typer.testing import CliRunner, Result

from holecard.cli.commands.play import play
from holecard.cli.play.prompts import Leaving, Prompts
from holecard.cli.play.session import Session
from holecard.cli.play.table_view import Felt
from holecard.table.table import Table

_COMMAND = [sys.executable, "-c", "import typer; from holecard.cli.commands.play import play; typer.run(play)"]
_CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
#: Seconds to wait for a program that shares its processor with many others.
_PATIENCE = 150.0


def plain(text: str) -> str:
    """Without control codes."""
    return _CODES.sub("", text).replace("\r", "")


def environment(**changes: str) -> dict[str, str]:
    """Ours, with a terminal of 80 by 24 and nothing said about colour."""
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    return {**kept, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24", "PYTHONUTF8": "1", **changes}


def run_here(*words: str) -> Result:
    """`holecard play` in this process, where nobody can be asked."""
    app = typer.Typer()
    app.command()(play)
    return CliRunner().invoke(app, list(words))


def run_play(*words: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """`holecard play` in a process of its own, where nobody can be asked."""
    return subprocess.run(
        [*_COMMAND, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env=environment(**changes),
        timeout=_PATIENCE,
        check=False,
    )


class Terminal:
    """`holecard play` in a terminal of its own."""

    def __init__(self, *words: str, folder: Path | None = None, **changes: str) -> None:
        self._descriptor, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self._process = subprocess.Popen(
            [*_COMMAND, *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment(**changes),
            cwd=folder,
            preexec_fn=_own_terminal,
        )
        os.close(theirs)
        self.raw = ""
        self._read_to = 0

    def until(self, words: str) -> str:
        """Wait for words on the screen after the last ones waited for; what came up to them."""
        deadline = time.monotonic() + _PATIENCE
        while words not in plain(self.raw)[self._read_to :]:
            if not self._listen(deadline):
                self._process.kill()
                raise AssertionError(f"{words!r} did not come; the screen:\n{plain(self.raw)}")
        found = plain(self.raw).index(words, self._read_to) + len(words)
        seen = plain(self.raw)[self._read_to : found]
        self._read_to = found
        return seen

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._descriptor, keys.encode())

    def ends(self, again: str = "") -> tuple[int, str]:
        """The exit code, and everything after the last words waited for.

        Keys to press `again` are pressed once more when the program goes on for a while, as a person would: a key
        that comes in the very moment a prompt is drawn can be lost.
        """
        if again and not self._ended(5.0):
            self.type(again)
        deadline = time.monotonic() + _PATIENCE
        while self._listen(deadline):
            pass
        os.close(self._descriptor)
        try:
            return self._process.wait(_PATIENCE), plain(self.raw)[self._read_to :]
        finally:
            self._process.kill()  # otherwise a program that did not end would run on after the tests

    def _ended(self, seconds: float) -> bool:
        """Whether the program ends within so many seconds."""
        deadline = time.monotonic() + seconds
        while self._process.poll() is None and time.monotonic() < deadline:
            self._listen(min(deadline, time.monotonic() + 0.1))
        return self._process.poll() is not None

    def _listen(self, deadline: float) -> bool:
        ready, _, _ = select.select([self._descriptor], [], [], max(deadline - time.monotonic(), 0))
        try:
            heard = os.read(self._descriptor, 65536) if ready else b""
        except OSError:  # Linux says so when the other side is gone
            heard = b""
        self.raw += heard.decode("utf-8", "replace")
        return bool(heard)


def _own_terminal() -> None:
    """So that Ctrl-C reaches the program: it must be in the foreground of this terminal."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Answers:
    """A keyboard that presses and writes what it was given, then leaves; as on a terminal, a line shows as typed."""

    def __init__(self, answers: Iterable[str], paper: io.StringIO) -> None:
        self._answers = iter(answers)
        self._paper = paper

    def line(self) -> str:
        answer = self._next()
        self._paper.write(f"{answer}\n")
        return answer

    def key(self) -> str:
        return self._next()

    def _next(self) -> str:
        answer = next(self._answers, None)
        if answer is None:
            raise Leaving
        return answer


def quiet_felt() -> tuple[Felt, io.StringIO]:
    """A felt that draws into a text."""
    paper = io.StringIO()
    return Felt(Console(file=paper, width=80, height=24, markup=False, emoji=False, highlight=False)), paper


def sit(
    game: str,
    answers: Iterable[str],
    *,
    seats: int = 1,
    bankroll: str = "$500",
    seed: int = 7,
    settings: Mapping[str, object] | None = None,
    record: Path | None = None,
) -> tuple[str, Session]:
    """A sitting with these answers: all that was shown, and the session after it."""
    felt, paper = quiet_felt()
    table = Table(game, bankroll=bankroll, seed=seed, settings=settings)
    session = Session(table, seats, Prompts(felt, Answers(answers, paper)), record)
    session.sit()
    return paper.getvalue(), session
