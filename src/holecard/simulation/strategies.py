"""How a seat plays: a strategy's name, or a chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from holecard.charts.chart import Chart
from holecard.charts.layout import Layout
from holecard.charts.named_strategies import NAMED, OPTIMAL, WITH_EXCEPTIONS, strategy_name
from holecard.errors import ChartError, Refusal, did_you_mean, shortly
from holecard.exact.charts.chart_cache import cached_best_chart
from holecard.exact.charts.exceptions import with_exceptions
from holecard.sheets.schema import RuleSheet

StrategyLike: TypeAlias = str | Chart


@dataclass(frozen=True)
class Strategy:
    """A chart and its name."""

    name: str
    chart: Chart


def strategies_of(rules: RuleSheet, given: StrategyLike | Sequence[StrategyLike], seats: int) -> tuple[Strategy, ...]:
    """Return the strategy of each seat, given one for all or one for each."""
    if not 1 <= seats <= rules.tables.seats:
        raise Refusal(f"cannot deal to {seats} seats; this table has 1 to {rules.tables.seats}")
    each = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given] * seats
    if len(each) != seats:
        raise Refusal(f"{len(each)} strategies for {seats} seats; give one for all seats or one for each")
    known: dict[StrategyLike, Strategy] = {}
    for one in each:
        if one not in known:
            known[one] = strategy_of(rules, one)
    return tuple(known[one] for one in each)


def strategy_of(rules: RuleSheet, given: StrategyLike) -> Strategy:
    """Return the strategy with this name, or for a chart of this game."""
    if isinstance(given, Chart):
        if given.layout != Layout.of(rules.tables):
            raise ChartError([f"the chart is not for {rules.name}: its rows, columns or actions differ"])
        return Strategy("a chart", given)
    if not isinstance(given, str):
        raise Refusal(f"{shortly(given)} is not a strategy; give a name or a chart")
    given = strategy_name(given)
    if given == OPTIMAL:
        return Strategy("the best total-dependent chart", cached_best_chart(rules).chart)
    if given == WITH_EXCEPTIONS:
        found = with_exceptions(cached_best_chart(rules), rules)
        return Strategy("the best total-dependent chart with exceptions for two cards", found.chart)
    if given in NAMED:
        return Strategy(given, NAMED[given](rules.tables))
    raise Refusal(f"unknown strategy {given!r}; {did_you_mean(given, [OPTIMAL, WITH_EXCEPTIONS, *NAMED])}")
