"""`holecard verify`: exact numbers compared with simulated ones, and rounds replayed at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from holecard.cli.arguments import (
    DeviceOption,
    ExecutorOption,
    GameArgument,
    OneStrategyOption,
    RoundsOption,
    SeedOption,
    SettingsOption,
)
from holecard.cli.output import FormatOption, JsonOption, OutputOption, deliver
from holecard.cli.progress import SimulationBar
from holecard.cli.rounds import end_early, rules_and_rounds

if TYPE_CHECKING:
    from holecard.simulation.plays.fresh_shoes import Device


def verify(
    game: GameArgument,
    settings: SettingsOption = None,
    rounds: RoundsOption = "1e7",
    seed: SeedOption = 1,
    strategy: OneStrategyOption = "basic",
    executor: ExecutorOption = None,
    device: DeviceOption = "cpu",
    replay: Annotated[
        int, typer.Option(metavar="NUMBER", min=0, help="How many of the rounds to replay at the table, card by card.")
    ] = 1500,
    json: JsonOption = False,
    format_: FormatOption = None,
    output: OutputOption = None,
) -> None:
    """Compare the exact numbers of a game with simulated rounds, and replay some of the rounds at the table.

    The exit code is 0 if everything agrees. It is 1 if exact and simulated numbers differ, if any wager of a replayed
    round differs by a cent, or if there are too few rounds to judge anything. A correct game fails for about one seed
    in a thousand.

    \b
    Examples:
      holecard verify GAME
      holecard verify GAME --rounds 1e9 --seed 7
      holecard verify GAME --replay 20000
      holecard verify GAME --set dealer.soft_17=stand --strategy 'never bust' --json
    """
    rules, count = rules_and_rounds(game, settings, rounds, [strategy])
    from holecard.simulation.verify import verify as compare  # loads numba, so only now

    with SimulationBar(count) as bar:
        found = compare(
            rules,
            strategy,
            count,
            seed,
            executor=executor,
            device=cast("Device", device),
            replay=replay,
            on_progress=bar.show_main,
        )
    deliver(found, json=json, format=format_, output=output)
    end_early(found.sampled)
    if not found.agrees:
        raise typer.Exit(1)
