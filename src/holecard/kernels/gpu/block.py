"""What the threads of a block share: counters and tables, in words of 32 bits; see `SharedLayout`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.gpu.layout import SharedLayout
from holecard.kernels.gpu.numba_cuda import cuda
from holecard.kernels.lanes.rank_tables import Small
from holecard.kernels.play.lookup import Lut, Numbers, Offsets, Results


@cuda.jit(device=True)  # type: ignore[untyped-decorator, unused-ignore]
def fill_block(
    lut: Lut,
    entries: Small,
    full: NDArray[np.int32],
    at: Offsets,
    place: SharedLayout,
    with_tables: bool,
    words: Numbers,
    small: Small,
) -> None:
    """Clear the counters and copy the tables, all threads together."""
    this, threads = cuda.threadIdx.x, cuda.blockDim.x
    for i in range(this, place.counters, threads):
        words[i] = 0
    for i in range(this, place.full - place.nets, threads):
        words[place.nets + i] = lut[at.net + i]
    for i in range(this, place.tables - place.full, threads):
        words[place.full + i] = full[i]
    if with_tables:
        for i in range(this, place.entries, threads):
            small[2 * place.tables + i] = entries[i]
    cuda.syncthreads()


@cuda.jit(device=True)  # type: ignore[untyped-decorator, unused-ignore]
def add_block(place: SharedLayout, words: Numbers, totals: Results) -> None:
    """Add the block's counters to those of all blocks."""
    cuda.syncthreads()
    for i in range(cuda.threadIdx.x, place.counters, cuda.blockDim.x):
        if words[i]:
            cuda.atomic.add(totals, i, words[i])
