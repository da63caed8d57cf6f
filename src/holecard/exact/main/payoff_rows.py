"""What each dealer outcome pays a hand, as rows for the kernels.

A *row* gives the payoff against every dealer class, per unit of initial stake. Many hands share a row (all totals below
17 do), so each distinct row is kept once. An axis `[stakes]` runs over `StakesOnHand`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from holecard.exact.main.dealer_tree import OPEN, DealerModel
from holecard.kernels.arrays import Floats, Integers, UInt8s
from holecard.kernels.exact.stand import RowWeights
from holecard.payoffs.stakes import StakesOnHand, hand_payoffs, hand_payoffs_in_parts, payoff_scale
from holecard.sheets.tables import ANY_DEALER, BUST, CHARLIE, CLASSES, DEALER_BUST, Tables


@dataclass(frozen=True)
class PayoffRows:
    """The distinct rows, and which row each hand has."""

    rows: Floats
    """[row, dealer class]"""
    row: UInt8s
    """[stakes, player class] index of its row"""
    bust: Floats
    """[stakes] payoff of a bust"""
    every: Floats
    """[stakes, player class, dealer class] every payoff"""
    parts: Integers
    """the same without rounding: whole numbers of 1/`scale`"""
    scale: int
    """Every net result is a whole number of 1/scale units of initial stake."""
    doubling_doubles: bool
    """A doubled hand always has twice the payoff of a plain one."""
    split_alike: bool
    """A hand added by a split has the payoffs of the original hand."""


def payoff_rows(tables: Tables, dealer: DealerModel) -> PayoffRows:
    """Return every row that a hand of the sheet can have, each once."""
    reachable = sorted(({int(c) for c in dealer.patterns.flat} | set(dealer.finished) | {DEALER_BUST}) - {OPEN})
    known: dict[tuple[float, ...], int] = {}
    rows: list[Floats] = []
    row = np.zeros((len(StakesOnHand), CLASSES), np.uint8)
    every = hand_payoffs(tables)
    for stakes in StakesOnHand:
        for player in range(CLASSES):
            vector = every[stakes, player]
            key = tuple(vector[reachable])
            if key not in known:
                known[key] = len(rows)
                rows.append(vector)
            row[stakes, player] = known[key]
    standing = [*range(22), CHARLIE]
    return PayoffRows(
        rows=np.array(rows),
        row=row,
        bust=every[:, BUST, ANY_DEALER].copy(),
        every=every,
        parts=hand_payoffs_in_parts(tables),
        scale=payoff_scale(tables),
        doubling_doubles=bool((every[1][standing][:, reachable] == 2 * every[0][standing][:, reachable]).all()),
        split_alike=bool((row[:3, standing] == row[3:, standing]).all()),
    )


def row_weights_of(dealer: DealerModel, rows: Floats) -> RowWeights:
    """Return the rows as the kernel reads them: what the values that finish each pattern pay beyond a bust."""
    base = rows[:, DEALER_BUST]
    beyond = np.concatenate([rows - base[:, None], np.zeros((len(rows), 1))], axis=1)
    # OPEN is -1 and picks the last column, zeros: a value after which the dealer draws on pays nothing yet.
    weight = beyond[:, dealer.patterns]
    by_node = weight[:, dealer.pattern_of]
    settled = np.full((len(rows), len(dealer.finished)), np.nan)
    for start, outcome in enumerate(dealer.finished):
        if outcome != OPEN:
            settled[:, start] = rows[:, outcome]
    return RowWeights(
        base=np.ascontiguousarray(base),
        weight=np.ascontiguousarray(weight),
        less=np.ascontiguousarray(np.einsum("qnr,nr->qn", by_node, dealer.drawn) * dealer.tree.ways),
        active=np.ascontiguousarray(by_node.any(axis=2)),
        settled=settled,
    )
