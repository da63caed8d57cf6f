"""A person at the terminal, for tests: a real pseudo-terminal (pty), or scripted answers."""

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
_PATIENCE = 30.0


def plain(text: str) -> str:
    """The text without control codes."""
    return _CODES.sub("", text).replace("\r", "")


def environment(**changes: str) -> dict[str, str]:
    """Our environment, with a terminal of 80 by 24 and no settings for color."""
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    return {**kept, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24", "PYTHONUTF8": "1", **changes}


def run_here(*words: str) -> Result:
    """Run `holecard play` in this process, without a terminal."""
    app = typer.Typer()
    app.command()(play)
    return CliRunner().invoke(app, list(words))


def run_play(*words: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run `holecard play` in a new process, without a terminal."""
    return subprocess.run(
        [*_COMMAND, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env=environment(**changes),
        timeout=60,
        check=False,
    )


class Terminal:
    """`holecard play` in its own terminal."""

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
        """Wait for a text on the screen after the last text waited for; return the output up to it."""
        deadline = time.monotonic() + _PATIENCE
        while words not in plain(self.raw)[self._read_to :]:
            if not self._listen(deadline):
                raise AssertionError(f"{words!r} did not come; the screen:\n{plain(self.raw)}")
        found = plain(self.raw).index(words, self._read_to) + len(words)
        seen = plain(self.raw)[self._read_to : found]
        self._read_to = found
        return seen

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._descriptor, keys.encode())

    def ends(self, again: str = "") -> tuple[int, str]:
        """Return the exit code, and the output after the last text waited for.

        If the program keeps running, press the keys of `again` once more, as a person would: a key that arrives just as
        a prompt is drawn can be lost.
        """
        if again and not self._ended(5.0):
            self.type(again)
        deadline = time.monotonic() + _PATIENCE
        while self._listen(deadline):
            pass
        os.close(self._descriptor)
        return self._process.wait(_PATIENCE), plain(self.raw)[self._read_to :]

    def _ended(self, seconds: float) -> bool:
        """Whether the program ends within this many seconds."""
        deadline = time.monotonic() + seconds
        while self._process.poll() is None and time.monotonic() < deadline:
            self._listen(min(deadline, time.monotonic() + 0.1))
        return self._process.poll() is not None

    def _listen(self, deadline: float) -> bool:
        ready, _, _ = select.select([self._descriptor], [], [], max(deadline - time.monotonic(), 0))
        try:
            heard = os.read(self._descriptor, 65536) if ready else b""
        except OSError:  # Linux raises this when the other side is closed
            heard = b""
        self.raw += heard.decode("utf-8", "replace")
        return bool(heard)


def _own_terminal() -> None:
    """Put the program in the foreground of this terminal, so that Ctrl-C reaches it."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Answers:
    """A keyboard that types the given answers and then leaves; as on a terminal, a line appears as it is typed."""

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
    """A table view that draws into a text."""
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
    """Play a session with these answers; return everything that was shown, and the session."""
    felt, paper = quiet_felt()
    table = Table(game, bankroll=bankroll, seed=seed, settings=settings)
    session = Session(table, seats, Prompts(felt, Answers(answers, paper)), record)
    session.sit()
    return paper.getvalue(), session
