"""`holecard train`: a drill in the terminal."""

from __future__ import annotations

import os
import secrets
import sys
from typing import Annotated

import typer
from rich.console import Console

from holecard.cli.arguments import GameArgument, SettingsOption, sheet
from holecard.cli.completion import complete_kinds
from holecard.cli.play.prompts import Keyboard, Prompts, TerminalKeyboard
from holecard.cli.play.screen.table_view import TableView
from holecard.errors import Refusal


def train(
    game: GameArgument,
    kind: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="The kind of questions, such as hard, soft, pairs, more-cards, after-split or close.",
            show_default="all kinds of the game",
            autocompletion=complete_kinds,
        ),
    ] = None,
    questions: Annotated[int, typer.Option(min=0, help="How many questions; 0 asks until you stop.")] = 20,
    settings: SettingsOption = None,
    seed: Annotated[int | None, typer.Option(help="Ask predictable questions.")] = None,
    reset: Annotated[bool, typer.Option("--reset", help="Forget the progress with this game first.")] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print the progress with this game for programs, and ask nothing.")
    ] = False,
    no_color: Annotated[
        bool, typer.Option("--no-color", help="Print plain text; the environment variable NO_COLOR does the same.")
    ] = False,
) -> None:
    """Drill the decisions of a game: one key for each hand, and the exact value of every answer at once.

    What you get wrong comes back after three questions, what you get right later and later. Your progress is kept for
    each game; leave at any time with q, Ctrl-C or Ctrl-D. Without a terminal, the keys are read from standard input.

    \b
    Examples:
      holecard train GAME
      holecard train GAME --kind pairs --questions 50
      holecard train GAME --set shoe.decks=2 --kind close
      holecard train GAME --json
    """
    rules = sheet(game, settings)
    # These load numba, so only now.
    from holecard.cli.train.session import Training, print_progress
    from holecard.drills.kinds import read_kind
    from holecard.drills.progress_file import load_progress, reset_progress
    from holecard.drills.spots import drill_spots

    spots = drill_spots(rules)
    wanted = None if kind is None else read_kind(kind, spots.kinds)
    if reset:
        reset_progress(rules)
    progress = load_progress(rules)
    if json:
        print_progress(rules, spots, progress)
        return
    prompts = Prompts(TableView(_console(no_color)), _keyboard())
    chosen = secrets.token_hex(8) if seed is None else str(seed)
    Training(rules, prompts, progress, chosen, wanted).run(questions)


def _keyboard() -> Keyboard:
    if sys.stdin.isatty():
        return TerminalKeyboard()
    from holecard.cli.train.piped_keys import PipedKeys

    keys = PipedKeys(sys.stdin)
    if not keys.has_any:
        raise Refusal(
            "there is no terminal and no key to read; pipe a letter for each answer: `echo hsd | holecard train GAME`"
        )
    return keys


def _console(no_color: bool) -> Console:
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    plain = no_color or bool(os.environ.get("NO_COLOR"))
    return Console(color_system=None if plain else "auto", highlight=False, markup=False, emoji=False)
