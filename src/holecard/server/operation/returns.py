"""Actual against theoretical return of each game and wager, with a bound from the exact standard deviation.

A side wager has one expectation. The main game has the best player's: real players lose more, so only winning more than
the best player could is an alarm there. Stakes differ from round to round, so the deviation is per unit staked:
sd(actual - expected) = sd * sqrt(sum of squared stakes).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

#: An alarm at five standard deviations: once in 1.7 million for a right game.
ALARM = 5.0


@dataclass(frozen=True, slots=True)
class Theory:
    """What a wager returns on average, per unit staked; `is_best` if that is the best player's."""

    ev: float
    standard_deviation: float
    is_best: bool = False


@dataclass(slots=True)
class Returned:
    """What a wager has returned so far, in cents."""

    rounds: int = 0
    staked: int = 0
    squares: int = 0
    net: int = 0

    def add(self, stake: int, net: int) -> None:
        """Count one settled wager."""
        self.rounds += 1
        self.staked += stake
        self.squares += stake * stake
        self.net += net

    def z(self, theory: Theory) -> float:
        """Return by how many standard deviations the players' net differs from the expected one."""
        if not self.squares or not theory.standard_deviation:
            return 0.0
        return (self.net - theory.ev * self.staked) / (theory.standard_deviation * sqrt(self.squares))

    def is_alarming(self, theory: Theory) -> bool:
        """Return whether chance does not explain the return; less than the best player's does not alarm."""
        z = self.z(theory)
        return z > ALARM or (z < -ALARM and not theory.is_best)
