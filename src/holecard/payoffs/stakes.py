"""What the stakes on one hand pay, read from the settlement tables.

Payoffs are net results per unit of initial stake: one main wager, or two where the game has a companion wager.
*Parts* are the same amounts as whole numbers of 1/`payoff_scale`, without rounding.
"""

from __future__ import annotations

from enum import IntEnum
from fractions import Fraction
from math import lcm

import numpy as np

from holecard.kernels.arrays import Floats, Integers
from holecard.sheets.tables import BET, COMPANION, DOUBLE, DOUBLE_UP, KINDS, SPLIT, SettlementRow, Tables


class StakesOnHand(IntEnum):
    """Which stakes are on a hand."""

    ORIGINAL = 0
    ORIGINAL_DOUBLED = 1
    ORIGINAL_DOUBLED_UP = 2
    ADDED = 3
    """The stake added by a split."""
    ADDED_DOUBLED = 4
    ADDED_DOUBLED_UP = 5


def main_wagers(tables: Tables) -> int:
    """Return the number of main wagers placed before the deal: one, or two with a companion."""
    return 2 if tables.has_companion else 1


def initial_stakes_payoff(tables: Tables, row: SettlementRow) -> Fraction:
    """Return what a row of cells pays on the initial stakes, per unit of them."""
    kinds = (BET, COMPANION) if tables.has_companion else (BET,)
    return sum((row[kind].net for kind in kinds), Fraction(0)) / main_wagers(tables)


def hand_payoffs(tables: Tables) -> Floats:
    """Return [stakes, player class, dealer class] the net result of all stakes on a hand, per unit of initial stake."""
    nets = np.array([[[float(cell.net) for cell in row] for row in rows] for rows in tables.settlement])
    return np.tensordot(_stakes_on(tables) / main_wagers(tables), nets, axes=1)


def hand_payoffs_in_parts(tables: Tables) -> Integers:
    """Return `hand_payoffs` without rounding: whole numbers of 1/`payoff_scale` of the initial stake."""
    scale = payoff_scale(tables) // main_wagers(tables)
    nets = [
        [[cell.net.numerator * (scale // cell.net.denominator) for cell in row] for row in rows]
        for rows in tables.settlement
    ]
    return np.tensordot(_stakes_on(tables), np.array(nets, np.int64), axes=1)


def _stakes_on(tables: Tables) -> Integers:
    """Return [stakes, kind] how much of each kind of stake is on a hand, in main wagers."""
    kinds = main_wagers(tables) * np.eye(KINDS, dtype=np.int64)
    original = np.zeros(KINDS, np.int64)
    original[[BET, COMPANION] if tables.has_companion else [BET]] = 1
    raised = [np.zeros(KINDS, np.int64), kinds[DOUBLE], kinds[DOUBLE_UP]]
    return np.array([first + more for first in (original, kinds[SPLIT]) for more in raised])


def payoff_scale(tables: Tables) -> int:
    """Return the least common denominator of everything a stake can win or lose; checks of the sheet keep it small."""
    settled = {cell.net.denominator for rows in tables.settlement for row in rows for cell in row}
    cashed = {cell.net.denominator for row in tables.quick_pay if row for cell in row}
    given_up = {cell.net.denominator for cell in tables.surrender}
    return lcm(*settled, *cashed, *given_up) * main_wagers(tables)


def most_parts(tables: Tables) -> int:
    """Return the most that one hand can win or lose, in parts of 1/`payoff_scale`."""
    cashed = [initial_stakes_payoff(tables, row) for row in (*tables.quick_pay, tables.surrender) if row]
    return max(
        int(np.abs(hand_payoffs_in_parts(tables)).max()), *(int(abs(net) * payoff_scale(tables)) for net in cashed)
    )
