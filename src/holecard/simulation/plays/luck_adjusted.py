"""Luck-adjusted rounds from fresh shoes: the same mean with a much smaller standard error.

`kernels.play.luck` defines luck and shows why removing it keeps the mean; `compile.baseline_values` makes the baseline.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from hashlib import sha256
from math import nan

import numpy as np

from holecard import __version__
from holecard.charts.named_strategies import BASIC
from holecard.errors import Refusal
from holecard.exact.strategies import StrategyLike, strategy_of
from holecard.kernels.cache import compiling
from holecard.kernels.play.luck import (
    ADJUSTED,
    FINE,
    LOWER,
    LUCK,
    LUCK_SUMS,
    NET_FINE,
    NET_LOWER,
    NET_SUM,
    NET_UPPER,
    SQUARE_FINE,
    SQUARE_LOWER,
    SQUARE_UPPER,
    UPPER,
    BaselineValues,
    new_luck_workspace,
    play_adjusted_rounds,
)
from holecard.payoffs.stakes import most_parts, payoff_scale
from holecard.presentation import Brief, Presented
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.simulation.compile.baseline_values import baseline_values, steps_in_part
from holecard.simulation.compile.program import Program, compile_program
from holecard.simulation.plays.fresh_shoes import seed_of
from holecard.simulation.procedures import FRESH, procedure_of
from holecard.simulation.run.chunks import run
from holecard.simulation.run.executors import ExecutorLike, executor_of
from holecard.simulation.run.resume_file import Saved
from holecard.simulation.run.tally import Counts, Played, Tally
from holecard.simulation.simulate import check_run, saved_of
from holecard.simulation.statistics.estimates import LEVEL, Estimate, ShoeSums, shoe_estimate, z_quantile

#: Changes when the same seed deals other cards, or when sums change their meaning.
_EDITION = "fresh shoes and their luck, 3"
#: Rounds that take about a quarter of a second.
_ROUNDS_PER_CHUNK = 1_000_000
#: Limits of the sums, see `kernels.play.luck`: rounds, and units that a round may win or lose.
MOST_LUCK_ROUNDS, MOST_UNITS = 10**12, 1000
#: The most parts a round may win so that its square fits, and an upper bound on the mean square in square units.
_MOST_PARTS, _MEAN_SQUARE = 2**31 - 1, 8
#: With fewer rounds, neither the gain nor the mean luck is reported.
FEW = 1000


@dataclass(frozen=True, eq=False)
class LuckAdjustedRounds:
    """A game played by a program's first chart at one seat, each round from a fresh shoe, with luck measured."""

    program: Program
    seed: int
    rules: str = ""
    """the rule sheet as JSON, for the fingerprint: the meaning of the sums depends on it"""

    @cached_property
    def fingerprint(self) -> str:
        """A hash that identifies the rounds, wherever they are played."""
        text = f"{_EDITION}; {self.program.offsets}; {self.program.scale}; {self.seed}; {__version__}; {self.rules}"
        return sha256(text.encode() + self.program.lut.tobytes()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LuckAdjustedRounds) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def play(self, first: int, units: int) -> Tally:
        """Play `units` rounds, numbered from `first`."""
        return play_by(_baseline(self), self.program, self.seed, first, units)


@lru_cache(maxsize=8)
def _baseline(play: LuckAdjustedRounds) -> BaselineValues:
    """Compute the baseline once per process: it is larger than the program it is made from."""
    return baseline_values(play.program)


def play_by(baseline: BaselineValues, program: Program, seed: int, first: int, units: int) -> Tally:
    """Play rounds numbered from `first`, measuring luck against any baseline."""
    sums = np.zeros(LUCK_SUMS, np.int64)
    key, number = np.uint64(seed), np.uint64(first)
    offsets = program.offsets
    play_adjusted_rounds(
        program.lut, offsets, baseline, key, number, units, new_luck_workspace(offsets, baseline), sums
    )
    pieces = slice(UPPER, SQUARE_LOWER + 1)
    return Tally(
        {
            "rounds": units,
            "net": sums[[NET_SUM, NET_UPPER, NET_LOWER]],
            "luck": sums[LUCK:][pieces],
            "luckless": sums[ADJUSTED:][pieces],
        }
    )


@dataclass(frozen=True, repr=False)
class LuckResult(Brief):
    """The main wager per unit of initial stake, raw and luck-adjusted."""

    raw: Estimate
    luck_adjusted: Estimate
    """the net result minus its luck, which has the same mean"""
    luck: Estimate
    """must be 0 within a few standard errors; otherwise the deal is biased"""

    @property
    def gain(self) -> float:
        """How many times fewer rounds give the same standard error after adjustment; nan if unknown."""
        return (
            (self.raw.standard_deviation / self.luck_adjusted.standard_deviation) ** 2
            if self.luck_adjusted.standard_deviation and self.raw.rounds >= FEW
            else nan
        )

    @property
    def luck_in_errors(self) -> float:
        """Mean luck divided by its standard error; nan if unknown."""
        return self.luck.ev / self.luck.standard_error if self.luck.standard_error and self.luck.rounds >= FEW else nan


def luck_result(program: Program, tally: Tally, level: float = LEVEL) -> LuckResult:
    """Return the result for a tally of `LuckAdjustedRounds`."""
    rounds = int(tally["rounds"])
    net, upper, lower = tally["net"].tolist()
    squared = (upper << NET_FINE) + lower
    unit = program.scale * steps_in_part(program)
    return LuckResult(
        raw=_estimate(rounds, net, squared, Fraction(1, program.scale), level),
        luck_adjusted=_of_pieces(rounds, tally["luckless"], unit, level),
        luck=_of_pieces(rounds, tally["luck"], unit, level),
    )


def _estimate(rounds: int, total: int, squared: int, part: Fraction, level: float) -> Estimate:
    """Return an estimate for independent rounds, treated as shoes of one round each."""
    return shoe_estimate(ShoeSums(rounds, total, squared, rounds, rounds, total, part), level)


def _of_pieces(rounds: int, pieces: Counts, unit: int, level: float) -> Estimate:
    """Return the mean of all pieces; the error uses the upper ones only, which neglects a millionth of a unit."""
    each: list[int] = pieces.tolist()
    squared = (each[SQUARE_UPPER] << SQUARE_FINE) + each[SQUARE_LOWER]
    found = _estimate(rounds, each[UPPER], squared, Fraction(1 << FINE, unit), level)
    if not rounds:
        return found
    mean = float(Fraction((each[UPPER] << FINE) + each[LOWER], rounds * unit))
    half_width = z_quantile(level) * found.standard_error
    return replace(found, ev=mean, low=mean - half_width, high=mean + half_width)


@dataclass(frozen=True, repr=False)
class LuckSimulation(Presented):
    """The result of a luck-adjusted run, and what was run."""

    _report = "simulated.luck"

    rules: RuleSheet
    strategy: str
    procedure: str
    seed: int
    rounds: int
    """rounds played"""
    asked: int
    result: LuckResult
    seconds: float = field(compare=False)

    @property
    def complete(self) -> bool:
        """Whether all requested rounds were played."""
        return self.rounds == self.asked


def most_rounds(scale: int) -> int:
    """Return the most rounds whose net results, in parts of 1/scale, fit 64-bit sums together with their squares."""
    return min(MOST_LUCK_ROUNDS, 2**63 // (_MEAN_SQUARE * scale), (2**63 << NET_FINE) // (_MEAN_SQUARE * scale**2))


def _check_odds(tables: Tables, rounds: int) -> None:
    """Raise a `Refusal` if squares of net results would not fit the sums."""
    most, scale = most_parts(tables) * tables.split_hands, payoff_scale(tables)
    if most > MOST_UNITS * scale:
        raise Refusal(
            f"a round may win {most // scale:,} times the stake; luck adjustment allows at most {MOST_UNITS:,} times"
        )
    if most > _MOST_PARTS:
        raise Refusal(
            f"the odds of the main wager have the common denominator {scale:,}, too large to sum squares; "
            "use odds with a smaller one, or run without --reduce-variance"
        )
    if rounds > most_rounds(scale):
        raise Refusal(
            f"the odds of the main wager have the common denominator {scale:,}: the sums overflow after "
            f"{most_rounds(scale):,} rounds; ask for at most that many, or run without --reduce-variance"
        )


def simulate_luck(
    game: RulesLike,
    strategy: StrategyLike = BASIC,
    rounds: int = 100_000_000,
    seed: int = 1,
    *,
    executor: ExecutorLike = None,
    level: float = LEVEL,
    chunk: int = _ROUNDS_PER_CHUNK,
    resume: str | os.PathLike[str] | None = None,
    on_progress: Callable[[LuckSimulation], None] | None = None,
) -> LuckSimulation:
    """Play the rounds that `simulate` plays with one seat, and adjust the main wager's result for luck.

    The result depends only on the sheet, the strategy, the seed and the number of rounds. With `resume`, the run is
    saved in that file as it goes, and continues from there if the file exists.
    """
    sheet = rules(game)
    check_run(rounds, seed, "cpu")
    z_quantile(level)
    if rounds > MOST_LUCK_ROUNDS:
        raise Refusal(f"{rounds:,} rounds are too many for a luck-adjusted run; ask for 1 to {MOST_LUCK_ROUNDS:,}")
    _check_odds(sheet.tables, rounds)
    procedure, key = procedure_of(sheet, FRESH).description, seed_of(seed)
    # Connect first: report an unreachable cluster before spending seconds on the best chart.
    with compiling("luck") as compilation, executor_of(executor) as workers:
        player = strategy_of(sheet, strategy)
        program = compile_program(sheet.tables, [player.chart])
        play = LuckAdjustedRounds(program, key, sheet.model_dump_json())
        about = {
            "game": sheet.name,
            "decks": sheet.shoe.decks,
            "procedure": f"{procedure}; luck-adjusted",
            "strategy": player.name,
            "seed": seed,
            "version": __version__,
        }
        begun = time.monotonic()

        def found(played: Played) -> LuckSimulation:
            return LuckSimulation(
                rules=sheet,
                strategy=player.name,
                procedure=procedure,
                seed=seed,
                rounds=played.units.count,
                asked=rounds,
                result=luck_result(program, played.tally or play.play(0, 0), level),
                seconds=time.monotonic() - begun,
            )

        outcome = run(
            play,
            rounds,
            executor=workers,
            chunk=chunk,
            done=None if resume is None else saved_of(resume, play, about, rounds),
            on_progress=None if on_progress is None else lambda played: on_progress(found(played)),
            save=None if resume is None else lambda played: Saved(play.fingerprint, about, played).write(resume),
        )
        compilation.finished = outcome.played.units.count > 0
    return found(outcome.played)
