"""The same cards in every run: what the operating system's generator gives to tests follows from the test's name.

Shoes, ids, tokens and names of guests come from `random.SystemRandom` and `secrets`, which both ask
`random._urandom`. In tests it is replaced, here and in the servers that tests start
(`python -m tests.known_shoes NAME serve …` in the place of `holecard serve …`). A failure therefore repeats, alone and
among others. Shoes of the server do not depend on how many ids were made before them, so that tasks may run in any
order. `HOLECARD_SHOES=7` chooses other cards; the mark `real_shoes` asks the operating system. Nothing in `src/`
accepts a seed for real play.
"""

from __future__ import annotations

import hashlib
import os
import random
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from holecard.server.game import decide
from holecard.server.game.folded_table import FoldedTable
from tests.patience import be_patient

_VARIABLE = "HOLECARD_SHOES"
_real_secret = decide.new_secret


class KnownGenerator:
    """A generator whose numbers follow from a name: that of the test, or of the server that it started."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.begin(None)

    def begin(self, name: str | None) -> None:
        """Start again under a name; None asks the operating system."""
        self.name = name
        self._drawn = 0
        self._made: Counter[str] = Counter()

    @contextmanager
    def named(self, name: str) -> Iterator[None]:
        """Use another name for a while, then continue where it was."""
        before = self.name, self._drawn, self._made
        self.begin(name)
        try:
            yield
        finally:
            self.name, self._drawn, self._made = before

    def urandom(self, size: int) -> bytes:
        """Return the next bytes."""
        if self.name is None:
            return os.urandom(size)
        with self._lock:
            self._drawn += 1
            return hashlib.shake_256(self._text(f"bytes {self._drawn}")).digest(size)

    def new_secret(self, table: FoldedTable) -> decide.SecretShoe:
        """Return the next shoe of a game."""
        if self.name is None:
            return _real_secret(table)
        game = table.opened.game
        text = self._text(f"shoe {self._next(game)} of {game}")
        return decide.SecretShoe(hashlib.sha256(b"id " + text).hexdigest()[:16], hashlib.sha256(text).digest())

    def name_of_process(self) -> str:
        """Return a name for the next process: two servers on one database must not make the same ids."""
        return f"{self.name} process {self._next('')}"

    def _next(self, kind: str) -> int:
        with self._lock:
            self._made[kind] += 1
            return self._made[kind]

    def _text(self, what: str) -> bytes:
        return f"{os.environ.get(_VARIABLE, '')}\n{self.name}\n{what}".encode()


KNOWN = KnownGenerator()


def install(name: str) -> None:
    """Take the place of the operating system's generator in this process."""
    KNOWN.begin(name)
    random._urandom = KNOWN.urandom  # type: ignore[attr-defined]
    decide.new_secret = KNOWN.new_secret  # type: ignore[assignment]


def holecard_command() -> list[str]:
    """Return what starts `holecard` in another process, with known shoes unless the test wants real ones."""
    known = ["tests.known_shoes", KNOWN.name_of_process()]
    return [sys.executable, "-m", *(["holecard"] if KNOWN.name is None else known)]


def how_to_repeat() -> str:
    """Return the variables that chose the cards and the order of sets, as one types them."""
    return "".join(f"{name}={os.environ[name]} " for name in (_VARIABLE, "PYTHONHASHSEED") if os.environ.get(name))


if __name__ == "__main__":
    from holecard.cli import program

    install(sys.argv.pop(1))
    be_patient()
    program()
