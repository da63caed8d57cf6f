"""`holecard bankroll`: how a bankroll develops, in numbers and as a plot."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from holecard import report
from holecard.cli.arguments import GameArgument, SeedOption, SettingsOption, StrategyOption, sheet
from holecard.cli.output import DrawnFormatOption, DrawnOutputOption, JsonOption, deliver
from holecard.cli.progress import ProgressBar
from holecard.errors import Refusal
from holecard.money import money


def bankroll(
    game: GameArgument,
    bankroll: Annotated[str, typer.Option(metavar="MONEY", help="The player's starting bankroll.")],
    bet: Annotated[str, typer.Option(metavar="MONEY", help="The main wager of every round.")],
    settings: SettingsOption = None,
    hours: Annotated[float, typer.Option(help="The length of the session in hours.")] = 4,
    rounds_per_hour: Annotated[int, typer.Option(help="Rounds played per hour.")] = 80,
    paths: Annotated[int, typer.Option(help="Sessions to sample, in addition to the exact numbers.")] = 10_000,
    seed: SeedOption = 1,
    confidence: Annotated[float, typer.Option(help='The confidence level for "until the edge shows".')] = 0.95,
    strategy: StrategyOption = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE.svg", help="Write a plot of the bankroll over time to this file.")
    ] = None,
    json: JsonOption = False,
    format_: DrawnFormatOption = None,
    output: DrawnOutputOption = None,
) -> None:
    """Compute how a bankroll develops: risk of ruin, quantiles over time, drawdown, hours until the edge shows.

    Each round is dealt from a fresh shoe. A player who cannot cover the next bet is ruined and stops.

    \b
    Examples:
      holecard bankroll GAME --bankroll '$1000' --bet '$10'
      holecard bankroll GAME --bankroll '$500' --bet '$25' --hours 8 --plot bankroll.svg
      holecard bankroll GAME --bankroll '$1000' --bet '$10' --strategy 'never bust'
      holecard bankroll GAME --bankroll '$1000' --bet '$10' --set settle.natural='6 to 5' --json
    """
    rules = sheet(game, settings)
    if strategy is not None:
        from holecard.exact.strategies import check_strategy

        check_strategy(rules, strategy, may_be_optimal=True)
    _refuse_nothing("--bankroll", bankroll)
    _refuse_nothing("--bet", bet)
    if plot is not None and plot.suffix.lower() != ".svg":
        raise Refusal(f"{plot}: the plot is drawn as SVG; end its name in .svg")
    from holecard.simulation.bankroll.projection import bankroll as project  # loads numba, so only now
    from holecard.simulation.bankroll.projection import steps

    with ProgressBar(steps(paths)) as bar:
        found = project(
            rules,
            bankroll=bankroll,
            bet=bet,
            hours=hours,
            rounds_per_hour=rounds_per_hour,
            paths=paths,
            seed=seed,
            confidence=confidence,
            strategy=strategy,
            threads=os.cpu_count() or 1,
            on_progress=bar.advance,
        )
    if plot is not None:
        report.write(found, format="svg", file=plot)
    deliver(found, json=json, format=format_, output=output)


def _refuse_nothing(option: str, amount: str) -> None:
    """Refuse zero: an unquoted $1000 arrives as 000, because the shell replaces $1."""
    if money(amount) == 0:
        raise Refusal(f"{option}: {amount!r} is zero; write an amount above 0, in quotes if it has a $: '$1000'")
