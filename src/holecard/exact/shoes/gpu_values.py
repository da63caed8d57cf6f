"""The main wager of many shoes on a GPU: launch the kernel, read back the EVs of the initial hands, and sum them up.

While the GPU solves some shoes, this machine sums up the ones before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from holecard.errors import Refusal
from holecard.exact.main.batches import map_threads
from holecard.exact.main.prepared_game import PreparedGame
from holecard.exact.main.round_evs import round_evs
from holecard.exact.shoes.game_arrays import game_arrays, initial_evs_for, scratch_for, starts_by_work
from holecard.kernels.arrays import Floats
from holecard.kernels.values.lane_evs import GameArrays
from holecard.kernels.values.round_evs import InitialEVs


class Launch(NamedTuple):
    """How a GPU divides the work."""

    threads: int = 256
    """threads of a block"""
    blocks: int = 132 * 4
    """blocks, all of them at work at the same time on a large GPU"""
    shoes: int = 2048
    """shoes solved by one launch"""
    registers: int = 64
    """the most registers of a thread: fewer let more threads work at the same time; 0 for no limit"""


def gpu_main_values(
    game: PreparedGame,
    counts: Floats,
    tens: Floats,
    threads: int,
    on_done: Callable[[int], None],
    launch: Launch | None = None,
) -> Floats:
    """Return [shoe] the EV of the main wager for shoes `counts[shoe, v]` with `tens[shoe, rank]`; all can be played.

    `threads` of this machine sum up. `on_done` is called with the number of shoes done.
    """
    solver = _Solver(game, launch or Launch())
    evs = np.empty(len(counts))
    parts = [slice(begin, begin + solver.launch.shoes) for begin in range(0, len(counts), solver.launch.shoes)]
    if parts:
        solver.begin(counts[parts[0]])
    for place, part in enumerate(parts):
        solved = solver.finish()
        if place + 1 < len(parts):
            solver.begin(counts[parts[place + 1]])
        evs[part] = _summed_up(game, counts[part], tens[part], solved, threads)
        on_done(min(part.stop, len(counts)))
    return evs


def gpu_initial_evs(game: PreparedGame, counts: Floats, launch: Launch | None = None) -> InitialEVs:
    """Return the EVs of the initial hands of some shoes, as few as one launch solves."""
    solver = _Solver(game, launch or Launch())
    solver.begin(counts)
    return solver.finish()


def _summed_up(game: PreparedGame, counts: Floats, tens: Floats, evs: InitialEVs, threads: int) -> Floats:
    """Return [shoe] the EVs of rounds, each thread taking some shoes."""
    shares = np.array_split(np.arange(len(counts)), min(4 * threads, len(counts)))

    def sum_up(share: Any) -> Floats:
        here = slice(share[0], share[-1] + 1)
        return round_evs(game, counts[here], tens[here], InitialEVs(*(array[here] for array in evs)))

    return np.concatenate(map_threads(sum_up, shares, threads))


class _Solver:
    """A game in the memory of a GPU."""

    def __init__(self, game: PreparedGame, launch: Launch) -> None:
        self.game, self.launch = game, launch
        self._cuda = _cuda()
        self._arrays = GameArrays(*map(self._to_gpu, game_arrays(game)))
        self._order = self._to_gpu(starts_by_work(game))
        self._scratch = scratch_for(game, launch.blocks, launch.threads, self._cuda.device_array)
        self._evs: Any = initial_evs_for(game, launch.shoes, self._cuda.device_array)
        self._shoes = 0

    def begin(self, counts: Floats) -> None:
        """Begin to solve some shoes."""
        from holecard.kernels.values.cuda_shoes import values_kernel

        self._shoes = len(counts)
        values_kernel(self.launch.registers)[self.launch.blocks, self.launch.threads](
            self._arrays,
            self._order,
            self._to_gpu(counts),
            self._scratch,
            self._to_gpu(np.zeros(1, np.int32)),
            self._evs,
        )

    def finish(self) -> InitialEVs:
        """Wait until they are solved and return their EVs."""
        return InitialEVs(*(array[: self._shoes].copy_to_host() for array in self._evs))

    def _to_gpu(self, array: Any) -> Any:
        return self._cuda.to_device(np.ascontiguousarray(array))


def _cuda() -> Any:
    try:
        from holecard.kernels.gpu.numba_cuda import cuda
    except ImportError:
        raise Refusal('running on a GPU needs another package: pip install "holecard[cuda]"') from None
    if not cuda.is_available():
        raise Refusal("no CUDA GPU found; check `nvidia-smi`, or use device 'cpu'")
    return cuda
