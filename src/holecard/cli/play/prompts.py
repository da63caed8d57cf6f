"""Questions to the person at the terminal: a line, a single key, an amount of money.

At every question q, Ctrl-C and Ctrl-D leave the table.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from rich.text import Text

from holecard.cli.play.screen.table_view import WARNING, TableView
from holecard.errors import Refusal
from holecard.money import Money, dollars, money

try:
    import termios
    import tty
except ImportError:  # not a POSIX terminal: keys are then typed with Enter
    _SINGLE_KEYS = False
else:
    _SINGLE_KEYS = True

ENTER = ""
_ESCAPE, _BEYOND_ASCII = b"\x1b", b"\x80"
#: A hang-up, Ctrl-D, and Ctrl-D as Linux delivers it if it was pressed before single keys were asked for.
_ENDS = (b"", b"\x04", b"\x00")
#: Seconds in which the rest of an arrow key's code arrives.
_REST_OF_KEY = 0.02
#: Columns that a question leaves free for the key.
_KEY_WIDTH = 2
#: Lines that a page of help leaves free for the question below it.
_BELOW_PAGE = 2

Redraw = Callable[[], None]


class Leaving(KeyboardInterrupt):
    """The player quits; Ctrl-C means the same, so a handler of KeyboardInterrupt handles both."""


class Keyboard(Protocol):
    """The source of answers; `redraw` repeats the question after the program was suspended."""

    def line(self, redraw: Redraw) -> str:
        """Return a line without its end; raise Leaving if the input has ended."""

    def key(self, redraw: Redraw) -> str:
        """Return one key as it was pressed; Enter is the empty text."""

    def forget(self) -> None:
        """Discard keys that were pressed before the next question is shown."""


class TerminalKeyboard:
    """The keyboard of the terminal on standard input."""

    def line(self, redraw: Redraw) -> str:
        with _after_suspension(redraw):
            answer = sys.stdin.readline()
        if not answer:
            raise Leaving
        return answer.strip()

    def key(self, redraw: Redraw) -> str:
        if not _SINGLE_KEYS:
            return self.line(redraw)[:1]
        descriptor = sys.stdin.fileno()
        before = termios.tcgetattr(descriptor)

        def resume() -> None:
            """Ask for single keys again: the shell has set the terminal back to lines."""
            tty.setcbreak(descriptor, termios.TCSAFLUSH)
            redraw()

        try:
            tty.setcbreak(descriptor, termios.TCSADRAIN)
            with _after_suspension(resume):
                pressed = _read_key(descriptor)
        finally:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
        if pressed in _ENDS:
            raise Leaving
        return pressed.decode("utf-8", "replace").strip()

    def forget(self) -> None:
        if _SINGLE_KEYS:
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


@contextmanager
def _after_suspension(resume: Callable[[], None]) -> Iterator[None]:
    """Call `resume` whenever the program continues after Ctrl-Z and `fg`."""
    if not hasattr(signal, "SIGCONT"):
        yield
        return
    before = signal.signal(signal.SIGCONT, lambda _signal, _frame: resume())
    try:
        yield
    finally:
        signal.signal(signal.SIGCONT, before)


def _read_key(descriptor: int) -> bytes:
    """Return one key; an arrow or a letter beyond ASCII arrives as several bytes and counts as one unknown key."""
    pressed = os.read(descriptor, 1)
    if pressed == _ESCAPE or pressed >= _BEYOND_ASCII:
        while select.select([descriptor], [], [], _REST_OF_KEY)[0]:
            os.read(descriptor, 1)
        return _ESCAPE
    return pressed


class Prompts:
    """Asks, and asks again until the answer is valid."""

    def __init__(self, view: TableView, keyboard: Keyboard) -> None:
        self.view = view
        self.keyboard = keyboard
        self.help: Callable[[], Sequence[Text]] | None = None
        """What a question mark in a line shows."""
        self.redraw: Redraw = _nothing
        """Draws what is above the question again, after the program was suspended."""

    def line(self, question: str, default: str = "") -> str:
        """Return a line of text, or the default for Enter."""
        offered = f" [{default}]" if default else ""
        asked = Text(f"{question}{offered}: ", "bold")
        self.view.console.print(asked, end="")
        answer = self.keyboard.line(lambda: self._ask_again(asked))
        if answer.lower() in ("q", "quit"):
            raise Leaving
        if answer == "?" and self.help:
            self.page(self.help())
            return self.line(question, default)
        return answer or default

    def key(self, question: str | Text, *, unseen_keys: bool = True) -> str:
        """Return a single key in lower case; Enter is the empty text.

        Without `unseen_keys`, keys that were pressed before the question appeared do not answer it.
        """
        if not unseen_keys:
            self.keyboard.forget()
        asked = self._wrap_options(question).append(" ")
        self.view.console.print(asked, end="")
        pressed = self.keyboard.key(lambda: self._ask_again(asked)).lower()
        self.view.say(pressed if pressed.isprintable() else "")
        if pressed == "q":
            raise Leaving
        return pressed

    def money(self, question: str, default: Money, refuse: Callable[[Money], str | None]) -> Money:
        """Return an amount; `refuse` returns the reason against one, or None."""
        while True:
            try:
                amount = money(self.line(question, dollars(default)))
            except Refusal as refused:
                self.refused(str(refused))
                continue
            reason = refuse(amount)
            if reason is None:
                return amount
            self.refused(reason)

    def refused(self, reason: str) -> None:
        """Say why an answer is not accepted."""
        self.view.say(reason, WARNING)

    def page(self, lines: Sequence[Text]) -> None:
        """Show lines, with a pause after each screenful except the last."""
        room = max(self.view.height - _BELOW_PAGE, 1)
        while len(lines) > room:
            self.view.show(lines[:room])
            lines = lines[room:]
            self.key(Text("[Enter] more", "bold cyan"))
        self.view.show(lines)

    def _wrap_options(self, question: str | Text) -> Text:
        """Return a question in which no option, such as "[?] help", is broken; two spaces separate options."""
        lines: list[Text] = []
        for part in (Text(question) if isinstance(question, str) else question).split("\n"):
            first, *others = part.split("  ")
            lines.append(first)
            for option in others:
                if lines[-1].cell_len + option.cell_len + 2 + _KEY_WIDTH > self.view.width:
                    lines.append(option)
                else:
                    lines[-1] = Text.assemble(lines[-1], "  ", option)
        return Text("\n").join(line for text in lines for line in self.view.wrap(text, margin=_KEY_WIDTH))

    def _ask_again(self, asked: Text) -> None:
        self.view.say()
        self.redraw()
        self.view.console.print(asked, end="")


def _nothing() -> None:
    """Draw nothing."""
