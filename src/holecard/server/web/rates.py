"""How many messages a user may send: a bucket that fills at a steady rate."""

from __future__ import annotations

from collections.abc import Callable

from holecard.server.errors import TooMany

#: Buckets beyond this are cleaned: those that are full again.
_MANY = 10_000


class Rates:
    """A bucket per user."""

    def __init__(self, per_second: float, burst: float, now: Callable[[], int]) -> None:
        self._per_second = per_second
        self._burst = burst
        self._now = now
        self._buckets: dict[str, tuple[float, int]] = {}

    def take(self, key: str, cost: float = 1) -> None:
        """Count a message that is as much work as `cost` others; refuse it where there were too many."""
        now = self._now()
        if len(self._buckets) > _MANY:
            self._forget(now)
        level, at = self._buckets.get(key, (self._burst, now))
        level = self._filled(level, at, now)
        cost = min(cost, self._burst)
        if level < cost:
            raise TooMany("too many messages; wait a moment")
        self._buckets[key] = (level - cost, now)

    def _filled(self, level: float, at: int, now: int) -> float:
        return min(self._burst, level + max(0, now - at) / 1000 * self._per_second)

    def _forget(self, now: int) -> None:
        self._buckets = {
            key: (level, at) for key, (level, at) in self._buckets.items() if self._filled(level, at, now) < self._burst
        }
