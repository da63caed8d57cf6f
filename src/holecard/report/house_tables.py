"""The mark of a pay table that is not printed on the sheet: next to the name of a wager, explained in a footnote."""

from __future__ import annotations

from collections.abc import Iterable

from holecard.sheets.tables import Tables
from holecard.wagers.pay_table import HOUSE_TABLE

MARK = "*"
FOOTNOTE = f"{MARK} {HOUSE_TABLE}"
SENTENCE = f"{HOUSE_TABLE[0].upper()}{HOUSE_TABLE[1:]}."


def is_printed(name: str, tables: Tables) -> bool:
    """Return false for a side wager that pays by a house table, true for every other wager."""
    index = tables.wager_index(name)
    return index is None or tables.wagers[index].printed


def mark(name: str, tables: Tables) -> str:
    """Return the mark after a wager's name, or nothing."""
    return "" if is_printed(name, tables) else MARK


def marked(names: Iterable[str], tables: Tables) -> list[str]:
    """Return the names with their marks."""
    return [f"{name}{mark(name, tables)}" for name in names]


def any_marked(names: Iterable[str], tables: Tables) -> bool:
    """Return whether any of these wagers needs the footnote."""
    return not all(is_printed(name, tables) for name in names)
