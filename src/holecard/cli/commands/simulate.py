"""`holecard simulate`: rounds dealt by the million, and what came of them."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, TypeAlias, cast

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from holecard.charts.chart import Chart
from holecard.charts.named_strategies import NAMED, OPTIMAL, WITH_EXCEPTIONS, strategy_name
from holecard.cli.arguments import Game, Json, Settings, sheet
from holecard.cli.options import read_chart, say_if_compiling
from holecard.cli.printing.show import as_json
from holecard.cli.printing.show_simulation import decimals, millions, show_simulation
from holecard.cli.printing.simulation_data import simulation_data
from holecard.cli.progress import PATIENCE
from holecard.errors import Refusal, did_you_mean, shortly
from holecard.kernels.cache import mark_warm
from holecard.sheets.schema import RuleSheet
from holecard.simulation.statistics.estimates import LEVEL, Estimate, z_quantile

if TYPE_CHECKING:
    from holecard.simulation.plays.fresh_shoes import Device
    from holecard.simulation.plays.luck_adjusted import LuckSimulation
    from holecard.simulation.results import Simulation
    from holecard.simulation.strategies import StrategyLike

_NAMES = "optimal, 'optimal with exceptions', 'mimic the dealer', 'never bust'"
Rounds: TypeAlias = Annotated[
    str, typer.Option("--rounds", metavar="NUMBER", help="How many to play, such as 1000000, 1e9 or 10M.")
]
Seed: TypeAlias = Annotated[int, typer.Option("--seed", help="The same seed deals the same rounds.")]
Executor: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--executor",
        metavar="WHERE",
        help="Who plays: threads:2, or a Dask cluster, dask://host:port.",
        show_default="a thread for each core",
    ),
]
OneStrategy: TypeAlias = Annotated[
    str,
    typer.Option("--strategy", metavar="NAME|FILE", help=f"{_NAMES}, or a chart's file."),
]
OnDevice: TypeAlias = Annotated[str, typer.Option("--device", metavar="cpu|cuda", help="What plays them.")]

_WRITTEN = re.compile(r"(?P<number>\d{1,40}(\.\d{1,40})?(e\+?\d{1,3})?)(?P<unit>[kmgbt]?)")
_THOUSANDS = {"": 0, "k": 1, "m": 2, "g": 3, "b": 3, "t": 4}


def simulate(
    game: Game,
    settings: Settings = None,
    rounds: Rounds = "1e8",
    seed: Seed = 1,
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|FILE",
            help=f"{_NAMES}, or a chart's file; repeated, one for each seat.",
            show_default="optimal",
        ),
    ] = None,
    seats: Annotated[
        int | None, typer.Option(metavar="1-7", help="How many play.", show_default="one for each --strategy")
    ] = None,
    procedure: Annotated[
        str,
        typer.Option(
            metavar="WORDS", help="How the shoe is kept: fresh, cut:75, rounds:10, shuffler, or sheet for what it says."
        ),
    ] = "fresh",
    wager: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Place only this side wager, and what it needs; may be repeated.",
            show_default="all that there are",
        ),
    ] = None,
    main_only: Annotated[bool, typer.Option("--main-only", help="Place no side wagers, which is faster.")] = False,
    reduce_variance: Annotated[
        bool, typer.Option("--reduce-variance", help="Take the luck of the cards out: the same mean, far less error.")
    ] = False,
    executor: Executor = None,
    device: OnDevice = "cpu",
    level: Annotated[float, typer.Option(help="How sure the intervals are, between 0 and 1.")] = LEVEL,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the run here as it goes; go on where it ended.")
    ] = None,
    json: Json = False,
) -> None:
    """Deal rounds and count what comes of them: mean, error, and every net result.

    The result depends on the rules, the strategies, the procedure, the seed and the number of rounds, and on nothing
    else: not on threads, machines, or how often it was interrupted. Ctrl-C ends early with what was played.

    \b
    Examples:
      holecard simulate GAME --rounds 1e9
      holecard simulate GAME --strategy 'never bust' --seed 7 --json
      holecard simulate GAME --strategy optimal --strategy 'mimic the dealer'
      holecard simulate GAME --procedure cut:75
      holecard simulate GAME --rounds 1e6 --reduce-variance
      holecard simulate GAME --rounds 1e11 --resume run.json
    """
    rules = sheet(game, settings)
    count = read_rounds(rounds)
    z_quantile(level)  # refuses one that is none, before the run
    if main_only and wager:
        raise Refusal("--main-only places no side wagers, and --wager places one; leave one of them out")
    said = strategy or ["optimal"]
    players = read_strategies(said, rules)
    if reduce_variance:
        from holecard.cli.commands.luck import refuse_beside_luck, simulate_without_luck

        others = {"seats": seats not in (None, 1), "procedure": procedure != "fresh", "device": device != "cpu"}
        refuse_beside_luck(len(players), **others, wager=wager)
        say_if_compiling("luck")
        simulate_without_luck(
            game, rules, players, said, count, seed, executor=executor, level=level, resume=resume, json=json
        )
        return
    say_if_compiling("simulate")
    from holecard.simulation.simulate import simulate as play  # numba loads here, and only where it is needed

    with Playing(count) as playing:
        found = play(
            rules,
            players if len(players) > 1 else players[0],
            count,
            seed,
            seats=len(players) if seats is None else seats,
            executor=executor,
            device=cast("Device", device),
            level=level,
            procedure=procedure,
            wagers=[] if main_only else wager or None,
            resume=resume,
            on_progress=playing.show_main,
        )
    if found.rounds:
        mark_warm("simulate")
    found = _named(found, said, players)
    if json:
        as_json(simulation_data(game, found))
    else:
        show_simulation(found)
        playing.say_pace(found)
    end_early(found)


def read_rounds(text: str) -> int:
    """A number of rounds as people write it.

    >>> read_rounds("1_000_000"), read_rounds("2.5e6"), read_rounds("10M")
    (1000000, 2500000, 10000000)
    """
    from holecard.simulation.simulate import MOST_ROUNDS

    written = _WRITTEN.fullmatch(text.strip().lower().replace("_", "").replace(",", ""))
    if written is None:
        raise Refusal(f"--rounds: {shortly(text)} is no number of rounds; write 1000000, 1e9 or 10M")
    number = Fraction(written["number"]) * 1000 ** _THOUSANDS[written["unit"]]
    if number.denominator != 1:
        raise Refusal(f"--rounds: {shortly(text)} is no whole number, and rounds are played to the end")
    if not 1 <= number <= MOST_ROUNDS:
        raise Refusal(
            f"--rounds: {shortly(text)} cannot be counted; play between 1 and {MOST_ROUNDS:,} (64 bits, signed)"
        )
    return int(number)


def read_strategies(said: Sequence[str], rules: RuleSheet) -> list[StrategyLike]:
    """Names as they are, and charts from their files."""
    known = (OPTIMAL, WITH_EXCEPTIONS, *NAMED)
    said = [strategy_name(one) for one in said]
    for one in said:
        if one not in known and not Path(one).exists():
            raise Refusal(f"--strategy: {one!r} is no chart's file and no strategy's name; {did_you_mean(one, known)}")
    return [one if one in known else read_chart(Path(one), rules) for one in said]


def say_strategy(said: str, player: StrategyLike, name: str) -> str:
    """A strategy in words: by its name, a chart by its file."""
    return f"the chart {said}" if isinstance(player, Chart) else name


def _named(found: Simulation, said: Sequence[str], players: Sequence[StrategyLike]) -> Simulation:
    """With each chart called by its file."""
    alike = len(players) == 1
    each = [(said[0], players[0])] * len(found.seats) if alike else list(zip(said, players, strict=True))
    seats = [
        replace(seat, strategy=say_strategy(*one, seat.strategy)) for seat, one in zip(found.seats, each, strict=True)
    ]
    return replace(found, seats=tuple(seats))


def end_early(found: Simulation | LuckSimulation) -> None:
    """Say that a run was stopped, where it was, and end as an interrupted command does."""
    if not found.complete:
        typer.echo(f"stopped: {found.rounds:,} of {found.asked:,} rounds were played", err=True)
        raise typer.Exit(130)


class Playing:
    """A bar on the error stream for a run of more than a second: rounds, rate, and the mean so far."""

    def __init__(self, rounds: int) -> None:
        self._first: Simulation | LuckSimulation | None = None
        screen = Console(stderr=True)
        # Room for the ^C that a terminal writes behind the bar, which would else break the line.
        screen.width = min(screen.width, 100) - 4
        remaining = TimeRemainingColumn(compact=True)
        self._bar = Progress(
            BarColumn(bar_width=None),
            TextColumn("{task.description}"),
            remaining,
            console=screen,
            transient=True,
            expand=True,
        )
        self._task = self._bar.add_task("", total=rounds)
        self._started = time.monotonic()
        self._is_shown = False

    def __enter__(self) -> Playing:
        self._started = time.monotonic()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._is_shown:
            self._bar.stop()

    def show_main(self, found: Simulation) -> None:
        """So much is played, and that is what the first seat makes of it."""
        self.show(found, found.main.estimate)

    def show(self, found: Simulation | LuckSimulation, mean: Estimate) -> None:
        """So much is played, with such a mean."""
        self._first = self._first or found
        if not self._is_shown and time.monotonic() - self._started > PATIENCE and sys.stderr.isatty():
            self._bar.start()
            self._is_shown = True
        if self._is_shown:
            self._bar.update(self._task, completed=found.rounds, description=self._say(found, mean))

    def rate(self, found: Simulation | LuckSimulation) -> float | None:
        """Rounds a second since the first were reported: not those a file had, not the time to load the kernels."""
        first = self._first or found
        seconds = found.seconds - first.seconds
        return (found.rounds - first.rounds) / seconds if seconds > PATIENCE else None

    def say_pace(self, found: Simulation | LuckSimulation) -> None:
        """How fast it was: on the error stream, for it is the one thing said that another run does not repeat."""
        rate = self.rate(found)
        pace = "" if rate is None else f", {millions(rate)} million rounds a second once it ran"
        typer.echo(f"played in {found.seconds:.1f} s{pace}", err=True)

    def _say(self, found: Simulation | LuckSimulation, mean: Estimate) -> str:
        offsets, rate = decimals(mean.se), self.rate(found)
        speed = "" if rate is None else f", {millions(rate)} M/s"
        ev = f"ev {mean.mean:+.{offsets}f} ± {(mean.high - mean.low) / 2:.{offsets}f}"
        return f"{millions(found.rounds)} of {millions(found.asked)} M rounds{speed}, {ev}"
