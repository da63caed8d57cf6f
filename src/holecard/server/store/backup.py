"""Copy a SQLite database that is in use: one consistent moment, in one file, readable by its owner alone."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from holecard.errors import Refusal
from holecard.server.store.sqlite_file import file_of, openable

#: Seconds to wait for a server that is writing.
_BUSY_SECONDS = 30


def sqlite_file(url: str) -> Path:
    """Return the file of a SQLite database, which must exist."""
    file = file_of(url)
    if file is None:
        raise Refusal("this command copies SQLite files; back up PostgreSQL with pg_dump --format=custom --file=FILE")
    with openable(file):
        if not file.is_file():
            raise Refusal(f"there is no database {file}")
    return file


def back_up(url: str, target: Path) -> int:
    """Copy a database to a new file and check the copy; return its size in bytes.

    Players play on: a copy is what one reader sees, and readers do not block the writer.
    """
    source = sqlite_file(url)
    partial = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        if target.exists():
            raise Refusal(f"{target} exists; name a new file, so that no backup is lost")
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        _copy(source, partial)
        os.replace(partial, target)
    except (OSError, sqlite3.Error) as error:
        raise Refusal(f"{source} could not be copied to {target}: {error}") from None
    finally:
        with suppress(OSError):  # the copy could not be begun in this folder
            partial.unlink()
    return target.stat().st_size


def _copy(source: Path, target: Path) -> None:
    address = f"{source.resolve().as_uri()}?mode=rw"
    with closing(sqlite3.connect(address, _BUSY_SECONDS, isolation_level=None, uri=True)) as connection:
        connection.execute("VACUUM INTO ?", (str(target),))
    with closing(sqlite3.connect(target)) as copied:
        (verdict,) = copied.execute("PRAGMA integrity_check").fetchone()
    if verdict != "ok":
        raise Refusal(f"the copy of {source} is damaged: {verdict}")
    with target.open("rb+") as file:
        os.fsync(file.fileno())
