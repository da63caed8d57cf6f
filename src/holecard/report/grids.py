"""The settings of a grid as columns: short headings, and values for rows."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any


def key_heading(key: str, keys: Sequence[str], width: int) -> str:
    """Return the last part of a setting's name where no other setting has it, in lines of at most `width` letters."""
    last = key.rpartition(".")[2]
    alone = [other.rpartition(".")[2] for other in keys].count(last) == 1
    spaced = (last if alone else key).replace("_", "_ ").replace(".", ". ")
    return "\n".join(line.replace("_ ", "_").replace(". ", ".") for line in textwrap.wrap(spaced, width))


def grid_columns(settings: Mapping[str, object]) -> dict[str, Any]:
    """Return the varied settings of a row, one column each: numbers stay numbers, a list or a table becomes text."""
    return {key: value if isinstance(value, str | int | float) else str(value) for key, value in settings.items()}


def game_cell(game: str, width: int) -> str:
    """Return the name of a game in lines; a setting stays in one line, even a wider one.

    >>> game_cell("classic, shoe.decks = 1, dealer.soft_17 = stand", 20).splitlines()
    ['classic,', 'shoe.decks = 1,', 'dealer.soft_17 = stand']
    """
    lines = textwrap.wrap(game.replace(" = ", "\u00a0=\u00a0"), width, break_long_words=False)
    return "\n".join(lines).replace("\u00a0", " ")
