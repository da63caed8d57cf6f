"""What a person has staked and won, per game and wager, against what the games return on average.

Each settled wager has an expected net and a variance. Wagers of one round vary together, because they share cards, so
the variance of a round has the covariances of all pairs, too. Rounds are independent: over many of them both sums add
up, and 95% of players who stake the same are within 1.96 deviations of the expected sum.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import sqrt
from typing import NamedTuple, TypeAlias

from holecard.server.money.returns import SeatWager
from holecard.server.records.expectations import Expectation, Expectations

#: The most points of a course that are kept for a picture.
_MOST_POINTS = 400
#: 95% of a normal distribution is within this number of deviations of its mean.
BAND = 1.959964
_CENTS = 100
#: Different stakes that are kept while rounds are added.
_MOST_STAKES = 10_000
#: The mean and the variance of what wagers win, in cents.
Moments: TypeAlias = tuple[float, float]


class PlayedRound(NamedTuple):
    """A round of one person: when it ended, and that person's wagers."""

    at: int
    game: str
    sheet: str
    wagers: tuple[SeatWager, ...]


class CoursePoint(NamedTuple):
    """All rounds up to one, in cents."""

    rounds: int
    at: int
    net: int
    expected: float
    deviation: float


@dataclass(slots=True)
class WagerSum:
    """What one wager has staked and won so far, in cents."""

    settled: int = 0
    staked: int = 0
    net: int = 0
    expected: float = 0.0
    variance: float = 0.0

    def add(self, wagers: Sequence[SeatWager], moments: Moments) -> None:
        """Count this wager as the seats of a round placed it."""
        self.settled += len(wagers)
        self.staked += sum(wager.stake for wager in wagers)
        self.net += sum(wager.net for wager in wagers)
        self.expected += moments[0]
        self.variance += moments[1]

    @property
    def deviation(self) -> float:
        """The standard deviation of the net, in cents."""
        return sqrt(self.variance)

    @property
    def z(self) -> float | None:
        """By how many deviations the net differs from the expected one; None where nothing can vary."""
        return (self.net - self.expected) / self.deviation if self.variance else None


def of_round(wagers: Sequence[SeatWager], known: Expectations) -> Moments:
    """Return the expected net of wagers of one round in cents, and its variance; those not known are left out."""
    expected = variance = 0.0
    compared = [(wager, known[wager.wager]) for wager in wagers if wager.wager in known]
    for place, (wager, found) in enumerate(compared):
        stake = wager.stake
        expected += found.ev * stake + found.fixed_ev * _CENTS
        variance += (found.deviation * stake) ** 2 + (found.fixed_deviation * _CENTS) ** 2
        variance += 2 * found.covariance * stake * _CENTS
        variance += sum(2 * _covariance(wager, found, other) for other, _ in compared[:place])
    # The covariances come from a sample: wagers that cancel out could leave a little less than nothing.
    return expected, max(0.0, variance)


def _covariance(wager: SeatWager, found: Expectation, other: SeatWager) -> float:
    """Return the covariance of the nets of two wagers of a round, in cents."""
    block = (found.same_seat if wager.seat == other.seat else found.other_seat).get(other.wager)
    if block is None:
        return 0.0
    (units, mixed), (reversed_, fixed) = block
    with_stake = wager.stake * (units * other.stake + mixed * _CENTS)
    return with_stake + _CENTS * (reversed_ * other.stake + fixed * _CENTS)


@lru_cache(10_000)
def stored_wagers(written: str) -> tuple[SeatWager, ...]:
    """Return what a person staked and won in a round, as it is stored with the round; many rounds are alike."""
    return tuple(SeatWager(*one) for one in json.loads(written))


class Course:
    """The sums after each round, oldest first, as numbers without objects: there may be many rounds."""

    def __init__(self) -> None:
        self._at, self._net = array("q", [0]), array("q", [0])
        self._expected, self._variance = array("d", [0.0]), array("d", [0.0])
        self._highest = self._lowest = 0

    def add(self, at: int, net: int, moments: Moments) -> None:
        """Add a round."""
        self._at.append(at)
        self._net.append(self._net[-1] + net)
        self._expected.append(self._expected[-1] + moments[0])
        self._variance.append(self._variance[-1] + moments[1])
        if self._net[-1] > self._net[self._highest]:
            self._highest = len(self._net) - 1
        elif self._net[-1] < self._net[self._lowest]:
            self._lowest = len(self._net) - 1

    def points(self, most: int = _MOST_POINTS) -> list[CoursePoint]:
        """Return at most `most` points, evenly spread, with the first, the last, the highest and the lowest net."""
        last = len(self._net) - 1
        if last < most:
            return list(map(self._point, range(last + 1)))
        evenly = {round(place * last / (most - 3)) for place in range(most - 2)}
        return list(map(self._point, sorted({*evenly, self._highest, self._lowest})))

    def _point(self, rounds: int) -> CoursePoint:
        deviation = sqrt(self._variance[rounds])
        return CoursePoint(rounds, self._at[rounds], self._net[rounds], self._expected[rounds], deviation)


@dataclass(slots=True)
class GameSum:
    """What one person has played of one sheet."""

    game: str
    sheet: str
    rounds: int = 0
    wagers: dict[str, WagerSum] = field(default_factory=dict)
    course: Course = field(default_factory=Course)


class _Stakes(NamedTuple):
    """What the stakes of a round say before the first card."""

    by_wager: Mapping[str, Moments]
    compared: Moments | None
    """Of all wagers with an expectation; None where there is none."""


class PersonalSums:
    """What one person has played, added round by round, oldest first."""

    def __init__(self, known: Mapping[str, Expectations]) -> None:
        self._known = known
        self._games: dict[tuple[str, str], GameSum] = {}
        self._stakes: dict[tuple[str, tuple[tuple[int, str, int], ...]], _Stakes] = {}
        """People stake the same again and again."""
        self.rounds = 0
        self.course = Course()
        """Over all games. Wagers without an expectation are left out, and so are rounds that have no others."""

    def add(self, played: PlayedRound) -> None:
        """Count a round."""
        self.rounds += 1
        game = self._games.setdefault((played.game, played.sheet), GameSum(played.game, played.sheet))
        stakes = self._stakes_of(played)
        game.rounds += 1
        for name, moments in stakes.by_wager.items():
            own = [wager for wager in played.wagers if wager.wager == name]
            game.wagers.setdefault(name, WagerSum()).add(own, moments)
        if stakes.compared is not None:
            known = self._known[played.sheet]
            net = sum(wager.net for wager in played.wagers if wager.wager in known)
            game.course.add(played.at, net, stakes.compared)
            self.course.add(played.at, net, stakes.compared)

    @property
    def games(self) -> list[GameSum]:
        """The sums per sheet, the one with the most rounds first."""
        return sorted(self._games.values(), key=lambda one: (-one.rounds, one.game, one.sheet))

    def _stakes_of(self, played: PlayedRound) -> _Stakes:
        key = (played.sheet, tuple((wager.seat, wager.wager, wager.stake) for wager in played.wagers))
        if key not in self._stakes:
            if len(self._stakes) >= _MOST_STAKES:
                self._stakes.clear()
            self._stakes[key] = _stakes(played.wagers, self._known.get(played.sheet, {}))
        return self._stakes[key]


def _stakes(wagers: Sequence[SeatWager], known: Expectations) -> _Stakes:
    names = dict.fromkeys(wager.wager for wager in wagers)
    by_wager = {name: of_round([wager for wager in wagers if wager.wager == name], known) for name in names}
    compared = [wager for wager in wagers if wager.wager in known]
    return _Stakes(by_wager, of_round(compared, known) if compared else None)
