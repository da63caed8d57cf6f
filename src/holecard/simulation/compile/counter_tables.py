"""Compile a player who counts into the numbers that the kernels use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, lcm, sqrt

import numpy as np
from numpy.typing import NDArray

from holecard.counts.count import Count
from holecard.counts.count_player import CountPlayer
from holecard.counts.ramp import FLAT, Ramp
from holecard.deck import VALUES
from holecard.errors import Refusal
from holecard.kernels.dealt_down.counter_tables import (
    CONSTANT,
    DIVISOR,
    HALF,
    PER_SEEN,
    PER_TAG,
    PER_UNSEEN,
    TERMS,
    TOWARD_ZERO,
    CounterTables,
)
from holecard.kernels.dealt_down.dealing_rule import DealingRule
from holecard.sheets.tables import Tables
from holecard.simulation.compile.program import Program

#: Readings shown on each side of those at which the player does something else.
_BEYOND = 10
#: The most readings; the most that a round may win, in steps of bets times parts: squares of shoes are summed.
_MOST_READINGS, _MOST_STEPS = 401, 2**20


@dataclass(frozen=True, eq=False)
class CompiledCount:
    """A counter at a table, and the meaning of the kernels' numbers."""

    player: CountPlayer
    counter: CounterTables
    lows: tuple[int, ...]
    """[count] the lowest reading kept apart: lower ones are counted with it"""
    bet_scale: int
    """steps of bets per unit"""
    main_scale: int
    """fine parts per unit of initial stake"""
    wager_scales: tuple[int, ...]
    """[wager] parts per unit"""
    insurance: tuple[Fraction, ...]
    """[not insured, lost, won] net result of insurance per unit of the main wager"""
    insurance_pays: Fraction | None
    """odds of insurance; None if not offered"""

    def readings(self, number: int) -> tuple[int, ...]:
        """Return [slot] the readings of a count; the first and the last stand for all beyond, too."""
        return tuple(range(self.lows[number], self.lows[number] + self.counter.slots))


def compile_count(tables: Tables, program: Program, player: CountPlayer, seat: int, rule: DealingRule) -> CompiledCount:
    """Compile a player for a program whose chart 0 is the plain chart, followed by `player.charts` of it."""
    return _Compiling(tables, program, player, seat, rule).result


class _Compiling:
    def __init__(self, tables: Tables, program: Program, player: CountPlayer, seat: int, rule: DealingRule) -> None:
        self.tables, self.program, self.player, self.seat, self.rule = tables, program, player, seat, rule
        ramps = [player.ramp, *(self._ramp(name) for name in self._wagers)]
        self.bet_scale = lcm(*(bet.denominator for ramp in ramps for bet in ramp.bets))

    @property
    def _wagers(self) -> list[str]:
        return [table.wager.name for table in self.program.wagers]

    def _ramp(self, wager: str) -> Ramp:
        return next((one.ramp for one in self.player.wagers if one.wager == wager), FLAT)

    def _count_of(self, wager: str) -> int:
        name = next((one.count for one in self.player.wagers if one.wager == wager), None)
        return self.player.number_of(name)

    @property
    def result(self) -> CompiledCount:
        player, tables = self.player, self.tables
        scale, nets, insurance = self._main_nets()
        wager_scales, wager_nets = self._wager_nets()
        counter = CounterTables(
            seat=self.seat,
            burn=self.rule.burn,
            sees_hole=int(tables.hole_card == "face up"),
            sees_others=int(not tables.players_cards_down),
            tags=np.array([count.whole_tags for count in player.counts], np.int32),
            terms=np.array([reading_terms(count, tables.decks) for count in player.counts]),
            lows=np.array([readings[0] for readings in self._readings], np.float64),
            slots=len(self._readings[0]),
            charts=self._charts(),
            early=np.array([value in tables.early_surrender_upcards for value in VALUES[::4]], np.int64),
            insures=self._insures(),
            enters=self._of_main(lambda reading: player.enter is not None and reading >= player.enter),
            leaves=self._of_main(lambda reading: player.leave is not None and reading < player.leave),
            begins=int(player.enter is None),
            bets=self._bets(player.ramp, 0),
            wager_bets=self._wager_bets(),
            wager_counts=np.array([self._count_of(name) for name in self._wagers] or [0], np.int64),
            net_of_cell=self.program.of_cell.astype(np.int64),
            net_of_sum=self.program.of_sum.astype(np.int64),
            nets=nets,
            insurance=insurance,
            wager_nets=wager_nets,
        )
        most = int(counter.bets.max()) * (int(np.abs(nets).max()) + int(np.abs(insurance).max()))
        most = max(most, int(counter.wager_bets.max()) * int(np.abs(wager_nets).max()))
        if most > _MOST_STEPS:
            raise Refusal(
                f"bets of up to {max(player.ramp.bets)} units in steps of 1/{self.bet_scale} and these odds make "
                f"{most:,} steps of money in a round; the limit is {_MOST_STEPS:,}: use larger steps or smaller bets"
            )
        lows = tuple(readings[0] for readings in self._readings)
        return CompiledCount(
            player, counter, lows, self.bet_scale, scale, wager_scales, self._insured, self.tables.insurance
        )

    @cached_property
    def _readings(self) -> list[range]:
        """For each count, the readings that are kept apart; all counts have as many."""
        found = [self._readings_of(number, count) for number, count in enumerate(self.player.counts)]
        most = max(map(len, found))
        if most > _MOST_READINGS:
            raise Refusal(
                f"the count {self.player.name!r} has more than {_MOST_READINGS} readings that matter; use smaller tags"
            )
        return [range(readings.start, readings.start + most) for readings in found]

    def _readings_of(self, number: int, count: Count) -> range:
        player = self.player
        marks = list(player.thresholds(number))
        marks += [play.index for play in player.insurance if player.number_of(play.count) == number]
        marks += [mark for one in player.wagers if player.number_of(one.count) == number for mark in one.ramp.starts]
        if number == 0:
            marks += [*player.ramp.starts, *(mark for mark in (player.enter, player.leave) if mark is not None)]
        if count.kind == "running":
            cards = 52 * self.tables.decks
            ends = [count.value(0, 0, self.tables.decks)]
            ends.append(count.value(int(count.imbalance * count.scale) * self.tables.decks, cards, self.tables.decks))
            swing = 1.5 * sqrt(cards * float(sum(tag**2 for tag in count.tags)) / 52)  # 3 deviations in the middle
            marks += [floor(float(min(ends)) - swing), ceil(float(max(ends)) + swing)]
            return range(min(marks) - 1, max(marks) + 2)
        return range(min([0, *marks]) - _BEYOND, max([0, *marks]) + _BEYOND + 1)

    def _charts(self) -> NDArray[np.int64]:
        """Return [count, slot] the share of each slot in a chart's number: the last count changes fastest."""
        marks = [self.player.thresholds(number) for number in range(len(self.player.counts))]
        found, step = [], 1
        for number in reversed(range(len(marks))):
            found.append([step * sum(mark <= reading for mark in marks[number]) for reading in self._readings[number]])
            step *= len(marks[number]) + 1
        return np.array(found[::-1], np.int64)

    def _insures(self) -> NDArray[np.int64]:
        player = self.player
        return np.array(
            [
                [
                    any(play.applies(reading) for play in player.insurance if player.number_of(play.count) == number)
                    for reading in self._readings[number]
                ]
                for number in range(len(player.counts))
            ],
            np.int64,
        )

    def _of_main(self, says: Callable[[int], bool]) -> NDArray[np.int64]:
        return np.array([says(reading) for reading in self._readings[0]], np.int64)

    def _bets(self, ramp: Ramp, number: int) -> NDArray[np.int64]:
        return np.array([int(ramp.bet(reading) * self.bet_scale) for reading in self._readings[number]], np.int64)

    def _wager_bets(self) -> NDArray[np.int64]:
        found = np.zeros((max(1, len(self._wagers)), len(self._readings[0])), np.int64)
        for wager, name in enumerate(self._wagers):
            found[wager] = self._bets(self._ramp(name), self._count_of(name))
        return found

    def _main_nets(self) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
        """Return the fine parts per unit, [net result] in fine parts, and [not insured, lost, won] of insurance."""
        insured = self._insured
        scale = lcm(self.program.scale, *(net.denominator for net in insured))
        nets = [round(net * scale) for net in self.program.nets]
        return scale, np.array(nets, np.int64), np.array([int(net * scale) for net in insured], np.int64)

    @property
    def _insured(self) -> tuple[Fraction, ...]:
        share, pays = self.tables.insurance_share, self.tables.insurance
        return (Fraction(0),) * 3 if pays is None else (Fraction(0), -share, share * pays)

    def _wager_nets(self) -> tuple[tuple[int, ...], NDArray[np.int64]]:
        """Return [wager] parts per unit, and [cell] net results in parts."""
        scales, found = [], []
        for table in self.program.wagers:
            scale = lcm(*(net.denominator for net in table.nets))
            nets = [int(net * scale) for net in table.nets]
            found += [0 if net is None else nets[net] for net in table.net_of_cell]
            scales.append(scale)
            if table.payoffs.in_dollars and any(bet not in (0, 1) for bet in self._ramp(table.wager.name).bets):
                raise Refusal(f"{table.wager.name} pays fixed amounts, so it is placed or not: bet 0 or 1 units on it")
        return tuple(scales), np.array(found or [0], np.int64)


def reading_terms(count: Count, decks: int) -> Sequence[float]:
    """Return the terms of a count's reading, all whole numbers but the half that rounds to the nearest."""
    found = [0.0] * TERMS
    if count.kind == "true":
        found[PER_TAG] = 52 * count.per
        found[PER_SEEN] = count.per * int(count.imbalance * count.scale)
        found[PER_UNSEEN] = 52 * count.scale
    else:
        begin = count.start * decks + count.pivot
        found[PER_TAG] = begin.denominator
        found[CONSTANT] = begin.numerator * count.scale
        found[DIVISOR] = count.scale * begin.denominator
    found[HALF] = 0.5 * (count.rounding == "nearest")
    found[TOWARD_ZERO] = count.rounding == "toward zero"
    return found
