"""Computations in the process of the tests: no worker has to start, and errors show where they come from."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from fastapi.testclient import TestClient

from holecard.server.compute.lane import Lane, Room
from holecard.server.compute.worker import Computed, Worker

PLENTY = Room(of_person=100, of_all=1000)


def compute_here(client: TestClient) -> None:
    """Let the server call functions itself that it would send to its worker processes."""
    services = client.app.state.services  # type: ignore[attr-defined]

    async def call(_person: str, function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)

    services.computing.advise = call
    services.coach_sessions._compute = services.coach_sessions._compute_slowly = call


class WorkerHere(Worker):
    """Calls what it is given, or `instead` with the same arguments; where that is a coroutine, waits for it."""

    def __init__(self, instead: Callable[..., Any] | None = None) -> None:
        super().__init__(8192, 3600)
        self._instead = instead
        self.asked: list[tuple[Any, ...]] = []
        """The arguments, in the order in which computations began."""
        self.rested = 0

    async def compute(self, function: Callable[..., Computed], *arguments: Any) -> Computed:
        self.asked.append(arguments)
        found: Any = (self._instead or function)(*arguments)
        answer: Computed = await found if inspect.isawaitable(found) else found
        return answer

    def rest(self) -> None:
        self.rested += 1


def lane_here(instead: Callable[..., Any] | None = None) -> Lane:
    """Return a lane that computes in this process."""
    return Lane("here", [WorkerHere(instead)], PLENTY)
