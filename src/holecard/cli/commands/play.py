"""`holecard play`: sit at a table, watch one play by itself, or see a demonstration where nobody can be asked."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from holecard.cli.arguments import Settings
from holecard.cli.play.auto import Watch
from holecard.cli.play.choose import Wishes, complete
from holecard.cli.play.demo import demonstrate
from holecard.cli.play.prompts import Prompts, TerminalKeyboard
from holecard.cli.play.session import Session, introduce
from holecard.cli.play.table_view import Felt
from holecard.errors import Refusal
from holecard.sheets.override import parse_setting

_PACE = 1.0


def play(
    game: Annotated[str | None, typer.Argument(help="A game's name or a rule sheet's file; else you choose.")] = None,
    seats: Annotated[int | None, typer.Option(help="How many seats you play.", show_default="1")] = None,
    bankroll: Annotated[str | None, typer.Option(help="What each seat begins with.", show_default="$500")] = None,
    settings: Settings = None,
    seed: Annotated[int | None, typer.Option(help="Practice with predictable cards.")] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Watch the table play by itself.")] = False,
    rounds: Annotated[int, typer.Option(min=0, help="With --auto: rounds to play; 0 is without end.")] = 10,
    pace: Annotated[float, typer.Option(min=0, max=60, help="With --auto: seconds between steps.")] = _PACE,
    record: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Save every round in this folder.")] = None,
    no_color: Annotated[bool, typer.Option("--no-color", help="Plain text; NO_COLOR does the same.")] = False,
) -> None:
    """Sit down at a table in the terminal.

    Leave it at any time with q, Ctrl-C or Ctrl-D.
    Where there is no terminal, a round of each game is dealt as a demonstration.

    \b
    Examples:
      holecard play
      holecard play GAME --seats 2 --bankroll '$300'
      holecard play GAME --set settle.natural='6 to 5' --seed 7
      holecard play my-game.toml --auto --rounds 50 --pace 0.2 --record records
    """
    felt = Felt(_console(no_color))
    prompts = Prompts(felt, TerminalKeyboard())
    has_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    try:
        wishes = Wishes(game, seats, bankroll, seed, dict(parse_setting(text) for text in settings or ()))
        _make_folder(record)
        if not has_terminal and not auto:
            demonstrate(felt, wishes, record)
            return
        wishes = complete(prompts if has_terminal else None, wishes)
        table = wishes.table()
    except Refusal as refused:
        typer.echo(f"holecard: {refused}", err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        felt.say("\nNothing was played.")
        return
    if auto:
        introduce(felt, table)
        Watch(felt, table, wishes.seats or 1, pace if has_terminal else 0).run(rounds, record)
    else:
        Session(table, wishes.seats or 1, prompts, record).sit()


def _console(no_color: bool) -> Console:
    """Without colour no styles are written at all; what the encoding lacks is replaced, never an error."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    plain = no_color or bool(os.environ.get("NO_COLOR"))
    return Console(color_system=None if plain else "auto", highlight=False, markup=False, emoji=False)


def _make_folder(folder: Path | None) -> None:
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refusal(f"records cannot be saved in {folder}: {error.strerror}") from None
