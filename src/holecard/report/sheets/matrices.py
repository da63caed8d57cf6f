"""The tables a sheet compiles to, as labeled matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from holecard.presentation import Presented
from holecard.report.document import Block, Document, Heading, TableBlock, table
from holecard.report.sheet import identity, origin
from holecard.sheets.descriptions.matrices import Matrix, matrices
from holecard.sheets.schema import RuleSheet


@dataclass(frozen=True, repr=False)
class CompiledTables(Presented):
    """The compiled tables of a sheet, for reading."""

    _report = "sheets.matrices"

    rules: RuleSheet

    @property
    def matrices(self) -> tuple[Matrix, ...]:
        return matrices(self.rules.tables)


def summary(found: CompiledTables) -> str:
    """Return a line such as `CompiledTables(classic: 9 matrices)`."""
    return f"CompiledTables({origin(found.rules)}: {len(found.matrices)} matrices)"


def data(found: CompiledTables) -> dict[str, Any]:
    """Return the data of `holecard tables --json`: every matrix as {row: {column: cell}}."""
    return {
        **identity(found.rules),
        "name": found.rules.name,
        "decks": found.rules.shoe.decks,
        "tables": {
            matrix.key: {
                "title": matrix.title,
                "rows": {row[0]: dict(zip(matrix.columns, row[1:], strict=True)) for row in matrix.rows},
            }
            for matrix in found.matrices
        },
    }


def rows(found: CompiledTables) -> list[dict[str, Any]]:
    """Return one row for each cell."""
    return [
        {"table": matrix.key, "row": row[0], "column": column, "cell": cell}
        for matrix in found.matrices
        for row in matrix.rows
        for column, cell in zip(matrix.columns, row[1:], strict=True)
    ]


def document(found: CompiledTables) -> Document:
    """Return one table for each matrix."""
    blocks: list[Block] = [Heading(found.rules.name, level=1)]
    for matrix in found.matrices:
        blocks += [Heading(matrix.title), odds_table(("", *matrix.columns), matrix.rows)]
    return Document(f"{found.rules.name}: tables", tuple(blocks))


def odds_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> TableBlock:
    """Return a table of odds; where it has many columns, 3 to 2 is written 3:2 so that it fits 80 characters."""
    compact = len(columns) > 4
    cells = [[cell.replace(" to ", ":") if compact else cell for cell in row] for row in rows]
    return table(columns, cells, indent=4)
