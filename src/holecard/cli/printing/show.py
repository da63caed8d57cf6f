"""What the commands print: for people with rich, for programs as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from holecard.cli.play.card_art import Signs, face, signs_for
from holecard.cli.printing.house_tables import FOOTNOTE, any_marked, is_printed, mark
from holecard.money import dollars, signed
from holecard.sheets.catalog import example_games
from holecard.sheets.descriptions.describe import Description, RulingText, as_typed
from holecard.sheets.descriptions.matrices import Matrix
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.table.events import CardDealt, Checked, Event, HoleCardShown, Result
from holecard.table.records.record import Record
from holecard.table.state import State


def console() -> Console:
    """At most 100 columns, so that sentences stay readable; without a terminal, 80."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    out = Console(highlight=False, markup=False, emoji=False)
    out.width = min(out.width, 100)
    return out


def as_json(data: object) -> None:
    """Stable JSON: keys in the order they are documented."""
    typer.echo(json.dumps(data, indent=2, ensure_ascii=False))


# Games


def game_data(name: str, sheet: RuleSheet) -> dict[str, Any]:
    """One entry of `holecard games --json`."""
    return {
        "game": name,
        "name": sheet.name,
        "about": sheet.about,
        "decks": sheet.shoe.decks,
        "decks_offered": list(sheet.shoe.decks_offered),
        "wagers": [wager.name for wager in sheet.wager],
        "example": name in example_games(),
    }


def game_list(sheets: Mapping[str, RuleSheet]) -> None:
    out = console()
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("game", style="bold", no_wrap=True)
    table.add_column("what it is")
    for name, sheet in sheets.items():
        title = f"{sheet.name} (example)" if name in example_games() else sheet.name
        table.add_row(name, Text.assemble(title, "\n", (sheet.about, "dim")))
    out.print(table)
    out.print("holecard rules GAME describes one, holecard play GAME deals it.", style="dim")


# Rules


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


# Tables


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


# Replays


def replay_data(record: Record, final: State) -> dict[str, Any]:
    """`holecard replay FILE --json`: each wager with stake, result and paid line; amounts in cents.

    `checked` tells whether the record said what was paid, and so was compared with the rules.
    """
    return {
        "game": record.game,
        "name": record.rules.name,
        "settings": dict(record.settings),
        "about": record.about,
        "cards": [str(card) for card in record.cards],
        "dealer": {"cards": [str(card) for card in final.dealer], "total": final.dealer_total},
        "wagers": [{**result._asdict(), "printed": is_printed(result.wager, final.tables)} for result in final.results],
        "net": {str(seat.number): _net(final, seat.number) for seat in final.seats},
        "checked": bool(record.paid),
    }


def _net(state: State, seat: int) -> int:
    return sum(result.net for result in state.results if result.seat == seat)


def replayed(record: Record, states: Sequence[State]) -> None:
    """The round event by event; whatever the record says is printed as it stands, never read as markup."""
    out = console()
    signs = signs_for(out.encoding)
    out.print(Text(record.rules.name, style="bold"))
    if record.about:
        out.print(Text(record.about))
    if record.seed is not None:
        out.print(Text(f"Practice table, seed {record.seed}.", style="dim"))
    for state in states:
        for event in state.events:
            out.print(Text(f"  {_say(event, signs, state.tables)}"))
    if any_marked((result.wager for result in states[-1].results), states[-1].tables):
        out.print(Text(FOOTNOTE, style="dim"))
    for seat in states[-1].seats:
        out.print(Text(f"seat {seat.number}: {signed(_net(states[-1], seat.number))}", style="bold"))
    out.print(Text(_verdict(record), style="dim"))


def _verdict(record: Record) -> str:
    if record.paid:
        return "The record replays to the cent."
    return "The record does not say what was paid; the rules pay this."


def _say(event: Event, signs: Signs, tables: Tables) -> str:
    if isinstance(event, CardDealt):
        who = "dealer" if event.seat == 0 else f"seat {event.seat} hand {event.hand}"
        card = face(event.card, signs) if event.card is not None else "a card"
        return f"{who}: {card}" + (" face down" if event.hidden else "")
    if isinstance(event, HoleCardShown):
        return f"dealer turns {face(event.card, signs)}"
    if isinstance(event, Checked):
        return "dealer looks: a natural" if event.natural else "dealer looks: no natural"
    assert isinstance(event, Result)
    place = f"seat {event.seat}" + (f" hand {event.hand}" if event.hand else "")
    name = f"{event.wager}{mark(event.wager, tables)}"
    return f"{place}: {name} {dollars(event.stake)} {signed(event.net)} ({event.line})"
