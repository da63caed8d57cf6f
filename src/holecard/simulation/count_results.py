"""The results of a simulation with a player who counts: by count, and per round dealt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import nan

import numpy as np

from holecard.counts.count_player import CountPlayer
from holecard.kernels.dealt_down.counter_tables import INSURANCE_SUM, MAIN_SUM, SIDE_SUMS, TOTAL_SUM
from holecard.presentation import Brief, Presented
from holecard.sheets.schema import RuleSheet
from holecard.simulation.compile.counter_tables import CompiledCount
from holecard.simulation.compile.program import Program
from holecard.simulation.run.tally import Tally
from holecard.simulation.statistics.estimates import (
    LEVEL,
    Estimate,
    Histogram,
    ShoeSums,
    estimate,
    shoe_estimate,
)
from holecard.simulation.win_rates import Derived, WinRate

_SUMS = ("shoes", "net", "net_squared", "rounds", "rounds_squared", "net_rounds")


@dataclass(frozen=True, repr=False)
class CountRow(Brief):
    """Rounds that began with one reading of a count."""

    reading: int
    ends: str
    """ "or less", "or more" for the first and the last reading; otherwise "" """
    frequency: float
    """share of all rounds dealt; of a side wager, only those in which the player bets on the main wager"""
    bet: Fraction
    """in units"""
    histogram: Histogram = field(hash=False)
    """rounds by net result per unit bet, where the player bets"""
    level: float = LEVEL

    @cached_property
    def estimate(self) -> Estimate:
        """The EV per unit bet; the error treats rounds as independent."""
        return estimate(self.histogram, self.level)


@dataclass(frozen=True, repr=False)
class CountedBet(Brief):
    """One wager of a player who counts: its results by reading, and what it won."""

    name: str
    count: str
    """the count that decides the bet"""
    rows: tuple[CountRow, ...]
    rounds: int
    """rounds dealt, whether the player bets or not"""
    won: Estimate
    """units per round dealt, with an error computed from whole shoes and the deviation of a round dealt"""

    @cached_property
    def histogram(self) -> Histogram:
        """Rounds dealt by units won; 0 where the player does not bet."""
        return _units_won(self.rows, self.rounds)

    @property
    def played(self) -> int:
        """Rounds in which the player bets."""
        return sum(sum(row.histogram.values()) for row in self.rows if row.bet)

    @property
    def average_bet(self) -> float:
        """Units bet per round dealt."""
        total = sum((row.bet * sum(row.histogram.values()) for row in self.rows), Fraction(0))
        return float(total / self.rounds) if self.rounds else nan

    @property
    def standard_deviation(self) -> float:
        """Of the units won in a round dealt."""
        return self.won.standard_deviation

    @cached_property
    def n0(self) -> Derived:
        """Rounds after which the expected win equals its standard deviation; infinite without an expected win."""
        return self._rate.n0

    @cached_property
    def score(self) -> Derived:
        """Dollars won in 100 rounds by a player with $10,000 who bets for a risk of ruin of 13.5%; 0 if none are."""
        return self._rate.score

    def risk_of_ruin(self, bankroll: int) -> Derived:
        """Return the risk of ruin with this many units if play never stops, treating rounds as independent."""
        return self._rate.risk_of_ruin(bankroll)

    @property
    def _rate(self) -> WinRate:
        return WinRate(self.won, self.histogram)


@dataclass(frozen=True, repr=False)
class CountSimulation(Presented):
    """The result of a run with a player who counts, and what was run."""

    _report = "simulated.counted"

    rules: RuleSheet
    player: CountPlayer
    strategy: str
    seats: int
    procedure: str
    seed: int
    rounds: int
    """rounds dealt"""
    asked: int
    complete: bool
    main: CountedBet
    """the main wager, without insurance"""
    insurance: tuple[CountRow, ...]
    """insurance by the reading when it was offered, per unit of insurance, whether taken or not"""
    insurance_won: Estimate
    """what insurance won where it was taken, in units per round dealt; 0 where it never is"""
    total: CountedBet
    """the main wager and insurance together, by the reading before the deal"""
    wagers: tuple[CountedBet, ...]
    bankroll: int | None
    """units, for the risk of ruin"""
    seconds: float = field(compare=False)


def main_bet(program: Program, compiled: CompiledCount, tally: Tally, level: float) -> CountedBet:
    """Return the main wager, without insurance."""
    return _on_main("main", MAIN_SUM, lambda net, _: program.nets[net], compiled, tally, level)


def total_bet(program: Program, compiled: CompiledCount, tally: Tally, level: float) -> CountedBet:
    """Return the main wager and insurance together."""

    def result(net: int, insured: int) -> Fraction:
        return program.nets[net] + compiled.insurance[insured]

    return _on_main("main wager and insurance", TOTAL_SUM, result, compiled, tally, level)


def insurance_won(compiled: CompiledCount, tally: Tally, level: float) -> Estimate:
    """Return what insurance won where it was taken, in units per round dealt."""
    insurance = _on_main(
        "insurance", INSURANCE_SUM, lambda _, insured: compiled.insurance[insured], compiled, tally, level
    )
    return insurance.won


def _on_main(
    name: str,
    what: int,
    result: Callable[[int, int], Fraction],
    compiled: CompiledCount,
    tally: Tally,
    level: float,
) -> CountedBet:
    """Return what the bets on the main wager won, where `result` is that of a net result and of insurance."""
    counted, bets, rounds = tally["by_reading_nets"], compiled.counter.bets, int(tally["rounds"])

    def results(place: int) -> Histogram:
        cells = np.argwhere(counted[1, place]).tolist()
        return _summed((result(net, insured), counted[1, place, insured, net]) for insured, net in cells)

    rows = [
        CountRow(
            reading, ends, _share(counted[:, place].sum(), tally), _units(compiled, bets[place]), results(place), level
        )
        for place, (reading, ends) in enumerate(_readings(compiled, 0))
    ]
    won = _won(tally, what, compiled.bet_scale * compiled.main_scale, _units_won(rows, rounds), level)
    return CountedBet(name, compiled.player.name, _met(rows), rounds, won)


def side_bets(program: Program, compiled: CompiledCount, tally: Tally, level: float) -> tuple[CountedBet, ...]:
    """Return the side wagers."""
    found, begin = [], 0
    for number, table in enumerate(program.wagers):
        cells = tally["by_reading_wagers"][:, begin : begin + len(table.cells)]
        begin += len(table.cells)
        nets = [None if net is None else table.nets[net] for net in table.net_of_cell]
        count = int(compiled.counter.wager_counts[number])
        bets = compiled.counter.wager_bets[number]
        rows = [
            CountRow(
                reading,
                ends,
                _share(cells[place].sum(), tally),
                _units(compiled, bets[place]),
                _summed((net, cells[place, cell]) for cell, net in enumerate(nets) if net is not None),
                level,
            )
            for place, (reading, ends) in enumerate(_readings(compiled, count))
        ]
        rounds, scale = int(tally["rounds"]), compiled.bet_scale * compiled.wager_scales[number]
        won = _won(tally, SIDE_SUMS + number, scale, _units_won(rows, rounds), level)
        name = compiled.player.counts[count].name
        found.append(CountedBet(table.wager.name, name, _met(rows), rounds, won))
    return tuple(found)


def insurance_rows(compiled: CompiledCount, tally: Tally, level: float) -> tuple[CountRow, ...]:
    """Return insurance by the reading when it was offered; no rows where the game has none."""
    offered, pays = tally["by_reading_insurance"], compiled.insurance_pays
    if pays is None:
        return ()
    insures = compiled.counter.insures[0]
    return _met(
        [
            CountRow(
                reading,
                ends,
                _share(offered[place].sum(), tally),
                Fraction(int(insures[place])),
                _summed(((Fraction(-1), offered[place, 0]), (pays, offered[place, 1]))),
                level,
            )
            for place, (reading, ends) in enumerate(_readings(compiled, 0))
        ]
    )


def _readings(compiled: CompiledCount, number: int) -> list[tuple[int, str]]:
    """Return [slot] its reading, and whether all beyond are counted with it."""
    readings = compiled.readings(number)
    ends = ["or less", *[""] * (len(readings) - 2), "or more"]
    return list(zip(readings, ends, strict=True))


def _summed(counted: Iterable[tuple[Fraction, int]]) -> dict[Fraction, int]:
    found: dict[Fraction, int] = {}
    for net, count in counted:
        if count:
            found[net] = found.get(net, 0) + int(count)
    return found


def _share(count: int, tally: Tally) -> float:
    rounds = int(tally["rounds"])
    return int(count) / rounds if rounds else nan


def _units(compiled: CompiledCount, steps: int) -> Fraction:
    return Fraction(int(steps), compiled.bet_scale)


def _units_won(rows: Iterable[CountRow], rounds: int) -> Histogram:
    """Return rounds dealt by units won; 0 where the player does not bet."""
    found: dict[Fraction, int] = {Fraction(0): rounds}
    for row in rows:
        for net, count in row.histogram.items():
            found[Fraction(0)] -= count
            found[row.bet * net] = found.get(row.bet * net, 0) + count
    return {net: count for net, count in found.items() if count}


def _won(tally: Tally, what: int, scale: int, histogram: Histogram, level: float) -> Estimate:
    """Return what was won, with an error from whole shoes; the deviation is that of a round dealt."""
    sums = dict(zip(_SUMS, tally["by_reading_sums"][what].tolist(), strict=True))
    by_shoe = shoe_estimate(ShoeSums(**sums, part=Fraction(1, scale)), level)
    return replace(by_shoe, standard_deviation=estimate(histogram, level).standard_deviation)


def _met(rows: list[CountRow]) -> tuple[CountRow, ...]:
    """Return the rows of readings that occurred."""
    return tuple(row for row in rows if row.frequency > 0)
