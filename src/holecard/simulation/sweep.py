"""`sweep`: simulate a grid of games and settings, point by point on one executor.

Every point is exactly what `simulate` returns for its sheet, strategy, seed and rounds. All points share the seed and
therefore the random numbers: similar rules get similar rounds, so neighboring means are correlated.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

from holecard.charts.named_strategies import OPTIMAL, WITH_EXCEPTIONS
from holecard.errors import ChartError, Problem, Refusal, SheetError, shortly
from holecard.exact.analysis import analyze
from holecard.exact.results import MainGame
from holecard.sheets.override import full_path
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.simulation.plays.fresh_shoes import Device
from holecard.simulation.results import Simulation
from holecard.simulation.run.executors import ExecutorLike, executor_of
from holecard.simulation.simulate import simulate
from holecard.simulation.strategies import StrategyLike, strategy_of

#: The largest grid.
MOST_POINTS = 10_000
#: Settings, and the values that each takes.
Vary: TypeAlias = Mapping[str, Sequence[object]]
#: Called with the number of finished points and the state of the next.
OnProgress: TypeAlias = Callable[[int, Simulation], None]


@dataclass(frozen=True, slots=True)
class Planned:
    """A game with its settings, and the strategy to play."""

    game: str
    """as given; a sheet by its own name"""
    varied: Mapping[str, object]
    rules: RuleSheet
    strategy: StrategyLike = OPTIMAL


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """A game with its settings and its simulated result; side wagers are not placed."""

    game: str
    """as given; a sheet by its own name"""
    varied: Mapping[str, object]
    sampled: Simulation
    exact: MainGame | None = None
    """for the chart that was played; None unless requested"""

    @property
    def z(self) -> float | None:
        """The difference of simulated and exact mean in standard errors; None if unknown."""
        # Use the exact deviation: a sample that missed a rare result underestimates its own error.
        if self.exact is None or not self.exact.standard_deviation:
            return None
        return (self.sampled.main.estimate.mean - self.exact.ev) / (
            self.exact.standard_deviation / math.sqrt(self.sampled.rounds)
        )


def sweep(
    games: RulesLike | Sequence[RulesLike],
    vary: Vary | None = None,
    strategy: StrategyLike = OPTIMAL,
    rounds: int = 1_000_000,
    seed: int = 1,
    *,
    executor: ExecutorLike = None,
    device: Device = "cpu",
    exact: bool = False,
    on_progress: OnProgress | None = None,
) -> tuple[SweepPoint, ...]:
    """Simulate every game with every combination of the varied words, the last of them changing fastest.

    The executor is opened once, and used for all. Every sheet is read, and the strategy held against it, before the
    first round. With `exact` the exact mean of the chart that is played comes with each point. Ctrl-C ends early, with
    the points that are finished: fewer than the grid has.
    """
    points = planned(games, vary, strategy=strategy)
    found = sweeping(points, rounds, seed, executor=executor, device=device, exact=exact, on_progress=on_progress)
    return tuple(found)


def planned(
    games: RulesLike | Sequence[RulesLike],
    vary: Vary | None = None,
    settings: Mapping[str, object] | None = None,
    strategy: StrategyLike = OPTIMAL,
) -> tuple[Planned, ...]:
    """The points of the grid in order, each with its sheet; `settings` hold in all of them."""
    listed = [games] if isinstance(games, RulesLike) else list(games)
    fixed, varied = settings or {}, vary or {}
    _check_size(len(listed), varied)
    points = []
    for game in listed:
        _refuse_clashes(_called(game), fixed, varied)
        for values in itertools.product(*varied.values()):
            words = dict(zip(varied, values, strict=True))
            sheet = rules(game, {**fixed, **words})
            points.append(Planned(_called(game), MappingProxyType(words), sheet, strategy))
    return tuple(points)


def sweeping(
    points: Sequence[Planned],
    rounds: int,
    seed: int = 1,
    *,
    executor: ExecutorLike = None,
    device: Device = "cpu",
    exact: bool = False,
    on_progress: OnProgress | None = None,
) -> Iterator[SweepPoint]:
    """Yield each point when it is finished; Ctrl-C ends the sweep and drops the unfinished point."""
    for point in points:
        _check_strategy(point)
    with executor_of(1 if device == "cuda" and executor is None else executor) as workers:
        for done, point in enumerate(points):
            try:
                found = _play(point, rounds, seed, workers, device, exact, _telling(on_progress, done))
            except KeyboardInterrupt:
                return
            if not found.sampled.complete:
                return
            yield found


def _play(
    point: Planned,
    rounds: int,
    seed: int,
    workers: ExecutorLike,
    device: Device,
    exact: bool,
    tell: Callable[[Simulation], None] | None,
) -> SweepPoint:
    player = strategy_of(point.rules, point.strategy)
    found = simulate(
        point.rules, player.chart, rounds, seed, executor=workers, device=device, wagers=(), on_progress=tell
    )
    by_name = replace(found, seats=tuple(replace(seat, strategy=player.name) for seat in found.seats))
    said = exact and found.complete
    main = analyze(point.rules, strategy=player.chart, wagers=False).main if said else None
    return SweepPoint(point.game, point.varied, by_name, main)


def _telling(on_progress: OnProgress | None, done: int) -> Callable[[Simulation], None] | None:
    return None if on_progress is None else lambda found: on_progress(done, found)


def _called(game: RulesLike) -> str:
    return game.name if isinstance(game, RuleSheet) else str(game)


def _check_size(games: int, varied: Vary) -> None:
    for word, values in varied.items():
        if isinstance(values, str) or not values:
            raise Refusal(f"{word}: write a list of values such as [6, 8], not {shortly(values)}")
    points = games * math.prod(map(len, varied.values()))
    if not 1 <= points <= MOST_POINTS:
        raise Refusal(f"a grid must have 1 to {MOST_POINTS:,} points, not {points:,}")


def _refuse_clashes(game: str, fixed: Mapping[str, object], varied: Vary) -> None:
    """Raise a `SheetError` if a setting is given twice under different names."""
    taken: dict[tuple[str, ...], str] = {}
    for word in (*fixed, *varied):
        try:
            path = tuple(part.lower() for part in full_path(word))
        except SheetError as error:
            raise SheetError(game, error.problems) from None
        if path in taken:
            raise SheetError(game, [Problem(word, f"{taken[path]} is the same setting; give it once")])
        taken[path] = word


def _check_strategy(point: Planned) -> None:
    """Raise a `ChartError` if the strategy does not fit; best charts always do and take a second to find."""
    if point.strategy in (OPTIMAL, WITH_EXCEPTIONS):
        return
    try:
        strategy_of(point.rules, point.strategy)
    except ChartError as error:
        raise ChartError([f"{point.game}: {problem}" for problem in error.problems]) from None
