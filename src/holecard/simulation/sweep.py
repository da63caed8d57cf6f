"""`sweep`: a grid of games and rules, simulated point by point on one executor.

Every point equals what `simulate` finds for its sheet, strategy, seed and rounds, to the bit. All points share the seed
and with it the random numbers: where rules are similar, so are the rounds, and the means of neighbors are correlated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeAlias

from holecard.charts.named_strategies import BASIC
from holecard.errors import ChartError
from holecard.exact.analysis import analyze
from holecard.exact.results import MainGame
from holecard.exact.strategies import StrategyLike, check_strategy, strategy_of
from holecard.kernels.cache import compiling
from holecard.presentation import Brief, Presented
from holecard.sheets.grid import Grid, GridPoint, Vary, grid
from holecard.sheets.read import RulesLike
from holecard.simulation.plays.fresh_shoes import Device
from holecard.simulation.results import Simulation
from holecard.simulation.run.chunks import WorkersLost
from holecard.simulation.run.executors import ExecutorLike, executor_of
from holecard.simulation.simulate import check_run, simulate

#: Called with the number of finished points and the state of the next.
OnProgress: TypeAlias = Callable[[int, Simulation], None]


@dataclass(frozen=True, slots=True, repr=False)
class SweepPoint(Brief):
    """One game of a grid and its simulated rounds, without side wagers."""

    game: str
    """as given; a sheet by its own name"""
    varied: Mapping[str, object] = field(hash=False)
    """the varied settings of this point"""
    labels: tuple[str, ...]
    """the same, as written"""
    sampled: Simulation
    exact: MainGame | None = None
    """for the chart that was played; None unless requested"""

    @property
    def z(self) -> float | None:
        """The difference of simulated and exact mean in standard errors; None if unknown."""
        # Use the exact deviation: a sample that missed a rare result underestimates its own error.
        if self.exact is None or not self.exact.standard_deviation:
            return None
        return (self.sampled.main.estimate.ev - self.exact.ev) / (
            self.exact.standard_deviation / math.sqrt(self.sampled.rounds)
        )


@dataclass(frozen=True, slots=True, repr=False)
class Sweep(Presented):
    """A grid of games, simulated; a sequence of its points."""

    _report = "simulated.sweep"

    grid: Grid
    strategy: str
    rounds: int
    """of each point"""
    seed: int
    exact: bool
    """whether each point has its exact EV"""
    points: tuple[SweepPoint, ...]
    """in the order of the grid; fewer than it has when the sweep ended early"""

    @property
    def complete(self) -> bool:
        return len(self.points) == len(self.grid.points)

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[SweepPoint]:
        return iter(self.points)

    def __getitem__(self, index: int) -> SweepPoint:
        return self.points[index]


def sweep(
    games: RulesLike | Sequence[RulesLike],
    vary: Vary | None = None,
    strategy: StrategyLike = BASIC,
    rounds: int = 10_000_000,
    seed: int = 1,
    *,
    settings: Mapping[str, object] | None = None,
    executor: ExecutorLike = None,
    device: Device = "cpu",
    exact: bool = False,
    on_progress: OnProgress | None = None,
) -> Sweep:
    """Simulate every game with every combination of the varied settings, the last of them changing fastest.

    The executor is opened once and used for all points. Every sheet is read, and the strategy checked against it,
    before the first round. `exact` adds the exact EV of the chart that is played. Ctrl-C ends the sweep early and
    returns the finished points; lost workers raise `SweepStopped`, which also holds the finished points.
    """
    asked = grid(games, vary, settings)
    check_run(rounds, seed, device)
    for point in asked.points:
        _check_strategy(point, strategy)
    done: list[SweepPoint] = []

    def found() -> Sweep:
        name = done[0].sampled.main.strategy if done else str(strategy)
        return Sweep(asked, name, rounds, seed, exact, tuple(done))

    with compiling("sweep-exact" if exact else "sweep") as compilation:
        compilation.finished = False
        try:
            played = sweeping(
                asked, strategy, rounds, seed, executor=executor, device=device, exact=exact, on_progress=on_progress
            )
            with suppress(KeyboardInterrupt):
                done.extend(played)
        except WorkersLost as lost:
            raise SweepStopped(str(lost), found()) from lost
        compilation.finished = len(done) == len(asked.points)
    return found()


class SweepStopped(WorkersLost):
    """The executor lost its workers; `swept` has the points that are finished."""

    def __init__(self, message: str, swept: Sweep) -> None:
        super().__init__(message)
        self.swept = swept


def sweeping(
    asked: Grid,
    strategy: StrategyLike,
    rounds: int,
    seed: int = 1,
    *,
    executor: ExecutorLike = None,
    device: Device = "cpu",
    exact: bool = False,
    on_progress: OnProgress | None = None,
) -> Iterator[SweepPoint]:
    """Yield each point as soon as it is finished; Ctrl-C ends the sweep and drops the point in progress."""
    with executor_of(1 if device == "cuda" and executor is None else executor) as workers:
        for done, point in enumerate(asked.points):
            try:
                found = _play(point, strategy, rounds, seed, workers, device, exact, _telling(on_progress, done))
            except KeyboardInterrupt:
                return
            if not found.sampled.complete:
                return
            yield found


def _play(
    point: GridPoint,
    strategy: StrategyLike,
    rounds: int,
    seed: int,
    workers: ExecutorLike,
    device: Device,
    exact: bool,
    tell: Callable[[Simulation], None] | None,
) -> SweepPoint:
    player = strategy_of(point.rules, strategy)
    found = simulate(point.rules, player, rounds, seed, executor=workers, device=device, wagers=(), on_progress=tell)
    main = analyze(point.rules, strategy=player, wagers=False).main if exact and found.complete else None
    return SweepPoint(point.game, point.settings, point.labels, found, main)


def _telling(on_progress: OnProgress | None, done: int) -> Callable[[Simulation], None] | None:
    return None if on_progress is None else lambda found: on_progress(done, found)


def _check_strategy(point: GridPoint, strategy: StrategyLike) -> None:
    try:
        check_strategy(point.rules, strategy)
    except ChartError as error:
        raise ChartError([f"{point.game}: {problem}" for problem in error.problems]) from None
