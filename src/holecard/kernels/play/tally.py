"""Count the results of rounds in whole numbers."""

from __future__ import annotations

from typing import NamedTuple

from holecard.kernels.jit import lean
from holecard.kernels.play.dealing import Dealt
from holecard.kernels.play.lookup import CELL, ENDING, OPENING, RESULT, STAKE, Lut, Offsets, Results
from holecard.kernels.play.side_wagers import wager_cell_of


class RoundCounts(NamedTuple):
    """Counts of rounds by result."""

    cells: Results
    """[seat, end and dealer class] rounds without a split"""
    splits: Results
    """[seat, sum of hands] rounds with a split"""
    stakes: Results
    """[seat] units staked in rounds with a split"""
    dealers: Results
    """[upcard and second card] as `play_round` reports them"""
    endings: Results
    """[dealer class and cards] where the dealer always finishes the hand"""
    wagers: Results
    """[seat, cell of a side wager]"""


@lean
def tally_round(lut: Lut, at: Offsets, seats: int, dealt: Dealt, results: Results, counts: RoundCounts) -> None:
    """Count one round played by `play_round`."""
    counts.dealers[results[RESULT * seats + OPENING]] += 1
    if at.draws_out:
        counts.endings[results[RESULT * seats + ENDING]] += 1
    for seat in range(seats):
        for wager in range(at.wagers):
            counts.wagers[seat, wager_cell_of(lut, at, wager, seat, seats, dealt, results)] += 1
        cell = results[RESULT * seat + CELL]
        if cell < 0:
            counts.splits[seat, -1 - cell] += 1
            counts.stakes[seat] += results[RESULT * seat + STAKE]
        else:
            counts.cells[seat, cell] += 1
