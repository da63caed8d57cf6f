"""Variance reduction: how many times less CPU time gives the same standard error, next to the plain simulation."""

from __future__ import annotations

from functools import partial

import holecard
from bench.timing import Times, alternate, load
from holecard.exact.charts.best_chart import best_chart
from holecard.kernels.luck.sums import ROUND_FINE, SHOE_FINE
from holecard.simulation.compile.baseline_values import steps_in_part
from holecard.simulation.compile.program import compile_program
from holecard.simulation.luck_results import LuckResult, SumUnits, luck_results
from holecard.simulation.plays.dealt_down_shoes import ShoeRounds
from holecard.simulation.plays.fresh_shoes import FreshRounds
from holecard.simulation.plays.luck_adjusted import LuckAdjustedRounds, LuckAdjustedShoes
from holecard.simulation.procedures import procedure_of

#: Rounds of each run, and the standard error that a run is extrapolated to.
ROUNDS, GOAL = 200_000, 1e-5
CASES = [(game, "cut:75", 1) for game in holecard.games()] + [
    ("classic", "fresh", 1),
    ("classic", "fresh", 3),
    ("classic", "cut:75", 3),
    ("classic", "cut:75", 7),
    ("classic", "rounds:10", 1),
    ("classic", "shuffler", 1),
]


def luck(repeats: int = 5) -> None:
    """SumUnits adjusted rounds against plain ones, by the best chart."""
    print(f"\nVariance reduction, one thread, {ROUNDS:,} rounds at a time ({load()})")
    titles = ("rounds/s", "plain", "gain", "gain in time", "rounds to 0.001%", "seconds")
    print(f"  {'':34}" + "".join(f" {title:>17}" for title in titles))
    for game, procedure, seats in CASES:
        _row(game, procedure, seats, repeats)


def _row(game: str, procedure: str, seats: int, repeats: int) -> None:
    adjusted, plain = _plays(game, procedure, seats)
    units = max(1, adjusted.shoes_for(ROUNDS)) if isinstance(adjusted, LuckAdjustedShoes) else ROUNDS
    mine, other = alternate(partial(adjusted.play, 0, units), partial(plain.play, 0, units), repeats=repeats)
    found, rounds = _result(adjusted, units)
    needed = rounds * (found.luck_adjusted.standard_error / GOAL) ** 2
    numbers = (
        f"{rounds / mine.best / 1e6:.2f} M",
        f"{rounds / other.best / 1e6:.1f} M",
        f"{found.gain:,.0f}",
        f"{found.gain * _ratio(other, mine):,.0f}",
        f"{needed / 1e6:.2f} M",
        f"{mine.best / rounds * needed:.1f}",
    )
    print(f"  {f'{game}, {procedure}, seats: {seats}':34}" + "".join(f" {number:>17}" for number in numbers))


def _ratio(plain: Times, mine: Times) -> float:
    return plain.best / mine.best


def _plays(game: str, procedure: str, seats: int) -> tuple[LuckAdjustedRounds, FreshRounds | ShoeRounds]:
    sheet, charts = holecard.rules(game), (0,) * seats
    rule = procedure_of(sheet, procedure).rule
    program = compile_program(sheet.tables, [best_chart(game).chart], dealt_down=rule is not None)
    if rule is None:
        return LuckAdjustedRounds(program, 1, "", charts), FreshRounds(program, charts, 1)
    return LuckAdjustedShoes(program, 1, "", charts, rule), ShoeRounds(program, charts, 1, rule)


def _result(play: LuckAdjustedRounds, units: int) -> tuple[LuckResult, int]:
    """Return the mean of all seats, and the rounds."""
    tally, program = play.play(0, units), play.program
    fine = SHOE_FINE if isinstance(play, LuckAdjustedShoes) else ROUND_FINE
    results = luck_results(tally["sums"].tolist(), SumUnits(program.scale, steps_in_part(program), fine))
    return results[-1], int(tally["rounds"])
