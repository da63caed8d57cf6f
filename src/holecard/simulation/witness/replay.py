"""Replay rounds of a run at the table: the second half of `verify`, after its comparisons.

Exact and simulated numbers share some code, so both could be wrong in the same way. Here rounds are played one by one
at the `Table` and by the `referee` (see `three_ways`); a difference of one cent in one round is a failure.

There are three samples: rounds of the run itself; rounds from the run's shoes played by charts that try every action,
because the run's own chart may avoid the one action that is paid wrongly; and rounds of several seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from holecard.charts.every_action import every_action
from holecard.errors import Refusal, shortly
from holecard.exact.strategies import Strategy
from holecard.sheets.schema import RuleSheet
from holecard.simulation.witness.shoe_replay import ShoeWitness
from holecard.simulation.witness.three_ways import Difference, Witness
from holecard.wagers.pay_table import SideWager

#: Rounds replayed by default; about a second.
REPLAYED_ROUNDS = 1_500
EVERY_ACTION = "a chart that tries every action"
_CHARTS = 2
#: Seats of some more rounds, one in so many: what happens between seats shows at once.
_SEATS, _OF_SEATS = 3, 25
#: For each round of a shoe that is dealt down, this many from fresh shoes.
_OF_SHOES = 10
#: Rounds searched with these charts for new features.
_SEARCHED = 200_000
#: Differences shown in full; the others are only counted.
SHOWN = 3


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of a replay."""

    rounds: int
    """rounds of the run"""
    tried: int
    """more rounds from the same shoes, by charts that try every action"""
    dealt_down: int = 0
    """more rounds, of whole shoes that are dealt down"""
    differences: tuple[Difference, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether there is no difference."""
        return not self.differences

    @property
    def verdict(self) -> str:
        """The verdict as text: the number of rounds, then the first differences with their records."""
        if not self.rounds:
            return "No round was replayed at the table."
        if self.agrees:
            also = f", and {self.tried:,} more with every action tried" if self.tried else ""
            shoes = f", and {self.dealt_down:,} more from shoes dealt down" if self.dealt_down else ""
            return f"{_rounds(self.rounds)} replayed at the table, card by card{also}{shoes}: no difference."
        every = self.rounds + self.tried + self.dealt_down
        first = f"Replayed at the table, card by card, {len(self.differences):,} of {every:,} rounds differ:"
        more = len(self.differences) - SHOWN
        shown = [line for one in self.differences[:SHOWN] for line in _describe(one)]
        return "\n".join([first, *shown, *([f"  and {more:,} more rounds."] if more > 0 else [])])


def replay_rounds(
    sheet: RuleSheet,
    players: Sequence[Strategy],
    seed: int,
    rounds: int,
    wagers: Sequence[SideWager],
    count: int = REPLAYED_ROUNDS,
) -> Replay:
    """Replay `count` of the first `rounds` rounds of a seed, as many that try every action, and some shoes."""
    check_count(count)
    if not count:
        return Replay(0, 0)
    found = list(replayed(sheet, players, seed, rounds, wagers, count))
    of_run = sum(is_of_run for is_of_run, _ in found)
    shoes = list(_replayed_shoes(sheet, seed, wagers, count // _OF_SHOES))
    differences = [one for _, one in (*found, *shoes) if one is not None]
    return Replay(of_run, len(found) - of_run, sum(played for played, _ in shoes), tuple(differences))


def _replayed_shoes(
    sheet: RuleSheet, seed: int, wagers: Sequence[SideWager], count: int
) -> Iterator[tuple[int, Difference | None]]:
    """Yield for each shoe its rounds, by a chart that tries everything, and its difference or None."""
    witness = ShoeWitness(sheet, Strategy(EVERY_ACTION, every_action(sheet.tables)), seed, wagers)
    rounds = number = 0
    while rounds < count and number < count:
        played, difference = witness.replay(number)
        yield played, difference
        rounds, number = rounds + played, number + 1


def replayed(
    sheet: RuleSheet, players: Sequence[Strategy], seed: int, rounds: int, wagers: Sequence[SideWager], count: int
) -> Iterator[tuple[bool, Difference | None]]:
    """Yield for each round whether it is from the run, and its difference or None."""
    own = Witness(sheet, players, seed, wagers, players[0].name)
    for number in own.pick(rounds, count, rare=count // 2):
        yield True, own.compare(number)
    share = count // _CHARTS
    for variant in range(_CHARTS):
        other = trying_everything(sheet, seed, variant)
        for number in other.pick(min(rounds, _SEARCHED), share, rare=share * 3 // 4):
            yield False, other.compare(number)
    seated = [Strategy(EVERY_ACTION, every_action(sheet.tables))] * min(_SEATS, sheet.tables.seats)
    several = Witness(sheet, seated, seed, wagers, f"{EVERY_ACTION}, in {len(seated)} seats")
    for number in several.pick(min(rounds, _SEARCHED), count // _OF_SEATS, rare=0):
        yield False, several.compare(number)


def trying_everything(sheet: RuleSheet, seed: int, variant: int = 0) -> Witness:
    """Return a witness for the main wager of a chart that tries every action, on the shoes of a seed."""
    chart = Strategy(EVERY_ACTION, every_action(sheet.tables, variant))
    return Witness(sheet, [chart], seed, (), EVERY_ACTION)


def check_count(count: int) -> None:
    """Raise a `Refusal` unless this is a number of rounds."""
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        raise Refusal(
            f"replay: {shortly(count)} is not a number of rounds; write 0 or more, such as {REPLAYED_ROUNDS:,}"
        )


def _rounds(number: int) -> str:
    return "1 of the rounds was" if number == 1 else f"{number:,} of the rounds were"


def _describe(one: Difference) -> list[str]:
    """Return lines with the round's number, its differences and its record."""
    lines = [f"  Round {one.number:,} by {one.strategy}:", *(f"    {line}" for line in one.lines)]
    return lines + [f"      {line}" for line in one.record.splitlines()]
