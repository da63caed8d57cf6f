"""What a simulation found, in the words people ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from holecard.exact.strategies import Strategy
from holecard.kernels.play.lookup import CLASSES, DEALER_CARDS, VALUES
from holecard.presentation import Presented
from holecard.sheets.schema import RuleSheet
from holecard.sheets.tables import DEALER_NATURAL
from holecard.simulation.compile.program import Program
from holecard.simulation.compile.wager_tables import WagerTable
from holecard.simulation.run.tally import Tally
from holecard.simulation.statistics.estimates import (
    LEVEL,
    Estimate,
    Outcomes,
    ShoeSums,
    estimate,
    outcomes,
    shoe_estimate,
    z_quantile,
)

_ACE = 0
_SUMS = ("shoes", "net", "net_squared", "rounds", "rounds_squared", "net_rounds")


@dataclass(frozen=True)
class LineCount:
    """One line of a pay table, or the stake lost, and how often it came."""

    line: str
    pays: str
    net: Fraction
    count: int


@dataclass(frozen=True)
class WagerSample:
    """A side wager placed whenever it can be."""

    name: str
    unit: str
    """what results are per, as in the exact results"""
    histogram: Mapping[Fraction, int] = field(hash=False)
    """times it was placed, by net result, the tax taken off"""
    lines: tuple[LineCount, ...]
    taxes: tuple[LineCount, ...]
    level: float = LEVEL
    printed: bool = True
    """False: its pay table is the house's own, not that of the printed sheet"""

    @cached_property
    def estimate(self) -> Estimate:
        return estimate(self.histogram, self.level)


@dataclass(frozen=True)
class SeatResult:
    """The main wager of one seat, per unit of initial stake, and its side wagers."""

    strategy: str
    histogram: Mapping[Fraction, int] = field(hash=False)
    """rounds by net result"""
    staked: int
    """units in play in the end, over all rounds"""
    wagers: tuple[WagerSample, ...] = ()
    shoes: ShoeSums | None = None
    """where rounds share a shoe, and are not independent: sums over shoes"""
    level: float = LEVEL

    @cached_property
    def estimate(self) -> Estimate:
        """The mean and its error, by whole shoes where rounds share one; the deviation of a round."""
        alone = estimate(self.histogram, self.level)
        if self.shoes is None:
            return alone
        # Shoes are summed in parts, to which fine odds are rounded; the histogram has the mean exactly.
        shoes = shoe_estimate(self.shoes, self.level)
        half_width = z_quantile(self.level) * shoes.se
        mean = alone.mean
        return replace(shoes, mean=mean, sd=alone.sd, low=mean - half_width, high=mean + half_width)

    @cached_property
    def outcomes(self) -> Outcomes:
        return outcomes(self.histogram)

    @property
    def average_stake(self) -> float:
        """units in play in the end, per round"""
        rounds = self.estimate.rounds
        return self.staked / rounds if rounds else float("nan")


@dataclass(frozen=True)
class Insured:
    """Insurance taken whenever it is offered, for one unit."""

    histogram: Mapping[Fraction, int] = field(hash=False)
    level: float = LEVEL

    @cached_property
    def estimate(self) -> Estimate:
        return estimate(self.histogram, self.level)


@dataclass(frozen=True, repr=False)
class Simulation(Presented):
    """Everything a run found, and what it was a run of."""

    _report = "simulation"

    rules: RuleSheet
    procedure: str
    seed: int
    rounds: int
    """played"""
    asked: int
    complete: bool
    """Everything that was asked for was played; with shoes that are dealt down, in whole shoes."""
    seats: tuple[SeatResult, ...]
    insurance: Insured | None
    """None where it is not offered"""
    dealers: Mapping[tuple[int, ...], int] = field(hash=False)
    """rounds by the dealer's first two cards, as values; without a hole card the second is the one that the dealer
    takes, or would take, when the players are done"""
    fresh: tuple[float, ...]
    """[seat] the exact mean from a fresh shoe for every round, where the rounds were dealt otherwise"""
    endings: Mapping[tuple[int, ...], int] = field(hash=False)
    """rounds by the dealer's final total (22 is a bust) and cards (12 is that many or more); empty unless drawn out"""
    seconds: float

    @property
    def main(self) -> SeatResult:
        """The first seat's main wager."""
        return self.seats[0]


def seat_results(
    program: Program, tally: Tally, strategies: tuple[Strategy, ...], level: float
) -> tuple[SeatResult, ...]:
    """Each seat's main wager."""
    return tuple(
        SeatResult(
            strategy=strategy.name,
            histogram=_histogram(program, tally, seat),
            staked=_staked(program, tally, seat),
            wagers=_wagers(program, tally, seat, level),
            shoes=_shoes(program, tally, seat),
            level=level,
        )
        for seat, strategy in enumerate(strategies)
    )


def _shoes(program: Program, tally: Tally, seat: int) -> ShoeSums | None:
    if "sums" not in tally:
        return None
    sums = dict(zip(_SUMS, tally["sums"][seat].tolist(), strict=True))
    return ShoeSums(**sums, part=Fraction(1, program.scale))


def _wagers(program: Program, tally: Tally, seat: int, level: float) -> tuple[WagerSample, ...]:
    """The side wagers' cells, one wager after the other."""
    counts = iter(tally["wagers"][seat].tolist())
    return tuple(_wager(table, [next(counts) for _ in table.cells], level) for table in program.wagers)


def _wager(table: WagerTable, counts: list[int], level: float) -> WagerSample:
    nets, lines, taxes = ([0] * len(every) for every in (table.nets, table.lines, table.taxes))
    for outcome, net, count in zip(table.cells, table.net_of_cell, counts, strict=True):
        if count and outcome is not None and net is not None:
            nets[net] += count
            lines[-1 if outcome.line is None else outcome.line] += count
            if outcome.tax is not None:
                taxes[outcome.tax] += count
    return WagerSample(
        name=table.wager.name,
        unit=table.payoffs.unit,
        histogram=dict(zip(table.nets, nets, strict=True)),
        lines=tuple(LineCount(*line, came) for line, came in zip(table.lines, lines, strict=True)),
        taxes=tuple(LineCount(*line, came) for line, came in zip(table.taxes, taxes, strict=True)),
        level=level,
        printed=table.wager.printed,
    )


def dealers_cards(tally: Tally) -> dict[tuple[int, ...], int]:
    """How often each upcard came with each second card."""
    counted = tally["dealers"].tolist()
    return {(cell // VALUES + 1, cell % VALUES + 1): count for cell, count in enumerate(counted)}


def dealers_endings(tally: Tally) -> dict[tuple[int, ...], int]:
    """How often the dealer ended with each total, in how many cards."""
    found: dict[tuple[int, ...], int] = {}
    for cell in np.flatnonzero(tally["endings"]).tolist():
        dealer, cards = divmod(cell, DEALER_CARDS + 1)
        total = 21 if dealer == DEALER_NATURAL else min(dealer, 22)
        found[total, cards] = found.get((total, cards), 0) + int(tally["endings"][cell])
    return found


def insured(rules: RuleSheet, tally: Tally, level: float) -> Insured | None:
    """Insurance, told by the dealer's first two cards."""
    pays = rules.tables.insurance
    if pays is None:
        return None
    with_ace = tally["dealers"][VALUES * _ACE : VALUES * (_ACE + 1)]
    naturals = int(with_ace[VALUES - 1])
    return Insured({pays: naturals, Fraction(-1): int(with_ace.sum()) - naturals}, level)


def _histogram(program: Program, tally: Tally, seat: int) -> dict[Fraction, int]:
    """Rounds without a split by the net result of their cell, and those with one."""
    counts = np.zeros(len(program.nets), np.int64)
    np.add.at(counts, program.of_cell, tally["cells"][seat])
    np.add.at(counts, program.of_sum, tally["splits"][seat])
    return {net: count for net, count in zip(program.nets, counts.tolist(), strict=True) if count}


def _staked(program: Program, tally: Tally, seat: int) -> int:
    offsets = program.offsets
    stakes = program.lut[offsets.stake : offsets.stake + offsets.ends].astype(np.int64)
    by_end = tally["cells"][seat].reshape(offsets.ends, CLASSES).sum(axis=1)
    return int(stakes @ by_end) + int(tally["stakes"][seat])
