"""`holecard analyze`: what a game and every wager cost, exactly; or the edges of a grid of rules."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holecard.cli.arguments import Game, Json, Settings, sheet
from holecard.cli.commands.vary import compare_rules
from holecard.cli.options import Seen, Shoe, follows, read_chart, say_if_compiling, shoe_of
from holecard.cli.printing.analysis_data import analysis_data
from holecard.cli.printing.show import as_json
from holecard.cli.printing.show_analysis import show_analysis
from holecard.errors import Refusal
from holecard.kernels.cache import mark_warm

if TYPE_CHECKING:
    from holecard.exact.analysis import Splits


def analyze(
    game: Game,
    settings: Settings = None,
    shoe: Shoe = None,
    seen: Seen = None,
    strategy: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Price this chart, as `holecard strategy` writes it.")
    ] = None,
    splits: Annotated[
        str,
        typer.Option(
            metavar="fixed|optimal",
            help="How hands made by splitting are played: fixed, by one plan for the hand's own cards (CDZ-); optimal, "
            "by all the cards seen, where a pair makes at most two hands.",
        ),
    ] = "fixed",
    hands: Annotated[bool, typer.Option("--hands", help="Add every starting hand with its actions.")] = False,
    vary: Annotated[
        list[str] | None,
        typer.Option(metavar="WORD=A,B,…", help="Compare the edges for each of these values; may be repeated."),
    ] = None,
    json: Json = False,
) -> None:
    """Reckon what a game costs, exactly: the main wager, and every side wager line by line.

    Values hold for a full shoe shuffled before each round, unless --shoe or --seen say otherwise.

    \b
    Examples:
      holecard analyze GAME
      holecard analyze GAME --set decks=8 --hands
      holecard analyze GAME --seen '2,2,5' --json
      holecard analyze GAME --strategy chart.txt
      holecard analyze GAME --set split_hands=2 --splits optimal
      holecard analyze GAME --vary decks=1,2,6,8 --vary dealer.soft_17=hit,stand
    """
    how = _splits(splits, strategy)
    if vary:
        if how == "optimal":
            raise Refusal("--vary compares edges under CDZ-; leave out --splits, or ask for one game at a time")
        if hands:
            raise Refusal("--vary compares edges and lists no hands; leave out --hands, or ask for one game at a time")
        compare_rules(game, settings, vary, shoe=shoe, seen=seen, strategy=strategy, json=json)
        return
    rules = sheet(game, settings)
    cards = shoe_of(rules, shoe, seen)
    chart = None if strategy is None else read_chart(strategy, rules)
    if how == "optimal" and rules.tables.split_hands > 2:
        raise Refusal(
            "--splits optimal is computed where a pair makes at most two hands; "
            f"this game allows {rules.tables.split_hands}: add --set split_hands=2"
        )
    say_if_compiling("analyze")
    from holecard.exact.analysis import analyze as reckon  # numba loads here, and only where it is needed

    if how == "optimal":
        typer.echo("solving both hands of every split: this can take half a minute ...", err=True)
        analysis = reckon(rules, cards, splits=how, threads=os.cpu_count() or 1)
    else:
        analysis = reckon(rules, cards, strategy=chart)
    found = replace(analysis, strategy=follows(strategy))
    mark_warm("analyze")
    if json:
        as_json(analysis_data(game, found, chart, hands=hands))
    else:
        show_analysis(found, chart, hands=hands)


def _splits(said: str, strategy: Path | None) -> Splits:
    if said == "fixed":
        return "fixed"
    if said != "optimal":
        raise Refusal(f"--splits {said}: write fixed or optimal")
    if strategy is not None:
        raise Refusal("--strategy fixes what is done after a split; leave out --splits optimal, or the chart")
    return "optimal"
