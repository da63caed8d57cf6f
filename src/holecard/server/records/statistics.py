"""What a person has staked and won, per game and wager, against what the games return on average.

Each settled wager has an expected net and a variance; over many wagers both add up, and 95% of players who stake the
same are within 1.96 deviations of the expected sum. Wagers count as independent of each other. Those of one round are
not quite: seats share the dealer's cards, and a side wager may win when the hand wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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

    def add(self, wager: SeatWager, expectation: Expectation | None) -> None:
        """Count a settled wager; without an expectation only what happened."""
        self.settled += 1
        self.staked += wager.stake
        self.net += wager.net
        if expectation is not None:
            expected, variance = of_wager(wager, expectation)
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
        for wager in played.wagers:
            self.wagers.setdefault(wager.wager, WagerSum()).add(wager, known.get(wager.wager))


def of_wager(wager: SeatWager, expectation: Expectation) -> tuple[float, float]:
    """Return the expected net of a settled wager in cents, and its variance."""
    unit = _CENTS if expectation.per_round else wager.stake
    return expectation.ev * unit, (expectation.deviation * unit) ** 2


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
    for played in rounds:
        compared = list(_compared(played, known))
        for wager, expectation in compared:
            mean, spread = of_wager(wager, expectation)
            net, expected, variance = net + wager.net, expected + mean, variance + spread
        if compared:
            points.append(CoursePoint(len(points), played.at, net, expected, sqrt(variance)))
    return points


def _compared(played: PlayedRound, known: Mapping[str, Expectations]) -> Iterator[tuple[SeatWager, Expectation]]:
    """Yield the wagers of a round that have an expectation."""
    found = known.get(played.sheet, {})
    for wager in played.wagers:
        if expectation := found.get(wager.wager):
            yield wager, expectation


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
