"""What the commands that reckon share: the shoe they are asked about, the chart, and a word while kernels compile."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from holecard.charts.chart import Chart
from holecard.charts.layout import Layout
from holecard.charts.text import read_chart_text
from holecard.composition import Composition, composition, full
from holecard.errors import Refusal, Unreadable
from holecard.exact.results import WagerResult
from holecard.kernels import cache
from holecard.sheets.files.text_file import read_text_file
from holecard.sheets.schema import RuleSheet

Shoe: TypeAlias = Annotated[
    str | None,
    typer.Option("--shoe", metavar="COUNTS", help="The cards a round is dealt from, such as 'A:20 2:24 T:90'."),
]
Seen: TypeAlias = Annotated[
    str | None, typer.Option("--seen", metavar="CARDS", help="Cards that are out already, such as '2,2,5' or '2s 2h'.")
]


def shoe_of(rules: RuleSheet, shoe: str | None, seen: str | None) -> Composition:
    """The shoe as said, or the sheet's decks in full, without the cards seen."""
    cards = full(rules.shoe.decks) if shoe is None else composition(_said(shoe, "--shoe"))
    return cards if seen is None else cards.without(_said(seen, "--seen"))


def _said(words: str, option: str) -> str:
    if not words.strip():
        raise Unreadable(f"{option} names no card; write cards, or leave the option out")
    return words


def read_chart(file: Path, rules: RuleSheet) -> Chart:
    """A strategy chart from a text file, as `holecard strategy` prints it."""
    try:
        text = read_text_file(file)
    except Unreadable as refused:
        raise Refusal(f"{file}: the chart {refused}") from None
    return read_chart_text(text, Layout.of(rules.tables), str(file))


def follows(chart: Path | None) -> str:
    """What the player follows, in words: a chart by its file."""
    from holecard.exact.analysis import OPTIMUM

    return OPTIMUM if chart is None else f"the chart {chart}"


def say_if_compiling(what: str) -> None:
    """The first number of each kind after an installation takes long; say why."""
    if not cache.is_warm(what):
        typer.echo("compiling the kernels (once) ...", err=True)


@dataclass(frozen=True, slots=True)
class Point:
    """One game of a grid: the values that make it, as written, and what it costs."""

    labels: tuple[str, ...]
    decks: int
    shoe: Composition
    ev: float
    error_bound: float
    """The exact mean lies within this of `ev`."""
    wagers: tuple[WagerResult, ...]
    skipped: tuple[tuple[str, str], ...]
    """Wagers that could not be computed, and why."""


def price(labels: tuple[str, ...], rules: RuleSheet, shoe: Composition, chart: Chart | None) -> Point:
    """The values alone, which are much faster to have than a whole analysis."""
    from holecard.exact.error_bound import error_bound
    from holecard.exact.solved_game import game_ev, solve_game
    from holecard.exact.wagers.wager_values import skipped_wagers, wager_results

    solved = solve_game(rules, shoe, chart)
    return Point(
        labels=labels,
        decks=rules.shoe.decks,
        shoe=shoe,
        ev=game_ev(solved),
        error_bound=error_bound(solved.solution, solved.decisions),
        wagers=wager_results(rules.tables, shoe),
        skipped=skipped_wagers(rules.tables, shoe),
    )
