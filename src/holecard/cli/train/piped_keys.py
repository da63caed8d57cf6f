"""Keys from a file or a pipe, where there is no terminal."""

from __future__ import annotations

from typing import TextIO

from holecard.cli.play.prompts import Leaving, Redraw


class PipedKeys:
    """Every letter is a key; spaces and ends of lines are left out."""

    def __init__(self, source: TextIO) -> None:
        self._source = source
        self._next = self._read()

    @property
    def has_any(self) -> bool:
        """Whether there is a key to read."""
        return bool(self._next)

    def key(self, _redraw: Redraw) -> str:
        """Return the next key; at the end, the person leaves."""
        pressed, self._next = self._next, self._read() if self._next else ""
        if not pressed:
            raise Leaving
        return pressed

    def line(self, redraw: Redraw) -> str:
        """Return the next key: a drill asks for nothing longer."""
        return self.key(redraw)

    def forget(self) -> None:
        """Keep every key: they were all written for these questions."""

    def _read(self) -> str:
        while read := self._source.read(1):
            if not read.isspace():
                return read
        return ""
