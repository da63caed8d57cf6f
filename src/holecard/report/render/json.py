"""Data as JSON that every reader understands: no NaN, and no integer that a double cannot hold."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

#: JavaScript and many other readers keep numbers as doubles, which are exact up to here.
LARGEST_EXACT = 2**53


def to_json(data: object) -> str:
    """Return JSON with the keys in the order of the data."""
    return json.dumps(json_value(data), indent=2, ensure_ascii=False) + "\n"


def json_value(value: Any) -> Any:
    """Return the value in JSON's own types: an integer beyond 2^53 is a string, an unknown number is null.

    >>> json_value({"count": 2**53 + 1, "error": float("nan"), "seats": (1, 2)})
    {'count': '9007199254740993', 'error': None, 'seats': [1, 2]}
    """
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value if not isinstance(value, str) else str(value)
    if isinstance(value, int):
        return int(value) if abs(value) <= LARGEST_EXACT else str(int(value))
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): json_value(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(entry) for entry in value]
    raise TypeError(f"no JSON for {type(value).__name__}")
