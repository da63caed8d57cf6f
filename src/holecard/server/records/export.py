"""Rounds as one file: TOML with every record, or a table with a line for each wager that was settled."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any, Literal, TypeAlias

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
#: How a cell begins that a spreadsheet takes for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def export(rows: Sequence[Mapping[str, Any]], sheets: Mapping[str, str], user: str, format: ExportFormat) -> bytes:
    """Return rounds as a file in one of the formats; `sheets` has the content of their sheets by hash."""
    records = (round_record(row, sheets, user) for row in rows)
    if format == "toml":
        return rounds_text(records).encode()
    lines = [line for record in records for line in _lines(record)]
    return _csv(lines) if format == "csv" else _parquet(lines)


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


def _csv(lines: Sequence[Mapping[str, Any]]) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in line.items()} for line in lines)
    return out.getvalue().encode()


def _cell(value: object) -> object:
    """Return a value for a spreadsheet: a text that looks like a formula gets an apostrophe in front."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _parquet(lines: Sequence[Mapping[str, Any]]) -> bytes:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise NotOffered("this server does not write Parquet files; take csv or toml instead") from None
    kinds = {name: pyarrow.int64() for name in _NUMBERS} | {"yours": pyarrow.bool_()}
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in COLUMNS])
    columns = {name: [line[name] for line in lines] for name in COLUMNS}
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns, schema), out)
    return out.getvalue()
