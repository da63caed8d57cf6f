"""Compare the rows that are stored for a table with those that follow from its log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from sqlalchemy import Column, Table, select

from holecard import __version__
from holecard.errors import Refusal
from holecard.server.audit.streams import FOLLOWING, TableFold
from holecard.server.fairness.construction import commitment
from holecard.server.host.hosted_table import stream_of
from holecard.server.host.loader import sheet_hash
from holecard.server.store import schema
from holecard.server.store.read import StoreReader
from holecard.table.records.record import Record, read_record

StoredRow: TypeAlias = Mapping[str, Any]
_Rows: TypeAlias = dict[Table, list[StoredRow]]
#: Tables that are read at once, and the column with the id of the table that a row belongs to.
_AT_ONCE: dict[Table, Column[Any]] = {
    schema.tables: schema.tables.c.id,
    schema.seats: schema.seats.c.table,
    schema.sitters: schema.sitters.c.table,
    schema.shoe_seeds: schema.shoe_seeds.c.table,
    **{table: table.c.table for table in FOLLOWING},
}


class StoredRows:
    """What is stored in addition to the logs, by stream; what no log asks for is left at the end."""

    def __init__(self) -> None:
        self._rows: dict[str, _Rows] = {}

    @classmethod
    async def read(cls, reader: StoreReader) -> StoredRows:
        """Read the rows of all tables; of rounds and transfers only whose they are, because they are many."""
        stored = cls()
        for table, owner in _AT_ONCE.items():
            for row in await reader.rows(select(table)):
                stored._of(stream_of(str(row[owner.name])), table).append(row)
        for row in await reader.rows(select(schema.rounds.c.table).distinct()):
            stored._of(stream_of(row["table"]), schema.rounds)
        for row in await reader.rows(select(schema.transfers.c.stream).distinct()):
            stored._of(row["stream"], schema.transfers)
        return stored

    def _of(self, stream: str, table: Table) -> list[StoredRow]:
        return self._rows.setdefault(stream, {}).setdefault(table, [])

    def take(self, stream: str) -> _Rows:
        """Return the rows of a stream, which has a log."""
        return self._rows.pop(stream, {})

    def strays(self) -> Iterator[str]:
        """Yield what is left: rows without a log."""
        for stream, rows in sorted(self._rows.items()):
            for table in sorted(rows, key=lambda one: one.name):
                yield f"{stream}: it has no log, and rows in `{table.name}`"


def check_table(fold: TableFold, kept: _Rows, rounds: Sequence[StoredRow]) -> Iterator[str]:
    """Yield what does not follow from a table's log."""
    due, written = fold.row, next(iter(kept.get(schema.tables, [])), None)
    if written is not None and written["sequence"] > due["sequence"]:
        last, wanted = due["sequence"], written["sequence"]
        yield f"the log ends at entry {last}, and entry {wanted} was written: entries are missing at its end"
        return
    yield from differences(schema.tables, kept.get(schema.tables, []), [due])
    yield from differences(schema.seats, kept.get(schema.seats, []), fold.seats)
    yield from differences(schema.sitters, kept.get(schema.sitters, []), fold.sitters)
    yield from _rounds(fold, rounds)
    for table, due_rows in fold.stored.items():
        yield from differences(table, kept.get(table, []), due_rows)
    yield from _seeds(fold, kept.get(schema.shoe_seeds, []))
    yield from fold.shoe_problems


def differences(
    table: Table, stored: Iterable[StoredRow], due: Iterable[StoredRow], unchecked: frozenset[str] = frozenset()
) -> Iterator[str]:
    """Yield which rows of a database table are missing, wrong, or too many; `unchecked` columns may differ."""
    keys = [column.name for column in table.primary_key]
    kept = {tuple(row[key] for key in keys): row for row in stored}
    for row in due:
        key = tuple(row[name] for name in keys)
        found = kept.pop(key, None)
        if found is None:
            yield f"{_name(table, key)} is missing"
        elif wrong := [name for name in row if name not in unchecked and found[name] != row[name]]:
            yield f"{_name(table, key)}: {_columns(wrong)} not follow from the log"
    for key in sorted(kept, key=str):
        yield f"{_name(table, key)}: the log knows nothing of it"


def _name(table: Table, key: tuple[object, ...]) -> str:
    return f"row {', '.join(map(str, key))} of `{table.name}`"


def _columns(names: list[str]) -> str:
    words = ", ".join(f"`{name}`" for name in names)
    return f"{words} does" if len(names) == 1 else f"{words} do"


def _rounds(fold: TableFold, stored: Sequence[StoredRow]) -> Iterator[str]:
    due_rows = [due.finished.row for due in fold.rounds.values()]
    yield from differences(schema.rounds, stored, due_rows, frozenset({"record"}))
    check = _RecordCheck(fold)
    for row in stored:
        due = fold.rounds.get(row["number"])
        if due is not None and not check.is_same(row["record"], due.record, row["version"]):
            yield f"{_name(schema.rounds, (row['table'], row['number']))}: its record is not that of the round"


class _RecordCheck:
    """Compares records with what the log says; a record names its game, or has its sheet in full."""

    def __init__(self, fold: TableFold) -> None:
        self._opened = fold.table.opened
        self._known: list[tuple[str | None, Mapping[str, object], Mapping[str, Any]]] = []

    def is_same(self, text: str, due: Record, version: str) -> bool:
        """Return whether a text is the record of a round."""
        if any(
            text == str(replace(due, game=game, settings=settings, sheet=sheet))
            for game, settings, sheet in self._known
        ):
            return True
        try:
            read = read_record(text)
            is_right = sheet_hash(read.rules) == self._opened.sheet
        except (Refusal, TypeError):
            return False
        # A game that comes with Holecard may have changed since another version wrote its name.
        if not is_right and (version == __version__ or read.game != self._opened.game):
            return False
        if is_right:
            self._known.append((read.game, read.settings, read.sheet))
        return text == str(replace(due, game=read.game, settings=read.settings, sheet=read.sheet))


def _seeds(fold: TableFold, stored: Sequence[StoredRow]) -> Iterator[str]:
    """Compare seeds with the commitments; those of shoes that were revealed or lost need not be there."""
    seeds = {row["shoe"]: row["seed"] for row in stored}
    for shoe, promise in fold.shoes.items():
        seed = seeds.pop(shoe, None)
        if seed is None:
            if shoe == fold.needed_shoe:
                yield f"shoe {shoe}: its seed is missing"
        elif not isinstance(seed, bytes) or commitment(seed, shoe, fold.table.opened.sheet) != promise:
            yield f"shoe {shoe}: its seed is not the one that was promised"
    for shoe in sorted(seeds):
        yield f"shoe {shoe}: a seed is stored, and the table has no such shoe"
