"""List what every wager of every seat won in each round, to see how results of one round depend on each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import lean
from holecard.kernels.play.dealing import begin
from holecard.kernels.play.lookup import NET, OPENING, RESULT, Lut, Offsets, Results, ShoeKey
from holecard.kernels.play.play_round import play_round
from holecard.kernels.play.side_wagers import wager_cell_of
from holecard.kernels.play.workspace import Workspace


@lean
def list_rounds(
    lut: Lut,
    at: Offsets,
    charts: NDArray[np.uint8],
    key: np.uint64,
    first: np.uint64,
    work: Workspace,
    nets: Results,
    openings: Results,
    cells: Results,
) -> None:
    """Play rounds from fresh shoes, numbered from `first`, as many as `openings` is long.

    `nets` gets [round, seat] the main wager's net result in parts, `openings` [round] the dealer's first two cards, and
    `cells` [round, seat, wager] the outcomes of side wagers.
    """
    seats = charts.size
    for number in range(openings.size):
        begin(work.dealt)
        shoe = ShoeKey(first + np.uint64(number), key)
        play_round(lut, at, charts, shoe, work.dealt, work.ends, work.hands, work.results)
        openings[number] = work.results[RESULT * seats + OPENING]
        for seat in range(seats):
            nets[number, seat] = work.results[RESULT * seat + NET]
            for wager in range(at.wagers):
                cells[number, seat, wager] = wager_cell_of(lut, at, wager, seat, seats, work.dealt, work.results)
