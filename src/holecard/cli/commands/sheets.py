"""The commands that print a rule sheet: `games`, `rules`, `tables` and `schema`."""

from __future__ import annotations

import typer

from holecard.cli.arguments import Game, Json, Settings, sheet


def list_games(json: Json = False) -> None:
    """List the games that come with holecard."""
    from holecard.cli.printing.show import as_json
    from holecard.cli.printing.show_games import game_data, show_games
    from holecard.sheets.built_in import titles

    if json:
        as_json([game_data(name, sheet(name, None)) for name in titles()])
    else:
        show_games(titles())


def describe_rules(game: Game, settings: Settings = None, json: Json = False) -> None:
    """Describe a game in sentences: rules, decisions, pay tables, limits, rulings."""
    from holecard.cli.printing.show import as_json
    from holecard.cli.printing.show_sheet import description, description_data
    from holecard.sheets.descriptions.describe import describe

    chosen = sheet(game, settings)
    if json:
        as_json(description_data(game, chosen, describe(chosen)))
    else:
        description(describe(chosen))


def print_tables(game: Game, settings: Settings = None, json: Json = False) -> None:
    """Print the matrices a game compiles to: dealer, settlement, decisions, pay tables."""
    from holecard.cli.printing import show_sheet
    from holecard.cli.printing.show import as_json
    from holecard.sheets.descriptions.matrices import matrices

    chosen = sheet(game, settings)
    if json:
        as_json(show_sheet.matrices_data(game, chosen, matrices(chosen.tables)))
    else:
        show_sheet.matrices(chosen.name, matrices(chosen.tables))


def print_schema() -> None:
    """Print a JSON Schema of rule sheets, for editors."""
    from holecard.sheets.read import json_schema

    typer.echo(json_schema())
