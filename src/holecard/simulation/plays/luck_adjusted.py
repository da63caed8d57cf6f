"""Rounds from fresh shoes with their luck taken off: the same mean, known far more surely for the same rounds.

What luck is, and why taking it off is fair, is said in `kernels.luck`; what states are worth, in `worths`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from hashlib import sha256
from math import nan

import numpy as np

from holecard import __version__
from holecard.charts.named_strategies import OPTIMAL
from holecard.errors import Refusal
from holecard.exact.strategies import StrategyLike, strategy_of
from holecard.kernels.cache import compiling
from holecard.kernels.play.luck import (
    FINE,
    LOWER,
    LUCK,
    LUCKLESS,
    NET,
    NET_FINE,
    NET_LOWER,
    NET_UPPER,
    SQUARE_FINE,
    SQUARE_LOWER,
    SQUARE_UPPER,
    SUMS,
    UPPER,
    Worths,
    play_lucky_rounds,
    room,
)
from holecard.payoffs.stakes import most_parts, payoff_scale
from holecard.presentation import Presented
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.simulation.compile.baseline_values import steps_in_part, worths_of
from holecard.simulation.compile.program import Program, compile_program
from holecard.simulation.plays.fresh_shoes import seed_of
from holecard.simulation.procedures import FRESH, procedure_of
from holecard.simulation.run.chunks import run
from holecard.simulation.run.executors import ExecutorLike, executor_of
from holecard.simulation.run.resume_file import Saved
from holecard.simulation.run.tally import Counts, Played, Tally
from holecard.simulation.simulate import check_run, saved_of
from holecard.simulation.statistics.estimates import LEVEL, Estimate, ShoeSums, errors_wide, shoe_estimate

#: Changes when the same seed deals other cards, or sums mean something else.
_EDITION = "fresh shoes and their luck, 3"
#: Rounds that a processor plays in about a quarter of a second.
CHUNK = 1_000_000
#: What the sums have room for, see `kernels.luck`: rounds, and units that a round may win or lose.
MOST_ROUNDS, MOST_UNITS = 10**12, 1000
#: The most parts that a round may win, so that its square fits, and a mean square that games stay under, in units.
_MOST_PARTS, _MEAN_SQUARE = 2**31 - 1, 8
#: With fewer rounds nothing is said of what was gained, nor whether the cards fell fairly.
FEW = 1000


@dataclass(frozen=True, eq=False)
class LuckyRounds:
    """A game played by a program's first chart at one seat, each round from a fresh shoe, its luck told apart."""

    program: Program
    seed: int
    rules: str = ""
    """the sheet, as it goes into the fingerprint: what sums mean depends on it, too"""

    @cached_property
    def fingerprint(self) -> str:
        """The same for the same rounds, wherever they are played."""
        said = f"{_EDITION}; {self.program.places}; {self.program.scale}; {self.seed}; {__version__}; {self.rules}"
        return sha256(said.encode() + self.program.book.tobytes()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LuckyRounds) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def play(self, first: int, units: int) -> Tally:
        """The rounds from number `first` on."""
        return play_by(_worths(self), self.program, self.seed, first, units)


@lru_cache(maxsize=8)
def _worths(play: LuckyRounds) -> Worths:
    """Made once in every process: they are larger than what a worker is sent for them."""
    return worths_of(play.program)


def play_by(worths: Worths, program: Program, seed: int, first: int, units: int) -> Tally:
    """The rounds from number `first` on, their luck measured by any worths."""
    sums = np.zeros(SUMS, np.int64)
    key, number = np.uint64(seed), np.uint64(first)
    places = program.places
    play_lucky_rounds(program.book, places, worths, key, number, units, room(places, worths), sums)
    pieces = slice(UPPER, SQUARE_LOWER + 1)
    return Tally(
        {
            "rounds": units,
            "net": sums[[NET, NET_UPPER, NET_LOWER]],
            "luck": sums[LUCK:][pieces],
            "luckless": sums[LUCKLESS:][pieces],
        }
    )


@dataclass(frozen=True)
class LuckResult:
    """The main wager per unit of initial stake, with luck and without."""

    raw: Estimate
    reduced: Estimate
    """of the net result less its luck, which has the same mean"""
    luck: Estimate
    """must be 0 within a few standard errors: if not, the cards were not dealt fairly"""

    @property
    def gain(self) -> float:
        """How many times fewer rounds are needed without luck for the same standard error; nan where unknown."""
        return (self.raw.sd / self.reduced.sd) ** 2 if self.reduced.sd and self.raw.rounds >= FEW else nan

    @property
    def luck_in_errors(self) -> float:
        """Mean luck in standard errors of itself; nan where unknown."""
        return self.luck.mean / self.luck.se if self.luck.se and self.luck.rounds >= FEW else nan


def lucky_result(program: Program, tally: Tally, level: float = LEVEL) -> LuckResult:
    """What the tally of a `LuckyRounds` says."""
    rounds = int(tally["rounds"])
    net, upper, lower = tally["net"].tolist()
    squared = (upper << NET_FINE) + lower
    unit = program.scale * steps_in_part(program)
    return LuckResult(
        raw=_estimate(rounds, net, squared, Fraction(1, program.scale), level),
        reduced=_of_pieces(rounds, tally["luckless"], unit, level),
        luck=_of_pieces(rounds, tally["luck"], unit, level),
    )


def _estimate(rounds: int, total: int, squared: int, part: Fraction, level: float) -> Estimate:
    """Of independent rounds: shoes of one round each."""
    return shoe_estimate(ShoeSums(rounds, total, squared, rounds, rounds, total, part), level)


def _of_pieces(rounds: int, pieces: Counts, unit: int, level: float) -> Estimate:
    """The mean of all pieces; its error from the upper ones, which leave out a millionth of a unit."""
    each: list[int] = pieces.tolist()
    squared = (each[SQUARE_UPPER] << SQUARE_FINE) + each[SQUARE_LOWER]
    found = _estimate(rounds, each[UPPER], squared, Fraction(1 << FINE, unit), level)
    if not rounds:
        return found
    mean = float(Fraction((each[UPPER] << FINE) + each[LOWER], rounds * unit))
    half_width = errors_wide(level) * found.se
    return replace(found, mean=mean, low=mean - half_width, high=mean + half_width)


@dataclass(frozen=True, repr=False)
class LuckSimulation(Presented):
    """Everything a run found, and what it was a run of."""

    _report = "luck"

    rules: RuleSheet
    strategy: str
    procedure: str
    seed: int
    rounds: int
    """played"""
    asked: int
    result: LuckResult
    seconds: float

    @property
    def complete(self) -> bool:
        """Everything that was asked for was played."""
        return self.rounds == self.asked


def most_rounds(scale: int) -> int:
    """The most rounds whose net results, in parts of 1/scale, can be summed with their squares in 64 bits."""
    return min(MOST_ROUNDS, 2**63 // (_MEAN_SQUARE * scale), (2**63 << NET_FINE) // (_MEAN_SQUARE * scale**2))


def _check_odds(tables: Tables, rounds: int) -> None:
    """Squares of what is won are summed, too, and must fit."""
    most, scale = most_parts(tables) * tables.split_hands, payoff_scale(tables)
    if most > MOST_UNITS * scale:
        raise Refusal(f"a round may win {most // scale:,} times the stake: luck is told up to {MOST_UNITS:,} times")
    if most > _MOST_PARTS:
        raise Refusal(
            f"the odds of the main wager make parts of 1/{scale:,} of a stake, too fine to sum squares of them: "
            "use odds with a smaller common denominator, or play without --reduce-variance"
        )
    if rounds > most_rounds(scale):
        raise Refusal(
            f"the odds of the main wager make parts of 1/{scale:,} of a stake: {rounds:,} rounds cannot be summed with "
            f"their luck; play at most {most_rounds(scale):,}, or without --reduce-variance"
        )


def simulate_luck(
    game: RulesLike,
    strategy: StrategyLike = OPTIMAL,
    rounds: int = 100_000_000,
    seed: int = 1,
    *,
    executor: ExecutorLike = None,
    level: float = LEVEL,
    chunk: int = CHUNK,
    resume: str | os.PathLike[str] | None = None,
    on_progress: Callable[[LuckSimulation], None] | None = None,
) -> LuckSimulation:
    """Play the rounds that `simulate` plays with one seat, and take the luck off the main wager's result.

    The result is a function of the sheet, the strategy, the seed and the number of rounds alone. With `resume` the run
    is saved in that file as it goes, and goes on from there if the file exists.
    """
    sheet = rules(game)
    check_run(rounds, seed, "cpu")
    errors_wide(level)
    if rounds > MOST_ROUNDS:
        raise Refusal(f"{rounds:,} rounds cannot be summed with their luck; play between 1 and {MOST_ROUNDS:,}")
    _check_odds(sheet.tables, rounds)
    procedure, key = procedure_of(sheet, FRESH).words, seed_of(seed)
    # Who plays is asked first: a cluster that does not answer is refused before seconds are spent on finding a chart.
    with compiling("luck") as compilation, executor_of(executor) as crew:
        player = strategy_of(sheet, strategy)
        program = compile_program(sheet.tables, [player.chart])
        play = LuckyRounds(program, key, sheet.model_dump_json())
        about = {
            "game": sheet.name,
            "decks": sheet.shoe.decks,
            "procedure": f"{procedure}; luck taken off",
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
                result=lucky_result(program, played.tally or play.play(0, 0), level),
                seconds=time.monotonic() - begun,
            )

        outcome = run(
            play,
            rounds,
            executor=crew,
            chunk=chunk,
            done=None if resume is None else saved_of(resume, play, about, rounds),
            on_progress=None if on_progress is None else lambda played: on_progress(found(played)),
            save=None if resume is None else lambda played: Saved(play.fingerprint, about, played).write(resume),
        )
        compilation.finished = outcome.played.units.count > 0
    return found(outcome.played)
