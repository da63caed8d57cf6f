"""A fixture for tests of what is done with exact numbers: each game is analyzed once per process, not once per test.

It is not for tests of the exact numbers themselves (tests/exact).
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

from holecard.charts.chart import Chart
from holecard.composition import Composition
from holecard.exact import analysis
from holecard.exact.results import Analysis
from holecard.exact.strategies import Strategy
from holecard.sheets.schema import RuleSheet


class _Once:
    """`_analyze` with a cache; the mutations of tests/simulation find and clear it by the name of its method."""

    def __init__(self) -> None:
        real = analysis._analyze

        @lru_cache(maxsize=512)
        def once(_origin: str, sheet: RuleSheet, cards: Composition, chart: Chart | None, *how: Any) -> Analysis:
            return real(sheet, cards, None if chart is None else Strategy("a chart", chart), *how)

        self._once, self.cache_clear = once, once.cache_clear

    def __call__(self, sheet: RuleSheet, cards: Composition, followed: Strategy | None, *how: Any) -> Analysis:
        # Equal sheets may come from different files, and equal charts may have different names; a report shows both.
        found = self._once(repr(sheet.origin), sheet, cards, None if followed is None else followed.chart, *how)
        return found if followed is None else replace(found, strategy=followed.name)


ONCE = _Once()


@pytest.fixture(autouse=True)
def analyzed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Analyze each game once per process."""
    monkeypatch.setattr(analysis, "_analyze", ONCE)
