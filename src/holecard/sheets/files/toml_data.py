"""Parse TOML text within limits, and report errors in plain English with their line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from typing import Any

from holecard.errors import Unreadable

#: The deepest nesting allowed. Odds by upcard, in a line of one of several pay tables, are 8 deep.
DEEPEST = 16
#: A key with more parts than that, on which the parser would take long.
_LONG_KEY = re.compile(
    rf"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{DEEPEST + 1}}}""", re.ASCII
)
_AT = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
#: What `tomllib` says about a second line for one key.
_WRITTEN_TWICE = "Cannot overwrite a value"


class NotToml(Unreadable):
    """A text that is not valid TOML: `what` is wrong, and on which `line` if known."""

    def __init__(self, what: str, line: int | None = None) -> None:
        self.what, self.line = what, line
        super().__init__(what if line is None else f"line {line}: {what}")


def read_toml(text: str) -> dict[str, Any]:
    """Return the data of a TOML text."""
    if long := _LONG_KEY.search(text):
        raise NotToml("this TOML is nested too deeply: a key has too many parts", text.count("\n", 0, long.start()) + 1)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = _AT.search(str(error))
        line = int(at[1]) if at and at[1] else text.rstrip().count("\n") + 1
        what = _AT.sub("", str(error))
        if what == _WRITTEN_TWICE:
            raise NotToml("this key is written twice; keep one of its lines", line) from None
        raise NotToml(f"this is not TOML: {what}", line) from None
    except RecursionError:
        raise NotToml("this TOML is nested too deeply", _deep_line(text)) from None
    except ValueError:
        raise NotToml("this TOML has a number with too many digits", _long_number_line(text)) from None
    if _is_deeper(data, DEEPEST):
        what = f"this TOML is nested too deeply: more than {DEEPEST} tables or lists inside each other"
        raise NotToml(what, _deep_line(text))
    return data


def _deep_line(text: str) -> int | None:
    """Return the line on which brackets and braces are first nested too deeply; None if headers are."""
    depth = 0
    for number, line in enumerate(text.splitlines(), start=1):
        for sign in line:
            depth += (sign in "[{") - (sign in "]}")
            if depth > DEEPEST:
                return number
    return None


def _long_number_line(text: str) -> int | None:
    long = re.search(r"\d{4000}", text)
    return text.count("\n", 0, long.start()) + 1 if long else None


def _is_deeper(data: object, most: int) -> bool:
    """Return whether tables and lists are nested deeper than `most`, without recursion, which could overflow."""
    level: list[object] = [data]
    for _ in range(most + 1):
        level = [item for table in level for item in _inside(table)]
        if not level:
            return False
    return True


def _inside(table: object) -> Iterable[object]:
    if isinstance(table, dict):
        return table.values()
    return table if isinstance(table, list) else ()
