"""`simulate_luck`: the rounds of `simulate`, with the main wager's results adjusted for luck."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence

from holecard import __version__
from holecard.charts.chart import Chart
from holecard.charts.named_strategies import BASIC
from holecard.errors import Refusal, check_whole
from holecard.exact.strategies import StrategyLike, strategies_of
from holecard.kernels.cache import compiling
from holecard.kernels.luck.sums import PRODUCT_FINE, ROUND_FINE, SHOE_FINE
from holecard.payoffs.stakes import most_parts, payoff_scale
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import Tables
from holecard.simulation.compile.baseline_values import steps_in_part
from holecard.simulation.compile.program import Program, compile_program
from holecard.simulation.luck_results import LuckSimulation, SumUnits, luck_results
from holecard.simulation.plays.fresh_shoes import seed_of
from holecard.simulation.plays.luck_adjusted import LuckAdjustedRounds, LuckAdjustedShoes
from holecard.simulation.procedures import FRESH, Procedure, ProcedureLike, procedure_of
from holecard.simulation.run.chunks import run
from holecard.simulation.run.executors import ExecutorLike, executor_of
from holecard.simulation.run.resume_file import Saved
from holecard.simulation.run.tally import Played
from holecard.simulation.simulate import check_places, check_run, fresh_evs, saved_of, units_for
from holecard.simulation.statistics.estimates import LEVEL, z_quantile

#: Rounds of one seat that take about a quarter of a second.
_FRESH_ROUNDS_PER_CHUNK, _SHOE_ROUNDS_PER_CHUNK = 1_000_000, 300_000
#: Limits of the sums, see `kernels.luck.sums`: rounds, and units that a seat may win or lose in a round, or all seats.
MOST_LUCK_ROUNDS, MOST_UNITS, _MOST_UNITS_OF_ALL = 10**12, 1000, 2000
#: The most parts a round may win so that its square fits, and an upper bound on the mean square in square units.
_MOST_PARTS, _MEAN_SQUARE = 2**31 - 1, 8


def simulate_luck(
    game: RulesLike,
    strategy: StrategyLike | Sequence[StrategyLike] = BASIC,
    rounds: int = 100_000_000,
    seed: int = 1,
    *,
    seats: int = 1,
    procedure: ProcedureLike = FRESH,
    executor: ExecutorLike = None,
    level: float = LEVEL,
    chunk: int | None = None,
    resume: str | os.PathLike[str] | None = None,
    on_progress: Callable[[LuckSimulation], None] | None = None,
) -> LuckSimulation:
    """Play the rounds that `simulate` plays without side wagers, and adjust the main wager's results for luck.

    The result depends only on the sheet, the strategies, the procedure, the seed and the number of rounds. `strategy`,
    `seats` and `procedure` are those of `simulate`; shoes that are dealt down are played to their end, so the number of
    rounds is approximate. With `resume`, the run is saved in that file as it goes, and continues from there if the file
    exists.
    """
    sheet = rules(game)
    check_run(rounds, seed, "cpu")
    z_quantile(level)
    check_places(chunk, resume)
    check_whole("seats", seats, "2")
    _check_sums(sheet.tables, rounds, max(1, seats))
    kept = procedure_of(sheet, procedure)
    # Connect first: report an unreachable cluster before spending seconds on the best chart.
    kernels = "luck" if kept.rule is None else "luck-cut-card" if kept.has_cut_card else "luck-shoes"
    with compiling(kernels) as compilation, executor_of(executor) as workers:
        players = strategies_of(sheet, strategy, seats)
        charts = list(dict.fromkeys(player.chart for player in players))
        program = _program(sheet, charts, kept)
        play = _play(program, tuple(charts.index(player.chart) for player in players), seed, kept, sheet)
        units = units_for(play, rounds)
        fresh = fresh_evs(sheet, players) if kept.rule else ()
        sum_units = SumUnits(program.scale, steps_in_part(program), SHOE_FINE if kept.rule else ROUND_FINE)
        names = tuple(player.name for player in players)
        about = {
            "game": sheet.name,
            "decks": sheet.shoe.decks,
            "procedure": f"{kept.description}; luck-adjusted",
            "strategies": list(names),
            "seed": seed,
            "version": __version__,
        }
        begun = time.monotonic()

        def found(played: Played) -> LuckSimulation:
            tally = played.tally or play.play(0, 0)
            every = luck_results(tally["sums"].tolist(), sum_units, level)
            return LuckSimulation(
                rules=sheet,
                strategies=names,
                procedure=kept.description,
                seed=seed,
                rounds=int(tally["rounds"]),
                asked=rounds,
                complete=played.units.count == units,
                fresh=fresh,
                result=every[-1],
                seats=tuple(every[: len(names)]),
                seconds=time.monotonic() - begun,
            )

        at_once = _SHOE_ROUNDS_PER_CHUNK if kept.rule else _FRESH_ROUNDS_PER_CHUNK
        outcome = run(
            play,
            units,
            executor=workers,
            chunk=chunk or max(1, at_once * units // (rounds * seats)),
            done=None if resume is None else saved_of(resume, play, about, rounds),
            on_progress=None if on_progress is None else lambda played: on_progress(found(played)),
            save=None if resume is None else lambda played: Saved(play.fingerprint, about, played).write(resume),
        )
        compilation.finished = outcome.played.units.count > 0
    return found(outcome.played)


def most_rounds(scale: int, seats: int = 1) -> int:
    """Return the most rounds whose net results, in parts of 1/scale, fit 64-bit sums together with their squares."""
    limits = (MOST_LUCK_ROUNDS, 2**63 // (_MEAN_SQUARE * scale), (2**63 << PRODUCT_FINE) // (_MEAN_SQUARE * scale**2))
    return min(limits) // seats**2


def _program(sheet: RuleSheet, charts: list[Chart], kept: Procedure) -> Program:
    program = compile_program(sheet.tables, charts, dealt_down=kept.rule is not None)
    if program.scale != payoff_scale(sheet.tables):
        raise Refusal(
            f"the odds of the main wager have the common denominator {payoff_scale(sheet.tables):,}, too large to sum "
            "squares of whole shoes; use odds with a smaller one, fresh shoes, or run without --reduce-variance"
        )
    return program


def _play(
    program: Program, charts: tuple[int, ...], seed: int, kept: Procedure, sheet: RuleSheet
) -> LuckAdjustedRounds | LuckAdjustedShoes:
    kind = LuckAdjustedRounds if kept.rule is None else LuckAdjustedShoes
    return kind(program, seed_of(seed), sheet.model_dump_json(), charts, kept.rule)


def _check_sums(tables: Tables, rounds: int, seats: int) -> None:
    """Raise a `Refusal` if squares of net results would not fit the sums."""
    if rounds > MOST_LUCK_ROUNDS // seats**2:
        raise Refusal(
            f"{rounds:,} rounds are too many for a luck-adjusted run; ask for 1 to {MOST_LUCK_ROUNDS // seats**2:,}"
        )
    most, scale = most_parts(tables) * tables.split_hands, payoff_scale(tables)
    allowed = min(MOST_UNITS, _MOST_UNITS_OF_ALL // seats)
    if most > allowed * scale:
        raise Refusal(
            f"a round may win {most // scale:,} times the stake; luck adjustment allows at most {allowed:,} times"
        )
    if most > _MOST_PARTS:
        raise Refusal(
            f"the odds of the main wager have the common denominator {scale:,}, too large to sum squares; "
            "use odds with a smaller one, or run without --reduce-variance"
        )
    if rounds > most_rounds(scale, seats):
        raise Refusal(
            f"the odds of the main wager have the common denominator {scale:,}: the sums overflow after "
            f"{most_rounds(scale, seats):,} rounds; ask for at most that many, or run without --reduce-variance"
        )
