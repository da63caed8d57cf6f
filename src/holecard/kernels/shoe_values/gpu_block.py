"""Value shoes on a GPU: a thread block solves one shoe against one dealer's start after another.

Imported only when a GPU is requested.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numba

from holecard.kernels.arrays import Floats, Int32s
from holecard.kernels.gpu.numba_cuda import cuda, jit_options
from holecard.kernels.shoe_values.lane_evs import (
    CARD_VALUES,
    MOST_LEVELS,
    MOST_PATTERNS,
    RECIPROCALS,
    TWO_BY_OTHERS,
    WEIGHTS,
    GameArrays,
    ThreadScratch,
    fill_reciprocals,
)
from holecard.kernels.shoe_values.one_start import HIGHEST, BlockScratch, fill_total, sum_first_hands, write_first
from holecard.kernels.shoe_values.round_evs import InitialEVs
from holecard.kernels.shoe_values.start_splits import (
    begin_splits,
    carry_back_total,
    count_standing,
    follow_total,
    list_standing,
    place_standing,
    sum_standing,
    write_splits,
)


@cache
def values_kernel(registers: int) -> Any:
    """Return the kernel; a thread uses at most `registers`, or what the compiler takes if 0."""

    @cuda.jit(**(jit_options(registers) if registers else {}))  # type: ignore[untyped-decorator, unused-ignore]
    def value_shoes_on_gpu(
        game: GameArrays, order: Int32s, counts: Floats, scratch: BlockScratch, taken: Int32s, evs: InitialEVs
    ) -> None:
        """Fill `evs` for the shoes `counts[shoe, v]`.

        `order` lists the starts, those with the most work first; `taken[0]`, 0 when passed in, counts the shoes and
        starts that blocks have begun. The arrays of `scratch` have one row for every block.
        """
        left, weights = cuda.local.array(CARD_VALUES, numba.float64), cuda.local.array(WEIGHTS, numba.float64)
        reciprocal, sums = cuda.shared.array(RECIPROCALS, numba.float64), cuda.local.array(MOST_PATTERNS, numba.float64)
        by_others, in_a_row = (
            cuda.local.array(TWO_BY_OTHERS, numba.float64),
            cuda.local.array(MOST_LEVELS, numba.float64),
        )
        own = ThreadScratch(
            left, weights, reciprocal, sums, by_others, in_a_row, cuda.local.array(MOST_LEVELS, numba.float64)
        )
        item = cuda.shared.array(1, numba.int32)
        thread, threads, block = cuda.threadIdx.x, cuda.blockDim.x, cuda.blockIdx.x
        mine = BlockScratch(
            scratch.stand[block],
            scratch.hit[block],
            scratch.double[block],
            scratch.best[block],
            scratch.after[block],
            scratch.ace[block],
            scratch.comes[block],
            scratch.doubled[block],
            scratch.ev[block],
            scratch.doubled_ev[block],
            scratch.lanes[block],
            scratch.counted[block],
        )
        shoes = counts.shape[0]
        while True:
            if thread == 0:
                item[0] = cuda.atomic.add(taken, 0, 1)
            cuda.syncthreads()
            at = item[0]
            if at >= shoes * order.size:
                break
            start, shoe = order[at // shoes], at % shoes
            left_of = counts[shoe]
            fill_reciprocals(game, left_of, start, own.reciprocal, thread, threads)
            cuda.syncthreads()
            sum_first_hands(game, left_of, start, mine, own, thread, threads)
            cuda.syncthreads()
            for down in range(HIGHEST + 1):
                fill_total(game, left_of, start, HIGHEST - down, mine, thread, threads)
                cuda.syncthreads()
            write_first(game, start, mine, evs.first[shoe], evs.natural[shoe], thread, threads)
            begin_splits(game, left_of, mine, thread, threads)
            cuda.syncthreads()
            for total in range(HIGHEST + 1):
                follow_total(game, total, mine, thread, threads)
                cuda.syncthreads()
            count_standing(game, mine, thread, threads)
            cuda.syncthreads()
            place_standing(mine, thread, threads)
            cuda.syncthreads()
            list_standing(game, mine, thread, threads)
            cuda.syncthreads()
            for stakes in range(evs.begun.shape[1]):
                sum_standing(game, left_of, start, stakes, mine, own, thread, threads)
                cuda.syncthreads()
                for down in range(HIGHEST + 1):
                    carry_back_total(game, left_of, start, stakes, HIGHEST - down, mine, thread, threads)
                    cuda.syncthreads()
                write_splits(
                    game, left_of, start, mine, evs.begun[shoe, stakes], evs.paired[shoe, stakes], thread, threads
                )
                cuda.syncthreads()

    return value_shoes_on_gpu
