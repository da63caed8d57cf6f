"""A progress bar on the error stream, for work that turns out to take more than a second."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

PATIENCE = 1.0


class Counter:
    """Counts steps of known number; Ctrl-C ends the work, not the program."""

    def __init__(self, doing: str, steps: int) -> None:
        self.interrupted = False
        self._started = time.monotonic()
        self._bar = Progress(
            TextColumn(doing),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task(doing, total=steps)
        self._shown = False

    def __enter__(self) -> Counter:
        return self

    def advance(self) -> None:
        """One step is done."""
        self._bar.advance(self._task)
        if not self._shown and time.monotonic() - self._started > PATIENCE and sys.stderr.isatty():
            self._bar.start()
            self._shown = True

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> bool:
        if self._shown:
            self._bar.stop()
        self.interrupted = kind is not None and issubclass(kind, KeyboardInterrupt)
        return self.interrupted
