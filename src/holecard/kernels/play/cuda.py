"""Rounds on a graphics card: every thread plays its own, by the same `play_round`, and a block counts together.

Imported only where such a card is asked for.
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
    Book,
    Places,
    Results,
    Shoe,
)
from holecard.kernels.play.play_round import play_round
from holecard.kernels.play.side_wagers import wager_cell_of

if not hasattr(np, "row_stack"):  # numba-cuda 0.30 asks for it; numpy 2.5 has it no more
    np.row_stack = np.vstack
cuda: Any = import_module("numba.cuda")

#: Cards a round may take, and hands and seats it may have.
MOST_CARDS, MOST_HANDS, MOST_SEATS = 1024, 64, 7
_RESULTS = MOST_SEATS * RESULT + OF_DEALER
THREADS = 128


@cuda.jit  # type: ignore[untyped-decorator, unused-ignore]
def play_on_card(
    book: Book,
    at: Places,
    charts: NDArray[np.uint8],
    key: np.uint64,
    first: np.uint64,
    rounds: int,
    picked: NDArray[np.uint32],
    later: NDArray[np.uint32],
    put_off: NDArray[np.uint32],
    cells: Results,
    splits: Results,
    stakes: Results,
    dealers: Results,
    endings: Results,
    wagers: Results,
) -> None:
    """Play rounds from fresh shoes, numbered from `first`, and add what they come to: see `counting.Counts`.

    Threads go in step, so that one with a long round keeps others waiting. Rounds with a split are therefore written
    down in `later`, which has room for all rounds or for none, and their number in `put_off`, to be `picked` in a
    second run.
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
        shoe = Shoe(first + np.uint64(picked[i] if picked.size else i), key)
        begin(dealt)
        if play_round(book, at, charts, shoe, dealt, ends, hands, results, later.size == 0) == 0:
            later[cuda.atomic.add(put_off, 0, 1)] = i
            continue
        cuda.atomic.add(counted, of_dealers + results[RESULT * seats + OPENING], 1)
        if at.draws_out:
            cuda.atomic.add(counted, of_endings + results[RESULT * seats + ENDING], 1)
        for seat in range(seats):
            for wager in range(at.wagers):
                where = wager_cell_of(book, at, wager, seat, seats, dealt, results)
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
