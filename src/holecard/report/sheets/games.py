"""The list of games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import holecard
from holecard.presentation import Presented
from holecard.report.document import QUIET, STRONG, Document, Paragraph, Span, TableBlock
from holecard.sheets.catalog import Title, titles

if TYPE_CHECKING:
    from holecard.sheets.schema import RuleSheet


@dataclass(frozen=True, repr=False)
class GameList(Presented):
    """The games that come with holecard."""

    _report = "sheets.games"


def summary(_: GameList) -> str:
    """Return a line such as `GameList(6 games)`."""
    return f"GameList({len(titles())} games)"


def data(_: GameList) -> dict[str, Any]:
    """Return the data of `holecard games --json`."""
    from holecard.sheets.read import rules

    return {
        "version": holecard.__version__,
        "games": [_game(name, rules(name), title) for name, title in titles().items()],
    }


def _game(name: str, sheet: RuleSheet, title: Title) -> dict[str, Any]:
    return {
        "game": name,
        "name": sheet.name,
        "hash": sheet.hash,
        "about": sheet.about,
        "decks": sheet.shoe.decks,
        "decks_offered": list(sheet.shoe.decks_offered),
        "wagers": [wager.name for wager in sheet.wager],
        "example": title.is_example,
    }


def rows(_: GameList) -> list[dict[str, Any]]:
    """Return one row for each game."""
    return [
        {"game": game, "name": title.name, "about": title.about, "example": title.is_example}
        for game, title in titles().items()
    ]


def document(_: GameList) -> Document:
    """Return every game with its name and a sentence."""
    lines = tuple(
        (
            (Span(game, STRONG),),
            (Span(f"{title.name}{' (example)' if title.is_example else ''}\n"), Span(title.about, QUIET)),
        )
        for game, title in titles().items()
    )
    games = TableBlock(("game", "what it is"), lines, indent=0, left=(0, 1))
    hint = Paragraph("holecard rules GAME describes one, holecard play GAME deals it.", QUIET, indent=0)
    return Document("Games", (games, hint))
