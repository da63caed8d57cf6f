"""Rounds as one file: TOML with every record, or a table with a line for each wager that was settled."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any, Literal, Protocol, TypeAlias

from holecard.server.errors import NotOffered
from holecard.table.records.record import Record, read_record
from holecard.table.records.round_origin import RoundOrigin
from holecard.table.records.rounds_file import rounds_text

ExportFormat: TypeAlias = Literal["toml", "csv", "parquet"]
MEDIA_TYPES = {"toml": "application/toml", "csv": "text/csv", "parquet": "application/vnd.apache.parquet"}
COLUMNS = (
    *("table", "round", "at", "version", "sheet", "game", "shoe", "seat", "yours"),
    *("hand", "wager", "stake_cents", "net_cents", "line", "cards", "play", "balance_cents"),
)
_NUMBERS = ("round", "at", "seat", "hand", "stake_cents", "net_cents", "balance_cents")
#: From how many lines on a group is written to a Parquet file.
_GROUP = 10_000
#: How a cell begins that a spreadsheet takes for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class RoundsFile(Protocol):
    """A file of rounds, written part by part."""

    def head(self) -> bytes:
        """Return how the file begins."""

    def add(self, records: Sequence[Record]) -> bytes:
        """Return more rounds, or nothing where they wait for others."""

    def end(self) -> bytes:
        """Return how the file ends."""


def rounds_file(format: ExportFormat) -> RoundsFile:
    """Return a file in one of the formats; refuse one that this server does not write."""
    return _TomlFile() if format == "toml" else _CsvFile() if format == "csv" else _ParquetFile()


def export(rows: Sequence[Mapping[str, Any]], sheets: Mapping[str, str], user: str, file: RoundsFile) -> bytes:
    """Return the part of a file for rounds of one person; `sheets` has the content of their sheets by hash."""
    return file.add([round_record(row, sheets, user) for row in rows])


def formats() -> list[str]:
    """Return the formats that this server writes."""
    return [name for name in MEDIA_TYPES if name != "parquet" or find_spec("pyarrow") is not None]


def round_record(row: Mapping[str, Any], sheets: Mapping[str, str], user: str) -> Record:
    """Return a round as a record that says where it was dealt, with its sheet in full where the name is not enough.

    What others had after it is theirs to know.
    """
    record = read_record(row["record"])
    if record.game is not None and record.rules.sha256 != row["sheet"]:
        record = replace(record, game=None, settings={}, sheet=json.loads(sheets[row["sheet"]]))
    seats = {int(seat): "you" if player == user else "other" for seat, player in row["players"].items()}
    balances = {int(seat): cents for seat, cents in row["balances"].items() if row["players"][seat] == user}
    place = (row["table"], row["number"], row["at"], row["shoe"], row["sheet"], row["version"])
    return replace(record, origin=RoundOrigin(*place, seats, balances))


def _lines(record: Record) -> Iterator[dict[str, Any]]:
    """Yield a line for each wager that a round settled."""
    origin = record.origin
    assert origin is not None
    same = {
        "table": origin.table,
        "round": origin.number,
        "at": origin.at,
        "version": origin.version,
        "sheet": origin.sheet,
        "game": record.rules.name,
        "shoe": origin.shoe,
        "cards": " ".join(map(str, record.cards)),
        "play": "; ".join(record.play),
    }
    for result in record.paid:
        yield {
            **same,
            "seat": result.seat,
            "yours": origin.seats.get(result.seat) == "you",
            "hand": result.hand,
            "wager": result.wager,
            "stake_cents": int(result.stake),
            "net_cents": int(result.net),
            "line": result.line,
            "balance_cents": origin.balances.get(result.seat),
        }


def _cell(value: object) -> object:
    """Return a value for a spreadsheet: a text that looks like a formula gets an apostrophe in front."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


class _TomlFile:
    """A record for each round."""

    _between = b""

    def head(self) -> bytes:
        """Return nothing: the first record begins the file."""
        return b""

    def add(self, records: Sequence[Record]) -> bytes:
        """Return records, with an empty line between them."""
        between, self._between = self._between, b"\n"
        return between + rounds_text(records).encode()

    def end(self) -> bytes:
        """Return nothing: the last record ends the file."""
        return b""


class _CsvFile:
    """A line for each wager, below the names of the columns."""

    def head(self) -> bytes:
        """Return the names of the columns."""
        return _csv([dict(zip(COLUMNS, COLUMNS, strict=True))])

    def add(self, records: Sequence[Record]) -> bytes:
        """Return the lines of rounds."""
        return _csv([line for record in records for line in _lines(record)])

    def end(self) -> bytes:
        """Return nothing: the last line ends the file."""
        return b""


def _csv(lines: Sequence[Mapping[str, Any]]) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writerows({name: _cell(value) for name, value in line.items()} for line in lines)
    return out.getvalue().encode()


class _ParquetFile:
    """The same lines by column, in groups that are written when they are full."""

    def __init__(self) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise NotOffered("this server does not write Parquet files; take csv or toml instead") from None
        kinds = {name: pyarrow.int64() for name in _NUMBERS} | {"yours": pyarrow.bool_()}
        self._schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in COLUMNS])
        self._table = pyarrow.Table.from_pylist
        self._out = _Parts()
        self._writer = pyarrow.parquet.ParquetWriter(self._out, self._schema)
        self._lines: list[dict[str, Any]] = []

    def head(self) -> bytes:
        """Return the mark of the format."""
        return self._out.take()

    def add(self, records: Sequence[Record]) -> bytes:
        """Return a group of lines once there are enough."""
        self._lines.extend(line for record in records for line in _lines(record))
        if len(self._lines) >= _GROUP:
            self._write_group()
        return self._out.take()

    def end(self) -> bytes:
        """Return the last group, and the directory of all."""
        self._write_group()
        self._writer.close()
        return self._out.take()

    def _write_group(self) -> None:
        self._writer.write_table(self._table(self._lines, self._schema))
        self._lines = []


class _Parts(io.RawIOBase):
    """A file that gives away what was written to it."""

    def __init__(self) -> None:
        self._written, self._given = bytearray(), 0

    def writable(self) -> bool:
        """Return that it can be written to."""
        return True

    def write(self, data: Any) -> int:
        """Keep what is written."""
        self._written += data
        return len(data)

    def tell(self) -> int:
        """Return how much was written since the beginning."""
        return self._given + len(self._written)

    def take(self) -> bytes:
        """Return what was written since it was last taken."""
        taken = bytes(self._written)
        self._given += len(taken)
        self._written.clear()
        return taken
