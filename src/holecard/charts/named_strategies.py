"""Names of strategies, and the simple ones as charts for any game, to compare with."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from holecard.charts.chart import Chart
from holecard.charts.layout import Column, Row
from holecard.charts.letters import AS_TOTAL
from holecard.sheets.tables import Tables

#: The best total-dependent chart of a game, which players call basic strategy, and the same with exceptions for the
#: first two cards. Both have to be computed (see `exact.charts`).
BASIC, WITH_EXCEPTIONS = "basic", "basic with exceptions"
#: The best play for the exact cards of a hand. It is not a chart, so it can be computed but not played by one.
OPTIMAL = "optimal"
_OTHER_NAMES = {
    "basic strategy": BASIC,
    "optimum": OPTIMAL,
    "optimal play": OPTIMAL,
    "optimal strategy": OPTIMAL,
    "composition dependent optimum": OPTIMAL,
}

#: The highest hard total no card can bust.
_SAFE = 11
#: A soft hand cannot bust either, but stands from here on.
_GOOD_SOFT = 18


def mimic_the_dealer(tables: Tables) -> Chart:
    """Draw and stand like this game's dealer; never double, split or surrender.

    A chart does not know how a hand came about, so it plays every total as the dealer plays two cards.
    """
    return _drawing(tables, lambda row: tables.dealer_draws.usual[row.total][row.soft])


def never_bust(tables: Tables) -> Chart:
    """Draw only if no card can bust: on hard 11 or less, and soft 17 or less."""
    return _drawing(tables, lambda row: row.total < _GOOD_SOFT if row.soft else row.total <= _SAFE)


#: The simple strategies by name.
NAMED: Mapping[str, Callable[[Tables], Chart]] = MappingProxyType(
    {"mimic the dealer": mimic_the_dealer, "never bust": never_bust}
)


def strategy_name(text: str) -> str:
    """Return the name that a strategy has here: in lower case, with blanks, and "basic" for basic strategy.

    >>> strategy_name("Basic"), strategy_name("never-bust"), strategy_name("optimum"), strategy_name("my chart.txt")
    ('basic', 'never bust', 'optimal', 'my chart.txt')
    """
    name = " ".join(re.split(r"[\s_-]+", text.strip().lower()))
    name = _OTHER_NAMES.get(name, name)
    return name if name in (BASIC, WITH_EXCEPTIONS, *NAMED, OPTIMAL) else text


def _drawing(tables: Tables, draws: Callable[[Row], bool]) -> Chart:
    def cell(row: Row, _column: Column) -> str:
        if row.pair:
            return AS_TOTAL
        return "H" if draws(row) else "S"

    return Chart.filled(tables, cell)
