"""Strategies by name, by file or as a chart: one reading for every command and function that takes one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from holecard.charts.chart import Chart
from holecard.charts.layout import Layout
from holecard.charts.named_strategies import BASIC, NAMED, OPTIMAL, WITH_EXCEPTIONS, strategy_name
from holecard.charts.text import read_chart_text
from holecard.errors import ChartError, Refusal, Unreadable, check_whole, did_you_mean, shortly
from holecard.sheets.files.text_file import read_text_file
from holecard.sheets.schema import RuleSheet

#: What the strategy "basic" is called in results.
BEST_CHART = "the best total-dependent chart"
#: Names of charts, for messages and completion; and of all strategies, where optimal play can be computed, too.
CHART_NAMES = (BASIC, WITH_EXCEPTIONS, *NAMED)
NAMES = (*CHART_NAMES, OPTIMAL)
#: A name that people still type.
_OLD_NAME = "optimal with exceptions"


@dataclass(frozen=True)
class Strategy:
    """A chart and its name."""

    name: str
    chart: Chart


StrategyLike: TypeAlias = str | PathLike[str] | Chart | Strategy


def strategies_of(rules: RuleSheet, given: StrategyLike | Sequence[StrategyLike], seats: int) -> tuple[Strategy, ...]:
    """Return the strategy of each seat: one for all, or one for each."""
    check_whole("seats", seats, "2")
    if not 1 <= seats <= rules.tables.seats:
        raise Refusal(f"cannot deal to {seats} seats; this table has 1 to {rules.tables.seats}")
    each = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given] * seats
    if len(each) != seats:
        raise Refusal(f"{len(each)} strategies for {seats} seats; give one for all seats or one for each")
    known: dict[StrategyLike, Strategy] = {}
    for one in each:
        if not isinstance(one, Hashable) or one not in known:
            known[one] = strategy_of(rules, one)
    return tuple(known[one] for one in each)


def is_optimal(given: StrategyLike | None) -> bool:
    """Return whether the player follows no chart, but plays best for the exact cards."""
    return given is None or (isinstance(given, str) and strategy_name(given) == OPTIMAL)


def followed_strategy(rules: RuleSheet, given: StrategyLike | None) -> Strategy | None:
    """Return the strategy that an exact computation follows; None is optimal play, which "optimal" names."""
    return None if is_optimal(given) else strategy_of(rules, given, NAMES)


def strategy_of(rules: RuleSheet, given: StrategyLike | None, names: Sequence[str] = CHART_NAMES) -> Strategy:
    """Return a strategy by its name, a chart's file, or a chart of this game; optimal play is refused.

    `names` are suggested for a name that does not exist.
    """
    if isinstance(given, Chart | Strategy):
        chart = given if isinstance(given, Chart) else given.chart
        if chart.layout != Layout.of(rules.tables):
            raise ChartError([f"the chart is not for {rules.name}: its rows, columns or actions differ"])
        return given if isinstance(given, Strategy) else Strategy("a chart", given)
    if not isinstance(given, str | PathLike):
        raise Refusal(f"{shortly(given)} is not a strategy; give a name, a chart, or a chart's file")
    if is_optimal(given):
        raise Refusal(
            f"{given!r} depends on the exact cards of a hand, so it is not a chart, and this needs one: use '{BASIC}', "
            f"the best chart, or '{WITH_EXCEPTIONS}'; `holecard analyze` computes optimal play"
        )
    found = named_strategy(rules, strategy_name(given)) if isinstance(given, str) else None
    if found is not None:
        return found
    if not str(given).strip() or not Path(given).exists():
        if str(given).strip().lower().replace("-", " ") == _OLD_NAME:
            raise Refusal(f"{str(given)!r} is now called '{WITH_EXCEPTIONS}'")
        raise Refusal(f"{str(given)!r} is not a strategy's name or a chart's file; {did_you_mean(str(given), names)}")
    return Strategy(f"the chart {given}", read_chart(given, rules))


def named_strategy(rules: RuleSheet, name: str) -> Strategy | None:
    """Return the strategy of this name; None where there is none."""
    if name in (BASIC, WITH_EXCEPTIONS):
        # These load numba, which a chart from a file does not need.
        from holecard.exact.charts.chart_cache import cached_best_chart
        from holecard.exact.charts.exception_search import with_exceptions

        best = cached_best_chart(rules)
        if name == BASIC:
            return Strategy(BEST_CHART, best.chart)
        found = with_exceptions(best, rules)
        return Strategy(f"{BEST_CHART} with exceptions for two cards", found.chart)
    return Strategy(name, NAMED[name](rules.tables)) if name in NAMED else None


def check_strategy(rules: RuleSheet, given: StrategyLike | None, *, may_be_optimal: bool = False) -> None:
    """Refuse a strategy that cannot be played; the best charts can, and take a second to find."""
    if isinstance(given, str) and strategy_name(given) in (BASIC, WITH_EXCEPTIONS):
        return
    if may_be_optimal:
        followed_strategy(rules, given)
    else:
        strategy_of(rules, given)


def read_chart(file: str | PathLike[str], rules: RuleSheet) -> Chart:
    """Return a strategy chart from a text file, as `holecard strategy` writes it."""
    try:
        text = read_text_file(Path(file))
    except Unreadable as refused:
        raise Refusal(f"{file}: the chart {refused}") from None
    return read_chart_text(text, Layout.of(rules.tables), str(file))
