"""What each dealer outcome pays a hand, as rows for the kernels.

A *row* gives the payoff against every dealer class, per unit of initial stake. Many hands share a row (all totals
below 17 do), so each distinct row is kept once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard.exact.main.dealer_tree import OPEN, Dealer
from holecard.kernels.exact.stand import Stakes
from holecard.payoffs.stakes import StakesOnHand, hand_payoffs, hand_payoffs_in_parts, payoff_scale
from holecard.sheets.tables import ANY_DEALER, BUST, CHARLIE, CLASSES, DEALER_BUST, Tables


@dataclass(frozen=True)
class PayoffRows:
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


def payoff_rows(tables: Tables, dealer: Dealer) -> PayoffRows:
    """Every row a hand of the sheet can have, each once."""
    reachable = sorted(({int(c) for c in dealer.patterns.flat} | set(dealer.finished) | {DEALER_BUST}) - {OPEN})
    known: dict[tuple[float, ...], int] = {}
    rows: list[NDArray[np.float64]] = []
    row = np.zeros((len(StakesOnHand), CLASSES), np.uint8)
    every = hand_payoffs(tables)
    for carries in StakesOnHand:
        for player in range(CLASSES):
            vector = every[carries, player]
            key = tuple(vector[reachable])
            if key not in known:
                known[key] = len(rows)
                rows.append(vector)
            row[carries, player] = known[key]
    played = [*range(22), CHARLIE]
    return PayoffRows(
        rows=np.array(rows),
        row=row,
        bust=every[:, BUST, ANY_DEALER].copy(),
        every=every,
        parts=hand_payoffs_in_parts(tables),
        scale=payoff_scale(tables),
        doubling_doubles=bool((every[1][played][:, reachable] == 2 * every[0][played][:, reachable]).all()),
        split_alike=bool((row[:3, played] == row[3:, played]).all()),
    )


def kernel_stakes(dealer: Dealer, rows: NDArray[np.float64]) -> Stakes:
    """PayoffRows as the kernel reads them: weights of the ranks that end each pattern, beyond the worth of a bust."""
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
