"""What the dealer's endings are worth to a hand with its stakes, read from the settlement.

A *row* gives the worth against every dealer class, per unit of initial stake. Many hands share one, as all totals under
17 do: only rows that differ are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from holecard.exact.dealer import OPEN, Dealer
from holecard.kernels.standing import Stakes
from holecard.sheets.tables import (
    ANY_DEALER,
    BET,
    BUST,
    CHARLIE,
    CLASSES,
    COMPANION,
    DEALER_BUST,
    DOUBLE,
    DOUBLE_UP,
    KINDS,
    SPLIT,
    Row,
    Tables,
)


class Carries(IntEnum):
    """Which stakes lie on a hand."""

    ORIGINAL = 0
    ORIGINAL_DOUBLED = 1
    ORIGINAL_DOUBLED_UP = 2
    ADDED = 3
    """The stake a split added."""
    ADDED_DOUBLED = 4
    ADDED_DOUBLED_UP = 5


@dataclass(frozen=True)
class Rows:
    """The different rows, and which one a hand has."""

    rows: NDArray[np.float64]
    """[row, dealer class]"""
    row: NDArray[np.uint8]
    """[carries, player class]"""
    bust: NDArray[np.float64]
    """[carries] what a bust loses"""
    every: NDArray[np.float64]
    """[carries, player class, dealer class] all of them"""
    parts: NDArray[np.int64]
    """[carries, player class, dealer class] the same, exactly, in parts"""
    scale: int
    """Every net result is a whole number of 1/scale units of initial stake."""
    doubling_doubles: bool
    """A doubled hand is always worth twice a plain one."""
    split_alike: bool
    """A hand made by splitting is worth what the original hand is."""


def units(tables: Tables) -> int:
    """Main wagers placed before the deal: one, or two with a companion."""
    return 2 if tables.has_companion else 1


def row_worth(tables: Tables, row: Row) -> Fraction:
    """What a row of cells pays on the initial stakes, per unit of them."""
    kinds = (BET, COMPANION) if tables.has_companion else (BET,)
    return sum((row[kind].net for kind in kinds), Fraction(0)) / units(tables)


def worths(tables: Tables) -> NDArray[np.float64]:
    """[carries, player class, dealer class] net result of all stakes on a hand, per unit of initial stake."""
    nets = np.array([[[float(cell.net) for cell in row] for row in rows] for rows in tables.settlement])
    return np.tensordot(_stakes_on(tables) / units(tables), nets, axes=1)


def worths_in_parts(tables: Tables) -> NDArray[np.int64]:
    """`worths` without rounding: whole numbers of 1/`scale_of` of the initial stake."""
    scale = scale_of(tables) // units(tables)
    nets = [
        [[cell.net.numerator * (scale // cell.net.denominator) for cell in row] for row in rows]
        for rows in tables.settlement
    ]
    return np.tensordot(_stakes_on(tables), np.array(nets, np.int64), axes=1)


def _stakes_on(tables: Tables) -> NDArray[np.int64]:
    """[carries, kind] how much of each kind of stake lies on a hand, in main wagers."""
    kinds = units(tables) * np.eye(KINDS, dtype=np.int64)
    original = np.zeros(KINDS, np.int64)
    original[[BET, COMPANION] if tables.has_companion else [BET]] = 1
    raised = [np.zeros(KINDS, np.int64), kinds[DOUBLE], kinds[DOUBLE_UP]]
    return np.array([first + more for first in (original, kinds[SPLIT]) for more in raised])


def scale_of(tables: Tables) -> int:
    """The least common denominator of everything a stake can win or lose; sheets keep it small (`sheets.fineness`)."""
    settled = {cell.net for rows in tables.settlement for row in rows for cell in row}
    cashed = {cell.net for row in tables.quick_pay if row for cell in row}
    given_up = {cell.net for cell in tables.surrender}
    return lcm(*(net.denominator for net in settled | cashed | given_up)) * units(tables)


def most_parts(tables: Tables) -> int:
    """The most that one hand can win or lose, in parts of 1/`scale_of`."""
    cashed = [row_worth(tables, row) for row in (*tables.quick_pay, tables.surrender) if row]
    return max(int(np.abs(worths_in_parts(tables)).max()), *(int(abs(net) * scale_of(tables)) for net in cashed))


def rows_of(tables: Tables, dealer: Dealer) -> Rows:
    """Every row a hand of the sheet can have, each once."""
    reachable = sorted(({int(c) for c in dealer.patterns.flat} | set(dealer.finished) | {DEALER_BUST}) - {OPEN})
    known: dict[tuple[float, ...], int] = {}
    rows: list[NDArray[np.float64]] = []
    row = np.zeros((len(Carries), CLASSES), np.uint8)
    every = worths(tables)
    for carries in Carries:
        for player in range(CLASSES):
            vector = every[carries, player]
            key = tuple(vector[reachable])
            if key not in known:
                known[key] = len(rows)
                rows.append(vector)
            row[carries, player] = known[key]
    played = [*range(22), CHARLIE]
    return Rows(
        rows=np.array(rows),
        row=row,
        bust=every[:, BUST, ANY_DEALER].copy(),
        every=every,
        parts=worths_in_parts(tables),
        scale=scale_of(tables),
        doubling_doubles=bool((every[1][played][:, reachable] == 2 * every[0][played][:, reachable]).all()),
        split_alike=bool((row[:3, played] == row[3:, played]).all()),
    )


def stakes_of(dealer: Dealer, rows: NDArray[np.float64]) -> Stakes:
    """Rows as the kernel reads them: weights of the ranks that end each pattern, beyond the worth of a bust."""
    base = rows[:, DEALER_BUST]
    beyond = np.concatenate([rows - base[:, None], np.zeros((len(rows), 1))], axis=1)
    # OPEN is -1, the column of zeros: a rank that ends nothing is worth nothing yet.
    weight = beyond[:, dealer.patterns]
    by_node = weight[:, dealer.pattern_of]
    settled = np.full((len(rows), len(dealer.finished)), np.nan)
    for start, ending in enumerate(dealer.finished):
        if ending != OPEN:
            settled[:, start] = rows[:, ending]
    return Stakes(
        base=np.ascontiguousarray(base),
        weight=np.ascontiguousarray(weight),
        less=np.ascontiguousarray(np.einsum("qnr,nr->qn", by_node, dealer.drawn) * dealer.tree.ways),
        active=np.ascontiguousarray(by_node.any(axis=2)),
        settled=settled,
    )
