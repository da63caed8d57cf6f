"""How much a user may ask for: messages, in a bucket that fills at a steady rate; connections; long reads at once."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager

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


class Turns:
    """Lets a few people at a time read much, each one thing; those who wait are served in turn."""

    def __init__(self, at_once: int = 4, most_waiting: int = 100) -> None:
        self._at_once = at_once
        self._most_waiting = most_waiting
        self._running: set[str] = set()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def of(self, user: str) -> AsyncIterator[None]:
        """Wait for this user's turn, and hold it; refuse where too much of the user's waits."""
        queue = self._waiting.setdefault(user, deque())
        if len(queue) >= self._most_waiting:
            raise TooMany("you ask for too much at once; wait for the answers")
        ready = asyncio.get_running_loop().create_future()
        queue.append(ready)
        self._go_on()
        try:
            await ready
            yield
        finally:
            if ready.cancelled():  # the request was given up before its turn
                queue.remove(ready)
            else:
                self._running.discard(user)
            self._go_on()

    def _go_on(self) -> None:
        """Give free places to those who have waited longest; who gets one goes to the end."""
        for user, queue in list(self._waiting.items()):
            if not queue:
                del self._waiting[user]
            elif len(self._running) < self._at_once and user not in self._running and not queue[0].cancelled():
                self._running.add(user)
                self._waiting.move_to_end(user)
                queue.popleft().set_result(None)
