"""The hash chain of a log: each entry's hash covers the entry and the hash before it."""

from __future__ import annotations

import hashlib
import json
from typing import NamedTuple

#: The hash before the first entry of a stream.
FIRST_HASH = "0" * 64
_text_of = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


class LogRow(NamedTuple):
    """One entry as it is stored. `request` is the hash of the command's body."""

    stream: str
    sequence: int
    at: int
    body: str
    actor: str | None
    command: str | None
    request: str | None
    hash: str


def entry_hash(before: str, stream: str, sequence: int, at: int, body: str, command: tuple[str | None, ...]) -> str:
    """Return the hash of an entry, given the hash of the one before it."""
    return hashlib.sha256(_text_of([before, stream, sequence, at, body, *command]).encode()).hexdigest()


def is_linked(row: LogRow, before: str) -> bool:
    """Return whether a row follows the one with the hash `before`."""
    command = (row.actor, row.command, row.request)
    return row.hash == entry_hash(before, row.stream, row.sequence, row.at, row.body, command)
