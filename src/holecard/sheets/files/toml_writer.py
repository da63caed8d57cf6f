"""Write a sheet, or any plain data, as TOML text, which the standard library cannot do."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from holecard.sheets.schema import RuleSheet

_BARE = re.compile(r"[A-Za-z0-9_-]+$")


def sheet_data(sheet: RuleSheet) -> dict[str, Any]:
    """Return all settings of a sheet that differ from the defaults, as plain data that extend nothing."""
    data: dict[str, Any] = sheet.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    for key in ("extends", "without"):
        data.pop(key, None)
    return data


def toml_value(value: object) -> str:
    """Return a value on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # allowed in JSON but not in TOML
    if isinstance(value, Mapping):
        inside = ", ".join(f"{toml_key(str(key))} = {toml_value(item)}" for key, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    raise TypeError(f"{value!r} cannot be written as TOML")


def toml_key(key: str) -> str:
    """Return a key, quoted if necessary."""
    return key if _BARE.match(key) else toml_value(key)


def toml_sections(data: Mapping[str, Any], prefix: str = "") -> str:
    """Return data as TOML: single values first, then a section for each table."""
    words = [f"{toml_key(key)} = {toml_value(value)}" for key, value in data.items() if not isinstance(value, dict)]
    parts = ["\n".join(words)] if words else []
    for key, value in data.items():
        if isinstance(value, dict):
            path = f"{prefix}{toml_key(key)}"
            parts.append(f"[{path}]\n{toml_sections(value, f'{path}.')}")
    return "\n\n".join(parts)
