"""Rounds as one file: TOML with every record, or a table with a line for each wager that was settled."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from holecard.errors import Refusal
from holecard.money import Money, dollars
from holecard.table.records.record import read_record

ExportFormat: TypeAlias = Literal["toml", "csv", "parquet"]
MEDIA_TYPES = {"toml": "application/toml", "csv": "text/csv", "parquet": "application/vnd.apache.parquet"}
COLUMNS = (
    *("table", "round", "at", "version", "sheet", "game", "shoe", "seat", "yours"),
    *("hand", "wager", "stake_cents", "net_cents", "line", "cards", "play", "balance_cents"),
)


def export(rows: Sequence[Mapping[str, Any]], user: str, format: ExportFormat) -> bytes:
    """Return rounds as a file in one of the formats."""
    if format == "toml":
        return "\n".join(_toml(row, user) for row in rows).encode()
    lines = [line for row in rows for line in round_rows(row, user)]
    return _csv(lines) if format == "csv" else _parquet(lines)


def own_balances(row: Mapping[str, Any], user: str) -> dict[int, int]:
    """Return by seat what a user had after a round, in cents; what others had is theirs to know."""
    return {int(seat): cents for seat, cents in row["balances"].items() if row["players"][seat] == user}


def round_rows(row: Mapping[str, Any], user: str) -> list[dict[str, Any]]:
    """Return a line for each wager that a round settled."""
    record = read_record(row["record"])
    players: Mapping[str, str] = row["players"]
    balances = own_balances(row, user)
    same = {
        "table": row["table"],
        "round": row["number"],
        "at": row["at"],
        "version": row["version"],
        "sheet": row["sheet"],
        "game": record.rules.name,
        "shoe": row["shoe"],
        "cards": " ".join(map(str, record.cards)),
        "play": "; ".join(record.play),
    }
    return [
        {
            **same,
            "seat": result.seat,
            "yours": players.get(str(result.seat)) == user,
            "hand": result.hand,
            "wager": result.wager,
            "stake_cents": int(result.stake),
            "net_cents": int(result.net),
            "line": result.line,
            "balance_cents": balances.get(result.seat),
        }
        for result in record.paid
    ]


def _toml(row: Mapping[str, Any], user: str) -> str:
    head = f"# table {row['table']}, round {row['number']}, Holecard {row['version']}\n"
    for seat, cents in own_balances(row, user).items():
        head += f"# seat {seat} has {dollars(Money.cents(cents))} after it\n"
    return head + str(row["record"])


def _csv(lines: Sequence[Mapping[str, Any]]) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return out.getvalue().encode()


def _parquet(lines: Sequence[Mapping[str, Any]]) -> bytes:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise Refusal("Parquet needs pyarrow: pip install 'holecard[parquet]'; CSV works without it") from None
    columns = {name: [line[name] for line in lines] for name in COLUMNS}
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), out)
    return out.getvalue()
