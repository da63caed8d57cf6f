"""`holecard strategy`: the best total-dependent chart, in the terminal and in five formats."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

from holecard import report
from holecard.cli.arguments import GameArgument, SeenOption, SettingsOption, ShoeOption, sheet
from holecard.cli.output import JsonOption, deliver, show
from holecard.errors import Refusal

StrategyFormat: TypeAlias = Literal["chart", "text", "csv", "json", "svg", "html"]


def strategy(
    game: GameArgument,
    settings: SettingsOption = None,
    exceptions: Annotated[
        bool,
        typer.Option("--exceptions", help="Add two-card hands that are better played differently from their total."),
    ] = False,
    shoe: ShoeOption = None,
    seen: SeenOption = None,
    format_: Annotated[
        StrategyFormat | None,
        typer.Option("--format", help="The format; by default a chart in a terminal, and text anywhere else."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="Write it to this file: .txt, .html, .csv, .json or .svg."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Print basic strategy, the best total-dependent chart, and its cost against composition-dependent play.

    The letters of a cell are tried in order: DH doubles where that is allowed, and hits where it is not.
    --format text can be read back: change a cell and price the chart with `holecard analyze GAME --strategy FILE`.

    \b
    Examples:
      holecard strategy GAME
      holecard strategy GAME --set decks=2 --format text > chart.txt
      holecard strategy GAME --set decks=1 --exceptions
      holecard strategy GAME --output chart.svg
    """
    rules = sheet(game, settings)
    wanted = _format(json, format_, output)
    from holecard.exact.best_strategy import strategy as best_strategy  # loads numba, so only now

    found = best_strategy(rules, shoe, seen=seen, exceptions=exceptions)
    if wanted == "chart":
        show(report.document(found))
    else:
        deliver(found, format=wanted, output=output)


def _format(json: bool, format_: StrategyFormat | None, output: Path | None) -> StrategyFormat:
    """Return the format that was asked for, or the one that fits the place."""
    if json and format_ not in (None, "json"):
        raise Refusal(f"--json and --format {format_} differ; leave one of them out")
    if output is not None and format_ == "chart":
        raise Refusal("--format chart is for the terminal; write a file as text, csv, json, svg or html")
    if json or format_ is not None:
        return format_ or "json"
    if output is not None:
        return report.format_of(output)
    return "chart" if sys.stdout.isatty() else "text"
