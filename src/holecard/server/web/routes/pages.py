"""The pages for browsers, and the files they load: plain files of the package, sent as they are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path

from fastapi import APIRouter, Request, Response

from holecard.errors import shortly
from holecard.server.errors import NotFound
from holecard.server.web.identity import Service

router = APIRouter(include_in_schema=False)

FILES = Path(__file__).parents[2] / "pages"
#: The page at each address; its script reads the rest of the address.
PAGE_ADDRESSES = {
    "/": "lobby",
    "/drill": "drill",
    "/strategy": "strategy",
    "/history": "history",
    "/history/{table_id}/{number}": "replay",
    "/fairness": "fairness",
    "/account": "account",
    "/tables/{table_id}": "table",
    "/tables/{table_id}/rules": "game",
    "/tables/{table_id}/shoes/{shoe}": "fairness",
    "/games/{game}": "game",
    "/games/{game}/strategy": "strategy",
    "/games/{game}/drill": "drill",
}
#: Other files, such as the declarations of types, are not for browsers.
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_PAGE_TYPE = "text/html; charset=utf-8"


@router.get("/static/{path:path}")
@router.head("/static/{path:path}")
async def static_file(path: str, request: Request) -> Response:
    """Return a script, a style or a picture."""
    kind = _TYPES.get(Path(path).suffix)
    content = None if kind is None else _content(path)
    if content is None:
        raise NotFound(f"there is no file {shortly(path)}")
    return _sent(request, content, kind)


def _content(path: str) -> bytes | None:
    """Return a file of the pages; None where there is none, or the path leads out of their folder."""
    try:
        file = (FILES / path).resolve()
        return file.read_bytes() if file.is_relative_to(FILES.resolve()) and file.is_file() else None
    except (ValueError, OSError):  # a null character, or a name that is too long
        return None


def _page(name: str) -> Callable[[Request, Service], Awaitable[Response]]:
    async def page(request: Request, service: Service) -> Response:
        # Somebody is about to play: what the coach needs is loaded now.
        service.computing.warm_up()
        return _sent(request, _html(name), _PAGE_TYPE)

    return page


def missing_page(request: Request) -> Response | None:
    """Return the page for an address where nothing is, if a person asks for one."""
    for_people = "text/html" in request.headers.get("Accept", "") and request.method in ("GET", "HEAD")
    if not for_people or request.url.path.startswith(("/api/", "/static/")):
        return None
    return Response(_html("missing"), NotFound.status, media_type=_PAGE_TYPE)


def _html(name: str) -> bytes:
    text = (FILES / f"{name}.html").read_text(encoding="utf-8")
    return text.replace("<html ", f'<html data-languages="{" ".join(languages())}" ', 1).encode()


def languages() -> list[str]:
    """Return the languages that the pages have texts in."""
    return sorted(path.name for path in (FILES / "text").iterdir() if path.is_dir())


def _sent(request: Request, content: bytes, kind: str | None) -> Response:
    """Return a file; a browser that has the same one is only told so."""
    # By content: all files of an installed wheel may have the same date.
    tag = f'"{sha256(content).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    known = [one.strip().removeprefix("W/") for one in request.headers.get("If-None-Match", "").split(",")]
    if tag in known:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=kind, headers=headers)


for _address, _name in PAGE_ADDRESSES.items():
    router.add_api_route(_address, _page(_name), methods=["GET", "HEAD"], response_model=None)
