"""`holecard simulate --reduce-variance`: the mean with the luck of the cards taken out, beside the raw one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from holecard.cli.figures import facts, percent, say, signed, title
from holecard.cli.show import as_json, console
from holecard.cli.show_simulation import decimals
from holecard.errors import Refusal
from holecard.sheets.schema import RuleSheet

if TYPE_CHECKING:
    from holecard.simulation.estimates import Estimate
    from holecard.simulation.luck import LuckSimulation
    from holecard.simulation.strategies import StrategyLike


def simulate_without_luck(
    game: str,
    rules: RuleSheet,
    players: Sequence[StrategyLike],
    strategy: str,
    rounds: int,
    seed: int,
    *,
    executor: str | None,
    level: float,
    resume: Path | None,
    json: bool,
) -> None:
    """Play one seat from fresh shoes, and show both estimates."""
    if len(players) > 1:
        raise Refusal("--reduce-variance plays one seat; give one --strategy")
    from holecard.simulation.luck import simulate_luck  # numba loads here, and only where it is needed

    found = simulate_luck(rules, players[0], rounds, seed, executor=executor, level=level, resume=resume)
    if json:
        as_json(_data(game, found, strategy))
    else:
        _show(found, strategy)
    if not found.complete:
        typer.echo(f"stopped: {found.rounds:,} of {found.asked:,} rounds were played", err=True)
        raise typer.Exit(130)


def refuse_beside_luck(**given: object) -> None:
    """What cannot be asked for together with --reduce-variance."""
    for option, value in given.items():
        if value:
            said = option.replace("_", "-")
            raise Refusal(f"--reduce-variance plays the main wager of one seat from fresh shoes; leave out --{said}")


def _data(game: str, found: LuckSimulation, strategy: str) -> dict[str, Any]:
    return {
        "game": game,
        "decks": found.rules.shoe.decks,
        "procedure": found.procedure,
        "strategy": strategy,
        "seed": found.seed,
        "rounds": found.rounds,
        "asked": found.asked,
        "complete": found.complete,
        **found.result.to_data(),
        "settings": dict(found.rules.origin[1]),
    }


def _show(found: LuckSimulation, strategy: str) -> None:
    out, result = console(), found.result
    title(out, found.rules.name)
    facts(
        out,
        [
            ("dealt", found.procedure),
            ("strategy", strategy),
            ("rounds", f"{found.rounds:,}, seed {found.seed}"),
        ],
    )
    title(out, "Main wager, per unit of initial stake")
    facts(
        out,
        [
            ("as it fell", *_estimate(result.raw)),
            ("without luck", *_estimate(result.reduced)),
            ("house edge", percent(-result.reduced.mean, decimals(result.reduced.se) - 2), "without luck"),
            ("gained", f"{result.gain:,.0f}", "times fewer rounds for the same error"),
            ("mean luck", *_estimate(result.luck)),
        ],
    )
    say(
        out,
        f"Mean luck must be 0 if the cards are dealt fairly: it is {result.luck_in_errors:+.1f} standard errors off.",
    )


def _estimate(found: Estimate) -> tuple[str, str]:
    places = decimals(found.se)
    return signed(found.mean, places), f"± {found.se:.{places}f} (standard error)"
