"""A lane: worker processes that people share by turns, and what waits for them.

Each free process takes the oldest request of the person who was served least recently, so that somebody who asks for
much waits for the others, and not they for that person. A person has one process at a time, in all lanes that share
their people: where there are several, a long computation holds up no one else's, and nobody takes all cores of the
machine. What several people ask for is computed once, at the first turn that one of them has.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from holecard.errors import plural
from holecard.server.compute.worker import Computed, Worker
from holecard.server.errors import ServerClosing, TooMany

#: Who asks for what the server computes for everybody; it has a turn when no person can take one.
HOUSE = ""
#: People whose last turn is remembered.
_REMEMBERED = 10_000
#: Seconds without work after which the processes end.
IDLE = 300.0


@dataclass(frozen=True, slots=True)
class Room:
    """How many requests may wait for a lane."""

    of_person: int
    of_all: int


@dataclass(eq=False, slots=True)
class Computation:
    """Something to compute."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    answer: asyncio.Future[Any]
    people: set[str]
    """Who waits for it until it begins. Where nobody does any more, it is not computed."""
    has_begun: bool = False


class People:
    """Who has a process of lanes that share their people."""

    def __init__(self) -> None:
        self.busy: set[str] = set()
        self.lanes: list[Lane] = []

    def free(self, person: str) -> None:
        """Let every lane look whether it is this person's turn now."""
        self.busy.discard(person)
        for lane in self.lanes:
            lane.start()


def not_counted(_lane: str) -> None:
    """Count no refusals."""


def _ignore(_person: str, _seconds: float) -> None:
    """Do nothing with what a person has used."""


class Lane:
    """Some worker processes, and the requests that wait for them by person."""

    def __init__(
        self,
        name: str,
        workers: Sequence[Worker],
        room: Room,
        people: People | None = None,
        *,
        on_refused: Callable[[str], None] = not_counted,
        on_used: Callable[[str, float], None] = _ignore,
        idle: float | None = IDLE,
    ) -> None:
        self.name = name
        self._workers = workers
        self._room = room
        self._people = people or People()
        self._people.lanes.append(self)
        self._on_refused = on_refused
        """Hears the name of the lane when it has no room for a request."""
        self._on_used = on_used
        """Hears how many CPU seconds a person has used."""
        self._free = deque(workers)
        self._waiting: dict[str, deque[Computation]] = {}
        """By person; only people with something that waits."""
        self._served: OrderedDict[str, None] = OrderedDict()
        """People who had a turn, the latest last."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._idle = idle
        """Seconds without work after which the processes end; None: they stay."""
        self._rest: asyncio.TimerHandle | None = None
        self._is_closed = False

    @property
    def waiting(self) -> int:
        """How many requests wait."""
        return len({id(asked) for own in self._waiting.values() for asked in own})

    @property
    def running(self) -> int:
        """How many processes work."""
        return len(self._workers) - len(self._free)

    async def compute(self, person: str, function: Callable[..., Computed], *arguments: Any) -> Computed:
        """Return what a function of a module returns; a caller that gives up frees its place."""
        asked = self.ask(person, function, *arguments)
        try:
            return cast(Computed, await asked.answer)
        finally:
            self._leave(person, asked)

    def ask(self, person: str, function: Callable[..., Any], *arguments: Any) -> Computation:
        """Let a computation wait for the person's turn; refuse it where there is no room."""
        if self._is_closed:
            raise ServerClosing("the server is closing")
        asked = Computation(function, arguments, asyncio.get_running_loop().create_future(), set())
        self.join(person, asked)
        return asked

    def join(self, person: str, asked: Computation) -> None:
        """Let somebody else wait for the same: it is computed at the first turn that one of them has."""
        if asked.has_begun or asked.answer.done() or person in asked.people:
            return
        self._make_room(person)
        asked.people.add(person)
        self._waiting.setdefault(person, deque()).append(asked)
        self.start()

    async def close(self) -> None:
        """End the processes; what waits for them is refused."""
        self._is_closed = True
        self._stay_awake()
        for asked in [asked for own in self._waiting.values() for asked in own]:
            _refuse(asked, ServerClosing("the server is closing"))
        self._waiting.clear()
        await asyncio.gather(*(worker.close() for worker in self._workers))
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Room

    def _make_room(self, person: str) -> None:
        """Refuse a person who has as much waiting as one may have; where all room is taken, who has most loses it."""
        own = len(self._waiting.get(person, ()))
        if own >= self._room.of_person and person != HOUSE:
            self._on_refused(self.name)
            raise TooMany(f"{plural(own, 'computation')} of yours already wait; ask again when one is done")
        if self.waiting < self._room.of_all:
            return
        self._on_refused(self.name)
        words = "the server has too many computations that wait; ask again in a moment"
        greediest = max(self._waiting, key=lambda other: len(self._waiting[other]))
        if len(self._waiting[greediest]) <= own + 1:
            raise TooMany(words)
        dropped = self._waiting[greediest][-1]
        self._leave(greediest, dropped)
        if not dropped.people:
            _refuse(dropped, TooMany(words))

    def _leave(self, person: str, asked: Computation) -> None:
        """Forget that a person waits for something."""
        asked.people.discard(person)
        own = self._waiting.get(person, deque())
        with suppress(ValueError):  # it runs
            own.remove(asked)
        if not own:
            self._waiting.pop(person, None)

    # Turns

    def start(self) -> None:
        """Give free processes to the people whose turn it is."""
        while not self._is_closed and self._free and (person := self._next()) is not None:
            asked = self._waiting[person][0]
            asked.has_begun = True
            for other in tuple(asked.people):
                self._leave(other, asked)
            self._served[person] = None
            self._served.move_to_end(person)
            while len(self._served) > _REMEMBERED:
                self._served.popitem(last=False)
            self._stay_awake()
            self._people.busy.add(person)
            task = asyncio.create_task(self._run(self._free.popleft(), person, asked), name=f"{self.name} lane")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _next(self) -> str | None:
        """Return the person who was served least recently, among those who have no process; the house comes last."""
        people = [person for person in self._waiting if person not in self._people.busy]
        served = {person: place for place, person in enumerate(self._served, 1)} if len(people) > 1 else {}
        return min(people, key=lambda person: (person == HOUSE, served.get(person, 0)), default=None)

    async def _run(self, worker: Worker, person: str, asked: Computation) -> None:
        """Compute something; those who asked get the answer, or what is raised."""
        try:
            found = await worker.compute(asked.function, *asked.arguments)
        except asyncio.CancelledError:
            _refuse(asked, ServerClosing("the server is closing"))
        except Exception as error:
            _refuse(asked, error)
        else:
            if not asked.answer.done():
                asked.answer.set_result(found)
        finally:
            self._on_used(person, worker.used)
            self._free.append(worker)
            self._people.free(person)
            self._rest_later()

    # Rest

    def _rest_later(self) -> None:
        if self._idle is not None and not self.running and not self._is_closed:
            self._rest = asyncio.get_running_loop().call_later(self._idle, self._end_processes)

    def _stay_awake(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None

    def _end_processes(self) -> None:
        """End the processes, which take memory; they are started again when they are needed."""
        self._rest = None
        for worker in self._workers:
            worker.rest()


def _refuse(asked: Computation, error: BaseException) -> None:
    if not asked.answer.done():
        asked.answer.set_exception(error)
        asked.answer.exception()  # nobody may be waiting any more
