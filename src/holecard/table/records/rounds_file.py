"""Many rounds in one file, as a server exports them: a `[[round]]` for each, with where it was dealt.

    [[round]]
    table = "q0vIuG4fSx3K"
    number = 12
    at = 1793874487000
    shoe_id = "4kXJ2vT0wYQ"
    sheet_hash = "5f0c..."
    version = "..."
    seats = { 1 = "you", 2 = "other" }
    balances = { 1 = 101500 }
    game  = "classic"
    bets  = ["seat 1: $10", "seat 2: $5"]
    ...

The rest is the record. `replay` refuses a round whose sheet has another hash by now.
"""

from __future__ import annotations

from collections.abc import Iterable

from holecard.errors import RecordError, Refusal
from holecard.sheets.files.toml_data import read_toml
from holecard.sheets.files.toml_writer import toml_value
from holecard.table.records.record import Record, record_of
from holecard.table.records.record_file import RecordFile, RoundEntry, read_keys


def rounds_text(records: Iterable[Record]) -> str:
    """Return rounds of a server as one file."""
    return "\n".join(_entry(record) for record in records)


def _entry(record: Record) -> str:
    origin = record.origin
    assert origin is not None
    head: dict[str, object] = {
        "table": origin.table,
        "number": origin.number,
        "at": origin.at,
        "shoe_id": origin.shoe,
        "sheet_hash": origin.sheet,
        "version": origin.version,
        "seats": {str(seat): whose for seat, whose in sorted(origin.seats.items())},
        "balances": {str(seat): cents for seat, cents in sorted(origin.balances.items())},
    }
    lines = "".join(f"{key} = {toml_value(value)}\n" for key, value in head.items())
    return f"[[round]]\n{lines}{record.text('round.')}"


def read_records(text: str, path: str = "the file") -> tuple[Record, ...]:
    """Read a file with one record, or with a `[[round]]` for each."""
    try:
        data = read_toml(text)
    except Refusal as refused:
        raise RecordError(f"{path}: {refused}") from None
    if "round" not in data:
        return (_record(data, path),)
    if not isinstance(data["round"], list) or not data["round"]:
        raise RecordError(f"{path}: round: write [[round]] before the keys of each round")
    if more := [key for key in data if key != "round"]:
        raise RecordError(f"{path}: unknown key {more[0]!r}; every key belongs to a [[round]]")
    return tuple(_round(entry, f"{path}: round entry {place}") for place, entry in enumerate(data["round"], start=1))


def _record(data: object, path: str) -> Record:
    try:
        return record_of(read_keys(data, RecordFile), path)
    except Refusal as refused:
        raise RecordError(f"{path}: {refused}") from None


def _round(data: object, path: str) -> Record:
    try:
        entry = read_keys(data, RoundEntry)
    except Refusal as refused:
        raise RecordError(f"{path}: {refused}") from None
    origin = entry.origin()
    return record_of(entry, f"{path} ({origin})", origin)
