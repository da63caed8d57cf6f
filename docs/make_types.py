"""Write the types of the protocol for the pages, from the server's models: core/protocol.d.ts.

`make docs` runs it together with `docs.make_protocol`; a test fails if the file differs from what this script writes.
The pages are checked against these types, so a field that the server renames is an error of the page that reads it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

import holecard.server
from holecard.server.game.commands import TableCommand
from holecard.server.settings import ServerSettings
from holecard.server.web.app import create_app
from holecard.server.web.messages import ClientMessage, ServerMessage
from holecard.server.web.shown_table import CARD, ShownEntry, ShownEvent, ShownTable

TYPES = Path(holecard.server.__file__).parent / "pages" / "core" / "protocol.d.ts"
_HEAD = """\
// The objects of docs/protocol.md, which says what each field means. Written by `make docs`; do not edit.

/** Rank and suit, such as "As", "Td" or "7h". */
export type Card = string;
"""
#: Unions that are distinguished by one field, by the name that they get.
_UNIONS: dict[str, Any] = {
    "TableCommand": TableCommand,
    "ClientMessage": ClientMessage,
    "ShownEvent": ShownEvent,
    "ShownEntry": ShownEntry,
    "ServerMessage": ServerMessage,
}
#: The values that a client sends; what has a default in them may be left out.
_SENT = ("TableCommand", "ClientMessage")
#: FastAPI's own description of an answer that this server does not give.
_NOT_OURS = ("HTTPValidationError", "ValidationError")
_WORDS = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
Schema = Mapping[str, Any]


def types() -> str:
    """Return the whole file as it should be now."""
    parts = [_HEAD]
    schemas = _schemas()
    parts += [_named(name, schemas[name][0], sent=schemas[name][1]) for name in sorted(schemas)]
    parts += [_union(name, union) for name, union in _UNIONS.items()]
    return "\n".join(parts)


def _schemas() -> dict[str, tuple[Schema, bool]]:
    """Return each object by its name, with whether clients send it."""
    found: dict[str, tuple[Schema, bool]] = {}
    openapi = create_app(ServerSettings()).openapi()
    sent = set(_sent_over_http(openapi))
    for name, schema in openapi["components"]["schemas"].items():
        # FastAPI describes an object twice if it is both sent and answered, and the two differ.
        plain = _plain(name)
        if plain not in _NOT_OURS and not plain.startswith("Body_") and not name.endswith("-Input"):
            found[plain] = (schema, plain in sent)
    for name, union in _UNIONS.items():
        is_sent = name in _SENT
        mode = "validation" if is_sent else "serialization"
        for inner, schema in TypeAdapter(union).json_schema(mode=mode).get("$defs", {}).items():
            if inner not in found or not is_sent:
                found[inner] = (schema, is_sent)
    view = TypeAdapter(ShownTable).json_schema(mode="serialization")
    found.update({name: (schema, False) for name, schema in view.pop("$defs").items()})
    found["ShownTable"] = (view, False)
    return found


def _sent_over_http(openapi: Schema) -> Iterator[str]:
    """Yield the names of the bodies of requests."""
    for methods in openapi["paths"].values():
        for route in methods.values():
            body = route.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            if "$ref" in body:
                yield _name(body)


def _named(name: str, schema: Schema, *, sent: bool) -> str:
    about = " ".join(schema.get("description", "").split())
    comment = f"/** {about} */\n" if about else ""
    if "properties" not in schema:
        return f"{comment}export type {name} = {_type(schema)};\n"
    return f"{comment}export interface {name} {_fields(schema, sent=sent)}\n"


def _fields(schema: Schema, *, sent: bool) -> str:
    required = schema.get("required", ())
    lines = []
    for name, field in schema["properties"].items():
        may_miss = sent and name not in required and "const" not in field
        key = name if re.fullmatch(r"\w+", name) else json.dumps(name)
        lines.append(f"  {key}{'?' if may_miss else ''}: {_type(field)};")
    return "\n".join(["{", *lines, "}"])


def _union(name: str, union: Any) -> str:
    members = [_name(one) for one in TypeAdapter(union).json_schema()["oneOf"]]
    return f"export type {name} =\n  | " + "\n  | ".join(members) + ";\n"


def _type(schema: Schema) -> str:
    """Return the TypeScript of a type."""
    if "$ref" in schema:
        return _name(schema)
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    for many in ("anyOf", "oneOf", "allOf"):
        if many in schema:
            return " | ".join(dict.fromkeys(_type(one) for one in schema[many]))
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(_type(one) for one in schema['prefixItems'])}]"
        case "array":
            return f"Array<{_type(schema.get('items', {}))}>"
        case "object" if "properties" in schema:
            return re.sub(r"\s+", " ", _fields(schema, sent=False))
        case "object":
            inner = schema.get("additionalProperties")
            return f"Record<string, {_type(inner) if isinstance(inner, dict) else 'unknown'}>"
        case "string" if schema.get("pattern") == CARD:
            return "Card"
        case str(kind):
            return _WORDS[kind]
    return "unknown"


def _name(reference: Schema) -> str:
    return _plain(str(reference["$ref"]).rpartition("/")[2])


def _plain(name: str) -> str:
    return name.removesuffix("-Input").removesuffix("-Output")


def write_types() -> None:
    """Write the file."""
    TYPES.parent.mkdir(parents=True, exist_ok=True)
    TYPES.write_text(types(), encoding="utf-8")


if __name__ == "__main__":
    write_types()
