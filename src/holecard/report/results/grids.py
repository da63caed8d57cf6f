"""Columns of a grid of settings: headings that stay narrow, and tables that continue where a line is full."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

_INDENT = 2


def key_heading(key: str, keys: Sequence[str], width: int) -> str:
    """The last part of a setting's name where no other setting has it, in lines of at most `width` letters."""
    last = key.rpartition(".")[2]
    alone = [other.rpartition(".")[2] for other in keys].count(last) == 1
    spaced = (last if alone else key).replace("_", "_ ").replace(".", ". ")
    return "\n".join(line.replace("_ ", "_").replace(". ", ".") for line in textwrap.wrap(spaced, width))


def in_width(
    names: list[list[str]], figures: list[list[str]], *, gap: int, width: int = 80
) -> Iterator[list[list[str]]]:
    """Columns in groups that fit a line: the names, and as many figures as there is room for, at least one."""
    room = left = width - _INDENT - sum(_wide(column) + gap for column in names) + gap
    shown: list[list[str]] = []
    for column in figures:
        if shown and _wide(column) + gap > left:
            yield [*names, *shown]
            shown, left = [], room
        shown.append(column)
        left -= _wide(column) + gap
    yield [*names, *shown]


def _wide(column: Sequence[str]) -> int:
    return max(len(line) for cell in column for line in cell.split("\n"))
