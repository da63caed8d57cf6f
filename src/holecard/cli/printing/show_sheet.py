"""What `holecard rules` and `holecard tables` print: a sheet in sentences, and the matrices it compiles to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from holecard.cli.printing.show import console
from holecard.sheets.descriptions.describe import Description, RulingText, as_typed
from holecard.sheets.descriptions.matrices import Matrix
from holecard.sheets.schema import RuleSheet


def description_data(game: str, sheet: RuleSheet, described: Description) -> dict[str, Any]:
    """`holecard rules GAME --json`."""
    return {
        "game": game,
        "name": described.name,
        "about": described.about,
        "source": described.source,
        "sections": [{"title": s.title, "sentences": list(s.sentences)} for s in described.sections],
        "wagers": [
            {
                "name": wager.name,
                "house_table": wager.house_table,
                "sentences": list(wager.sentences),
                "lines": [
                    {"line": row[0], "pays": dict(zip(wager.columns, row[1:], strict=True))} for row in wager.rows
                ],
                "tax": [{"line": line, "tax": tax} for line, tax in wager.tax],
            }
            for wager in described.wagers
        ],
        "rulings": [asdict(ruling) for ruling in described.rulings],
        "sheet": sheet.model_dump(mode="json", by_alias=True),
    }


def description(described: Description) -> None:
    out = console()
    out.print(Text(described.name, style="bold"))
    if described.about:
        out.print(described.about)
    if described.source:
        out.print(f"Source: {described.source}", style="dim")
    out.print()
    for section in described.sections:
        _section(out, section.title, section.sentences)
        out.print()
    for wager in described.wagers:
        _section(out, wager.name, wager.sentences)
        out.print()
        if wager.tax:
            _grid(out, ("first two cards", "tax"), wager.tax)
        _grid(out, ("line", *wager.columns), wager.rows)
    if described.rulings:
        out.print(Text("How the sheet is read", style="bold"))
        for ruling in described.rulings:
            _indented(out, _ruling(ruling))


def _section(out: Console, title: str, sentences: Sequence[str]) -> None:
    out.print(Text(title, style="bold"))
    for sentence in sentences:
        _indented(out, Text(sentence))


def _indented(out: Console, text: Text, by: int = 2) -> None:
    """Wrapped within the width, without blanks at the ends of the lines."""
    for line in text.wrap(out, out.width - by):
        line.rstrip()
        out.print(Text(" " * by).append_text(line), soft_wrap=True)


def _ruling(ruling: RulingText) -> Text:
    mark = " " if ruling.on.endswith("?") else ". "
    if ruling.changed:
        return Text.assemble((ruling.on + mark, "italic"), f"Read otherwise at this table: {ruling.changed}.")
    text = Text.assemble((ruling.on + mark, "italic"), ruling.reading)
    if ruling.why:
        text.append(f" {ruling.why}", style="dim")
    if ruling.switches:
        text.append(f" ({' or '.join(map(as_typed, ruling.switches))})", style="dim")
    return text


def _grid(out: Console, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    # Many columns of odds fit 80 characters as 3:2 and not as 3 to 2.
    compact = len(columns) > 4
    for index, column in enumerate(columns):
        table.add_column(column, justify="left" if index == 0 else "right", no_wrap=index > 0)
    for row in rows:
        table.add_row(*(cell.replace(" to ", ":") if compact else cell for cell in row))
    out.print(Padding(table, (0, 0, 0, 4), expand=False))
    out.print()


def matrices_data(game: str, sheet: RuleSheet, found: Sequence[Matrix]) -> dict[str, Any]:
    """`holecard tables GAME --json`: every matrix as {row: {column: cell}}."""
    return {
        "game": game,
        "name": sheet.name,
        "decks": sheet.shoe.decks,
        "tables": {
            matrix.key: {
                "title": matrix.title,
                "rows": {row[0]: dict(zip(matrix.columns, row[1:], strict=True)) for row in matrix.rows},
            }
            for matrix in found
        },
    }


def matrices(name: str, found: Sequence[Matrix]) -> None:
    out = console()
    out.print(Text(name, style="bold"))
    out.print()
    for matrix in found:
        out.print(Text(matrix.title, style="bold"))
        _grid(out, ("", *matrix.columns), matrix.rows)
