"""`holecard verify`: the exact numbers beside simulated ones, rounds replayed at the table, and whether all agree."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, cast

import typer

from holecard.cli.arguments import Game, Json, Settings, sheet
from holecard.cli.commands.simulate import (
    Executor,
    OnDevice,
    OneStrategy,
    Playing,
    Rounds,
    Seed,
    end_early,
    read_rounds,
    read_strategies,
    say_strategy,
)
from holecard.cli.options import say_if_compiling
from holecard.cli.printing.show import as_json
from holecard.cli.printing.show_simulation import show_verification
from holecard.cli.printing.simulation_data import verification_data
from holecard.kernels.cache import mark_warm

if TYPE_CHECKING:
    from holecard.simulation.plays.fresh_shoes import Device
    from holecard.simulation.verify import Verification


def verify(
    game: Game,
    settings: Settings = None,
    rounds: Rounds = "10e6",
    seed: Seed = 1,
    strategy: OneStrategy = "optimal",
    executor: Executor = None,
    device: OnDevice = "cpu",
    replay: Annotated[
        int, typer.Option(metavar="NUMBER", min=0, help="How many of the rounds to replay at the table, card by card.")
    ] = 1500,
    json: Json = False,
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
    rules = sheet(game, settings)
    count = read_rounds(rounds)
    (player,) = read_strategies([strategy], rules)
    say_if_compiling("verify")
    from holecard.simulation.verify import verify as compare  # numba loads here, and only where it is needed

    with Playing(count) as playing:
        found = compare(
            rules,
            player,
            count,
            seed,
            executor=executor,
            device=cast("Device", device),
            replay=replay,
            on_progress=playing.show_main,
        )
    if found.sampled.complete:
        mark_warm("verify")
    found = _named(found, say_strategy(strategy, player, found.sampled.main.strategy))
    if json:
        as_json(verification_data(game, found))
    else:
        show_verification(found)
    end_early(found.sampled)
    if not found.agrees:
        raise typer.Exit(1)


def _named(found: Verification, strategy: str) -> Verification:
    """With a chart called by its file."""
    seat = replace(found.sampled.main, strategy=strategy)
    return replace(found, sampled=replace(found.sampled, seats=(seat, *found.sampled.seats[1:])))
