"""Statements that are run with many rows, compiled once for each kind of database.

SQLAlchemy prepares every row of `execute(statement, rows)` in Python, which takes longer than SQLite needs to store it.
And Python's SQLite module gives up the interpreter at every row, and waits for it again while other threads run. So
SQLite gets all rows as one JSON array, and runs one statement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

from pydantic_core import to_json
from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite

_DIALECTS = {"sqlite": sqlite, "postgresql": postgresql}
_Compiled: TypeAlias = tuple[str, Callable[[Mapping[str, Any]], tuple[Any, ...]]]


class ManyRows:
    """A statement; `make` builds it, for a dialect of SQLAlchemy. Every row has at least two values."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self._make = make
        self._compiled: dict[tuple[str, ...], _Compiled] = {}
        """By the name of the dialect and the names of the values."""

    def run(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run the statement once for each row; all rows have the same names."""
        if not rows:
            return
        key = (connection.dialect.name, *rows[0])
        if key not in self._compiled:
            self._compiled[key] = self._compile(connection, rows[0])
        text, values_of = self._compiled[key]
        values = list(map(values_of, rows))
        connection.exec_driver_sql(text, (to_json(values).decode(),) if _ALL_ROWS in text else values)

    def _compile(self, connection: Connection, row: Mapping[str, Any]) -> _Compiled:
        made = self._make(_DIALECTS[connection.dialect.name])
        compiled = made.compile(dialect=connection.dialect, column_keys=list(row))
        text = str(compiled)
        has_bytes = any(isinstance(value, bytes) for value in row.values())
        if connection.dialect.name == "sqlite" and compiled.isinsert and not has_bytes:
            text = _with_all_rows(text, len(row))
        return text, itemgetter(*compiled.positiontup)


_ALL_ROWS = "FROM json_each(?)"


def _with_all_rows(text: str, columns: int) -> str:
    """Return an INSERT of one row of values as one that takes an array of rows."""
    values = f"VALUES ({', '.join('?' * columns)})"
    assert values in text
    found = ", ".join(f"json_extract(value, '$[{column}]')" for column in range(columns))
    # Without a condition, SQLite would take ON CONFLICT for a part of a join.
    return text.replace(values, f"SELECT {found} {_ALL_ROWS} WHERE true")
