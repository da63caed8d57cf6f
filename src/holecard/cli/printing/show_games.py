"""What `holecard games` prints: one entry for each game that comes with holecard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from holecard.cli.printing.show import console
from holecard.sheets.built_in import Title

if TYPE_CHECKING:
    from holecard.sheets.schema import RuleSheet


def game_data(name: str, sheet: RuleSheet) -> dict[str, Any]:
    """One entry of `holecard games --json`."""
    return {
        "game": name,
        "name": sheet.name,
        "about": sheet.about,
        "decks": sheet.shoe.decks,
        "decks_offered": list(sheet.shoe.decks_offered),
        "wagers": [wager.name for wager in sheet.wager],
    }


def show_games(games: Mapping[str, Title]) -> None:
    """Print the table of games."""
    out = console()
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("game", style="bold", no_wrap=True)
    table.add_column("what it is")
    for game, title in games.items():
        table.add_row(game, Text.assemble(title.name, "\n", (title.about, "dim")))
    out.print(table)
    out.print("holecard rules GAME describes one, holecard play GAME deals it.", style="dim")
