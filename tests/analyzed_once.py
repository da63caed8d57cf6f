"""A fixture for tests of what is done with exact numbers: each game is analyzed once per process, not once per test.

It is not for tests of the exact numbers themselves (tests/exact).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest

from holecard.exact import analysis
from holecard.exact.results import Analysis
from holecard.sheets.schema import RuleSheet


class _Once:
    """`_analyze` with a cache; the mutations of tests/simulation find and clear it by the name of its method."""

    def __init__(self) -> None:
        real = analysis._analyze
        # Equal sheets may come from different files, which a report names.
        self._by_origin = lru_cache(maxsize=512)(lambda _origin, *asked: real(*asked))
        self.cache_clear = self._by_origin.cache_clear

    def __call__(self, sheet: RuleSheet, *asked: Any) -> Analysis:
        return self._by_origin(repr(sheet.origin), sheet, *asked)


ONCE = _Once()


@pytest.fixture(autouse=True)
def analyzed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Analyze each game once per process."""
    monkeypatch.setattr(analysis, "_analyze", ONCE)
