"""Headings of the settings of a grid, short enough for a column."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence


def key_heading(key: str, keys: Sequence[str], width: int) -> str:
    """Return the last part of a setting's name where no other setting has it, in lines of at most `width` letters."""
    last = key.rpartition(".")[2]
    alone = [other.rpartition(".")[2] for other in keys].count(last) == 1
    spaced = (last if alone else key).replace("_", "_ ").replace(".", ". ")
    return "\n".join(line.replace("_ ", "_").replace(". ", ".") for line in textwrap.wrap(spaced, width))
