"""How long tests wait for something that must happen: a limit ends a test that hangs, and asserts nothing about speed.

`HOLECARD_PATIENCE=20` waits twenty times as long as the numbers in the tests say. By default it is 5 times, and 10 in
CI, whose machines are busy with other things. What must *not* happen is never waited for: a test makes the moment in
which it would happen. Tests whose point is a duration have the mark `clock`.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable

FACTOR = float(os.environ.get("HOLECARD_PATIENCE") or (10 if os.environ.get("CI") else 5))
#: Seconds between two looks at something that another process or thread changes.
LOOK = 0.02


def patient(seconds: float) -> float:
    """Return the time limit for what takes much less than this on an idle machine."""
    return seconds * FACTOR


def milliseconds(seconds: float) -> float:
    """Return the same limit as Playwright wants it."""
    return 1000 * patient(seconds)


def wait_until(happened: Callable[[], object], what: str, seconds: float = 20) -> None:
    """Look again and again until it has happened, in another process or thread."""
    ends = time.monotonic() + patient(seconds)
    while not happened():
        assert time.monotonic() < ends, f"waited {patient(seconds):.0f} s: {what}"
        time.sleep(LOOK)


async def until(happened: Callable[[], object], what: str, seconds: float = 20) -> None:
    """Let other tasks run until it has happened."""
    ends = time.monotonic() + patient(seconds)
    while not happened():
        assert time.monotonic() < ends, f"waited {patient(seconds):.0f} s: {what}"
        await asyncio.sleep(0.001)


def be_patient() -> None:
    """Give the servers of this process more time for a computation: they may have to compile kernels first."""
    from holecard.server.web import services

    services._COMPUTATION = patient(60)
