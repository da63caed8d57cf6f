"""`holecard check`: accept or refuse a rule sheet, and print what it was read as."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from holecard.cli.arguments import Json, Settings, sheet
from holecard.cli.printing.show import as_json
from holecard.cli.printing.show_check import favors_data, readings_data, show_readings
from holecard.errors import SheetError, plural
from holecard.odds import odds
from holecard.sheets.checks.dead_lines import unreachable_lines
from holecard.sheets.checks.line_readings import line_readings
from holecard.sheets.checks.payout_order import odd_orderings

if TYPE_CHECKING:
    from holecard.exact.favorable_wagers import Favor
    from holecard.sheets.schema import RuleSheet


def check(
    file: Annotated[str, typer.Argument(help="A rule sheet: a TOML file or a game's name.")],
    settings: Settings = None,
    json: Json = False,
) -> None:
    """Accept or refuse a rule sheet, and print what every pay line was read as.

    Warn of pay lines that can never pay, of better hands that get less, and of side wagers that favor the player.
    """
    try:
        chosen = sheet(file, settings)
    except SheetError as refused:
        if not json:
            raise
        problems = [{"where": p.where, "line": p.line, "what": p.what} for p in refused.problems]
        as_json({"sheet": file, "accepted": False, "problems": problems})
        raise typer.Exit(2) from None
    readings = line_readings(chosen)
    favors = _favors(chosen)
    warnings = [*map(str, odd_orderings(chosen)), *map(str, unreachable_lines(chosen)), *map(str, favors)]
    if json:
        data = {"sheet": file, "name": chosen.name, "accepted": True, "warnings": warnings}
        as_json({**data, "readings": readings_data(readings), "favors_player": favors_data(favors)})
        return
    show_readings(readings)
    for warning in warnings:
        typer.echo(f"warning: {warning}", err=True)
    typer.echo(
        f"{file}: {chosen.name} can be dealt" + (f", with {plural(len(warnings), 'warning')}" if warnings else "")
    )


def _favors(chosen: RuleSheet) -> tuple[Favor, ...]:
    """What favors the player; numba is not loaded where nothing can.

    Insurance at 2 to 1 never does: with an ace up and no ten held, at most 16 of 49 cards are tens.
    """
    if not chosen.wager and (chosen.insurance.pays == "none" or odds(chosen.insurance.pays) <= 2):
        return ()
    from holecard.cli.options import say_if_compiling
    from holecard.kernels.cache import mark_warm

    say_if_compiling("check")
    from holecard.exact.favorable_wagers import sheet_favors

    found = sheet_favors(chosen)
    mark_warm("check")
    return found
