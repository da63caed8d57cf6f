"""What becomes of a bankroll: trajectories, ruin, drawdown, and how long it takes until the edge shows.

Every round is dealt from a fresh shoe, so that rounds are independent, and net results have the distribution of the
exact analysis. Probabilities and quantiles are worked out exactly from it (`ruin`); paths are sampled beside them, for
what depends on the whole path and as a witness. A path is a function of the seed and its number alone.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, isfinite, sqrt

import numpy as np

from holecard.errors import Refusal, WagerRefused
from holecard.exact.analysis import analyze
from holecard.exact.results import Analysis
from holecard.exact.strategies import StrategyLike
from holecard.kernels.arrays import Integers
from holecard.kernels.cache import compiling
from holecard.kernels.play.bankroll_paths import Draws, walk_paths
from holecard.money import MoneyLike, dollars, money
from holecard.payoffs.stakes import main_wagers
from holecard.presentation import Drawn
from holecard.sheets.read import RulesLike, rules
from holecard.sheets.tables import Tables
from holecard.simulation.bankroll.ruin import (
    Moment,
    Patience,
    Walk,
    WithoutEnd,
    course,
    moments,
    on_a_grid,
    patience,
    walk_of,
    without_end,
)

#: Shares of players who own no more than the quantile.
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_ROUNDS, MOST_PATHS, MOST_SAMPLED = 250_000, 10**6, 10**10
#: How many moments a session is divided into: for a table, for bands, for lines.
ROWS, BANDS, POINTS = 8, 96, 480
#: Paths that are drawn, and paths sampled at a stretch.
LINES, CHUNK = 5, 2000
_EXACTLY = "odds are paid exactly"
#: What every number rests on.
CONVENTION = (
    f"a fresh shoe each round, so that rounds are independent; equal bets; {_EXACTLY}; "
    "ruined is who cannot cover one more bet, and stops; money to double or split is always found"
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played with and how long; money in cents."""

    bankroll: int
    bet: int
    stake: int
    """What a round begins with: the bet, twice that where a companion is placed with it."""
    rounds: int
    rounds_per_hour: int
    confidence: float

    @property
    def hours(self) -> float:
        return self.rounds / self.rounds_per_hour


@dataclass(frozen=True, slots=True)
class Point:
    """Players after some rounds: the share of the ruined, and the quantiles of what they own, in cents."""

    played: int
    ruined: float
    quantiles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of the session, exactly; `even` own what they began with, `owing` are ruined and less than broke."""

    ahead: float
    even: float
    behind: float
    owing: float
    mean: float
    """Cents owned on average."""
    error: float
    """Every chance of the course lies within this, given the chances of a round."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """What the sampled paths say; money in cents."""

    paths: int
    seed: int
    points: tuple[Point, ...]
    ahead: float
    drawdown: float
    """The mean of the deepest fall below the highest point before it."""
    drawdown_error: float
    drawdown_quantiles: tuple[int, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Prospects(Drawn):
    """Everything about a bankroll in one game."""

    _report = "bankroll"

    analysis: Analysis
    plan: Plan
    points: tuple[Point, ...]
    """Exactly, from the beginning to the end."""
    ending: Ending
    without_end: WithoutEnd
    sampled: Sampled
    lines: tuple[tuple[tuple[int, int], ...], ...]
    """The first few paths: rounds played and cents owned, until ruin or the end."""
    patience: Patience
    grid: int | None = None
    """Parts of a stake to which the net results are rounded for the exact course; None: they are not."""

    @property
    def convention(self) -> str:
        """What every number rests on."""
        if self.grid is None:
            return CONVENTION
        rounded = (
            f"rounded to 1/{self.grid:,} of a stake for all but the sampled paths, which leaves their mean as it is"
        )
        return CONVENTION.replace(_EXACTLY, f"net results are {rounded}")

    @property
    def ruined_error(self) -> float:
        """The standard error of the sampled share of the ruined at the end, by its exact chance."""
        ruined = min(1.0, self.points[-1].ruined)
        return sqrt(ruined * (1 - ruined) / self.sampled.paths)

    @property
    def rows(self) -> tuple[Point, ...]:
        """The exact points at the moments of the sampled ones."""
        wanted = set(moments(self.plan.rounds, ROWS))
        return tuple(point for point in self.points if point.played in wanted)


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
    progress: Callable[[], None] = lambda: None,
) -> Prospects:
    """The course of a bankroll in a game: risk of ruin, quantiles over time, drawdown, and rounds until the edge shows.

    `strategy` is as for `analyze`; `progress` is called after each of `steps` parts of the work.
    """
    sheet = rules(game)
    plan = plan_of(sheet.tables, money(bankroll), money(bet), hours, rounds_per_hour, confidence)
    _refuse_sample(paths, seed, plan.rounds)
    with compiling("bankroll"):
        analysis = analyze(sheet, strategy=strategy, wagers=False, threads=threads)
        progress()
        return _course(analysis, plan, paths, seed, threads, progress)


def _course(
    analysis: Analysis, plan: Plan, paths: int, seed: int, threads: int, progress: Callable[[], None]
) -> Prospects:
    walk = walk_of(analysis.main.distribution, plan.bankroll, plan.stake)
    spread = on_a_grid(walk, plan.rounds)
    points = []
    for moment in course(spread, moments(plan.rounds, BANDS)):
        points.append(_point(spread, moment))
        progress()
    return Prospects(
        analysis=analysis,
        plan=plan,
        points=tuple(points),
        ending=_ending(spread, moment),
        without_end=without_end(walk),
        sampled=sample(walk, plan.rounds, paths, seed, threads=threads, progress=progress),
        lines=tuple(_line(walk, plan.rounds, seed, path) for path in range(min(paths, LINES))),
        patience=patience(analysis.main.ev, analysis.main.standard_deviation, plan.confidence),
        grid=None if spread is walk else spread.scale,
    )


def steps(paths: int) -> int:
    """How many parts the work has: the analysis, the moments of the exact course (fewer if it is short), the paths."""
    return 1 + BANDS + 1 + len(range(0, paths, CHUNK))


# What is asked


def plan_of(tables: Tables, bankroll: int, bet: int, hours: float, rounds_per_hour: int, confidence: float) -> Plan:
    """The plan, if it can be played; money in cents."""
    if not tables.main.allows(bet):
        raise WagerRefused(f"{tables.stakes[0]}: {dollars(bet)} is outside the limits; it must be {tables.main}")
    stake = bet * main_wagers(tables)
    if bankroll < stake:
        both = f", {dollars(bet)} on each of {' and '.join(tables.stakes[:2])}" if stake > bet else ""
        raise WagerRefused(
            f"a bankroll of {dollars(bankroll)} does not cover one round, which takes {dollars(stake)}{both}"
        )
    if not 1 <= rounds_per_hour <= MOST_ROUNDS:
        raise Refusal(f"{rounds_per_hour} rounds per hour cannot be played; it must be 1 to {MOST_ROUNDS:,}")
    if not (isfinite(hours) and hours > 0):
        raise Refusal(f"{hours:g} hours cannot be played; it must be a number above 0")
    if not 0 < confidence < 1:
        raise Refusal(f"a confidence of {confidence:g} is none; it must lie between 0 and 1, such as 0.95")
    # Anything above the limit may be too large to be made a whole number.
    rounds = round(min(hours * rounds_per_hour, 2.0 * MOST_ROUNDS))
    if not 1 <= rounds <= MOST_ROUNDS:
        raise Refusal(
            f"{hours:g} hours of {rounds_per_hour} rounds are {hours * rounds_per_hour:,.10g} rounds; "
            f"it must be 1 to {MOST_ROUNDS:,}"
        )
    return Plan(bankroll, bet, stake, rounds, rounds_per_hour, confidence)


def _refuse_sample(paths: int, seed: int, rounds: int) -> None:
    if not 2 <= paths <= MOST_PATHS:
        raise Refusal(f"{paths:,} paths say nothing or take too much room; it must be 2 to {MOST_PATHS:,}")
    if paths * rounds > MOST_SAMPLED:
        most = MOST_SAMPLED // rounds
        raise Refusal(
            f"{paths:,} paths of {rounds:,} rounds are too many; with so many rounds, sample at most {most:,}"
        )
    if not 0 <= seed < 2**64:
        raise Refusal(f"{seed} is no seed; it must be a whole number from 0 to 2^64 - 1")


# The exact course


def _point(walk: Walk, moment: Moment) -> Point:
    return Point(moment.played, moment.ruined, tuple(walk.cents(moment.quantile(share)) for share in QUANTILES))


def _ending(walk: Walk, last: Moment) -> Ending:
    # Nothing is owned at this spare; parts may not meet it.
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
    """Probabilities in whole numbers of 2^-32, those with the largest remainders rounded up so that they sum to one."""
    exact = [Fraction(chance) for chance in walk.chances.tolist()]
    shares = [2**32 * chance / sum(exact) for chance in exact]
    widths = [int(share) for share in shares]
    by_remainder = sorted(range(len(shares)), key=lambda outcome: (widths[outcome] - shares[outcome], outcome))
    for outcome in by_remainder[: 2**32 - sum(widths)]:
        widths[outcome] += 1
    limits = np.cumsum(np.array(widths, np.int64))
    return Draws(walk.moves, limits, np.searchsorted(limits, np.arange(256) << 24, side="right"))


@dataclass(frozen=True, eq=False)
class Paths:
    """Some paths: spare [path, mark], fall [path], and the round that ruined [path], or 0."""

    spares: Integers
    falls: Integers
    last: Integers


def walked(walk: Walk, draws: Draws, marks: list[int], seed: int, numbers: range) -> Paths:
    """Consecutive paths by their numbers."""
    paths = Paths(*(np.zeros(shape, np.int64) for shape in ((len(numbers), len(marks)), len(numbers), len(numbers))))
    walk_paths(draws, np.uint64(seed), numbers.start, walk.margin, np.array(marks, np.int64), *vars(paths).values())
    return paths


def sample(
    walk: Walk, rounds: int, paths: int, seed: int, *, threads: int = 1, progress: Callable[[], None] = lambda: None
) -> Sampled:
    """Play paths and sum them up."""
    draws, marks = draws_of(walk), moments(rounds, ROWS)
    chunks = [range(first, min(first + CHUNK, paths)) for first in range(0, paths, CHUNK)]
    played = []
    with ThreadPoolExecutor(threads) as pool:
        for chunk in pool.map(lambda numbers: walked(walk, draws, marks, seed, numbers), chunks):
            played.append(chunk)
            progress()
    spares, falls = (np.concatenate([vars(chunk)[name] for chunk in played]) for name in ("spares", "falls"))
    part = walk.stake / walk.scale
    return Sampled(
        paths=paths,
        seed=seed,
        points=tuple(
            Point(mark, float((owned < 0).mean()), tuple(walk.cents(spare) for spare in _quantiles(owned)))
            for mark, owned in zip(marks, spares.T, strict=True)
        ),
        ahead=float((spares[:, -1] > walk.margin).mean()),
        drawdown=float(falls.mean()) * part,
        drawdown_error=float(falls.std(ddof=1)) * part / sqrt(paths),
        drawdown_quantiles=tuple(round(Fraction(fall * walk.stake, walk.scale)) for fall in _quantiles(falls)),
    )


def _quantiles(values: Integers) -> list[int]:
    found = np.quantile(values, QUANTILES, method="inverted_cdf")
    return [int(value) for value in found]


def _line(walk: Walk, rounds: int, seed: int, path: int) -> tuple[tuple[int, int], ...]:
    marks = moments(rounds, POINTS)
    paths = walked(walk, draws_of(walk), marks, seed, range(path, path + 1))
    end = int(paths.last[0]) or rounds
    # After ruin nothing changes, so that its point would come again and again.
    return tuple(
        dict.fromkeys(
            (min(mark, end), walk.cents(spare)) for mark, spare in zip(marks, paths.spares[0].tolist(), strict=True)
        )
    )
