"""A server that computes in the process of the tests: no worker has to start, and errors show where they come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi.testclient import TestClient


def compute_here(client: TestClient) -> None:
    """Let the server call functions itself that it would send to its worker process."""
    services = client.app.state.services  # type: ignore[attr-defined]

    async def call(function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)

    services.worker.compute = call
    services.coach_sessions._compute = services.coach_sessions._compute_slowly = call
