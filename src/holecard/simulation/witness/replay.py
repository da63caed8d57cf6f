"""Rounds of a run, played again at the table: what `verify` rests on beside its comparisons.

Exact and simulated numbers come from code that they share, so that both can be wrong alike. Here rounds are played one
by one at the `Table` and by the `referee`, see `witness`; one cent of difference in one of them is enough.

Two samples are taken. The first are rounds of the run itself. The second are played from the run's shoes by charts that
try every action: the run's own chart may avoid just the action that is paid wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from holecard.errors import Refusal, shortly
from holecard.exact.strategies import Strategy
from holecard.sheets.schema import RuleSheet
from holecard.simulation.witness.every_action import every_action
from holecard.simulation.witness.three_ways import Difference, Witness
from holecard.wagers.pay_table import SideWager

#: Rounds of a run that are replayed, unless said otherwise: about a second.
ROUNDS = 1_500
EVERY_ACTION = "a chart that tries every action"
_CHARTS = 2
#: Rounds that these charts play to find those in which something new happens.
_SEARCHED = 200_000
#: Differences that are told; of the others it is said how many there are.
SHOWN = 3


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of it."""

    rounds: int
    """of the run"""
    tried: int
    """more rounds, from the same shoes, by charts that try every action"""
    differences: tuple[Difference, ...] = ()

    @property
    def agrees(self) -> bool:
        """There is no difference."""
        return not self.differences

    @property
    def verdict(self) -> str:
        """In words, in several lines: how many rounds, then the first differences with their rounds."""
        if not self.rounds:
            return "No round was replayed at the table."
        if self.agrees:
            also = f", and {self.tried:,} more with every action tried" if self.tried else ""
            return f"{_rounds(self.rounds)} replayed at the table, card by card{also}: no difference."
        every = self.rounds + self.tried
        first = f"Replayed at the table, card by card, {len(self.differences):,} of {every:,} rounds differ:"
        more = len(self.differences) - SHOWN
        told = [line for one in self.differences[:SHOWN] for line in _say(one)]
        return "\n".join([first, *told, *([f"  and {more:,} more rounds."] if more > 0 else [])])


def replay_rounds(
    sheet: RuleSheet,
    players: Sequence[Strategy],
    seed: int,
    rounds: int,
    wagers: Sequence[SideWager],
    count: int = ROUNDS,
) -> Replay:
    """Replay `count` of the first `rounds` rounds of a seed, and as many by charts that try every action."""
    check_count(count)
    if not count:
        return Replay(0, 0)
    found = list(played_again(sheet, players, seed, rounds, wagers, count))
    of_run = sum(is_of_run for is_of_run, _ in found)
    return Replay(of_run, len(found) - of_run, tuple(one for _, one in found if one is not None))


def played_again(
    sheet: RuleSheet, players: Sequence[Strategy], seed: int, rounds: int, wagers: Sequence[SideWager], count: int
) -> Iterator[tuple[bool, Difference | None]]:
    """Round after round: whether it is one of the run, and how it differs."""
    own = Witness(sheet, players, seed, wagers, players[0].name)
    for number in own.pick(rounds, count, rare=count // 2):
        yield True, own.compare(number)
    share = count // _CHARTS
    for variant in range(_CHARTS):
        other = trying_everything(sheet, seed, variant)
        for number in other.pick(min(rounds, _SEARCHED), share, rare=share * 3 // 4):
            yield False, other.compare(number)


def trying_everything(sheet: RuleSheet, seed: int, variant: int = 0) -> Witness:
    """The main wager of somebody who plays the shoes of a seed by a chart that tries every action."""
    chart = Strategy(EVERY_ACTION, every_action(sheet.tables, variant))
    return Witness(sheet, [chart], seed, (), EVERY_ACTION)


def check_count(count: int) -> None:
    """Refuse what is not a number of rounds."""
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        raise Refusal(f"replay: {shortly(count)} is not a number of rounds; write 0 or more, such as {ROUNDS:,}")


def _rounds(number: int) -> str:
    return "1 of the rounds was" if number == 1 else f"{number:,} of the rounds were"


def _say(one: Difference) -> list[str]:
    """The round by its number, what differs, and its record."""
    lines = [f"  Round {one.number:,} by {one.strategy}:", *(f"    {words}" for words in one.words)]
    return lines + [f"      {line}" for line in one.record.splitlines()]
