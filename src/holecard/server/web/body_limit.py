"""Requests with a body that is too large are refused before they are read into memory."""

from __future__ import annotations

import structlog
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from holecard.server.errors import TooLarge
from holecard.server.web.messages import Refused

#: What a body may hold besides a sheet.
_MARGIN = 16_384
_log = structlog.get_logger("holecard.server")


class BodyLimit:
    """Counts the bytes of a request's body, whatever its headers promise."""

    def __init__(self, app: ASGIApp, largest_sheet: int) -> None:
        self._app = app
        self._limit = 2 * largest_sheet + _MARGIN  # JSON writes some characters of a sheet as two or more

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body: list[Message] = []
        size = 0
        while not body or body[-1].get("more_body", False):
            message = await receive()
            size += len(message.get("body", b""))
            if size > self._limit:
                _log.info("refused", path=scope["path"], code=TooLarge.code)
                words = f"a request has at most {self._limit:,} bytes"
                answer = JSONResponse(Refused(code=TooLarge.code, message=words).model_dump(), TooLarge.status)
                await answer(scope, receive, send)
                return
            body.append(message)
        waiting = iter(body)

        async def replay() -> Message:
            return next(waiting, None) or await receive()

        await self._app(scope, replay, send)
