"""Benchmarks of odds without a small common denominator, compared with ordinary odds, exact and simulated."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import holecard
from bench.complete import complete_analysis
from bench.timing import Times, alternate, load
from holecard.charts.chart import Chart
from holecard.charts.layout import Column, Row
from holecard.exact.analysis import analyze
from holecard.sheets.schema import RuleSheet
from holecard.simulation.compile.program import compile_program
from holecard.simulation.plays.fresh_shoes import FreshRounds

ROUNDS = 1_000_000
_REPEATS = 7
_QUICK_PAY = {"20": "1 to 1", "18": "push"}


class Pair(NamedTuple):
    """A game with ordinary odds and with fine odds."""

    name: str
    game: str
    ordinary: Mapping[str, Any]
    fine: Mapping[str, Any]

    def both(self) -> tuple[RuleSheet, RuleSheet]:
        return holecard.rules(self.game, self.ordinary), holecard.rules(self.game, self.fine)


PAIRS = (
    Pair("natural 1.3333 to 1 : 3 to 2", "classic", {}, {"settle.natural": "1.3333 to 1"}),
    Pair("natural in billionths : 3 to 2", "classic", {}, {"settle.natural": "999999999 to 999999998"}),
    Pair("Quick Pay 5 to 13 : 1 to 2", "quick-pay", {}, {"player.quick_pay": {**_QUICK_PAY, "19": "5 to 13"}}),
    Pair(
        "charlie 1.2345 to 1 : 3 to 2",
        "classic",
        {"player.charlie": 5, "settle.charlie": "3 to 2"},
        {"player.charlie": 5, "settle.charlie": "1.2345 to 1"},
    ),
)


def fine_odds(repeats: int = _REPEATS) -> None:
    """Analyze and simulate every pair."""
    print(f"\nFine odds compared with ordinary odds ({load()}; medians of {repeats} alternating runs, one thread)")
    print(f"  {'':42} {'ordinary':>11} {'fine':>11}   {'ratio':>5}   {'target':7}   results stored, counters")
    for pair in PAIRS:
        sheets = pair.both()
        found = alternate(*(partial(complete_analysis, sheet, wagers=False) for sheet in sheets), repeats=repeats)
        _row(f"analyze, {pair.name}", found, [results(sheet) for sheet in sheets])
    for pair in PAIRS:
        plays = [play(sheet) for sheet in pair.both()]
        found = alternate(*(partial(each.play, 0, ROUNDS) for each in plays), repeats=repeats)
        _row(f"simulate, {pair.name}", found, [counters(each) for each in plays])


def _row(name: str, found: list[Times], work: list[int]) -> None:
    ordinary, fine = found
    times = f"{1e3 * ordinary.median:8.1f} ms {1e3 * fine.median:8.1f} ms"
    print(f"  {name:42} {times}   {fine.over(ordinary):5.2f}   <= 2.00   {work[1]} : {work[0]}")


def results(sheet: RuleSheet) -> int:
    """Return the number of net results in the distribution."""
    return len(analyze(sheet, wagers=False).main.distribution)


def play(sheet: RuleSheet) -> FreshRounds:
    """Return a seat that splits every pair, takes every Quick Pay, and hits up to hard 16 and soft 17."""
    return FreshRounds(compile_program(sheet.tables, [Chart.filled(sheet.tables, _cell)]), (0,), seed=1)


def _cell(row: Row, _: Column) -> str:
    if row.pair:
        return "P"
    last = "H" if row.total < (18 if row.soft else 17) else "S"
    return f"Q{last}" if "Q" in row.letters else last


def counters(each: FreshRounds) -> int:
    """Return the number of counters that a chunk of rounds fills."""
    return sum(counts.size for counts in each.play(0, 0).values())
