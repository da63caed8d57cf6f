"""The list of games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import holecard
from holecard.presentation import Presented
from holecard.report.document import QUIET, STRONG, Document, Paragraph, Span, Table
from holecard.sheets.schema import RuleSheet


@dataclass(frozen=True, repr=False)
class GameList(Presented):
    """Sheets by the name to type."""

    _report = "games"

    sheets: tuple[tuple[str, RuleSheet], ...]


def summary(found: GameList) -> str:
    """`GameList(6 games)`."""
    return f"GameList({len(found.sheets)} games)"


def data(found: GameList) -> dict[str, Any]:
    """The keys of `holecard games --json`."""
    return {"version": holecard.__version__, "games": [_game(name, sheet) for name, sheet in found.sheets]}


def _game(name: str, sheet: RuleSheet) -> dict[str, Any]:
    return {
        "game": name,
        "name": sheet.name,
        "hash": sheet.hash,
        "about": sheet.about,
        "decks": sheet.shoe.decks,
        "decks_offered": list(sheet.shoe.decks_offered),
        "wagers": [wager.name for wager in sheet.wager],
    }


def rows(found: GameList) -> list[dict[str, Any]]:
    """One row for each game."""
    return [
        {"game": name, "name": sheet.name, "decks": sheet.shoe.decks, "about": sheet.about}
        for name, sheet in found.sheets
    ]


def document(found: GameList) -> Document:
    """Every game with its name and a sentence."""
    lines = tuple(
        ((Span(name, STRONG),), (Span(f"{sheet.name}\n"), Span(sheet.about, QUIET))) for name, sheet in found.sheets
    )
    games = Table(("game", "what it is"), lines, indent=0, left=(0, 1))
    hint = Paragraph("holecard rules GAME describes one, holecard play GAME deals it.", QUIET, indent=0)
    return Document("Games", (games, hint))
