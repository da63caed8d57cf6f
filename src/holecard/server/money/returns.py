"""Actual against theoretical return of each game and wager, with a bound from the exact standard deviation.

A side wager has one expectation. The main game has the best player's, and a wager that is placed when the upcard is
seen has that of the best upcard: real players lose more, so only winning more than that is an alarm. Stakes differ from
round to round, so the deviation is per unit staked: sd(actual - expected) = sd * sqrt(sum of squared stakes). Fixed
payouts and taxes do not depend on the stake: they are a second part of the result, in dollars per round.

A wager that seldom pays much is far from normal for a long time, so a number of deviations says little. The bound is
Bernstein's inequality, which holds for every number of rounds: with variance V, the largest possible deviation M of one
round and L = log(2 / probability), the deviation exceeds M L / 3 + sqrt((M L / 3)^2 + 2 V L) no more often than that.
For the main game V is that of the best player; somebody who doubles everything varies more and may raise the alarm.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import log, sqrt
from typing import NamedTuple, TypeAlias

from holecard.server.game.folded_table import FoldedTable
from holecard.table.events import Bet, Move, Result

#: How probable an alarm is at most, at one look at a wager of a correct game.
FALSE_ALARM = 1e-6
#: What the main game is called, whose wagers, doubles and splits count as one.
MAIN_WAGER = "main"
_CENTS = 100
_TAX = " tax"
#: Characters of a wager's name in the database; PostgreSQL refuses keys of more than 2,700 bytes.
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Theory:
    """What a wager returns on average: per unit staked, and besides a fixed part per round, in dollars."""

    ev: float
    standard_deviation: float
    farthest: float
    """How far one result can be from the average."""
    is_best: bool = False
    """Whether it is the most that a player can expect."""
    fixed_ev: float = 0.0
    fixed_deviation: float = 0.0
    fixed_farthest: float = 0.0
    covariance: float = 0.0
    """Of both parts."""

    def expected(self, rounds: int, staked: int) -> float:
        """Return the expected net of rounds in cents, by the sum of their stakes in cents."""
        return self.ev * staked + self.fixed_ev * _CENTS * rounds

    def variance(self, rounds: int, staked: int, squares: float) -> float:
        """Return the variance of the net, in cents; `squares` is the sum of the squared stakes."""
        of_units = self.standard_deviation**2 * squares
        return of_units + 2 * self.covariance * _CENTS * staked + (self.fixed_deviation * _CENTS) ** 2 * rounds


class WagerKey(NamedTuple):
    """A wager of a game; settings make other sheets of the same game."""

    game: str
    sheet: str
    """The hash of the sheet."""
    wager: str


class Settled(NamedTuple):
    """What one seat staked on a wager in one round, and its net win, in cents."""

    key: WagerKey
    stake: int
    net: int


@dataclass(slots=True)
class Returned:
    """What a wager has returned so far, in cents."""

    rounds: int = 0
    staked: int = 0
    squares: float = 0
    """The sum of squared stakes; the database keeps it as a float, because 64 bits are not enough for it."""
    net: int = 0
    largest: int = 0
    """The largest stake."""

    def add(self, stake: int, net: int) -> None:
        """Count one settled wager."""
        self.rounds += 1
        self.staked += stake
        self.squares += stake * stake
        self.net += net
        self.largest = max(self.largest, stake)

    def expected(self, theory: Theory) -> float:
        """Return the players' expected net, in cents."""
        return theory.expected(self.rounds, self.staked)

    def z(self, theory: Theory) -> float:
        """Return by how many standard deviations the players' net differs from the expected one."""
        deviation = self._deviation(theory)
        return (self.net - self.expected(theory)) / deviation if deviation else 0.0

    def bound(self, theory: Theory) -> float:
        """Return how far chance takes the players' net from the expected one, in cents, once in a million at most."""
        size = log(2 / FALSE_ALARM)
        jump = (theory.farthest * self.largest + theory.fixed_farthest * _CENTS) * size / 3
        return jump + sqrt(jump**2 + 2 * size * self._deviation(theory) ** 2)

    def is_alarming(self, theory: Theory) -> bool:
        """Return whether chance does not explain the return; less than the best player's does not alarm."""
        difference, bound = self.net - self.expected(theory), self.bound(theory)
        return difference > bound or (difference < -bound and not theory.is_best)

    def _deviation(self, theory: Theory) -> float:
        """Return the standard deviation of the players' net, in cents."""
        # Both parts may cancel: a fixed win and no loss leave nothing that varies but rounding.
        return sqrt(max(0.0, theory.variance(self.rounds, self.staked, self.squares)))


Returns: TypeAlias = dict[WagerKey, Returned]


def add_up(settlements: Iterable[Settled], returns: Returns) -> None:
    """Add what was settled to what the wagers have returned."""
    for one in settlements:
        returns.setdefault(one.key, Returned()).add(one.stake, one.net)


def settled(table: FoldedTable) -> Iterator[Settled]:
    """Yield what every seat staked and won in a finished round: the main game as one, and each other wager.

    Nothing where the table has its own chips: their rules may pay so much that sums over tables mean nothing.
    """
    if table.opened.chips:
        return
    for one in settled_by_seat(table.moves, table.state.results, has_companion=table.tables.has_companion):
        yield Settled(WagerKey(table.opened.game, table.opened.sheet, short_name(one.wager)), one.stake, one.net)


class SeatWager(NamedTuple):
    """What a seat staked on a wager, and its net win, in cents."""

    seat: int
    wager: str
    stake: int
    net: int


def settled_by_seat(moves: Iterable[Move], results: Iterable[Result], *, has_companion: bool) -> Iterator[SeatWager]:
    """Yield each seat's wagers of a finished round: the main game with its first stake, and each other wager."""
    mains = 2 if has_companion else 1
    stakes: dict[tuple[int, str], int] = {
        (move.seat, MAIN_WAGER): mains * int(move.main) for move in moves if isinstance(move, Bet)
    }
    nets: dict[tuple[int, str], int] = {}
    for result in results:
        key = (result.seat, MAIN_WAGER if result.hand else result.wager.removesuffix(_TAX))
        nets[key] = nets.get(key, 0) + int(result.net)
        if not result.hand and not result.wager.endswith(_TAX):
            stakes[key] = stakes.get(key, 0) + int(result.stake)
    for (seat, wager), net in nets.items():
        yield SeatWager(seat, wager, stakes.get((seat, wager), 0), net)


def short_name(wager: str) -> str:
    """Return the name of a wager as the database keeps it: as it is, or with a hash in place of its end."""
    if len(wager) <= _LONGEST_NAME:
        return wager
    digest = hashlib.sha256(wager.encode(errors="surrogatepass")).hexdigest()
    return f"{wager[:80]}… {digest[:16]}"
