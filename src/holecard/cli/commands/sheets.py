"""The commands that print a rule sheet: `games`, `rules`, `tables` and `schema`."""

from __future__ import annotations

import typer

from holecard.cli.arguments import Game, Settings, sheet
from holecard.cli.output import Format, Json, Output, deliver


def list_games(json: Json = False, format_: Format = None, output: Output = None) -> None:
    """List the games that come with holecard."""
    from holecard.report.sheets.games import GameList

    deliver(GameList(), json=json, format=format_, output=output)


def describe_rules(
    game: Game, settings: Settings = None, json: Json = False, format_: Format = None, output: Output = None
) -> None:
    """Describe a game in sentences: rules, decisions, pay tables, limits, rulings."""
    from holecard.sheets.descriptions.describe import describe

    deliver(describe(sheet(game, settings)), json=json, format=format_, output=output)


def print_tables(
    game: Game, settings: Settings = None, json: Json = False, format_: Format = None, output: Output = None
) -> None:
    """Print the tables a game compiles to: dealer, settlement, decisions, pay tables."""
    from holecard.report.sheets.matrices import CompiledTables

    deliver(CompiledTables(sheet(game, settings)), json=json, format=format_, output=output)


def print_schema() -> None:
    """Print a JSON Schema of rule sheets, for editors."""
    from holecard.sheets.read import json_schema

    typer.echo(json_schema())
