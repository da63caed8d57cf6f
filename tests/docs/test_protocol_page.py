"""docs/protocol.md is generated from the server's models and lists every message, field, route and code."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from pydantic import TypeAdapter

from docs.make_protocol import CLIENT, PAGE, page
from docs.make_types import TYPES, types
from holecard.server import errors
from holecard.server.game.commands import TableCommand
from holecard.server.settings import ServerSettings
from holecard.server.web.app import create_app
from holecard.server.web.messages import CLOSE_CODES, ClientMessage, ServerMessage

TEXT = PAGE.read_text(encoding="utf-8")
#: What FastAPI adds to describe its own refusals of requests; the server answers with `Refused`.
NOT_OURS = {"HTTPValidationError", "ValidationError"}


def names(schema: object) -> set[str]:
    """The names of all fields in a JSON Schema."""
    if isinstance(schema, Mapping):
        found = {name: value for name, value in schema.items() if name not in NOT_OURS}
        own = set(schema["properties"]) if isinstance(schema.get("properties"), Mapping) else set()
        return own.union(*map(names, found.values()))
    return set().union(*map(names, schema)) if isinstance(schema, list) else set()


def test_the_page_is_what_the_models_say() -> None:
    """This fails if a message was changed without running `make docs`."""
    assert page() == TEXT


def test_the_types_of_the_pages_are_what_the_models_say() -> None:
    """This fails if a message was changed without running `make docs`."""
    assert types() == TYPES.read_text(encoding="utf-8")


@pytest.mark.parametrize("union", [ClientMessage, ServerMessage, TableCommand])
def test_every_field_of_a_message_is_listed(union: object) -> None:
    listed = set(re.findall(r"^\| `(\w+)` \|", TEXT, flags=re.MULTILINE))
    fields = names(TypeAdapter(union).json_schema())
    assert fields
    assert fields - listed == set()


def test_every_route_and_its_objects_are_listed() -> None:
    described = create_app(ServerSettings()).openapi()
    assert len(described["paths"]) > 15
    for path, methods in described["paths"].items():
        for method in methods:
            assert f"| `{method.upper()} {path}`" in TEXT
    listed = set(re.findall(r"^\| `(\w+)` \|", TEXT, flags=re.MULTILINE))
    assert names(described["components"]["schemas"]) - listed == set()


def test_every_row_has_a_meaning() -> None:
    rows = re.findall(r"^\| `[^`]+` \|.*$", TEXT, flags=re.MULTILINE)
    assert len(rows) > 100
    for row in rows:
        assert row.rstrip(" |").count("|") >= 2, row
        assert not row.endswith("|  |"), row


def test_every_code_has_a_meaning() -> None:
    codes = {kind.code for kind in vars(errors).values() if isinstance(kind, type) and hasattr(kind, "code")}
    listed = re.findall(r"^\| `([a-z ]+)` \| \d\d\d \|", TEXT, flags=re.MULTILINE)
    assert codes <= set(listed)
    assert {"wager refused", "out of turn", "illegal move", "sheet refused", "name taken"} <= set(listed)
    assert len(listed) == len(set(listed))
    assert all(f"| {code} |" in TEXT for code in CLOSE_CODES)


def test_the_routes_say_who_may_use_them() -> None:
    who = dict(re.findall(r"^\| `(\w+ /[^`]*)`[^|]*\| ([^|]+) \|", TEXT, flags=re.MULTILINE))
    assert who["GET /healthz"] == "everybody"
    assert who["GET /api/v1/tables"] == "everybody with a session"
    assert who["POST /api/v1/jobs"] == "players and operators"
    assert who["POST /api/v1/audit"] == "operators"


def test_every_link_inside_the_page_leads_to_a_heading() -> None:
    headings = {
        re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-")
        for title in re.findall(r"^#+ (.*)$", TEXT, flags=re.MULTILINE)
    }
    links = set(re.findall(r"\]\(#([^)]+)\)", TEXT))
    assert links
    assert links - headings == set()


def test_the_client_is_on_the_page() -> None:
    """tests/server/test_client.py runs it."""
    assert CLIENT.read_text(encoding="utf-8") in TEXT
