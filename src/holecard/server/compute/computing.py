"""The worker processes of a server in three lanes, by how long people may have to wait.

The coach answers people at tables within milliseconds; the first answer about a game takes longer. Each person has an
allowance of such long answers. Somebody who has used it up is answered in the lane of the drills until it has come
back, so that nobody can keep the coach busy with games that it does not know yet. Drills take a few milliseconds, and a
third of a second for a new game. Charts, edges and statistics take seconds. A person has one process of these two lanes
at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Any

from holecard.server.compute.lane import Lane, People, Room, not_counted
from holecard.server.compute.worker import Computed, Worker
from holecard.server.settings import ServerSettings

#: CPU seconds of an answer of the coach that count for nothing: people take turns anyway. Most answers take 0.001 to
#: 0.005, the first one about a game 0.03 to 0.1.
_SHORT = 0.01
#: CPU seconds beyond these that a person may use at once, and on average.
_ALLOWANCE = 0.25
_ON_AVERAGE = 0.01
#: The niceness of what may wait: with as many processes as cores or more, tables and the coach go first. What designers
#: compute comes last, with 19.
_BEHIND = 15
#: People beyond this are looked through: those who have their whole allowance are forgotten.
_MANY = 10_000


class Allowances:
    """How many seconds each person may use; they come back with time."""

    def __init__(self, most: float, per_second: float, seconds: Callable[[], float]) -> None:
        self._most = most
        self._per_second = per_second
        self._seconds = seconds
        self._left: dict[str, tuple[float, float]] = {}
        """What was left, and when, by person."""

    def left(self, person: str) -> float:
        """Return how many seconds a person may use; below zero where a long answer took more than there was."""
        left, at = self._left.get(person, (self._most, 0.0))
        return min(self._most, left + (self._seconds() - at) * self._per_second)

    def use(self, person: str, seconds: float) -> None:
        """Count what an answer has used beyond a short one."""
        if seconds <= _SHORT:
            return
        if len(self._left) > _MANY:
            self._left = {other: known for other, known in self._left.items() if self.left(other) < self._most}
        self._left[person] = (self.left(person) - (seconds - _SHORT), self._seconds())


class Computing:
    """Everything that the server computes for people who wait."""

    def __init__(
        self,
        settings: ServerSettings,
        quick: float,
        slow: float,
        on_refused: Callable[[str], None] = not_counted,
        seconds: Callable[[], float] = monotonic,
    ) -> None:
        """Make the lanes; an answer of the first two may take `quick` seconds, and others `slow`."""
        room = Room(settings.waiting_per_user, settings.waiting_requests)
        memory = settings.job_memory
        self._allowances = Allowances(_ALLOWANCE, _ON_AVERAGE, seconds)
        self._coach_worker = Worker(memory, quick)
        charts = [Worker(memory, slow, niceness=_BEHIND) for _ in range(settings.chart_processes)]
        # It never rests: it is loaded once, when the first page is opened.
        self.coach = Lane(
            "coach", [self._coach_worker], room, on_refused=on_refused, on_used=self._allowances.use, idle=None
        )
        learners = People()
        self.drills = Lane("drills", [Worker(memory, quick, niceness=_BEHIND)], room, learners, on_refused=on_refused)
        self.charts = Lane("charts", charts, room, learners, on_refused=on_refused)
        self.lanes = (self.coach, self.drills, self.charts)

    async def advise(self, person: str, function: Callable[..., Computed], *arguments: Any) -> Computed:
        """Return what a function of a module returns that answers somebody at a table."""
        lane = self.coach if self._allowances.left(person) > 0 else self.drills
        return await lane.compute(person, function, *arguments)

    async def drill(self, person: str, function: Callable[..., Computed], *arguments: Any) -> Computed:
        """Return what a function of a module returns in less than a second."""
        return await self.drills.compute(person, function, *arguments)

    async def review(self, person: str, function: Callable[..., Computed], *arguments: Any) -> Computed:
        """Return what a function of a module returns that may take seconds."""
        return await self.charts.compute(person, function, *arguments)

    def warm_up(self) -> None:
        """Load what the coach needs in the background, once."""
        self._coach_worker.warm_up()

    async def close(self) -> None:
        """End all processes; what waits for them is refused."""
        await asyncio.gather(*(lane.close() for lane in self.lanes))
