"""The mark of a pay table that the house made up: beside a wager's name, and explained once below."""

from __future__ import annotations

from collections.abc import Iterable

from holecard.sheets.tables import Tables
from holecard.wagers.pay_table import HOUSE_TABLE

MARK = "*"
FOOTNOTE = f"{MARK} {HOUSE_TABLE}"
SENTENCE = f"{HOUSE_TABLE[0].upper()}{HOUSE_TABLE[1:]}."


def is_printed(name: str, tables: Tables) -> bool:
    """False for a side wager that is paid by a house table; other wagers have no table of their own."""
    index = tables.wager_index(name)
    return index is None or tables.wagers[index].printed


def mark(name: str, tables: Tables) -> str:
    """What stands behind a wager's name."""
    return "" if is_printed(name, tables) else MARK


def marked(names: Iterable[str], tables: Tables) -> list[str]:
    """Names with their marks."""
    return [f"{name}{mark(name, tables)}" for name in names]


def any_marked(names: Iterable[str], tables: Tables) -> bool:
    """Whether the footnote is due."""
    return not all(is_printed(name, tables) for name in names)
