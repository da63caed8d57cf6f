"""The application: routes, refusals as typed answers, and headers that keep pages safe."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache

import structlog
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic_core import to_json
from starlette.exceptions import HTTPException

from holecard import __version__
from holecard.errors import Refusal
from holecard.server.errors import NotFound, SessionEnded, UnreadableMessage, code_of, status_of
from holecard.server.host.server_clock import wall_clock
from holecard.server.problems import first_problem
from holecard.server.settings import ServerSettings
from holecard.server.store.append import nothing
from holecard.server.web.body_limit import BodyLimit
from holecard.server.web.identity import COOKIE, HostCheck
from holecard.server.web.messages import Refused
from holecard.server.web.routes import (
    accounts,
    coach,
    drills,
    games,
    jobs,
    operation,
    orders,
    own_account,
    pages,
    replays,
    rounds,
    statistics,
    strategy,
    tables,
)
from holecard.server.web.services import services

_log = structlog.get_logger("holecard.server")
_ROUTES = (
    *(pages, accounts, own_account, games, drills, strategy, tables, coach),
    *(statistics, rounds, replays, jobs, operation, orders),
)
#: What the pages may load: only their own files, no script or style inside the markup.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def create_app(
    settings: ServerSettings,
    wall: Callable[[], int] = wall_clock,
    on_moment: Callable[[str], None] = nothing,
    steady: Callable[[], int] | None = None,
) -> FastAPI:
    """Return the server as an ASGI application."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with services(settings, wall, on_moment, steady) as made:
            app.state.services = made
            yield

    app = FastAPI(
        title="Holecard table server",
        version=__version__,
        lifespan=lifespan,
        # Their pages fetch scripts from elsewhere; docs/protocol.md describes the requests.
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.add_api_route("/openapi.json", _described(app), include_in_schema=False)
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _no_route)
    app.add_middleware(BodyLimit, largest_sheet=settings.largest_sheet)
    app.add_middleware(HostCheck, settings=settings)
    app.middleware("http")(_with_headers)
    for routes in _ROUTES:
        app.include_router(routes.router)
    return app


def _described(app: FastAPI) -> Callable[[], Awaitable[Response]]:
    """Return the route that describes all requests: anybody may ask, so the description is written once."""

    @cache
    def written() -> bytes:
        return to_json(app.openapi())

    async def description() -> Response:
        return Response(written(), media_type="application/json")

    return description


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    answer = _answer(request, status_of(error), code_of(error), str(error))
    if isinstance(error, SessionEnded):
        answer.delete_cookie(COOKIE)
    return answer


async def _unreadable(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return _answer(
        request, UnreadableMessage.status, UnreadableMessage.code, first_problem(error.errors(), "the request")
    )


async def _no_route(request: Request, error: Exception) -> Response:
    """Answer what no route takes: an unknown path or method, or a body that is not text."""
    assert isinstance(error, HTTPException)
    if error.status_code == 400:
        return await _refused(request, UnreadableMessage("the body is not JSON in UTF-8"))
    if error.status_code == NotFound.status and (page := pages.missing_page(request)) is not None:
        return page
    code = NotFound.code if error.status_code == NotFound.status else "refused"
    words = "there is nothing at this address" if code == NotFound.code else "this address does not take this method"
    return _answer(request, error.status_code, code, f"{request.method} {request.url.path[:100]}: {words}")


def _answer(request: Request, status: int, code: str, words: str) -> Response:
    _log.info("refused", path=request.url.path[:200], code=code, status=status)
    return JSONResponse(Refused(code=code, message=words).model_dump(), status)


async def _with_headers(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    response = await call_next(request)
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    return response
