"""The letters of a chart, and cells made of them.

A cell is a list of letters: the first one that is allowed is taken. "DH" doubles if doubling is allowed and hits
otherwise, for example with three cards. H and S end a cell, because they are always allowed. The cell of a pair can
have another end, or be "-": then the row of the hand's total decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from holecard.table.events import Action

#: In the order a legend names them.
ACTIONS: Final[dict[str, Action]] = {
    "H": Action.HIT,
    "S": Action.STAND,
    "D": Action.DOUBLE,
    "U": Action.DOUBLE_UP,
    "P": Action.SPLIT,
    "Q": Action.QUICK_PAY,
    "R": Action.SURRENDER,
}
#: The names of actions in a legend, where they differ from the table's.
_NAMES: Final[dict[str, str]] = {"D": "double down", "U": "Double-Up", "Q": "Quick Pay"}
CLOSING: Final = "HS"
AS_TOTAL: Final = "-"
AS_TOTAL_WORDS: Final = "play the pair as its total"


def letter_name(letter: str) -> str:
    """Return the meaning of a letter, for a legend."""
    return _NAMES.get(letter, ACTIONS[letter])


def in_order(letters: Iterable[str]) -> str:
    """Return each letter once, in the order of a legend."""
    given = set(letters)
    return "".join(letter for letter in ACTIONS if letter in given)


def describe_cell(cell: str) -> str:
    """Return a cell in words.

    >>> describe_cell("DH"), describe_cell("RP"), describe_cell("-")
    ('double, else hit', 'surrender, else split', 'play the pair as its total')
    """
    if cell == AS_TOTAL:
        return AS_TOTAL_WORDS
    return ", else ".join(ACTIONS[letter] for letter in cell)


@cache
def actions_in_order(*cells: str) -> tuple[Action, ...]:
    """Return the actions of the cells in the order in which they are tried; standing, always allowed, is last.

    A split ace that gets only one card cannot be hit, so that it stands where its cell says H.

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
    return (*found, Action.STAND)
