"""Questions to the person at the terminal: a line, a single key, an amount of money.

Everywhere q, Ctrl-C and Ctrl-D leave the table.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable
from typing import Protocol

from rich.text import Text

from holecard.cli.play.table_view import WARNING, Felt
from holecard.errors import Refusal
from holecard.money import dollars, money

try:
    import termios
    import tty
except ImportError:  # no POSIX terminal: keys are then typed with Enter
    _SINGLE_KEYS = False
else:
    _SINGLE_KEYS = True

ENTER = ""
_ESCAPE, _BEYOND_ASCII = b"\x1b", b"\x80"
#: A hang-up, Ctrl-D, and Ctrl-D as Linux hands it over when it was pressed before single keys were asked for.
_ENDS = (b"", b"\x04", b"\x00")
#: Seconds in which the rest of an arrow key's code arrives.
_REST_OF_KEY = 0.02


class Leaving(KeyboardInterrupt):
    """The player quits; Ctrl-C is the same, so whoever catches a KeyboardInterrupt catches both."""


class Keyboard(Protocol):
    """Where answers come from."""

    def line(self) -> str:
        """A line without its end; raises Leaving when there will be no more."""

    def key(self) -> str:
        """One key as it was pressed; Enter is the empty text."""


class TerminalKeyboard:
    """The keyboard of the terminal on standard input."""

    def line(self) -> str:
        answer = sys.stdin.readline()
        if not answer:
            raise Leaving
        return answer.strip()

    def key(self) -> str:
        if not _SINGLE_KEYS:
            return self.line()[:1]
        descriptor = sys.stdin.fileno()
        before = termios.tcgetattr(descriptor)
        try:
            tty.setcbreak(descriptor, termios.TCSADRAIN)
            pressed = _read_key(descriptor)
        finally:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
        if pressed in _ENDS:
            raise Leaving
        return pressed.decode("utf-8", "replace").strip()


def _read_key(descriptor: int) -> bytes:
    """One key; an arrow or a letter beyond ASCII comes as several bytes and counts as one unknown key."""
    pressed = os.read(descriptor, 1)
    if pressed == _ESCAPE or pressed >= _BEYOND_ASCII:
        while select.select([descriptor], [], [], _REST_OF_KEY)[0]:
            os.read(descriptor, 1)
        return _ESCAPE
    return pressed


class Prompts:
    """Asks, and asks again until the answer can be used."""

    def __init__(self, felt: Felt, keyboard: Keyboard) -> None:
        self.felt = felt
        self.keyboard = keyboard
        self.help: Callable[[], None] | None = None
        """What a question mark in a line shows."""

    def line(self, question: str, default: str = "") -> str:
        """A line of text, or the default for Enter."""
        offered = f" [{default}]" if default else ""
        self.felt.console.print(Text(f"{question}{offered}: ", "bold"), end="")
        answer = self.keyboard.line()
        if answer.lower() in ("q", "quit"):
            raise Leaving
        if answer == "?" and self.help:
            self.help()
            return self.line(question, default)
        return answer or default

    def key(self, question: str | Text) -> str:
        """A single key in lower case; Enter is the empty text."""
        self.felt.console.print(question, end=" ")
        pressed = self.keyboard.key().lower()
        self.felt.say(pressed if pressed.isprintable() else "")
        if pressed == "q":
            raise Leaving
        return pressed

    def money(self, question: str, default: int, refuse: Callable[[int], str | None]) -> int:
        """Cents; `refuse` gives the reason against an amount, or None."""
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
        """Why an answer is not taken."""
        self.felt.say(reason, WARNING)
