"""What a person has staked and won, per game and wager, against what the games return on average.

Each settled wager has an expected net and a variance. Wagers of one round vary together, because they share cards, so
the variance of a round has the covariances of all pairs, too. Rounds are independent: over many of them both sums add
up, and 95% of players who stake the same are within 1.96 deviations of the expected sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, NamedTuple

from holecard.server.money.returns import SeatWager, settled_by_seat
from holecard.server.records.expectations import Expectation, Expectations
from holecard.table.notation.moves import read_bet
from holecard.table.records.record import read_record

#: The most points of a course that are kept for a picture.
_MOST_POINTS = 400
#: 95% of a normal distribution is within this number of deviations of its mean.
BAND = 1.959964
_CENTS = 100
#: Rounds that are kept in memory; those that nobody has asked for longest go first.
_MOST_KEPT = 50_000


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

    def add(self, wagers: Sequence[SeatWager], known: Expectations) -> None:
        """Count this wager as the seats of a round placed it; without an expectation only what happened."""
        self.settled += len(wagers)
        self.staked += sum(wager.stake for wager in wagers)
        self.net += sum(wager.net for wager in wagers)
        expected, variance = of_round(wagers, known)
        self.expected += expected
        self.variance += variance

    @property
    def deviation(self) -> float:
        """The standard deviation of the net, in cents."""
        return sqrt(self.variance)

    @property
    def z(self) -> float | None:
        """By how many deviations the net differs from the expected one; None where nothing can vary."""
        return (self.net - self.expected) / self.deviation if self.variance else None


@dataclass(slots=True)
class GameSum:
    """What one person has played of one sheet."""

    game: str
    sheet: str
    rounds: int = 0
    wagers: dict[str, WagerSum] = field(default_factory=dict)

    def add(self, played: PlayedRound, known: Expectations) -> None:
        """Count a round."""
        self.rounds += 1
        for name in dict.fromkeys(wager.wager for wager in played.wagers):
            seats = [wager for wager in played.wagers if wager.wager == name]
            self.wagers.setdefault(name, WagerSum()).add(seats, known)


def of_round(wagers: Sequence[SeatWager], known: Expectations) -> tuple[float, float]:
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


def played_round(row: Mapping[str, Any], user: str, *, has_companion: bool) -> PlayedRound:
    """Return what one person staked and won in a stored round."""
    record = read_record(row["record"])
    moves = map(read_bet, record.bets)
    mine = {int(seat) for seat, player in row["players"].items() if player == user}
    wagers = settled_by_seat(moves, record.paid, has_companion=has_companion)
    return PlayedRound(row["at"], row["game"], row["sheet"], tuple(one for one in wagers if one.seat in mine))


class KeptRounds:
    """Rounds that were read before: a finished round never changes, and to read one takes a millisecond."""

    def __init__(self, most: int = _MOST_KEPT) -> None:
        self._most = most
        self._kept: dict[tuple[str, str, int], PlayedRound] = {}

    def of(self, rows: Iterable[Mapping[str, Any]], user: str, companions: Mapping[str, bool]) -> list[PlayedRound]:
        """Return what one person staked and won in stored rounds; `companions` says which sheets have two mains."""
        found = []
        for row in rows:
            key = (user, row["table"], row["number"])
            played = self._kept.pop(key, None)
            if played is None:
                played = played_round(row, user, has_companion=companions[row["sheet"]])
            self._kept[key] = played
            found.append(played)
        while len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]
        return found


def by_game(rounds: Iterable[PlayedRound], known: Mapping[str, Expectations]) -> list[GameSum]:
    """Return the sums per sheet, the one with the most rounds first."""
    sums: dict[tuple[str, str], GameSum] = {}
    for played in rounds:
        key = (played.game, played.sheet)
        sums.setdefault(key, GameSum(*key)).add(played, known.get(played.sheet, {}))
    return sorted(sums.values(), key=lambda one: (-one.rounds, one.game, one.sheet))


def cumulated(rounds: Iterable[PlayedRound], known: Mapping[str, Expectations]) -> list[CoursePoint]:
    """Return the sums after each round, oldest first.

    Wagers without an expectation are left out, and so are rounds that have no others.
    """
    points = [CoursePoint(0, 0, 0, 0.0, 0.0)]
    net, expected, variance = 0, 0.0, 0.0
    # People stake the same again and again.
    moments: dict[tuple[str, tuple[tuple[int, str, int], ...]], tuple[float, float]] = {}
    for played in rounds:
        found = known.get(played.sheet, {})
        compared = [wager for wager in played.wagers if wager.wager in found]
        if not compared:
            continue
        key = played.sheet, tuple((wager.seat, wager.wager, wager.stake) for wager in compared)
        if key not in moments:
            moments[key] = of_round(compared, found)
        mean, spread = moments[key]
        net, expected, variance = net + sum(wager.net for wager in compared), expected + mean, variance + spread
        points.append(CoursePoint(len(points), played.at, net, expected, sqrt(variance)))
    return points


def thinned(points: Sequence[CoursePoint], most: int = _MOST_POINTS) -> list[CoursePoint]:
    """Return at most `most` points, evenly spread, with the first, the last, the highest and the lowest net."""
    if len(points) <= most:
        return list(points)
    last = len(points) - 1
    evenly = {round(place * last / (most - 3)) for place in range(most - 2)}
    extremes = {
        max(range(len(points)), key=lambda n: points[n].net),
        min(range(len(points)), key=lambda n: points[n].net),
    }
    return [points[place] for place in sorted(evenly | extremes)]
