"""`holecard check`: accept or refuse a rule sheet, and print how it is read."""

from __future__ import annotations

from typing import Annotated

import typer

from holecard.cli.arguments import SettingsOption, settings_of
from holecard.cli.completion import complete_games
from holecard.cli.output import FormatOption, JsonOption, OutputOption, deliver
from holecard.errors import SheetError
from holecard.exact.check_sheet import check as check_sheet


def check(
    file: Annotated[
        str, typer.Argument(help="A rule sheet: a TOML file or the name of a game.", autocompletion=complete_games)
    ],
    settings: SettingsOption = None,
    json: JsonOption = False,
    format_: FormatOption = None,
    output: OutputOption = None,
) -> None:
    """Accept or refuse a rule sheet, and print how every pay line is read.

    Warn about pay lines that can never pay, better or rarer hands that pay less, and side wagers that favor the player
    or keep more than a quarter of the stakes.
    """
    found = check_sheet(file, settings_of(settings))
    if not found.accepted:
        if not json and format_ != "json":
            raise SheetError(found.game, found.problems)
        deliver(found, json=json, format=format_, output=output)
        raise typer.Exit(2)
    if json or format_ is not None or output is not None:
        deliver(found, json=json, format=format_, output=output)
        return
    for warning in found.warnings:
        typer.echo(f"warning: {warning}", err=True)
    deliver(found, warnings=False)
