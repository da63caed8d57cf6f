"""Play rounds on a GPU: each thread plays its own rounds with `play_round`, and a thread block shares its counters.

Imported only when a GPU is requested.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from holecard.kernels.play.dealing import begin
from holecard.kernels.play.lookup import (
    CELL,
    ENDING,
    OF_DEALER,
    OPENING,
    RESULT,
    STAKE,
    Lut,
    Offsets,
    Results,
    ShoeKey,
)
from holecard.kernels.play.play_round import play_round
from holecard.kernels.play.side_wagers import wager_cell_of

if not hasattr(np, "row_stack"):  # numba-cuda 0.30 needs it; numpy 2.5 removed it
    np.row_stack = np.vstack
cuda: Any = import_module("numba.cuda")

#: Limits per round: cards, hands, seats.
MOST_CARDS, MOST_HANDS, MOST_SEATS = 1024, 64, 7
_RESULTS = MOST_SEATS * RESULT + OF_DEALER
THREADS = 128


@cuda.jit  # type: ignore[untyped-decorator, unused-ignore]
def play_rounds_on_gpu(
    lut: Lut,
    at: Offsets,
    charts: NDArray[np.uint8],
    key: np.uint64,
    first: np.uint64,
    rounds: int,
    picked: NDArray[np.uint32],
    deferred: NDArray[np.uint32],
    deferred_count: NDArray[np.uint32],
    cells: Results,
    splits: Results,
    stakes: Results,
    dealers: Results,
    endings: Results,
    wagers: Results,
) -> None:
    """Play rounds from fresh shoes, numbered from `first`, and add their results: see `counting.RoundCounts`.

    The threads of a warp run in lockstep, so one long round holds up the others. Rounds with a split are therefore only
    listed in `deferred` (which has space for all rounds or for none) and counted in `deferred_count`; a second launch
    plays the `picked` ones.
    """
    dealt = cuda.local.array(MOST_CARDS, numba.uint16)
    ends = cuda.local.array(MOST_HANDS, numba.int32)
    hands = cuda.local.array(MOST_SEATS, numba.int32)
    results = cuda.local.array(_RESULTS, numba.int64)
    counted: Any = cuda.shared.array(0, numba.int32)
    of_splits, of_dealers = cells.size, cells.size + splits.size
    of_endings = of_dealers + dealers.size
    of_wagers = of_endings + endings.size
    every = of_wagers + wagers.size
    for i in range(cuda.threadIdx.x, every, cuda.blockDim.x):
        counted[i] = 0
    cuda.syncthreads()
    seats = charts.size
    for i in range(cuda.grid(1), rounds, cuda.gridsize(1)):
        shoe = ShoeKey(first + np.uint64(picked[i] if picked.size else i), key)
        begin(dealt)
        if play_round(lut, at, charts, shoe, dealt, ends, hands, results, deferred.size == 0) == 0:
            deferred[cuda.atomic.add(deferred_count, 0, 1)] = i
            continue
        cuda.atomic.add(counted, of_dealers + results[RESULT * seats + OPENING], 1)
        if at.draws_out:
            cuda.atomic.add(counted, of_endings + results[RESULT * seats + ENDING], 1)
        for seat in range(seats):
            for wager in range(at.wagers):
                where = wager_cell_of(lut, at, wager, seat, seats, dealt, results)
                cuda.atomic.add(counted, of_wagers + seat * (wagers.size // seats) + where, 1)
            cell = results[RESULT * seat + CELL]
            if cell < 0:
                place = of_splits + seat * at.sums - 1 - cell
                cuda.atomic.add(stakes, seat, results[RESULT * seat + STAKE])
            else:
                place = seat * (cells.size // seats) + cell
            cuda.atomic.add(counted, place, 1)
    cuda.syncthreads()
    for i in range(cuda.threadIdx.x, every, cuda.blockDim.x):
        if counted[i]:
            if i < of_splits:
                cuda.atomic.add(cells, i, counted[i])
            elif i < of_dealers:
                cuda.atomic.add(splits, i - of_splits, counted[i])
            elif i < of_endings:
                cuda.atomic.add(dealers, i - of_dealers, counted[i])
            elif i < of_wagers:
                cuda.atomic.add(endings, i - of_endings, counted[i])
            else:
                cuda.atomic.add(wagers, i - of_wagers, counted[i])
