"""Where in a TOML text a key stands. `tomllib` does not say, and a refusal must."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?")
_ENTRY = re.compile(r"^\s*\{")
_KEY = re.compile(r"""^\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=""")
_PART = re.compile(r""""([^"]*)"|'([^']*)'|([\w-]+)""")

#: Where something stands in a sheet: ("wager", 0, "lines", 2, "pays").
KeyPath = tuple[str | int, ...]


def line_of(text: str, path: KeyPath) -> int | None:
    """The line, from 1, of the nearest enclosing key or header of `path`; None when nothing of it is there."""
    best: tuple[int, int] | None = None
    wanted = tuple(str(part) for part in path)
    for number, place in _places(text):
        depth = len(place)
        if depth and place == wanted[:depth] and (best is None or depth > best[0]):
            best = (depth, number)
    return best[1] if best else None


@lru_cache(maxsize=4)  # a sheet with many problems asks for many lines of one text
def _places(text: str) -> list[tuple[int, tuple[str, ...]]]:
    """Every header, key and entry of a list with its line and full path; the n-th [[wager]] is ("wager", "n")."""
    found: list[tuple[int, tuple[str, ...]]] = []
    section: tuple[str, ...] = ()
    key_path: tuple[str, ...] = ()
    arrays: Counter[tuple[str, ...]] = Counter()
    for number, line in enumerate(text.splitlines(), start=1):
        if _ENTRY.match(line):
            # An entry on a line of its own belongs to the list the last key began.
            found.append((number, (*key_path, str(arrays[key_path]))))
            arrays[key_path] += 1
        elif header := _HEADER.match(line):
            names = _parts(header[2])
            if header[1] == "[[":
                section = (*names, str(arrays[names]))
                arrays[names] += 1
            else:
                section = _inside_last(names, arrays)
            found.append((number, section))
        elif key := _KEY.match(line):
            key_path = section + _parts(key[1])
            found.append((number, key_path))
    return found


def _inside_last(names: tuple[str, ...], arrays: Counter[tuple[str, ...]]) -> tuple[str, ...]:
    """[wager.tables] after [[wager]] belongs to the last wager."""
    for depth in range(len(names), 0, -1):
        if arrays[names[:depth]]:
            return (*names[:depth], str(arrays[names[:depth]] - 1), *names[depth:])
    return names


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(a or b or c for a, b, c in _PART.findall(dotted))
