"""The `holecard` command: one sub-command for each question about a sheet, imported when it is asked.

Exit codes: 0 done, 1 failed, 2 bad input (a refusal, printed to the error stream).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Annotated, Any, NamedTuple, cast

import typer
from typer.main import get_command

import holecard
from holecard.cli.help_text import PlainCommand, PlainGroup
from holecard.errors import Refusal
from holecard.kernels import cache


class _Home(NamedTuple):
    """Where the function of a sub-command is defined, and an example for the end of its help."""

    module: str
    function: str
    example: str | None = None


#: In the order in which `holecard --help` lists them.
_HOMES = {
    "play": _Home("play", "play"),
    "train": _Home("train.command", "train"),
    "serve": _Home("serve", "serve", "holecard serve --port 8021 --no-open"),
    "analyze": _Home("analyze", "analyze"),
    "strategy": _Home("strategy", "strategy"),
    "evaluate": _Home("evaluate", "evaluate"),
    "house-odds": _Home("house_odds", "house_odds"),
    "bankroll": _Home("bankroll", "bankroll"),
    "counting": _Home("counting.command", "count_game"),
    "simulate": _Home("simulate", "simulate"),
    "sweep": _Home("sweep", "sweep"),
    "verify": _Home("verify", "verify"),
    "games": _Home("sheets", "list_games", "holecard games --json"),
    "rules": _Home("sheets", "describe_rules", "holecard rules classic --set settle.natural='6 to 5'"),
    "tables": _Home("sheets", "print_tables", "holecard tables classic --set dealer.soft_17=stand"),
    "check": _Home("check", "check", "holecard check my.toml"),
    "schema": _Home("sheets", "print_schema", "holecard schema > holecard.schema.json"),
    "audit": _Home("database", "audit_database", "holecard audit --database holecard.db"),
    "verify-shoe": _Home("serve", "verify_shoe", "holecard verify-shoe shoe.json"),
    "backup": _Home("database", "back_up_database", "holecard backup monday.db --database holecard.db"),
    "operator": _Home("database", "make_operator", "holecard operator ann --database holecard.db"),
    "close-tables": _Home("database", "close_all_tables", "holecard close-tables --database holecard.db"),
    "replay": _Home("replay", "replay_record", "holecard replay records/round.toml --json"),
}


class _Commands(Mapping[str, Any]):
    """The sub-commands by name. Looking one up imports its module, and no other."""

    def __getitem__(self, name: str) -> Any:
        home = _HOMES[name]
        place = home.module if "." in home.module else f"commands.{home.module}"
        function = getattr(import_module(f"holecard.cli.{place}"), home.function)
        alone = typer.Typer(add_completion=False, rich_markup_mode="rich")
        alone.command(name=name, cls=PlainCommand, epilog=home.example and f"Example: {home.example}")(function)
        return get_command(alone)

    def __iter__(self) -> Iterator[str]:
        return iter(_HOMES)

    def __len__(self) -> int:
        return len(_HOMES)


class _LazyGroup(PlainGroup):
    """A group whose sub-commands are imported when they are called or listed."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = cast(Any, _Commands())


app = typer.Typer(
    name="holecard",
    cls=_LazyGroup,
    help="The workbench for blackjack variants: deal a game from its rule sheet, compute it exactly, simulate it.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def run_app() -> None:
    """Run the command; a refusal is bad input and ends with 2."""
    try:
        with cache.announcing(lambda notice: typer.echo(notice, err=True)):
            app()
    except Refusal as refusal:
        typer.echo(f"holecard: {refusal}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"holecard {holecard.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """The workbench for blackjack variants."""
