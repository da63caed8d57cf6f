"""The letters of a chart, and cells made of them.

A cell is letters tried in order: the first that is allowed at that moment is done. "DH" doubles where doubling is
open and hits where it is not, as with three cards. H and S close a cell, for nothing after them is ever reached. A
pair's cell may stay open, or say "-": what it leaves undecided is decided by the row of the hand's total.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from holecard.table.events import Action

#: In the order a legend names them.
ACTIONS: Final[dict[str, Action]] = {
    "H": "hit",
    "S": "stand",
    "D": "double",
    "U": "double up",
    "P": "split",
    "Q": "quick pay",
    "R": "surrender",
}
#: What a chart calls an action where the table's word is not enough.
_NAMES: Final[dict[str, str]] = {"D": "double down", "U": "Double-Up", "Q": "Quick Pay"}
CLOSING: Final = "HS"
AS_TOTAL: Final = "-"
AS_TOTAL_WORDS: Final = "play the pair as its total"


def letter_name(letter: str) -> str:
    """What a letter stands for, as a legend says it."""
    return _NAMES.get(letter, ACTIONS[letter])


def in_order(letters: Iterable[str]) -> str:
    """Letters as a legend orders them, each once."""
    given = set(letters)
    return "".join(letter for letter in ACTIONS if letter in given)


def describe_cell(cell: str) -> str:
    """A cell in words.

    >>> describe_cell("DH"), describe_cell("RP"), describe_cell("-")
    ('double, else hit', 'surrender, else split', 'play the pair as its total')
    """
    if cell == AS_TOTAL:
        return AS_TOTAL_WORDS
    return ", else ".join(ACTIONS[letter] for letter in cell)


@cache
def actions_in_order(*cells: str) -> tuple[Action, ...]:
    """The actions of one cell after another in the order they are tried; standing, which is always allowed, is last.

    A split ace that gets one card only cannot be hit, and so stands where its cell says H.

    >>> actions_in_order("RP", "DH")
    ('surrender', 'split', 'double', 'hit', 'stand')
    >>> actions_in_order("S", "H")
    ('stand',)
    """
    found: list[Action] = []
    for letter in "".join(cells).replace(AS_TOTAL, ""):
        action = ACTIONS[letter]
        if action not in found:
            found.append(action)
        if action == "stand":
            return tuple(found)
    return (*found, "stand")
