"""Strategies people name, as charts for any game, to compare with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from holecard.charts.chart import Chart
from holecard.charts.layout import Column, Row
from holecard.charts.letters import AS_TOTAL
from holecard.sheets.tables import Tables

#: The highest hard total no card can bust.
_SAFE = 11
#: A soft hand cannot bust either, but from here on it is worth keeping.
_GOOD_SOFT = 18


def mimic_the_dealer(tables: Tables) -> Chart:
    """Draw and stand as this game's dealer does; never double, split or anything else."""
    return _drawing(tables, lambda row: tables.dealer_draws[row.total][row.soft])


def never_bust(tables: Tables) -> Chart:
    """Draw only where no card can bust: hard 11 and less, and soft 17 and less."""
    return _drawing(tables, lambda row: row.total < _GOOD_SOFT if row.soft else row.total <= _SAFE)


#: By name, for commands that take one.
NAMED: Mapping[str, Callable[[Tables], Chart]] = MappingProxyType(
    {"mimic the dealer": mimic_the_dealer, "never bust": never_bust}
)


def _drawing(tables: Tables, draws: Callable[[Row], bool]) -> Chart:
    def cell(row: Row, _column: Column) -> str:
        if row.pair:
            return AS_TOTAL
        return "H" if draws(row) else "S"

    return Chart.filled(tables, cell)
