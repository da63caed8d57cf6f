"""A person at the terminal, for tests: a real terminal (pty), or a list of answers."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import random
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from unittest import mock

import typer
from rich.console import Console
from typer.testing import CliRunner, Result

from holecard.cli.commands.play import play
from holecard.cli.play import summary
from holecard.cli.play.prompts import Leaving, Prompts, Redraw
from holecard.cli.play.screen.table_view import TableView
from holecard.cli.play.session import Session
from holecard.exact.strategies import StrategyLike
from holecard.table.table import Table
from tests.known_shoes import KNOWN
from tests.pages.programs import ROOT
from tests.patience import patient, wait_until

_PLAY = "import typer; from holecard.cli.commands.play import play; typer.run(play)"
#: The same without the comparison with the best chart, which needs the exact mathematics.
_WITHOUT_CHART = f"from holecard.cli.play import summary; summary.benchmark = lambda *_: None; {_PLAY}"
#: `holecard`, with a progress bar after a tenth of a second instead of a second.
IMPATIENT = "from holecard.cli import main, progress; progress.PATIENCE = 0.1; main()"
_CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PATIENCE = patient(30)


def plain(text: str) -> str:
    """Return the text without control codes."""
    return _CODES.sub("", text).replace("\r", "")


def environment(**changes: str) -> dict[str, str]:
    """Return this environment with a terminal of 80 by 24 and no choice about color."""
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    screen = {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24", "PYTHONUTF8": "1"}
    return {**kept, **screen, "PYTHONPATH": str(ROOT), **changes}


def _with_known_shoes(program: str) -> list[str]:
    """Return what runs a program in another process, with cards that follow from the test's name."""
    name = KNOWN.name_of_process()
    return [sys.executable, "-c", f"from tests.known_shoes import install; install({name!r}); {program}"]


def run_here(*words: str) -> Result:
    """Run `holecard play` in this process, without a terminal."""
    app = typer.Typer()
    app.command()(play)
    return CliRunner().invoke(app, list(words))


def run_play(*words: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run `holecard play` in a new process, without a terminal."""
    return subprocess.run(
        [*_with_known_shoes(_PLAY), *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env=environment(**changes),
        timeout=_PATIENCE,
        check=False,
    )


class Terminal:
    """`holecard play`, or another `program`, in a new terminal of 24 lines."""

    def __init__(
        self,
        *words: str,
        program: str = "",
        folder: Path | None = None,
        chart: bool = False,
        **changes: str,
    ) -> None:
        self._descriptor, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self._process = subprocess.Popen(
            [*_with_known_shoes(program or (_PLAY if chart else _WITHOUT_CHART)), *words],
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
        """Wait for new words on the screen; return everything that came up to them."""
        deadline = time.monotonic() + _PATIENCE
        while words not in plain(self.raw)[self._read_to :]:
            if not self._listen(deadline):
                self._process.kill()
                self._process.wait()
                raise AssertionError(f"{words!r} did not come; the screen:\n{plain(self.raw)}")
        found = plain(self.raw).index(words, self._read_to) + len(words)
        seen = plain(self.raw)[self._read_to : found]
        self._read_to = found
        return seen

    def type(self, keys: str) -> None:
        """Press keys at a question, when the program waits for them."""
        self._wait_for_question()
        os.write(self._descriptor, keys.encode())

    def interrupt(self, keys: str = "\x03") -> None:
        """Press Ctrl-C, or other keys, while the program works."""
        os.write(self._descriptor, keys.encode())

    def suspend_and_continue(self) -> None:
        """Do what Ctrl-Z and `fg` do: stop the program, let the shell set the terminal to lines, continue it."""
        self._wait_for_question()
        os.kill(self._process.pid, signal.SIGSTOP)
        os.waitpid(self._process.pid, os.WUNTRACED)
        attributes = termios.tcgetattr(self._descriptor)
        attributes[3] |= termios.ICANON | termios.ECHO
        termios.tcsetattr(self._descriptor, termios.TCSADRAIN, attributes)
        os.kill(self._process.pid, signal.SIGCONT)

    def ends(self) -> tuple[int, str]:
        """Return the exit code, and everything after the last words waited for."""
        deadline = time.monotonic() + _PATIENCE
        while self._listen(deadline):
            pass
        os.close(self._descriptor)
        try:
            return self._process.wait(_PATIENCE), plain(self.raw)[self._read_to :]
        finally:
            self._process.kill()  # otherwise a program that did not end would run on after the tests

    def _wait_for_question(self) -> None:
        """Wait until the program waits for a key: it prints the question a moment before."""
        status = Path(f"/proc/{self._process.pid}/status")
        if status.exists():
            wait_until(lambda: _is_asking(status.read_text()), "the program waits for a key")
        else:
            time.sleep(0.5)  # not Linux

    def _listen(self, deadline: float) -> bool:
        ready, _, _ = select.select([self._descriptor], [], [], max(deadline - time.monotonic(), 0))
        try:
            heard = os.read(self._descriptor, 65536) if ready else b""
        except OSError:  # what Linux raises when the other side is closed
            heard = b""
        self.raw += heard.decode("utf-8", "replace")
        return bool(heard)


def _is_asking(status: str) -> bool:
    """Return whether a program sleeps, and handles SIGCONT, as it does while it waits for a key or a line."""
    caught = re.search(r"^SigCgt:\s*([0-9a-f]+)", status, re.MULTILINE)
    asks = caught is not None and int(caught[1], 16) >> (signal.SIGCONT - 1) & 1
    return bool(asks) and re.search(r"^State:\s*S", status, re.MULTILINE) is not None


def _own_terminal() -> None:
    """Put the program into the foreground of this terminal, so that Ctrl-C reaches it."""
    for ignored in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
        signal.signal(ignored, signal.SIG_DFL)  # a shell that starts the tests in the background ignores them
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class Answers:
    """A keyboard that types the given answers, then leaves; as on a terminal, a line is shown as it is typed."""

    def __init__(self, answers: Iterable[str], paper: io.StringIO) -> None:
        self._answers = iter(answers)
        self._paper = paper

    def line(self, _redraw: Redraw) -> str:
        answer = self._next()
        self._paper.write(f"{answer}\n")
        return answer

    def key(self, _redraw: Redraw) -> str:
        return self._next()

    def forget(self) -> None:
        """Answers are never typed ahead."""

    def _next(self) -> str:
        answer = next(self._answers, None)
        if answer is None:
            raise Leaving
        return answer


def random_answers(seed: int, number: int) -> Iterator[str]:
    """Keys, amounts and nonsense."""
    choose = random.Random(seed).choice
    for _ in range(number):
        yield choose(["", "", "", "h", "s", "s", "d", "p", "u", "k", "r", "i", "n", "b", "a", "c", "?", "x", "1", "5"])


def text_view(width: int = 80, height: int = 24) -> tuple[TableView, io.StringIO]:
    """Return a view that draws into a text."""
    paper = io.StringIO()
    return TableView(Console(file=paper, width=width, height=height, markup=False, emoji=False, highlight=False)), paper


def sit(
    game: str,
    answers: Iterable[str],
    *,
    seats: int = 1,
    bankroll: str = "$500",
    seed: int = 7,
    settings: Mapping[str, object] | None = None,
    record: Path | None = None,
    width: int = 80,
    clock: Callable[[], float] = lambda: 0.0,
    strategy: StrategyLike | None = None,
    coached: bool = False,
) -> tuple[str, Session]:
    """Play a session with these answers; return all that was shown, and the session.

    Without a strategy the summary leaves out the comparison, which takes a second.
    """
    view, paper = text_view(width)
    table = Table(game, bankroll=bankroll, seed=seed, settings=settings)
    prompts = Prompts(view, Answers(answers, paper))
    session = Session(table, seats, prompts, record, strategy or "basic", clock, coached=coached)
    with mock.patch.object(summary, "benchmark", summary.benchmark if strategy else lambda *_: None):
        session.sit()
    return paper.getvalue(), session
