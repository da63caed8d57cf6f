"""A small file next to a SQLite database that says how far the logs were, so that lost entries are noticed.

A log that was cut, or an old copy that was put back, is a perfect log: nothing in it tells what is missing. The head is
written soon after the commits, so it may be behind the database, and the database is never behind it.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import structlog
from sqlalchemy.engine import URL

from holecard.server.store.read import StoreReader
from holecard.server.store.sqlite_file import file_of
from holecard.server.store.units import Unit

#: Seconds between two writes while commands come.
_PAUSE = 0.25
#: Bytes of each of the two places, which are written in turn: a power failure damages one at most.
_PLACE = 512
_DIGITS = 16
_log = structlog.get_logger("holecard.server")


class Head(NamedTuple):
    """The end of all logs together."""

    entries: int = 0
    """How many they have, all together."""
    stream: str = ""
    """Where the newest entry is."""
    sequence: int = 0
    hash: str = ""
    lost: int = 0
    """How many entries were missing at least when the server started; it stays until the file is deleted."""


def head_file(url: str | URL) -> Path | None:
    """Return the file with the head of a SQLite database; other databases have none."""
    file = file_of(url)
    return None if file is None else Path(f"{file}.head")


def read_head(file: Path) -> Head | None:
    """Return what was written last; None where there is nothing that can be read."""
    return _newest(file)[1]


def _newest(file: Path) -> tuple[int, Head | None]:
    """Return what was written last, and how often something was written before."""
    try:
        text = file.read_bytes()
    except OSError:
        return 0, None
    found = (_read_place(text[start : start + _PLACE]) for start in (0, _PLACE))
    return max((place for place in found if place is not None), default=(0, None))


def _read_place(text: bytes) -> tuple[int, Head] | None:
    check, _, words = text.decode(errors="replace").rstrip().partition(" ")
    if check != _check(words):
        return None
    number, *values = json.loads(words)
    return number, Head(*values)


def _check(words: str) -> str:
    return hashlib.sha256(words.encode()).hexdigest()[:_DIGITS]


def _write(file: Path, number: int, head: Head, is_first: bool = False) -> None:
    """Write to the place whose turn it is, and wait for the disk."""
    words = json.dumps([number, *head], separators=(",", ":"))
    line = f"{_check(words)} {words}".ljust(_PLACE - 1) + "\n"
    # One that was moved away with its database is not created again.
    opened = os.open(file, (os.O_CREAT if is_first else 0) | os.O_WRONLY, 0o600)
    try:
        os.lseek(opened, number % 2 * _PLACE, os.SEEK_SET)
        os.write(opened, line.encode())
        os.fsync(opened)
    finally:
        os.close(opened)


async def missing_entries(reader: StoreReader, head: Head) -> int:
    """Return how many entries a database lacks at least that the head knows."""
    count = await reader.count_entries()
    newest = await reader.entries(head.stream, head.sequence - 1, head.sequence) if head.sequence else []
    is_there = not head.sequence or [row.hash for row in newest] == [head.hash]
    return head.lost + max(head.entries - count, 0 if is_there else 1)


def in_words(lost: int, file: Path) -> str:
    """Return what is wrong, and what the operator can do."""
    return (
        f"the log went back: at least {counted_entries(lost)} that had been stored and acknowledged cannot be found; "
        f"if you put a backup in place, stop the server and delete {file.name}"
    )


def counted_entries(number: int) -> str:
    """Return a number of entries in words."""
    return f"{number:,} {'entry' if number == 1 else 'entries'}"


class HeadKeeper:
    """Compares the head with the database when the server starts, and keeps it while the server runs."""

    def __init__(self, url: str | URL) -> None:
        self._file = head_file(url)
        self._head = Head()
        self._number = 0
        self._thread = ThreadPoolExecutor(1, "head")
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._has_failed = False

    @property
    def lost(self) -> int:
        """How many entries are missing at least."""
        return self._head.lost

    async def start(self, reader: StoreReader) -> None:
        """Compare, say what is missing, and begin to write."""
        if self._file is None:
            return
        self._number, found = _newest(self._file)
        lost = 0 if found is None else await missing_entries(reader, found)
        if lost:
            _log.error("the log went back", entries=lost, file=self._file.name)
        # The newest entry that was known stays so until a commit: other entries may take the places of those missing.
        known = found if found is not None and lost == found.lost else Head()
        self._head = known._replace(entries=await reader.count_entries(), lost=lost)
        await self._store(is_first=True)
        self._task = asyncio.create_task(self._store_forever(), name="head")

    def committed(self, units: Sequence[Unit]) -> None:
        """Count what is on disk now."""
        newest = units[-1].rows[-1]
        entries = self._head.entries + sum(len(unit.rows) for unit in units)
        self._head = Head(entries, newest.stream, newest.sequence, newest.hash, self._head.lost)
        self._changed.set()

    async def stop(self) -> None:
        """Write the last head."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            await self._store()
        self._thread.shutdown()

    async def _store_forever(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            await self._store()
            await asyncio.sleep(_PAUSE)

    async def _store(self, *, is_first: bool = False) -> None:
        """Write in a thread of its own, so that no commit waits; without the file, the server goes on."""
        assert self._file is not None
        self._number += 1
        try:
            what = (self._file, self._number, self._head, is_first)
            await asyncio.get_running_loop().run_in_executor(self._thread, _write, *what)
        except OSError as error:
            if not self._has_failed:
                _log.warning("the head of the logs cannot be written", file=self._file.name, error=error.strerror)
            self._has_failed = True
        else:
            self._has_failed = False
