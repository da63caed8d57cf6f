"""Fixtures of several tests of runs."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from tests.analyzed_once import analyzed_once

__all__ = ["analyzed_once"]


@pytest.fixture
def _ctrl_c() -> Iterator[None]:
    """Make Ctrl-C raise, as in an ordinary program, however the tests were started."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)
