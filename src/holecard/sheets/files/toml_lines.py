"""Find the line of a key in a TOML text, which `tomllib` does not report."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?")
_ENTRY = re.compile(r"^\s*\{")
_KEY = re.compile(r"""^\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=""")
_PART = re.compile(r""""([^"]*)"|'([^']*)'|([\w-]+)""")

#: The path of a key in a sheet: ("wager", 0, "lines", 2, "pays").
KeyPath = tuple[str | int, ...]


def line_of(text: str, path: KeyPath) -> int | None:
    """Return the line, from 1, of `path` or of the nearest key or header around it; None if there is none."""
    best: tuple[int, int] | None = None
    wanted = tuple(str(part) for part in path)
    for number, place in _places(text):
        depth = len(place)
        if depth and place == wanted[:depth] and (best is None or depth > best[0]):
            best = (depth, number)
    return best[1] if best else None


@lru_cache(maxsize=4)  # one text is searched once for each problem
def _places(text: str) -> list[tuple[int, tuple[str, ...]]]:
    """Return the line and full path of every header, key and list entry; the n-th [[wager]] is ("wager", "n")."""
    found: list[tuple[int, tuple[str, ...]]] = []
    section: tuple[str, ...] = ()
    key_path: tuple[str, ...] = ()
    arrays: Counter[tuple[str, ...]] = Counter()
    for number, line in enumerate(text.splitlines(), start=1):
        if _ENTRY.match(line):
            # An entry on its own line belongs to the list of the last key.
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
    """Return the path of a header such as [wager.tables], which belongs to the last [[wager]]."""
    for depth in range(len(names), 0, -1):
        if arrays[names[:depth]]:
            return (*names[:depth], str(arrays[names[:depth]] - 1), *names[depth:])
    return names


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(a or b or c for a, b, c in _PART.findall(dotted))
