"""`holecard verify`: the exact numbers beside simulated ones, and whether they agree."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

import typer

from holecard.cli.reckoning import say_if_compiling
from holecard.cli.settings import Game, Json, Settings, sheet
from holecard.cli.show import as_json
from holecard.cli.show_simulation import show_verification
from holecard.cli.simulate import (
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
from holecard.cli.simulation_data import verification_data
from holecard.kernels.cache import mark_warm

if TYPE_CHECKING:
    from holecard.simulation.fresh import Device
    from holecard.simulation.verify import Verification


def verify(
    game: Game,
    settings: Settings = None,
    rounds: Rounds = "10e6",
    seed: Seed = 1,
    strategy: OneStrategy = "optimal",
    executor: Executor = None,
    device: OnDevice = "cpu",
    json: Json = False,
) -> None:
    """Compare the exact numbers of a game with rounds of it, dealt and counted.

    Ends with 0 if they agree, and with 1 if they differ or the rounds are too few to judge anything. A right game is
    found wrong once in a thousand seeds.

    \b
    Examples:
      holecard verify GAME
      holecard verify GAME --rounds 1e9 --seed 7
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
    if not found.agreement.agrees:
        raise typer.Exit(1)


def _named(found: Verification, strategy: str) -> Verification:
    """With a chart called by its file."""
    seat = replace(found.sampled.main, strategy=strategy)
    return replace(found, sampled=replace(found.sampled, seats=(seat, *found.sampled.seats[1:])))
