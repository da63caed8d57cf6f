"""Write the lists of docs/protocol.md: routes, messages, refusals and the client, from the server's models.

It also writes the types of the messages for the pages; see `docs.make_types`. Run it with `make docs`; a test fails if
the page differs from what this script writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from fastapi.routing import APIRoute
from pydantic import TypeAdapter

from docs.generated_blocks import with_blocks
from docs.make_types import write_types
from holecard.errors import IllegalMove, OutOfTurn, Refusal, SheetError, WagerRefused
from holecard.server.errors import ServerRefusal, code_of, status_of
from holecard.server.game.commands import TableCommand
from holecard.server.settings import ServerSettings
from holecard.server.web.app import create_app
from holecard.server.web.messages import CLOSE_CODES, ClientMessage, ServerMessage
from holecard.server.web.shown_table import CARD, ShownEntry, ShownEvent, ShownTable

PAGE = Path(__file__).parent / "protocol.md"
CLIENT = Path(__file__).parent / "table_client.py"
#: Who may send a request, by the function that checks it.
_ROLES = {"signed_in": "everybody with a session", "designer": "players and operators", "operator": "operators"}
#: The fields that say what kind of object it is.
_TAGS = ("type", "do", "event", "kind", "what")
#: Objects that clients send, so that some of their fields can be left out.
_SENT = (
    *("AnalyzeGame", "BuyIn", "CheckSheet", "CommandBody", "Credentials", "DeleteAccount", "EvaluateHand"),
    *("FindStrategy", "NewAccount", "NewGuest", "OpenTable", "OrderBody", "Pace"),
)
Schema = Mapping[str, Any]


def page() -> str:
    """Return the page with its lists as they are now."""
    return with_blocks(
        PAGE,
        {
            "client": lambda: f"```python\n{CLIENT.read_text(encoding='utf-8')}```",
            "routes": lambda: "\n".join(_routes()),
            "objects": lambda: _objects(_http_schemas(), shown={*_view_schemas(), *_tagged()}),
            "from the client": lambda: _union(ClientMessage, sent=True),
            "commands": lambda: _union(TableCommand, sent=True),
            "from the server": lambda: _union(ServerMessage),
            "view": lambda: _objects(_view_schemas(), shown=set()),
            "events": lambda: _union(ShownEvent),
            "entries": lambda: _union(ShownEntry),
            "refusals": lambda: "\n".join(_refusals()),
            "close codes": lambda: "\n".join(_close_codes()),
        },
    )


# Routes


@cache
def _openapi() -> Schema:
    return create_app(ServerSettings()).openapi()


def _routes() -> Iterator[str]:
    yield "| request | who | body | answer | what it does |\n|---|---|---|---|---|"
    described, roles = _openapi(), dict(_route_roles())
    for path, methods in described["paths"].items():
        for method, route in methods.items():
            body = _body(route.get("requestBody"))
            request = f"`{method.upper()} {path}`{_query(route)}"
            what = route["description"].splitlines()[0]
            yield f"| {request} | {roles[method.upper(), path]} | {body} | {_answer(route)} | {what} |"


def _route_roles() -> Iterator[tuple[tuple[str, str], str]]:
    app = create_app(ServerSettings())
    # Newer versions of FastAPI keep the routes of each part in its own router.
    routers = [getattr(route, "original_router", None) for route in app.routes]
    for route in [*app.routes, *(route for router in routers if router is not None for route in router.routes)]:
        if isinstance(route, APIRoute):
            checks = [_ROLES[name] for name in _checks(route.dependant) if name in _ROLES]
            for method in route.methods:
                yield (method, route.path), checks[0] if checks else "everybody"


def _checks(dependant: Any) -> Iterator[str]:
    """Yield the names of the functions that a route depends on, the strictest first."""
    for one in dependant.dependencies:
        yield one.call.__name__
        yield from _checks(one)


def _query(route: Schema) -> str:
    found = [parameter for parameter in route.get("parameters", ()) if parameter["in"] == "query"]
    return "".join(f"<br>`?{one['name']}=` {_type(one['schema'])}" for one in found)


def _body(body: Schema | None) -> str:
    return "" if body is None else _type(body["content"]["application/json"]["schema"])


def _answer(route: Schema) -> str:
    status, answer = next((code, one) for code, one in route["responses"].items() if code.startswith("2"))
    schema = answer.get("content", {}).get("application/json", {}).get("schema")
    return f"{status} {_type(schema)}" if schema else status


# Models


def _http_schemas() -> dict[str, Schema]:
    """Return the objects of the requests and answers; one that is used in both is shown as it is sent."""
    schemas: dict[str, Schema] = _openapi()["components"]["schemas"]
    return {_plain(name): schema for name, schema in sorted(schemas.items(), reverse=True)}


@cache
def _view_schemas() -> dict[str, Schema]:
    """Return the view and the objects in it, the view first."""
    schema = TypeAdapter(ShownTable).json_schema(mode="serialization")
    inner = schema.pop("$defs")
    return {"ShownTable": schema, **inner}


@cache
def _tagged() -> dict[str, str]:
    """Return the objects that are listed by their kind, and the values that say it."""
    found = {}
    for union in (ClientMessage, TableCommand, ServerMessage, ShownEvent, ShownEntry):
        schema = TypeAdapter(union).json_schema()
        found.update({name: _kind(schema["$defs"][name]) for name in _members(schema)})
    return found


def _kind(schema: Schema) -> str:
    """Return the value that distinguishes an object from the others of its union."""
    fields = schema["properties"]
    return str(next(fields[tag]["const"] for tag in _TAGS if "const" in fields.get(tag, {})))


def _members(schema: Schema) -> list[str]:
    return [_name(one) for one in schema["oneOf"]]


def _union(union: Any, *, sent: bool = False) -> str:
    """Return a section for each member of a union, under the value that distinguishes it."""
    schema = TypeAdapter(union).json_schema(mode="validation" if sent else "serialization")
    parts = []
    for name in _members(schema):
        member = schema["$defs"][name]
        parts.append(_section(f'`"{_kind(member)}"`', member, sent))
    return "\n".join(parts)


def _objects(schemas: Mapping[str, Schema], shown: set[str]) -> str:
    """Return a section for each object that is not shown elsewhere, under its name."""
    parts = []
    for name, schema in sorted(schemas.items()) if shown else schemas.items():
        if name in shown or "properties" not in schema or name.startswith("Body_"):
            continue
        parts.append(_section(f"`{name}`", schema, sent=name in _SENT))
    return "\n".join(parts)


def _section(title: str, schema: Schema, sent: bool) -> str:
    required = schema.get("required", ())
    lines = [f"### {title}\n", f"{_cell(schema['description'])}\n", "| field | type | meaning |\n|---|---|---|"]
    for name, field in schema["properties"].items():
        meaning = "Which kind it is." if "const" in field else _cell(field.get("description", ""))
        optional = sent and name not in required and "const" not in field
        lines.append(f"| `{name}` | {_type(field)}{_default(field) if optional else ''} | {meaning} |")
    return "\n".join([*lines, ""])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _default(field: Schema) -> str:
    default = field.get("default")
    return ", optional" if default in (None, {}, []) or isinstance(default, dict) else f", optional ({default})"


def _type(schema: Schema) -> str:
    """Return the type of a value, in words."""
    if "$ref" in schema:
        name = _name(schema)
        if name in (enums := {key: one for key, one in _view_schemas().items() if "enum" in one}):
            return _type(enums[name])
        return f"[{name}](#{_tagged().get(name, name).lower().replace(' ', '-')})"
    if "const" in schema:
        return f'`"{schema["const"]}"`'
    if "enum" in schema:
        return ", ".join(f'`"{one}"`' for one in schema["enum"])
    for many in ("anyOf", "oneOf"):
        if many in schema:
            return _alternatives(schema[many])
    if "allOf" in schema:
        return _type(schema["allOf"][0])
    words = {"object": _mapping, "array": _list, "string": _string, "integer": _number}
    kind = schema.get("type", "any")
    return words[kind](schema) if kind in words else str(kind)


def _name(reference: Schema) -> str:
    return _plain(str(reference["$ref"]).rpartition("/")[2])


def _plain(name: str) -> str:
    """Return the name of an object, which FastAPI writes twice if sending and getting it differ."""
    return name.removesuffix("-Input").removesuffix("-Output")


def _alternatives(schemas: Iterable[Schema]) -> str:
    names = {_name(one) for one in schemas if "$ref" in one}
    for section, union in _SECTIONS.items():
        if names and names == set(_members(TypeAdapter(union).json_schema())):
            return f"[one of these](#{section})"
    return " or ".join(_type(one) for one in schemas)


_SECTIONS: dict[str, Any] = {"commands": TableCommand, "entries": ShownEntry, "events": ShownEvent}


def _mapping(schema: Schema) -> str:
    values = schema.get("additionalProperties")
    return f"object of {_type(values)}" if isinstance(values, dict) and values else "object"


def _list(schema: Schema) -> str:
    return f"list of {_type(schema['items'])}"


def _string(schema: Schema) -> str:
    if schema.get("pattern") == CARD:
        return "card"
    low, high = schema.get("minLength"), schema.get("maxLength")
    length = f", {low} to {high} characters" if low else f", at most {high} characters" if high else ""
    pattern = f", matching `{schema['pattern']}`" if "pattern" in schema else ""
    return f"string{length}{pattern}".replace("|", "\\|")


def _number(schema: Schema) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is None or high is None:
        return "integer" if low is None else f"integer from {int(low):,}"
    return f"integer, {int(low):,} to {int(high):,}"


# Refusals


def _refusals() -> Iterator[str]:
    yield "| code | HTTP | meaning |\n|---|---|---|"
    kinds: list[type[Refusal]] = [*_own_refusals(ServerRefusal), WagerRefused, OutOfTurn, IllegalMove, SheetError]
    for kind in kinds:
        made = kind.__new__(kind)
        meaning = _cell(kind.__doc__ or "").partition(";")[0].rstrip(".")
        yield f"| `{code_of(made)}` | {status_of(made)} | {meaning}. |"
    other = Refusal()
    yield f"| `{code_of(other)}` | {status_of(other)} | Any other refusal; the message says which. |"


def _own_refusals(kind: type[ServerRefusal]) -> Iterator[type[ServerRefusal]]:
    """Yield every kind of refusal that has its own code."""
    for one in kind.__subclasses__():
        if "code" in vars(one):
            yield one
        yield from _own_refusals(one)


def _close_codes() -> Iterator[str]:
    yield "| code | why |\n|---|---|"
    for code, why in CLOSE_CODES.items():
        yield f"| {code} | {why} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    write_types()
