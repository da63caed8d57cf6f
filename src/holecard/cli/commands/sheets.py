"""The commands that print a rule sheet: `games`, `rules`, `tables` and `schema`."""

from __future__ import annotations

import typer

from holecard.cli.arguments import GameArgument, SettingsOption, sheet
from holecard.cli.output import FormatOption, JsonOption, OutputOption, deliver


def list_games(json: JsonOption = False, format_: FormatOption = None, output: OutputOption = None) -> None:
    """List the games that come with Holecard."""
    from holecard.report.sheets.games import GameList

    deliver(GameList(), json=json, format=format_, output=output)


def describe_rules(
    game: GameArgument,
    settings: SettingsOption = None,
    json: JsonOption = False,
    format_: FormatOption = None,
    output: OutputOption = None,
) -> None:
    """Describe a game in sentences: rules, decisions, pay tables, limits, rulings."""
    from holecard.sheets.descriptions.describe import describe

    deliver(describe(sheet(game, settings)), json=json, format=format_, output=output)


def print_tables(
    game: GameArgument,
    settings: SettingsOption = None,
    json: JsonOption = False,
    format_: FormatOption = None,
    output: OutputOption = None,
) -> None:
    """Print the tables a game compiles to: dealer, settlement, decisions, pay tables."""
    from holecard.report.sheets.matrices import CompiledTables

    deliver(CompiledTables(sheet(game, settings)), json=json, format=format_, output=output)


def print_schema() -> None:
    """Print a JSON Schema of rule sheets, for editors."""
    from holecard.sheets.read import json_schema

    typer.echo(json_schema())
