"""Arguments that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from holecard.sheets.schema import RuleSheet

Game: TypeAlias = Annotated[str, typer.Argument(help="A game's name (see `holecard games`) or a rule sheet's file.")]
Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="WORD=VALUE", help="Replace a word of the sheet; may be given several times."),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def sheet(game: str, settings: list[str] | None) -> RuleSheet:
    """The chosen sheet with its settings."""
    from holecard.sheets.override import parse_setting
    from holecard.sheets.read import rules

    return rules(game, dict(parse_setting(text) for text in settings or ()))
