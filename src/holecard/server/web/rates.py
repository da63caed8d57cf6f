"""How many messages a user may send: a bucket that fills at a steady rate; and how many connections may be open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from holecard.errors import plural
from holecard.server.errors import TooMany

#: Buckets beyond this are cleaned: those that are full again.
_MANY = 10_000
#: Milliseconds between two cleanings.
_CLEAN = 1_000


class Rates:
    """A bucket per user or address."""

    def __init__(self, per_second: float, burst: float, now: Callable[[], int], what: str = "messages") -> None:
        self._what = what
        self._per_second = per_second
        self._burst = burst
        self._now = now
        self._buckets: dict[str, tuple[float, int]] = {}
        self._cleaned_at = 0

    def take(self, key: str, cost: float = 1) -> None:
        """Count a message that is as much work as `cost` others; refuse it where there were too many."""
        now, cost = self._now(), min(cost, self._burst)
        if len(self._buckets) > _MANY and now >= self._cleaned_at + _CLEAN:
            self._forget(now)
        self._buckets[key] = (self._level(key, cost, now) - cost, now)

    def _level(self, key: str, cost: float, now: int) -> float:
        level, at = self._buckets.get(key, (self._burst, now))
        level = self._filled(level, at, now)
        if level < cost:
            raise TooMany(f"too many {self._what}; wait a moment")
        return level

    def _filled(self, level: float, at: int, now: int) -> float:
        return min(self._burst, level + max(0, now - at) / 1000 * self._per_second)

    def _forget(self, now: int) -> None:
        self._cleaned_at = now
        self._buckets = {
            key: (level, at) for key, (level, at) in self._buckets.items() if self._filled(level, at, now) < self._burst
        }


class Connections:
    """Counts the open connections of each user."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    @contextmanager
    def one_more(self, user: str) -> Iterator[None]:
        """Count a connection as long as it is open; refuse it where the user has too many."""
        if self._open[user] >= self._most:
            raise TooMany(f"you have {plural(self._most, 'connection')}; close one first")
        self._open[user] += 1
        try:
            yield
        finally:
            self._open[user] -= 1
            if not self._open[user]:
                del self._open[user]
