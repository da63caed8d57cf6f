"""The page at the server's address: what it is, which games it deals, and where programs find the rest."""

from __future__ import annotations

from html import escape

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from holecard.server.web.identity import Service

router = APIRouter(include_in_schema=False)

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Holecard</title>
<h1>Holecard table server</h1>
<p>The server is running. It deals these games:</p>
<ul>
{games}
</ul>
<p>Programs play over HTTP and WebSocket: <a href="/openapi.json">description of the routes</a>.
In a terminal, <code>holecard play</code> deals the same games.</p>
</html>
"""


@router.get("/")
async def front_page(service: Service) -> HTMLResponse:
    """Return a page for somebody who opens the address in a browser."""
    titles = [service.games.sheet(name).name for name in service.games.names() if not service.games.problem(name)]
    return HTMLResponse(_PAGE.format(games="\n".join(f"<li>{escape(title)}</li>" for title in titles)))
