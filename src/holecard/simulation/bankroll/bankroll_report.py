"""What `bankroll` returns: the plan, probabilities and quantiles over time, and the sampled paths."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from holecard.exact.results import Analysis
from holecard.presentation import Drawn
from holecard.simulation.bankroll.ruin import EndlessPlay, RoundsToDetect, moments

#: The quantiles reported.
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
#: How many points in time the table shows.
ROWS = 8
_EXACTLY = "odds are paid exactly"
#: The assumptions behind every number.
CONVENTION = (
    f"a fresh shoe each round, so rounds are independent; equal bets; {_EXACTLY}; "
    "a player who cannot cover the next bet is ruined and stops; money to double or split is always available"
)


@dataclass(frozen=True, slots=True)
class Plan:
    """Bankroll, bet and length of play; money in cents."""

    bankroll: int
    bet: int
    stake: int
    """Initial stake of a round: the bet, or twice the bet with a companion wager."""
    rounds: int
    rounds_per_hour: int
    confidence: float

    @property
    def hours(self) -> float:
        return self.rounds / self.rounds_per_hour


@dataclass(frozen=True, slots=True)
class Point:
    """After some rounds: the probability of ruin, and quantiles of the bankroll in cents."""

    played: int
    ruined: float
    quantiles: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """Exact probabilities at the end; `even` have the initial bankroll, `owing` ended in debt."""

    ahead: float
    even: float
    behind: float
    owing: float
    mean: float
    """Mean bankroll in cents."""
    error: float
    """Bound on the error of every probability, given the distribution of a round."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """Results of the sampled paths; money in cents."""

    paths: int
    seed: int
    points: tuple[Point, ...]
    ahead: float
    drawdown: float
    """Mean of the largest drop below an earlier high."""
    drawdown_error: float
    drawdown_quantiles: tuple[int, ...]


@dataclass(frozen=True, slots=True, repr=False)
class BankrollReport(Drawn):
    """The outlook of a bankroll in one game."""

    _report = "simulated.bankroll"

    analysis: Analysis
    plan: Plan
    points: tuple[Point, ...]
    """Exact, from start to end."""
    ending: Ending
    endless_play: EndlessPlay
    sampled: Sampled
    lines: tuple[tuple[tuple[int, int], ...], ...]
    """The first few paths: rounds played and bankroll in cents, until ruin or the end."""
    rounds_to_detect: RoundsToDetect
    grid: int | None = None
    """Net results are rounded to this many parts per stake for the exact numbers; None: not rounded."""

    @property
    def convention(self) -> str:
        """The assumptions behind every number."""
        if self.grid is None:
            return CONVENTION
        rounded = f"rounded to 1/{self.grid:,} of a stake, keeping their mean, except in the sampled paths"
        return CONVENTION.replace(_EXACTLY, f"net results are {rounded}")

    @property
    def ruined_error(self) -> float:
        """Standard error of the sampled probability of ruin, from its exact value."""
        ruined = min(1.0, self.points[-1].ruined)
        return sqrt(ruined * (1 - ruined) / self.sampled.paths)

    @property
    def rows(self) -> tuple[Point, ...]:
        """The exact points at the times of the sampled ones."""
        wanted = set(moments(self.plan.rounds, ROWS))
        return tuple(point for point in self.points if point.played in wanted)
