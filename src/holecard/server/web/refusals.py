"""Which refusals the routes answer with, for the OpenAPI description; each is a `refused` message."""

from __future__ import annotations

from typing import Any

from holecard.server.web.messages import Refused

_MEANINGS = {
    401: "You are not signed in.",
    403: "You may not do this, or the page is of another site.",
    404: "There is no such thing, or you may not know of it.",
    406: "This server does not offer it as it is installed.",
    409: "The rules refuse it, there is not enough money, or the command's id or the name is taken.",
    413: "The sheet is too large.",
    422: "The request cannot be read, or the sheet is wrong.",
    429: "Too many requests, tables, seats, computations or failed sign-ins.",
    503: "The server cannot store anything now, or is closing.",
}


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the refusals with these statuses, as a route declares them."""
    return {status: {"model": Refused, "description": _MEANINGS[status]} for status in statuses}


#: What every route for people who are signed in may answer.
SIGNED_IN = refusals(401, 403, 422, 429, 503)
