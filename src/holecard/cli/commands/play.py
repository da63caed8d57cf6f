"""`holecard play`: play at a table, watch automatic play, or see a demonstration if there is no terminal."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from holecard.cli.arguments import STRATEGIES, SettingsOption, settings_of
from holecard.cli.completion import complete_charts, complete_games
from holecard.cli.play.auto import AutoPlay, demonstrate
from holecard.cli.play.explain import introduce
from holecard.cli.play.play_request import PlayRequest, complete
from holecard.cli.play.prompts import Prompts, TerminalKeyboard
from holecard.cli.play.screen.table_view import TableView
from holecard.cli.play.session import Session
from holecard.errors import Refusal
from holecard.exact.strategies import check_strategy

_PACE = 1.0


def play(
    game: Annotated[
        str | None,
        typer.Argument(
            help="The name of a game, or the file of a rule sheet; without it, you choose from a list.",
            autocompletion=complete_games,
        ),
    ] = None,
    seats: Annotated[int | None, typer.Option(help="How many seats you play.", show_default="1")] = None,
    bankroll: Annotated[str | None, typer.Option(help="The bankroll of each seat.", show_default="$500")] = None,
    settings: SettingsOption = None,
    strategy: Annotated[
        str,
        typer.Option(
            metavar="NAME|FILE",
            help="With --auto: the strategy to play by. Otherwise: the strategy that your decisions are compared with. "
            f"One of {STRATEGIES}.",
            autocompletion=complete_charts,
        ),
    ] = "basic",
    coach: Annotated[
        bool,
        typer.Option(
            "--coach", help="Show what each decision costs, hints with the key e, and how much of the result is luck."
        ),
    ] = False,
    seed: Annotated[int | None, typer.Option(help="Deal predictable cards, for practice.")] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Watch the table play automatically.")] = False,
    rounds: Annotated[int, typer.Option(min=0, help="With --auto: rounds to play; 0 plays until you stop it.")] = 10,
    pace: Annotated[float, typer.Option(min=0, max=60, help="With --auto: seconds between steps.")] = _PACE,
    record: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Save every round in this folder.")] = None,
    no_color: Annotated[
        bool, typer.Option("--no-color", help="Print plain text; the environment variable NO_COLOR does the same.")
    ] = False,
) -> None:
    """Play blackjack at a table in the terminal.

    Leave at any time with q, Ctrl-C or Ctrl-D; a round that has begun is settled first.
    Without a terminal, the command plays one round of each game as a demonstration.

    \b
    Examples:
      holecard play
      holecard play GAME --coach
      holecard play GAME --seats 2 --bankroll '$300'
      holecard play GAME --set settle.natural='6 to 5' --seed 7
      holecard play my-game.toml --auto --rounds 50 --pace 0.2 --record records
      holecard play GAME --auto --strategy 'never bust'
    """
    view = TableView(_console(no_color))
    prompts = Prompts(view, TerminalKeyboard())
    has_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    try:
        if auto and coach:
            raise Refusal("--coach judges your own decisions; leave --auto or --coach out")
        request = PlayRequest(game, seats, bankroll, seed, settings_of(settings))
        _make_folder(record)
        if not has_terminal and not auto:
            demonstrate(view, request, strategy, record)
            return
        request = complete(prompts if has_terminal else None, request)
        table = request.table()
        check_strategy(table.rules, strategy)
    except Refusal as refused:
        typer.echo(f"holecard: {refused}", err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        view.say("\nNothing was played.")
        return
    if auto:
        introduce(view, table)
        AutoPlay(view, table, request.seats or 1, strategy, pace if has_terminal else 0).run(rounds, record)
    else:
        Session(table, request.seats or 1, prompts, record, strategy, coached=coach).sit()


def _console(no_color: bool) -> Console:
    """Return a console that writes no styles if color is off, and replaces characters that the encoding lacks."""
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
