"""The main wager of many shoes on a GPU: launch the kernel, read back the EVs of the initial hands, and sum them up.

While the GPU solves some shoes, this machine reads back and sums up the ones before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from holecard.exact.main.batches import map_threads
from holecard.exact.main.prepared_game import PreparedGame
from holecard.exact.main.round_evs import round_evs
from holecard.exact.shoe_values.game_arrays import game_arrays, initial_evs_for, scratch_for, starts_by_work
from holecard.gpu import check_gpu, cuda_module, multiprocessors
from holecard.kernels.arrays import Floats
from holecard.kernels.shoe_values.lane_evs import GameArrays
from holecard.kernels.shoe_values.round_evs import InitialEVs


class Launch(NamedTuple):
    """How a GPU divides the work."""

    threads: int = 256
    """threads of a block"""
    blocks: int = 3
    """blocks of each multiprocessor, all of them at work at the same time on a large GPU"""
    shoes: int = 1024
    """shoes solved by one launch"""
    registers: int = 80
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
        evs[part] = _summed_up(game, counts[part], tens[part], solved.read(), threads)
        on_done(min(part.stop, len(counts)))
    return evs


def gpu_initial_evs(game: PreparedGame, counts: Floats, launch: Launch | None = None) -> InitialEVs:
    """Return the EVs of the initial hands of some shoes, as few as one launch solves."""
    solver = _Solver(game, launch or Launch())
    solver.begin(counts)
    return solver.finish().read()


def _summed_up(game: PreparedGame, counts: Floats, tens: Floats, evs: InitialEVs, threads: int) -> Floats:
    """Return [shoe] the EVs of rounds, each thread taking some shoes."""
    shares = np.array_split(np.arange(len(counts)), min(4 * threads, len(counts)))

    def sum_up(share: Any) -> Floats:
        here = slice(share[0], share[-1] + 1)
        return round_evs(game, counts[here], tens[here], InitialEVs(*(array[here] for array in evs)))

    return np.concatenate(map_threads(sum_up, shares, threads))


class _Solved(NamedTuple):
    """EVs in the memory of a GPU, and the stream that filled them."""

    evs: Any
    shoes: int
    stream: Any

    def read(self) -> InitialEVs:
        """Return them in the memory of this machine."""
        found = InitialEVs(*(array[: self.shoes].copy_to_host(stream=self.stream) for array in self.evs))
        self.stream.synchronize()
        return found


class _Solver:
    """A game in the memory of a GPU, and two sets of EVs: one is read while the other is filled."""

    def __init__(self, game: PreparedGame, launch: Launch) -> None:
        self.game, self.launch = game, launch
        check_gpu("device 'cpu'")
        self._cuda, self._blocks = cuda_module(), launch.blocks * multiprocessors()
        self._arrays = GameArrays(*map(self._to_gpu, game_arrays(game)))
        self._order = self._to_gpu(starts_by_work(game))
        self._scratch = scratch_for(game, self._blocks, launch.threads, self._cuda.device_array)
        self._solved = [
            _Solved(initial_evs_for(game, launch.shoes, self._cuda.device_array), 0, self._cuda.stream())
            for _ in range(2)
        ]

    def begin(self, counts: Floats) -> None:
        """Begin to solve some shoes."""
        from holecard.kernels.shoe_values.gpu_block import values_kernel

        self._solved.reverse()
        evs, _, stream = self._solved[0]
        self._solved[0] = _Solved(evs, len(counts), stream)
        values_kernel(self.launch.registers)[self._blocks, self.launch.threads, stream](
            self._arrays,
            self._order,
            self._to_gpu(counts, stream),
            self._scratch,
            self._to_gpu(np.zeros(1, np.int32), stream),
            evs,
        )

    def finish(self) -> _Solved:
        """Wait until they are solved; their EVs are kept until the next but one have begun."""
        self._solved[0].stream.synchronize()
        return self._solved[0]

    def _to_gpu(self, array: Any, stream: Any = 0) -> Any:
        return self._cuda.to_device(np.ascontiguousarray(array), stream=stream)
