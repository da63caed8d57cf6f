"""Statements that take many rows at once, as one JSON array.

SQLAlchemy prepares every row of `execute(statement, rows)` in Python, which takes longer than the database needs to
store it. And each statement that is sent to PostgreSQL waits for its answer while the server does other work, so
several of them are sent as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from pydantic_core import to_json
from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite

Rows: TypeAlias = Sequence[Mapping[str, Any]]
_DIALECTS = {"sqlite": sqlite, "postgresql": postgresql}
#: How a statement takes the array of its rows.
_ARRAYS = {"sqlite": "FROM json_each(?)", "postgresql": "FROM json_array_elements($1::json)"}
_CAST = re.compile(r"\$(\d+)::")


class _Compiled(NamedTuple):
    """A statement for one kind of database, and what takes a row's values in the statement's order."""

    text: str
    values_of: Callable[[Mapping[str, Any]], tuple[Any, ...]]
    takes_array: bool
    """Whether it takes all rows as one array; bytes are not in JSON."""


class ManyRows:
    """A statement; `make` builds it, for a dialect of SQLAlchemy. Every row has at least two values."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self._make = make
        self._compiled: dict[tuple[str, ...], _Compiled] = {}
        """By the name of the dialect and the names of the values."""

    def run(self, connection: Connection, rows: Rows) -> None:
        """Run the statement once for each row; all rows have the same names."""
        if not rows:
            return
        compiled = self.compiled(connection, rows[0])
        values = list(map(compiled.values_of, rows))
        connection.exec_driver_sql(compiled.text, (_json(values),) if compiled.takes_array else values)

    def compiled(self, connection: Connection, row: Mapping[str, Any]) -> _Compiled:
        """Return the statement for rows like this one."""
        key = (connection.dialect.name, *row)
        if key not in self._compiled:
            self._compiled[key] = self._compile(connection, row)
        return self._compiled[key]

    def _compile(self, connection: Connection, row: Mapping[str, Any]) -> _Compiled:
        kind = connection.dialect.name
        made = self._make(_DIALECTS[kind])
        compiled = made.compile(dialect=connection.dialect, column_keys=list(row))
        has_bytes = any(isinstance(value, bytes) for value in row.values())
        text = str(compiled) if has_bytes else _with_array(kind, str(compiled), len(row))
        return _Compiled(text, itemgetter(*compiled.positiontup), not has_bytes)


class PostgresStatement(ManyRows):
    """A statement in the words of PostgreSQL, which takes the values `new ->> 0`, `new ->> 1` … of the rows."""

    def __init__(self, text: str, *names: str) -> None:
        super().__init__(lambda _dialect: None)
        self._own = _Compiled(text.format(rows=f"{_ARRAYS['postgresql']} AS new"), itemgetter(*names), True)

    def compiled(self, _connection: Connection, _row: Mapping[str, Any]) -> _Compiled:
        """Return the statement."""
        return self._own


def run_together(connection: Connection, work: Sequence[tuple[ManyRows, Rows]]) -> None:
    """Run several statements; PostgreSQL gets those that take arrays as one. None sees what another one does."""
    together: list[tuple[_Compiled, Rows]] = []
    for statement, rows in work:
        if not rows:
            continue
        compiled = statement.compiled(connection, rows[0])
        if compiled.takes_array and connection.dialect.name == "postgresql":
            together.append((compiled, rows))
        else:
            statement.run(connection, rows)
    if together:
        texts = [
            compiled.text.replace("$1::json", f"${number}::json") for number, (compiled, _) in enumerate(together, 1)
        ]
        first = ", ".join(f"part{number} AS ({text})" for number, text in enumerate(texts[:-1], 1))
        arrays = tuple(_json(list(map(compiled.values_of, rows))) for compiled, rows in together)
        connection.exec_driver_sql(f"WITH {first} {texts[-1]}" if first else texts[-1], arrays)


def _json(values: list[tuple[Any, ...]]) -> str:
    return to_json(values).decode()


def _with_array(kind: str, text: str, columns: int) -> str:
    """Return an INSERT of one row of values as one that takes an array of rows."""
    before, rest = text.split("VALUES (", 1)
    values, after = rest.split(")", 1)
    if kind == "sqlite":
        assert values == ", ".join("?" * columns)
        found = ", ".join(f"json_extract(value, '$[{column}]')" for column in range(columns))
        # Without a condition, SQLite would take ON CONFLICT for a part of a join.
        return f"{before}SELECT {found} {_ARRAYS[kind]} WHERE true{after}"
    found, replaced = _CAST.subn(lambda match: f"(new ->> {int(match[1]) - 1})::", values)
    assert replaced == columns
    return f"{before}SELECT {found} {_ARRAYS[kind]} AS new{after}"
