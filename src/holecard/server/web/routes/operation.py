"""For operators and their machines: is it alive, is it ready, its numbers, the audit, closing a table."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Response
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, ConfigDict

from holecard import __version__
from holecard.server.accounts.sessions import User
from holecard.server.audit.in_process import audit_in_process
from holecard.server.errors import NotAllowed, ServerClosing
from holecard.server.web.identity import Service, SignedIn
from holecard.server.web.messages import PROTOCOL
from holecard.server.web.refusals import SIGNED_IN, refusals

router = APIRouter(tags=["operation"])


async def operator(user: SignedIn) -> User:
    """Return who asks, if that is an operator."""
    if user.role != "operator":
        raise NotAllowed("this is for operators")
    return user


Operator = Annotated[User, Depends(operator)]


@router.get("/healthz")
async def healthy() -> dict[str, str]:
    """Return that the process answers."""
    return {"status": "alive"}


@router.get("/readyz", responses=refusals(503))
async def ready(service: Service) -> dict[str, str]:
    """Return whether the database answers, so that bets can be taken."""
    if service.host.is_closing:
        raise ServerClosing("the server is closing; no bets are taken")
    await service.reader.try_it()
    if service.appender.has_failed:
        await service.appender.probe()
    return {"status": "ready"}


class ServerVersion(BaseModel):
    """What runs here."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    version: str
    """The version of Holecard."""
    protocol: int
    """The version of the protocol, as in `hello`."""


# The short address is for operators and their machines, as the others without /api; the pages use the long one.
@router.get("/version")
@router.get("/api/v1/version")
async def version() -> ServerVersion:
    """Return the version of Holecard that runs, and that of the protocol; anybody may know."""
    return ServerVersion(version=__version__, protocol=PROTOCOL)


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(service: Service) -> Response:
    """Return the numbers that Prometheus collects; they never depend on undealt cards."""
    returns = await service.returns.now()
    service.metrics.count_tables(service.host.tables)
    connections = tuple(service.open_connections)
    service.metrics.count_connections(len(connections), sum(connection.is_socket for connection in connections))
    service.metrics.count_work(service.appender.waiting, service.loop_delay)
    service.metrics.count_computations([*service.computing.lanes, service.jobs])
    return Response(service.metrics.text(returns), media_type="text/plain; version=0.0.4; charset=utf-8")


@router.post("/api/v1/audit", responses=SIGNED_IN)
async def run_audit(service: Service, _user: Operator) -> dict[str, Any]:
    """Check all logs, what follows from them, and finished shoes; cards that are not shown yet are not named."""
    found = await audit_in_process(service.settings.database)
    return {"clean": found.is_clean, "entries": found.entries, "problems": found.shown_problems}
