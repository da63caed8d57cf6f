"""The server's time: it goes on steadily, follows the wall clock slowly, and knows when that was set.

Deadlines, lock-outs and logs are in milliseconds since 1970. A wall clock that is set, or a machine that sleeps, would
let them all jump: to the server a step is an outage. `follow` is asked a few times a second; until it has seen a step,
nothing that the server decides depends on it.
"""

from __future__ import annotations

import time
from collections.abc import Callable

#: Milliseconds: a larger difference is a step, a smaller one is caught up with.
STEP = 2_000
#: What part of the time that has passed the clock is slower or faster, until a small difference is gone.
_SLEW = 100
#: Milliseconds that another clock may take to answer.
_LONGEST_ANSWER = 1_000


def wall_clock() -> int:
    """Return the time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def steady_clock() -> int:
    """Return milliseconds since some moment; nobody can set this clock."""
    return time.monotonic_ns() // 1_000_000


class ServerClock:
    """Milliseconds since 1970, by a clock that nobody can set; `follow` keeps it with one that people set."""

    def __init__(self, wall: Callable[[], int] = wall_clock, steady: Callable[[], int] | None = None) -> None:
        """Begin with the wall clock; a clock that a test moves is steady itself."""
        self.wall = wall
        self.steady = steady or (steady_clock if wall is wall_clock else wall)
        self.begin(wall())

    def begin(self, reference: int) -> None:
        """Begin with this time."""
        self._followed_at = self.steady()
        self._offset = self._first_offset = reference - self._followed_at

    def __call__(self) -> int:
        """Return the time, in milliseconds since 1970."""
        return self.steady() + self._offset

    def lasting(self) -> int:
        """Return the time as if the clock had never been set since the server began."""
        return self.steady() + self._first_offset

    @property
    def is_own(self) -> bool:
        """Whether the time goes on by itself, so that it can differ from other clocks."""
        return self.steady is not self.wall

    def follow(self, reference: int, asked_at: int | None = None) -> int:
        """Compare with another clock; return by how many milliseconds that was set, 0 where it was not.

        `asked_at`: when it was asked, by the steady clock, where the answer takes time.
        """
        now = self.steady()
        took = 0 if asked_at is None else now - asked_at
        if took > _LONGEST_ANSWER:
            return 0
        difference = reference + took // 2 - self()
        most = (now - self._followed_at) // _SLEW
        self._followed_at = now
        if abs(difference) > STEP:
            self._offset += difference
            return difference
        self._offset += max(-most, min(most, difference))
        return 0
