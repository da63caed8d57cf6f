"""`bankroll`: risk of ruin, quantiles over time, drawdown, and rounds until the edge is detectable.

Every round uses a fresh shoe, so rounds are independent and net results have the distribution of the exact analysis.
Probabilities and quantiles are computed exactly from it (`ruin`); sampled paths give what depends on the whole path,
and a check. A path depends only on the seed and its number.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isfinite, sqrt

import numpy as np

from holecard.errors import Refusal, WagerRefused, check_number, check_threads, check_whole
from holecard.exact.analysis import analyze
from holecard.exact.results import Analysis
from holecard.exact.strategies import StrategyLike
from holecard.kernels.arrays import Integers
from holecard.kernels.cache import compiling
from holecard.kernels.play.bankroll_paths import Draws, walk_paths
from holecard.money import MoneyLike, dollars, money
from holecard.payoffs.stakes import main_wagers
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.tables import Tables
from holecard.simulation.bankroll.bankroll_report import (
    QUANTILES,
    ROWS,
    BankrollReport,
    Ending,
    Plan,
    Point,
    Sampled,
)
from holecard.simulation.bankroll.ruin import (
    Moment,
    Walk,
    course,
    endless_play,
    moments,
    on_a_grid,
    rounds_to_detect,
    walk_of,
)

MOST_ROUNDS_AHEAD, MOST_PATHS, MOST_SAMPLED = 250_000, 10**6, 10**10
#: How many points in time are shown: in bands, in lines.
BANDS, POINTS = 96, 480
#: Paths drawn in the plot, and paths sampled together.
LINES, PATHS_PER_CHUNK = 5, 2000


def bankroll(
    game: RulesLike,
    *,
    bankroll: MoneyLike,
    bet: MoneyLike,
    hours: float = 4,
    rounds_per_hour: int = 80,
    paths: int = 10_000,
    seed: int = 1,
    confidence: float = 0.95,
    strategy: StrategyLike | None = None,
    threads: int = 1,
    on_progress: Callable[[], None] = lambda: None,
) -> BankrollReport:
    """Return how a bankroll develops: risk of ruin, quantiles over time, drawdown, and rounds to detect the edge.

    `strategy` is as in `analyze`; `on_progress` is called after each part of the work.
    """
    sheet = rules(game)
    for what, number, example in (("hours", hours, "4"), ("confidence", confidence, "0.95")):
        check_number(what, number, example)
    for what, whole, example in (
        ("rounds_per_hour", rounds_per_hour, "80"),
        ("paths", paths, "10_000"),
        ("seed", seed, "1"),
    ):
        check_whole(what, whole, example)
    check_threads(threads)
    plan = plan_of(sheet.tables, money(bankroll), money(bet), hours, rounds_per_hour, confidence)
    _refuse_sample(paths, seed, plan.rounds)
    with compiling("bankroll"):
        analysis = analyze(sheet, strategy=strategy, wagers=False, threads=threads)
        on_progress()
        return _report_of(analysis, plan, paths, seed, threads, on_progress)


def _report_of(
    analysis: Analysis, plan: Plan, paths: int, seed: int, threads: int, progress: Callable[[], None]
) -> BankrollReport:
    walk = walk_of(analysis.main.distribution, int(plan.bankroll), int(plan.stake))
    spread = on_a_grid(walk, plan.rounds)
    points = []
    for moment in course(spread, moments(plan.rounds, BANDS)):
        points.append(_point(spread, moment))
        progress()
    return BankrollReport(
        analysis=analysis,
        plan=plan,
        points=tuple(points),
        ending=_ending(spread, moment),
        endless_play=endless_play(walk),
        sampled=sample(walk, plan.rounds, paths, seed, threads=threads, progress=progress),
        lines=tuple(_line(walk, plan.rounds, seed, path) for path in range(min(paths, LINES))),
        rounds_to_detect=rounds_to_detect(analysis.main.ev, analysis.main.standard_deviation, plan.confidence),
        grid=None if spread is walk else spread.scale,
    )


def steps(paths: int) -> int:
    """Return the number of `progress` calls: analysis, points of the exact computation (at most), paths."""
    return 1 + BANDS + 1 + len(range(0, paths, PATHS_PER_CHUNK))


# The request


def plan_of(tables: Tables, bankroll: int, bet: int, hours: float, rounds_per_hour: int, confidence: float) -> Plan:
    """Return the plan, or raise a `Refusal` if it cannot be played; money in cents."""
    if not tables.main.allows(bet):
        raise WagerRefused(f"{tables.stakes[0]}: {dollars(bet)} is outside the limits, {tables.main}")
    stake = bet * main_wagers(tables)
    if bankroll < stake:
        both = f", {dollars(bet)} on each of {' and '.join(tables.stakes[:2])}" if stake > bet else ""
        raise WagerRefused(
            f"a bankroll of {dollars(bankroll)} does not cover one round, which takes {dollars(stake)}{both}"
        )
    if not 1 <= rounds_per_hour <= MOST_ROUNDS_AHEAD:
        raise Refusal(f"rounds per hour must be 1 to {MOST_ROUNDS_AHEAD:,}, not {rounds_per_hour}")
    if not (isfinite(hours) and hours > 0):
        raise Refusal(f"hours must be more than 0, not {hours:g}")
    if not 0 < confidence < 1:
        raise Refusal(f"confidence must be between 0 and 1 (0.95 for 95%), not {confidence:g}")
    # A product above the limit may be too large to convert to an integer.
    rounds = round(min(hours * rounds_per_hour, 2.0 * MOST_ROUNDS_AHEAD))
    if not 1 <= rounds <= MOST_ROUNDS_AHEAD:
        raise Refusal(
            f"{hours:g} hours of {rounds_per_hour} rounds are {hours * rounds_per_hour:,.10g} rounds; "
            f"it must be 1 to {MOST_ROUNDS_AHEAD:,}"
        )
    return Plan(bankroll, bet, stake, rounds, rounds_per_hour, confidence)


def _refuse_sample(paths: int, seed: int, rounds: int) -> None:
    if not 2 <= paths <= MOST_PATHS:
        raise Refusal(f"the number of paths must be 2 to {MOST_PATHS:,}, not {paths:,}")
    if paths * rounds > MOST_SAMPLED:
        most = MOST_SAMPLED // rounds
        raise Refusal(
            f"{paths:,} paths of {rounds:,} rounds are too many; sample at most {most:,} paths of that length"
        )
    if not 0 <= seed < 2**64:
        raise Refusal(f"the seed must be a whole number from 0 to 2^64 - 1, not {seed}")


# Exact numbers


def _point(walk: Walk, moment: Moment) -> Point:
    return Point(moment.played, moment.ruined, tuple(walk.cents(moment.quantile(share)) for share in QUANTILES))


def _ending(walk: Walk, last: Moment) -> Ending:
    # The spare of an empty bankroll; it may lie between two parts.
    broke = walk.margin - Fraction(walk.bankroll * walk.scale, walk.stake)
    behind, not_ahead = last.below(walk.margin), last.below(walk.margin + 1)
    return Ending(
        ahead=1 - not_ahead,
        even=not_ahead - behind,
        behind=behind,
        owing=last.below(ceil(broke)),
        mean=walk.bankroll + last.mean_from(walk.margin) * walk.stake / walk.scale,
        error=last.error,
    )


# Sampled paths


def draws_of(walk: Walk) -> Draws:
    """Return probabilities as multiples of 2^-32; the largest remainders are rounded up so that they sum to 1."""
    exact = [Fraction(probability) for probability in walk.probabilities.tolist()]
    shares = [2**32 * probability / sum(exact) for probability in exact]
    widths = [int(share) for share in shares]
    by_remainder = sorted(range(len(shares)), key=lambda outcome: (widths[outcome] - shares[outcome], outcome))
    for outcome in by_remainder[: 2**32 - sum(widths)]:
        widths[outcome] += 1
    limits = np.cumsum(np.array(widths, np.int64))
    return Draws(walk.moves, limits, np.searchsorted(limits, np.arange(256) << 24, side="right"))


@dataclass(frozen=True, eq=False)
class Paths:
    """Some paths: spare [path, mark], drawdown [path], and the round of ruin [path], or 0."""

    spares: Integers
    drawdowns: Integers
    last: Integers


def walked(walk: Walk, draws: Draws, marks: list[int], seed: int, numbers: range) -> Paths:
    """Play paths with these consecutive numbers."""
    paths = Paths(*(np.zeros(shape, np.int64) for shape in ((len(numbers), len(marks)), len(numbers), len(numbers))))
    walk_paths(draws, np.uint64(seed), numbers.start, walk.margin, np.array(marks, np.int64), *vars(paths).values())
    return paths


def sample(
    walk: Walk, rounds: int, paths: int, seed: int, *, threads: int = 1, progress: Callable[[], None] = lambda: None
) -> Sampled:
    """Play paths and summarize them."""
    draws, marks = draws_of(walk), moments(rounds, ROWS)
    chunks = [range(first, min(first + PATHS_PER_CHUNK, paths)) for first in range(0, paths, PATHS_PER_CHUNK)]
    played = []
    with ThreadPoolExecutor(threads) as pool:
        for chunk in pool.map(lambda numbers: walked(walk, draws, marks, seed, numbers), chunks):
            played.append(chunk)
            progress()
    spares, drawdowns = (np.concatenate([vars(chunk)[name] for chunk in played]) for name in ("spares", "drawdowns"))
    part = walk.stake / walk.scale
    return Sampled(
        paths=paths,
        seed=seed,
        points=tuple(
            Point(mark, float((owned < 0).mean()), tuple(walk.cents(spare) for spare in _quantiles(owned)))
            for mark, owned in zip(marks, spares.T, strict=True)
        ),
        ahead=float((spares[:, -1] > walk.margin).mean()),
        drawdown=float(drawdowns.mean()) * part,
        drawdown_error=float(drawdowns.std(ddof=1)) * part / sqrt(paths),
        drawdown_quantiles=tuple(
            round(Fraction(drawdown * walk.stake, walk.scale)) for drawdown in _quantiles(drawdowns)
        ),
    )


def _quantiles(values: Integers) -> list[int]:
    found = np.quantile(values, QUANTILES, method="inverted_cdf")
    return [int(value) for value in found]


def _line(walk: Walk, rounds: int, seed: int, path: int) -> tuple[tuple[int, int], ...]:
    marks = moments(rounds, POINTS)
    paths = walked(walk, draws_of(walk), marks, seed, range(path, path + 1))
    end = int(paths.last[0]) or rounds
    # After ruin nothing changes, so drop the repeated points.
    return tuple(
        dict.fromkeys(
            (min(mark, end), walk.cents(spare)) for mark, spare in zip(marks, paths.spares[0].tolist(), strict=True)
        )
    )
