"""`holecard sweep`: games and rules in all combinations, simulated one after the other."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, cast

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from holecard.cli.arguments import Json, Settings
from holecard.cli.commands.simulate import (
    Executor,
    OnDevice,
    OneStrategy,
    Rounds,
    Seed,
    read_rounds,
    read_strategies,
)
from holecard.cli.commands.vary import Varied, read_varied
from holecard.cli.options import say_if_compiling
from holecard.cli.printing.show_simulation import millions
from holecard.cli.printing.show_sweep import Swept, show_csv, show_json, show_table
from holecard.cli.progress import PATIENCE
from holecard.errors import ChartError, Refusal
from holecard.kernels.cache import mark_warm
from holecard.sheets.override import parse_setting

if TYPE_CHECKING:
    from holecard.simulation.plays.fresh_shoes import Device
    from holecard.simulation.results import Simulation
    from holecard.exact.strategies import StrategyLike
    from holecard.simulation.sweep import Planned, SweepPoint


def sweep(
    games: Annotated[
        list[str], typer.Argument(metavar="GAME...", help="Games' names (see `holecard games`) or rule sheets' files.")
    ],
    vary: Annotated[
        list[str] | None,
        typer.Option(metavar="WORD=A,B", help="Try these values of a word in every game; may be repeated."),
    ] = None,
    settings: Settings = None,
    rounds: Rounds = "1e7",
    seed: Seed = 1,
    strategy: OneStrategy = "optimal",
    executor: Executor = None,
    device: OnDevice = "cpu",
    exact: Annotated[bool, typer.Option("--exact", help="Put the exact value beside each, and how far off it is.")] = (
        False
    ),
    json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV, for spreadsheets.")] = False,
) -> None:
    """Simulate games and rules in all combinations: a line for each.

    Every line is what `holecard simulate` finds for the main wager of that game with those rules, to the bit. --rounds
    are those of each line. Ctrl-C ends early with the lines that are finished.

    \b
    Examples:
      holecard sweep GAME --vary decks=1,2,6,8 --exact
      holecard sweep GAME GAME --vary dealer.soft_17=hit,stand --rounds 1e8
      holecard sweep GAME --vary decks=1,2 --strategy 'never bust' --csv
    """
    if json and as_csv:
        raise Refusal("--json and --csv both say how to print; leave one of them out")
    varied = tuple(read_varied(text) for text in vary or ())
    fixed = dict(parse_setting(text) for text in settings or ())
    count = read_rounds(rounds)
    points = _planned(_each_once(games), varied, fixed, strategy)
    done: list[SweepPoint] = []
    swept = Swept(tuple(games), varied, fixed, strategy, count, seed, exact, points, done)
    show = show_json if json else show_csv if as_csv else show_table
    warm = "sweep-exact" if exact else "sweep"
    say_if_compiling(warm)
    from holecard.simulation.run.chunks import WorkersLost  # numba loads here, and only where it is needed

    try:
        _play(swept, done, executor, cast("Device", device))
    except WorkersLost:
        # The lines that are finished are as good as ever.
        show(swept)
        raise
    show(swept)
    if not swept.complete:
        typer.echo(f"stopped: {len(done)} of {len(points)} are done", err=True)
        raise typer.Exit(130)
    mark_warm(warm)


def _each_once(games: Sequence[str]) -> Sequence[str]:
    for game in games:
        if games.count(game) > 1:
            raise Refusal(f"{game} stands there twice; name each game once")
    return games


def _planned(
    games: Sequence[str], varied: Sequence[Varied], fixed: Mapping[str, object], strategy: str
) -> tuple[Planned, ...]:
    """Every sheet, each with its strategy: what a chart may say depends on the rules, so it has to suit every point."""
    from holecard.simulation.sweep import planned

    vary: dict[str, list[object]] = {}
    for varying in varied:
        if varying.word in vary:
            raise Refusal(f"--vary {varying.word}: the word stands there twice; put all its values behind one")
        vary[varying.word] = [value for _, value in varying.values]
    return tuple(replace(point, strategy=_strategy(strategy, point)) for point in planned(games, vary, fixed))


def _strategy(said: str, point: Planned) -> StrategyLike:
    try:
        return read_strategies([said], point.rules)[0]
    except ChartError as error:
        raise ChartError([f"{point.game}: {problem}" for problem in error.problems]) from None


def _play(swept: Swept, done: list[SweepPoint], executor: str | None, device: Device) -> None:
    """Add what is finished to `done`, until all are or Ctrl-C comes."""
    from holecard.simulation.simulate import check_run
    from holecard.simulation.sweep import sweeping

    check_run(swept.rounds, swept.seed, device)
    with Sweeping(len(swept.points), swept.rounds) as bar, contextlib.suppress(KeyboardInterrupt):
        for point in sweeping(
            swept.points,
            swept.rounds,
            swept.seed,
            executor=executor,
            device=device,
            exact=swept.exact,
            on_progress=bar.show,
        ):
            done.append(point)


class Sweeping:
    """A bar on the error stream for a sweep of more than a second: points, rounds and rate over the whole grid."""

    def __init__(self, points: int, rounds: int) -> None:
        self._points, self._rounds = points, rounds
        self._first: tuple[int, float] | None = None
        screen = Console(stderr=True)
        # Room for the ^C that a terminal writes behind the bar, which would else break the line.
        screen.width = min(screen.width, 100) - 4
        self._bar = Progress(
            BarColumn(bar_width=None),
            TextColumn("{task.description}"),
            TimeRemainingColumn(compact=True),
            console=screen,
            transient=True,
            expand=True,
        )
        self._task = self._bar.add_task("", total=points * rounds)
        self._started = time.monotonic()
        self._is_shown = False

    def __enter__(self) -> Sweeping:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._is_shown:
            self._bar.stop()

    def show(self, done: int, found: Simulation) -> None:
        """So many points are finished, and the next is so far."""
        now, played = time.monotonic(), done * self._rounds + found.rounds
        self._first = self._first or (played, now)
        if not self._is_shown and now - self._started > PATIENCE and sys.stderr.isatty():
            self._bar.start()
            self._is_shown = True
        if self._is_shown:
            self._bar.update(self._task, completed=played, description=self._say(done, played, now))

    def _say(self, done: int, played: int, now: float) -> str:
        """The rate counts from the first rounds reported on: not the time to load the kernels."""
        before, since = self._first or (played, now)
        speed = f", {millions((played - before) / (now - since))} M/s" if now - since > PATIENCE else ""
        whole = self._points * self._rounds
        return f"{done} of {self._points} points, {millions(played)} of {millions(whole)} M rounds{speed}"
