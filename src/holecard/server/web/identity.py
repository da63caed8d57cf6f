"""Who sends a request: the session in the cookie, the origin of the page, and how many requests are too many."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request, Response, WebSocket
from starlette.requests import HTTPConnection

from holecard.server.accounts.accounts import User
from holecard.server.errors import NotAllowed
from holecard.server.settings import ServerSettings
from holecard.server.web.services import Services

COOKIE = "holecard_session"


def services_of(connection: HTTPConnection) -> Services:
    """Return the services of the app that serves a connection."""
    found: Services = connection.app.state.services
    return found


def set_session(response: Response, token: str, settings: ServerSettings) -> None:
    """Give the browser its session; scripts cannot read it, and other sites' pages do not send it."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=settings.session_days * 86_400,
        httponly=True,
        samesite="strict",
        secure=settings.secure_cookies,
    )


def check_origin(connection: HTTPConnection, settings: ServerSettings) -> None:
    """Refuse what a page of another site sends; programs send no origin."""
    origin = connection.headers.get("origin")
    if origin is None or origin in settings.origins:
        return
    if urlsplit(origin).netloc != connection.headers.get("host"):
        raise NotAllowed(f"pages from {origin} may not use this server")


async def signed_in(request: Request) -> User:
    """Return who sends the request."""
    return await user_of(request)


async def user_of(connection: Request | WebSocket) -> User:
    """Return who sends a request or opens a socket."""
    service = services_of(connection)
    check_origin(connection, service.settings)
    user = await session_of(connection)
    service.rates.take(user.id)
    return user


async def session_of(connection: HTTPConnection) -> User:
    """Return who a connection belongs to now; refuse where the session has ended."""
    return await services_of(connection).accounts.user_of(connection.cookies.get(COOKIE))


SignedIn = Annotated[User, Depends(signed_in)]
Service = Annotated[Services, Depends(services_of)]
