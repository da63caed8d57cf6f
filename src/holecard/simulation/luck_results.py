"""What a luck-adjusted run found: the raw and the luck-adjusted mean, and the mean luck."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import nan

from holecard.kernels.luck.sums import (
    ADJUSTED,
    BY_ROUNDS_LOWER,
    BY_ROUNDS_UPPER,
    LOWER,
    LUCK,
    NET_OF_SHOE,
    PRODUCT_FINE,
    ROUNDS_PLAYED,
    SHOES_PLAYED,
    SQUARE_LOWER,
    SQUARE_UPPER,
    SQUARED_ROUNDS,
    UPPER,
)
from holecard.presentation import Brief, Presented
from holecard.sheets.schema import RuleSheet
from holecard.simulation.statistics.estimates import LEVEL, Estimate, ShoeSums, shoe_estimate, z_quantile

#: With fewer rounds or fewer shoes, neither the gain nor the mean luck is reported.
FEW, FEW_SHOES = 1000, 30


@dataclass(frozen=True, repr=False)
class LuckResult(Brief):
    """The main wager per unit of initial stake, raw and luck-adjusted."""

    raw: Estimate
    luck_adjusted: Estimate
    """the net result minus its luck, which has the same mean"""
    luck: Estimate
    """must be 0 within a few standard errors; otherwise the deal is biased"""
    shoes: int
    """shoes dealt; with a fresh shoe each round, as many as rounds"""

    @property
    def _is_enough(self) -> bool:
        return self.raw.rounds >= FEW and self.shoes >= FEW_SHOES

    @property
    def gain(self) -> float:
        """How many times fewer rounds give the same standard error after adjustment; nan if unknown."""
        return (
            (self.raw.standard_deviation / self.luck_adjusted.standard_deviation) ** 2
            if self.luck_adjusted.standard_deviation and self._is_enough
            else nan
        )

    @property
    def luck_in_errors(self) -> float:
        """Mean luck divided by its standard error; nan if unknown."""
        return self.luck.ev / self.luck.standard_error if self.luck.standard_error and self._is_enough else nan


@dataclass(frozen=True)
class SumUnits:
    """What the whole numbers of a row of sums mean."""

    scale: int
    """parts in a unit of stake"""
    part: int
    """steps in a part"""
    fine: int
    """bits cut from numbers of steps"""


def luck_results(rows: list[list[int]], units: SumUnits, level: float = LEVEL) -> list[LuckResult]:
    """Return the results of rows of sums, [seat], then of all seats together if there are several, per seat."""
    seats = max(1, len(rows) - 1)
    return [_result(row, units, seats if number == seats else 1, level) for number, row in enumerate(rows)]


def _result(row: list[int], units: SumUnits, seats: int, level: float) -> LuckResult:
    """Return the result of a row, divided among this many seats."""
    part = Fraction(1, units.scale * seats)
    step = part / units.part
    return LuckResult(
        raw=_estimate(row, NET_OF_SHOE, 0, part, level),
        luck_adjusted=_estimate(row, ADJUSTED, units.fine, step, level),
        luck=_estimate(row, LUCK, units.fine, step, level),
        shoes=row[SHOES_PLAYED],
    )


def _estimate(row: list[int], first: int, fine: int, amount: Fraction, level: float) -> Estimate:
    """Return the mean of all pieces; the error uses the upper ones only, which neglects a few millionths of a unit."""
    six = row[first:]
    rounds, upper = row[ROUNDS_PLAYED], six[UPPER]
    found = shoe_estimate(
        ShoeSums(
            shoes=row[SHOES_PLAYED],
            net=upper,
            net_squared=(six[SQUARE_UPPER] << PRODUCT_FINE) + six[SQUARE_LOWER],
            rounds=rounds,
            rounds_squared=row[SQUARED_ROUNDS],
            net_rounds=(six[BY_ROUNDS_UPPER] << PRODUCT_FINE) + six[BY_ROUNDS_LOWER],
            part=amount * (1 << fine),
        ),
        level,
    )
    if not rounds or not fine:
        return found
    mean = float(Fraction((upper << fine) + six[LOWER], rounds) * amount)
    half_width = z_quantile(level) * found.standard_error
    return replace(found, ev=mean, low=mean - half_width, high=mean + half_width)


@dataclass(frozen=True, repr=False)
class LuckSimulation(Presented):
    """The result of a luck-adjusted run, and what was run."""

    _report = "simulated.luck"

    rules: RuleSheet
    strategies: tuple[str, ...]
    """[seat]"""
    procedure: str
    seed: int
    rounds: int
    """rounds played"""
    asked: int
    complete: bool
    """whether all requested rounds were played"""
    fresh: tuple[float, ...]
    """[seat] the exact EV for a fresh shoe each round; empty if that is the procedure"""
    result: LuckResult
    """the mean over all seats"""
    seats: tuple[LuckResult, ...]
    seconds: float = field(compare=False)

    @property
    def fresh_ev(self) -> float | None:
        """The mean of `fresh` over all seats."""
        return sum(self.fresh) / len(self.fresh) if self.fresh else None
