"""`holecard analyze`: the exact house edge of a game and of every wager, or of a grid of settings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from holecard.cli.arguments import (
    GameArgument,
    SeenOption,
    SettingsOption,
    ShoeOption,
    StrategyOption,
    VaryOption,
    settings_of,
    sheet,
)
from holecard.cli.output import FormatOption, JsonOption, OutputOption, deliver
from holecard.cli.progress import ProgressBar
from holecard.errors import Refusal

if TYPE_CHECKING:
    from holecard.exact.analysis import Splits
    from holecard.exact.compare import RuleComparison


def analyze(
    game: GameArgument,
    settings: SettingsOption = None,
    shoe: ShoeOption = None,
    seen: SeenOption = None,
    strategy: StrategyOption = None,
    splits: Annotated[
        str,
        typer.Option(
            metavar="fixed|optimal",
            help="How split hands are played: fixed, each by its own cards (CDZ-); or optimal, by all cards seen, if a "
            "pair makes at most two hands.",
        ),
    ] = "fixed",
    hands: Annotated[
        bool, typer.Option("--hands", help="Add every starting hand with the EVs of its actions.")
    ] = False,
    vary: VaryOption = None,
    json: JsonOption = False,
    format_: FormatOption = None,
    output: OutputOption = None,
) -> None:
    """Compute the exact house edge of the main game and of every side wager, pay line by pay line.

    Values hold for a full shoe shuffled before each round, unless --shoe or --seen change it.

    \b
    Examples:
      holecard analyze GAME
      holecard analyze GAME --set decks=8 --hands
      holecard analyze GAME --seen '2,2,5' --json
      holecard analyze GAME --strategy basic
      holecard analyze GAME --set split_hands=2 --splits optimal
      holecard analyze GAME --vary decks=1,2,6,8 --vary dealer.soft_17=hit,stand
    """
    how = _splits(splits, strategy)
    if vary:
        found = _compared(game, settings, vary, shoe, seen, strategy, splits=how, hands=hands)
        deliver(found, json=json, format=format_, output=output)
        if not found.complete:
            done = f"{len(found.games)} of {len(found.grid.points)} games are done"
            typer.echo(f"stopped early: {done}", err=True)
            raise typer.Exit(130)
        return
    rules = sheet(game, settings)
    if how == "optimal" and rules.tables.split_hands > 2:
        raise Refusal(
            "--splits optimal needs rules by which a pair makes at most two hands; "
            f"this game allows {rules.tables.split_hands}: add --set split_hands=2"
        )
    from holecard.exact.analysis import analyze as analyze_game  # loads numba, so only now

    threads = 1
    if how == "optimal":
        typer.echo("solving both hands of every split: this can take half a minute ...", err=True)
        threads = os.cpu_count() or 1
    analysis = analyze_game(rules, shoe, seen=seen, strategy=strategy, splits=how, threads=threads)
    options = {"hands": True} if hands else {}
    deliver(analysis, json=json, format=format_, output=output, **options)


def _compared(
    game: str,
    settings: list[str] | None,
    vary: list[str],
    shoe: str | None,
    seen: list[str] | None,
    strategy: str | None,
    *,
    splits: str,
    hands: bool,
) -> RuleComparison:
    """Return the grid of games; Ctrl-C ends it with those that are done."""
    from holecard.exact.compare import compare
    from holecard.sheets.grid import grid

    if splits == "optimal":
        raise Refusal("--vary compares edges under CDZ-; leave out --splits, or analyze one game at a time")
    if hands:
        raise Refusal("--vary compares edges and lists no hands; leave out --hands, or analyze one game at a time")
    fixed = settings_of(settings)
    points = grid(game, vary, fixed).points
    with ProgressBar(len(points)) as bar:
        return compare(game, vary, settings=fixed, shoe=shoe, seen=seen, strategy=strategy, on_progress=bar.advance)


def _splits(given: str, strategy: str | None) -> Splits:
    if given == "fixed":
        return "fixed"
    if given != "optimal":
        raise Refusal(f"--splits {given}: write fixed or optimal")
    from holecard.exact.strategies import is_optimal

    if not is_optimal(strategy):
        raise Refusal("--strategy fixes what is done after a split; leave out --splits optimal, or the strategy")
    return "optimal"
