"""`holecard sweep`: games and settings in all combinations, simulated one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from holecard.cli.arguments import (
    DeviceOption,
    ExecutorOption,
    OneStrategyOption,
    RoundsOption,
    SeedOption,
    SettingsOption,
    VaryOption,
    read_rounds,
    settings_of,
)
from holecard.cli.completion import complete_games
from holecard.cli.output import FormatOption, JsonOption, OutputOption, deliver
from holecard.cli.progress import SweepBar
from holecard.errors import Refusal
from holecard.sheets.grid import grid

if TYPE_CHECKING:
    from holecard.simulation.plays.fresh_shoes import Device
    from holecard.simulation.sweep import Sweep


def sweep(
    games: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME...",
            help="Names of games (see `holecard games`), or files of rule sheets.",
            autocompletion=complete_games,
        ),
    ],
    vary: VaryOption = None,
    settings: SettingsOption = None,
    rounds: RoundsOption = "1e7",
    seed: SeedOption = 1,
    strategy: OneStrategyOption = "basic",
    executor: ExecutorOption = None,
    device: DeviceOption = "cpu",
    exact: Annotated[
        bool, typer.Option("--exact", help="Add the exact EV of each line, and the difference in standard errors (z).")
    ] = (False),
    json: JsonOption = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV; the same as --format csv.")] = False,
    format_: FormatOption = None,
    output: OutputOption = None,
) -> None:
    """Simulate games and settings in all combinations, and print one line for each.

    Every line is identical, to the last bit, to what `holecard simulate` computes for the main wager of that game with
    those settings. --rounds is the number of rounds per line. Ctrl-C ends the sweep early and prints the finished
    lines.

    \b
    Examples:
      holecard sweep GAME --vary decks=1,2,6,8 --exact
      holecard sweep GAME GAME --vary dealer.soft_17=hit,stand --rounds 1e8
      holecard sweep GAME --vary decks=1,2 --strategy 'never bust' --csv
    """
    if json and as_csv:
        raise Refusal("--json and --csv both choose the format; leave one of them out")
    if as_csv:
        format_ = "csv"
    fixed, count = settings_of(settings), read_rounds(rounds)
    points = len(grid(games, vary, fixed).points)
    from holecard.simulation.sweep import SweepStopped  # loads numba, so only now
    from holecard.simulation.sweep import sweep as sweep_grid

    def show(found: Sweep) -> None:
        deliver(found, json=json, format=format_, output=output)

    with SweepBar(points, count) as bar:
        try:
            found = sweep_grid(
                games,
                vary,
                strategy,
                count,
                seed,
                settings=fixed,
                executor=executor,
                device=cast("Device", device),
                exact=exact,
                on_progress=bar.show_point,
            )
        except SweepStopped as stopped:
            show(stopped.swept)
            raise
    show(found)
    if not found.complete:
        typer.echo(f"stopped early: {len(found.points)} of {points} lines are done", err=True)
        raise typer.Exit(130)
