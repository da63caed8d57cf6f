"""The results of a simulation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from holecard.exact.strategies import Strategy
from holecard.kernels.play.lookup import CLASS_COUNT, DEALER_CARDS, VALUE_COUNT
from holecard.presentation import Brief, Presented
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
    """One pay line, or the lost stake, and how often it occurred."""

    line: str
    pays: str
    net: Fraction
    count: int


@dataclass(frozen=True, repr=False)
class WagerSample(Brief):
    """A side wager, placed whenever possible."""

    name: str
    unit: str
    """the unit of results, as in the exact results"""
    histogram: Mapping[Fraction, int] = field(hash=False)
    """how often each net result occurred, after tax"""
    lines: tuple[LineCount, ...]
    taxes: tuple[LineCount, ...]
    level: float = LEVEL
    printed: bool = True
    """False if the pay table is a house table, not the printed one"""

    @cached_property
    def estimate(self) -> Estimate:
        return estimate(self.histogram, self.level)


@dataclass(frozen=True, repr=False)
class SeatResult(Brief):
    """The main wager of one seat, per unit of initial stake, and its side wagers."""

    strategy: str
    histogram: Mapping[Fraction, int] = field(hash=False)
    """rounds by net result"""
    staked: int
    """units at stake at the end of the round, summed over all rounds"""
    wagers: tuple[WagerSample, ...] = ()
    shoes: ShoeSums | None = None
    """sums over shoes, where rounds share a shoe and are dependent"""
    level: float = LEVEL

    @cached_property
    def estimate(self) -> Estimate:
        """The mean and its error (from whole shoes where rounds share one), and the deviation of a round."""
        alone = estimate(self.histogram, self.level)
        if self.shoes is None:
            return alone
        # Sums over shoes round fine odds to parts; the histogram has the exact mean.
        shoes = shoe_estimate(self.shoes, self.level)
        half_width = z_quantile(self.level) * shoes.standard_error
        mean = alone.ev
        return replace(
            shoes,
            ev=mean,
            standard_deviation=alone.standard_deviation,
            low=mean - half_width,
            high=mean + half_width,
        )

    @cached_property
    def outcomes(self) -> Outcomes:
        return outcomes(self.histogram)

    @property
    def average_stake(self) -> float:
        """Units at stake at the end of a round, on average."""
        rounds = self.estimate.rounds
        return self.staked / rounds if rounds else float("nan")


@dataclass(frozen=True, repr=False)
class InsuranceSample(Brief):
    """Insurance, taken for one unit whenever offered."""

    histogram: Mapping[Fraction, int] = field(hash=False)
    level: float = LEVEL

    @cached_property
    def estimate(self) -> Estimate:
        return estimate(self.histogram, self.level)


@dataclass(frozen=True, repr=False)
class Simulation(Presented):
    """The result of a run, and what was run."""

    _report = "simulated.simulation"

    rules: RuleSheet
    procedure: str
    seed: int
    rounds: int
    """rounds played"""
    asked: int
    complete: bool
    """Whether everything requested was played; dealt-down shoes are played in whole shoes."""
    seats: tuple[SeatResult, ...]
    insurance: InsuranceSample | None
    """None if not offered"""
    dealers: Mapping[tuple[int, ...], int] = field(hash=False)
    """rounds by the values of the dealer's first two cards; without a hole card, the second is the card that the dealer
    takes, or would take, after the players"""
    fresh: tuple[float, ...]
    """[seat] the exact EV with a fresh shoe every round, if the rounds were dealt differently"""
    endings: Mapping[tuple[int, ...], int] = field(hash=False)
    """rounds by the dealer's final total (22: bust) and number of cards (12: 12 or more); empty unless `draws_out`"""
    seconds: float = field(compare=False)

    @property
    def main(self) -> SeatResult:
        """The first seat's main wager."""
        return self.seats[0]


def seat_results(
    program: Program, tally: Tally, strategies: tuple[Strategy, ...], level: float
) -> tuple[SeatResult, ...]:
    """Return each seat's results."""
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
    """Return the results of the side wagers, whose cells follow one another."""
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
        lines=tuple(LineCount(*line, count) for line, count in zip(table.lines, lines, strict=True)),
        taxes=tuple(LineCount(*line, count) for line, count in zip(table.taxes, taxes, strict=True)),
        level=level,
        printed=table.wager.printed,
    )


def dealer_first_cards(tally: Tally) -> dict[tuple[int, ...], int]:
    """Return how often each upcard came with each second card."""
    counted = tally["dealers"].tolist()
    return {(cell // VALUE_COUNT + 1, cell % VALUE_COUNT + 1): count for cell, count in enumerate(counted)}


def dealer_final_hands(tally: Tally) -> dict[tuple[int, ...], int]:
    """Return how often the dealer finished with each total and number of cards."""
    found: dict[tuple[int, ...], int] = {}
    for cell in np.flatnonzero(tally["endings"]).tolist():
        dealer, cards = divmod(cell, DEALER_CARDS + 1)
        total = 21 if dealer == DEALER_NATURAL else min(dealer, 22)
        found[total, cards] = found.get((total, cards), 0) + int(tally["endings"][cell])
    return found


def insurance_sample(rules: RuleSheet, tally: Tally, level: float) -> InsuranceSample | None:
    """Return the result of insurance, from the dealer's first two cards; None if not offered."""
    pays = rules.tables.insurance
    if pays is None:
        return None
    with_ace = tally["dealers"][VALUE_COUNT * _ACE : VALUE_COUNT * (_ACE + 1)]
    naturals = int(with_ace[VALUE_COUNT - 1])
    return InsuranceSample({pays: naturals, Fraction(-1): int(with_ace.sum()) - naturals}, level)


def _histogram(program: Program, tally: Tally, seat: int) -> dict[Fraction, int]:
    """Return rounds by net result, without and with a split."""
    counts = np.zeros(len(program.nets), np.int64)
    for net_of, counted in ((program.of_cell, tally["cells"][seat]), (program.of_sum, tally["splits"][seat])):
        occurred = np.flatnonzero(counted)
        np.add.at(counts, net_of[occurred], counted[occurred])
    return {net: count for net, count in zip(program.nets, counts.tolist(), strict=True) if count}


def _staked(program: Program, tally: Tally, seat: int) -> int:
    offsets = program.offsets
    stakes = program.lut[offsets.stake : offsets.stake + offsets.ends].astype(np.int64)
    by_end = tally["cells"][seat].reshape(offsets.ends, CLASS_COUNT).sum(axis=1)
    return int(stakes @ by_end) + int(tally["stakes"][seat])
