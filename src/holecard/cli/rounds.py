"""What the commands that play rounds of one game share: reading the request, and ending early."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import typer

from holecard.cli.arguments import read_rounds, sheet

if TYPE_CHECKING:
    from holecard.sheets.schema import RuleSheet
    from holecard.simulation.count_results import CountSimulation
    from holecard.simulation.luck_results import LuckSimulation
    from holecard.simulation.results import Simulation


def rules_and_rounds(
    game: str, settings: list[str] | None, rounds: str, strategies: Iterable[str]
) -> tuple[RuleSheet, int]:
    """Return the sheet and the number of rounds; unknown strategies are refused before numba is loaded."""
    rules, count = sheet(game, settings), read_rounds(rounds)
    from holecard.exact.strategies import check_strategy

    for strategy in strategies:
        check_strategy(rules, strategy)
    return rules, count


def end_early(found: Simulation | LuckSimulation | CountSimulation) -> None:
    """Say that a run was stopped, if it was, and exit as an interrupted command does."""
    if not found.complete:
        typer.echo(f"stopped early: {found.rounds:,} of {found.asked:,} rounds were played", err=True)
        raise typer.Exit(130)
