"""The file of a SQLite database: readable by its owner alone, used by one server, and still in its place."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit
from urllib.request import url2pathname

from sqlalchemy.engine import URL, make_url

from holecard.errors import Refusal


def file_of(url: str | URL) -> Path | None:
    """Return the file of a SQLite database; None for another kind of database."""
    address = make_url(url)
    if address.get_backend_name() != "sqlite":
        return None
    name = address.database or ""
    return Path(url2pathname(urlsplit(name).path)) if name.startswith("file:") else Path(name)


def prepare(file: Path) -> None:
    """Create the file where it is missing, for its owner alone: it has the seeds of open shoes."""
    with openable(file):
        if file.is_dir():
            raise Refusal(f"{file} is a folder; name a file in it, such as {file / 'holecard.db'}")
        if not file.parent.is_dir():
            raise Refusal(f"there is no folder {file.parent}; create it, or name another place for the database")
        # A file that exists is not opened here: closing it would end the locks of SQLite in this process.
        if not file.exists():
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        if os.name == "posix" and file.stat().st_mode & 0o077 and file.stat().st_uid == os.geteuid():
            file.chmod(0o600)


@contextmanager
def openable(file: Path) -> Iterator[None]:
    """Refuse in plain words what the file system does not allow with a database."""
    try:
        yield
    except OSError as error:
        raise Refusal(
            f"the database {file} cannot be opened: {error.strerror}; SQLite keeps files next to it, so it needs a "
            "folder in which you may write"
        ) from None


def address_of(file: Path) -> URL:
    """Return an address that opens the file and never creates it: a lost database is not taken for a new one."""
    return URL.create("sqlite+aiosqlite", database=file.resolve().as_uri(), query={"mode": "rw", "uri": "true"})


def still_there(file: Path) -> Callable[..., None]:
    """Return a check that raises OSError when the file was removed or replaced while it is in use."""
    before = _identity(file)

    def check(*_event: object) -> None:
        if _identity(file) != before:
            raise FileNotFoundError(f"{file} was replaced by another file")

    return check


def _identity(file: Path) -> tuple[int, int]:
    found = file.stat()
    return found.st_dev, found.st_ino


@contextmanager
def one_server(url: str) -> Iterator[None]:
    """Refuse a second server on a SQLite file; nobody would tell it what the first one appends."""
    file = file_of(url)
    if file is None:
        yield
        return
    prepare(file)
    with openable(file):
        lock = Path(f"{file}.lock").open("ab")  # noqa: SIM115 - what is done under the lock is not refused so
    with lock as opened:
        try:
            _lock(opened)
        except OSError:
            raise Refusal(
                f"another server uses {file}; stop it, name another file, or use PostgreSQL for several servers"
            ) from None
        yield


def _lock(opened: BinaryIO) -> None:
    """Lock a file until it is closed, or its process ends."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(opened.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
