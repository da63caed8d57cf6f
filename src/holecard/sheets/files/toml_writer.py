"""A sheet, or any plain data, as TOML text. The standard library reads TOML and does not write it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from holecard.sheets.schema import RuleSheet

_BARE = re.compile(r"[A-Za-z0-9_-]+$")


def sheet_data(sheet: RuleSheet) -> dict[str, Any]:
    """What a sheet says beyond the defaults, as plain data; nothing is left to extend."""
    data: dict[str, Any] = sheet.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    for key in ("extends", "without"):
        data.pop(key, None)
    return data


def toml_value(value: object) -> str:
    """A value on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # which JSON allows and TOML not
    if isinstance(value, Mapping):
        inside = ", ".join(f"{toml_key(str(key))} = {toml_value(item)}" for key, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    raise TypeError(f"TOML has no word for {value!r}")


def toml_key(key: str) -> str:
    """A key, quoted where it must be."""
    return key if _BARE.match(key) else toml_value(key)


def toml_sections(data: Mapping[str, Any], prefix: str = "") -> str:
    """Data as TOML: single words first, then a section for each table."""
    words = [f"{toml_key(key)} = {toml_value(value)}" for key, value in data.items() if not isinstance(value, dict)]
    parts = ["\n".join(words)] if words else []
    for key, value in data.items():
        if isinstance(value, dict):
            path = f"{prefix}{toml_key(key)}"
            parts.append(f"[{path}]\n{toml_sections(value, f'{path}.')}")
    return "\n\n".join(parts)
