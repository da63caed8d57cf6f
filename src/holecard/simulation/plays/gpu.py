"""Play rounds on a GPU: check that there is one, launch the kernel, read the counts back."""

from __future__ import annotations

from typing import Any

import numpy as np

from holecard.errors import Refusal
from holecard.kernels.play.counting import RoundCounts
from holecard.kernels.play.dealing import BLOCK_CARDS, FIRST, LONGEST
from holecard.simulation.compile.program import Program

#: Thread blocks that keep a large GPU busy.
_BLOCKS = 132 * 32
#: Rounds per launch; the list of deferred rounds has space for all of them.
_TOGETHER = 1 << 27
#: Shared memory for counters that every GPU has, in bytes.
_SHARED_MEMORY = 48 * 1024


def check_gpu() -> None:
    """Raise a `Refusal` if there is no usable GPU or no driver."""
    cuda = _cuda()
    if not cuda.is_available():
        raise Refusal("no CUDA GPU found; check `nvidia-smi`, or use --device cpu")


def play_on_gpu(
    program: Program, charts: tuple[int, ...], seed: int, first: int, units: int, counts: RoundCounts
) -> None:
    """Play rounds on the GPU and add them to the counts."""
    cuda = _cuda()
    from holecard.kernels.play.cuda import MOST_CARDS, MOST_HANDS, THREADS
    from holecard.kernels.play.cuda import play_rounds_on_gpu as kernel

    tables = (counts.cells, counts.splits, counts.stakes, counts.dealers, counts.endings, counts.wagers)
    shared = 4 * (sum(table.size for table in tables) - counts.stakes.size)
    hands = program.offsets.hands * len(charts)
    if shared > _SHARED_MEMORY or hands > MOST_HANDS or FIRST + LONGEST * (hands + 1) + BLOCK_CARDS > MOST_CARDS:
        raise Refusal(
            "this game needs more counters than fit in a GPU's shared memory; use fewer seats, or --device cpu"
        )
    given = [cuda.to_device(np.ascontiguousarray(array).ravel()) for array in tables]
    lut, by_seat = cuda.to_device(program.lut), cuda.to_device(np.array(charts, np.uint8))
    deferred, nothing = cuda.device_array(min(units, _TOGETHER), np.uint32), cuda.device_array(0, np.uint32)

    def play(begin: int, rounds: int, picked: Any, deferred: Any) -> int:
        """Play once; return how many rounds were deferred."""
        blocks, deferred_count = max(1, min(_BLOCKS, rounds // THREADS)), cuda.to_device(np.zeros(1, np.uint32))
        numbers = np.uint64(seed), np.uint64(begin)
        kernel[blocks, THREADS, 0, shared](
            lut, program.offsets, by_seat, *numbers, rounds, picked, deferred, deferred_count, *given
        )
        return int(deferred_count.copy_to_host()[0])

    for begin in range(first, first + units, _TOGETHER):
        with_split = play(begin, min(_TOGETHER, first + units - begin), nothing, deferred)
        if with_split:
            play(begin, with_split, deferred, nothing)
    for array, on_gpu in zip(tables, given, strict=True):
        array[...] = on_gpu.copy_to_host().reshape(array.shape)


def _cuda() -> Any:
    try:
        from holecard.kernels.play.cuda import cuda
    except ImportError:
        raise Refusal('running on a GPU needs another package: pip install "holecard[cuda]"') from None
    return cuda
