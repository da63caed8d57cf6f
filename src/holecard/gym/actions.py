"""The decisions that a sheet can ask for, as numbered actions.

The list depends on the sheet and on whether the agent bets, and on nothing else, so that an agent trained with one set
of wagers can play another. `stand` is 0 and `hit` is 1 in every game.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.hands import Mask
from holecard.money import Money
from holecard.sheets.tables import Tables
from holecard.table.events import Act, Bet, Place

STAND = 0
PASS = "pass"

#: What an action does at one moment.
MoveByAction = dict[int, Act | Place | Bet]


class Menu(NamedTuple):
    """The legal actions of one moment, and the same as a mask."""

    moves: MoveByAction
    mask: NDArray[np.int8]


def play_actions(tables: Tables) -> tuple[str, ...]:
    """Return the decisions a sheet can ask for, named as at the `Table`."""
    surrenders, insures = tables.surrenders, tables.insurance is not None
    offered = {
        "double": _is_open(tables.may_double),
        "split": tables.split_hands > 1,
        "double up": _is_open(tables.may_double_up),
        "quick pay": any(row is not None for row in tables.quick_pay),
        "surrender": surrenders != "none",
        "no surrender": surrenders == "early",
        "insurance": insures,
        "no insurance": insures,
        PASS: bool(tables.check_wagers),
    }
    return ("stand", "hit", *(action for action, is_offered in offered.items() if is_offered))


def action_names(tables: Tables, placeable: tuple[int, ...], bets: tuple[Money, ...]) -> tuple[str, ...]:
    """Return every action by its number: decisions, side wagers the agent may place, bets it may choose."""
    places = [f"place {tables.wagers[index].name}" for index in placeable]
    return (*play_actions(tables), *places, *(f"bet {bet}" for bet in bets))


def menu(moves: MoveByAction, actions: int) -> Menu:
    """Return the menu of these moves, with a mask over all `actions`."""
    mask = np.zeros(actions, np.int8)
    mask[list(moves)] = 1
    return Menu(moves, mask)


def _is_open(mask: Mask) -> bool:
    return any(any(row) for row in mask)
