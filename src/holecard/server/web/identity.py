"""Who sends a request: the session in the cookie, the origin of the page, and how many requests are too many.

And whether the client still waits for the answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit

import structlog
from fastapi import Depends, Request, Response, WebSocket
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from holecard.errors import shortly
from holecard.server.accounts.sessions import User
from holecard.server.errors import NotAllowed, SessionEnded, Unavailable, WrongHost
from holecard.server.settings import ServerSettings
from holecard.server.web.connections import has_session, network_of
from holecard.server.web.messages import Refused
from holecard.server.web.services import Services

COOKIE = "holecard_session"
#: What a server is called that only this machine can reach.
_OWN_NAMES = ("localhost", "127.0.0.1", "::1")
_log = structlog.get_logger("holecard.server")
Found = TypeVar("Found")


def services_of(connection: HTTPConnection) -> Services:
    """Return the services of the app that serves a connection."""
    found: Services = connection.app.state.services
    return found


def set_session(request: Request, response: Response, token: str, settings: ServerSettings) -> None:
    """Give the browser its session; scripts cannot read it, and other sites' pages do not send it."""
    # Behind a proxy on the same machine, the proxy says that the request came over HTTPS.
    wanted = not settings.is_local or request.scope["scheme"] == "https"
    response.set_cookie(
        COOKIE,
        token,
        max_age=settings.session_days * 86_400,
        httponly=True,
        samesite="strict",
        secure=wanted if settings.secure_cookies == "auto" else settings.secure_cookies == "on",
    )


def client_address(connection: HTTPConnection) -> str:
    """Return the address of a client for counting; with IPv6, one customer's whole network (/64)."""
    return network_of(connection.client.host if connection.client else "")


def check_origin(connection: HTTPConnection, settings: ServerSettings) -> None:
    """Refuse what a page of another site sends; programs send no origin."""
    origin = connection.headers.get("origin")
    if origin is None or origin in settings.origins:
        return
    if _host_of(origin) != connection.headers.get("host"):
        raise NotAllowed(f"pages from {shortly(origin)} may not use this server")


class HostCheck:
    """Refuses requests under another name, where only this machine can connect.

    A page of another site can have its name point to this machine, and would then use the server as its own.
    """

    def __init__(self, app: ASGIApp, settings: ServerSettings) -> None:
        self._app = app
        self._names = {*_OWN_NAMES, settings.host, *map(_name_of, settings.origins)} if settings.is_local else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        named = Headers(scope=scope).getlist("host") if self._names is not None and scope["type"] != "lifespan" else []
        wrong = next((host for host in named if _name_of(f"//{host}") not in (self._names or ())), None)
        if wrong is None:
            await self._app(scope, receive, send)
            return
        refused = WrongHost(
            f"only this machine reaches this server, as localhost, not as {shortly(wrong)}; "
            "if a proxy calls it so, start it with that name in --origins"
        )
        _log.info("refused", path=scope["path"][:200], code=refused.code, status=refused.status)
        answer = JSONResponse(Refused(code=refused.code, message=str(refused)).model_dump(), refused.status)
        if scope["type"] == "websocket":
            await WebSocket(scope, receive, send).send_denial_response(answer)
        else:
            await answer(scope, receive, send)


def _name_of(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:  # not an address
        return None


def _host_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:  # not an address
        return None


async def signed_in(request: Request) -> User:
    """Return who sends the request."""
    return await user_of(request)


async def user_of(connection: Request | WebSocket) -> User:
    """Return who sends a request or opens a socket.

    A person with a session is limited as a user. Only cookies that nobody has are counted by address, so nobody is
    refused for what somebody else sends from the same address.
    """
    service = services_of(connection)
    check_origin(connection, service.settings)
    try:
        user = await session_of(connection)
    except SessionEnded:
        service.rates.take(f"unknown sessions of {client_address(connection)}")
        raise
    has_session(connection)
    service.rates.take(user.id)
    return user


async def session_of(connection: HTTPConnection) -> User:
    """Return who a connection belongs to now; refuse where the session has ended."""
    return await services_of(connection).accounts.sessions.user_of(connection.cookies.get(COOKIE))


async def while_connected(request: Request, work: Coroutine[Any, Any, Found]) -> Found:
    """Return what is computed for a client; give it up when the client closes the connection."""
    working, leaving = asyncio.create_task(work), asyncio.create_task(_disconnect(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Unavailable("the connection was closed before there was an answer")
        return working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


SignedIn = Annotated[User, Depends(signed_in)]
Service = Annotated[Services, Depends(services_of)]
