"""Which cases of a broad test `make test` runs; the others run in `make test-all`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import settings

#: Hypothesis examples in `make test-all` (see tests/conftest.py).
_THOROUGH = 25


def quick(cases: Iterable[Any], *chosen: Any) -> list[Any]:
    """Return all cases for `parametrize`, with those that are not chosen marked slow."""
    every = list(cases)
    assert set(chosen) <= set(every), f"no such case: {set(chosen) - set(every)}"
    return [case if case in chosen else _slow(case) for case in every]


def quick_where(cases: Iterable[Any], chosen: Callable[[Any], bool]) -> list[Any]:
    """Return all cases for `parametrize`, with those that do not meet a condition marked slow."""
    return [case if chosen(case) else _slow(case) for case in cases]


def one_in(number: int, cases: Iterable[Any]) -> list[Any]:
    """Return all cases for `parametrize`: the first of each group is quick, the others are slow."""
    return [_slow(case) if place % number else case for place, case in enumerate(cases)]


def examples(number: int) -> settings:
    """Return settings with this number of hypothesis examples in `make test-all`, a fifth of it in `make test`."""
    default = settings.default
    assert default is not None
    return settings(max_examples=max(2, number * default.max_examples // _THOROUGH))


def rounds(number: int) -> int:
    """Return this number in `make test-all`, a fifth of it in `make test`."""
    default = settings.default
    assert default is not None
    return number if default.max_examples >= _THOROUGH else max(1, number // 5)


def _slow(case: Any) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.slow)
