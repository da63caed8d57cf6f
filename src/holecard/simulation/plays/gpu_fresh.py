"""Play rounds from fresh shoes on a GPU: launch the kernels, read the counts back."""

from __future__ import annotations

from typing import Any

import numpy as np

from holecard.errors import Refusal
from holecard.gpu import cuda_module
from holecard.kernels.dealt_down.dealing_rule import NO_CHUTE, DealingRule
from holecard.kernels.gpu.layout import Tuning
from holecard.kernels.play.tally import RoundCounts
from holecard.simulation.compile.program import Program
from holecard.simulation.plays.gpu import blocks_at_once, most_shared_memory, with_shared_memory
from holecard.simulation.plays.gpu_shoes import SHOE_TUNING, ShoesOnGpu, shared_layout

#: Rounds per launch; the list of deferred rounds has space for all of them.
_TOGETHER = 1 << 27
FRESH_TUNING = Tuning(threads=512, registers=64)
#: Blocks per multiprocessor, whether or not all of them run at the same time.
_BLOCKS = 4
#: A shoe for every round.
_ONE_ROUND = DealingRule(burn=0, cut=2**31 - 1, rounds=1, chute=NO_CHUTE)


def play_on_gpu(
    program: Program,
    charts: tuple[int, ...],
    seed: int,
    first: int,
    rounds: int,
    counts: RoundCounts,
    tuning: Tuning = FRESH_TUNING,
    shoe_tuning: Tuning = SHOE_TUNING,
) -> None:
    """Play rounds on the GPU and add them to the counts.

    With one seat, most rounds need few cards and no shoe in memory; only the others are played as shoes.
    """
    shoes = ShoesOnGpu(program, charts, seed, _ONE_ROUND, counts, tuning=shoe_tuning)
    if len(charts) > 1:
        shoes.play(first, rounds)
    else:
        _OneSeat(program, charts[0], seed, counts, shoes, tuning).play(first, rounds)
    shoes.finish()


class _OneSeat:
    """A game with one seat on a GPU."""

    def __init__(
        self, program: Program, chart: int, seed: int, counts: RoundCounts, shoes: ShoesOnGpu, tuning: Tuning
    ) -> None:
        self._program, self._chart, self._seed, self._shoes, self._tuning = program, chart, seed, shoes, tuning
        for self._tables_are_shared in (True, False) if tuning.share_tables else (False,):
            self._place = shared_layout(program, counts, with_shoes=False, with_tables=self._tables_are_shared)
            self._memory = 4 * (self._place.shoes + 1)
            if self._memory <= most_shared_memory():
                return
        raise Refusal("this game needs more counters than fit in a GPU's shared memory; use --device cpu")

    def play(self, first: int, rounds: int) -> None:
        """Play rounds numbered from `first`."""
        blocks, cuda = blocks_at_once() * _BLOCKS, cuda_module()
        batch = -(-min(rounds, _TOGETHER) // blocks)
        deferred, sizes = cuda.device_array(batch * blocks, np.uint32), cuda.device_array(blocks, np.uint32)
        for begin in range(first, first + rounds, _TOGETHER):
            self._launch(begin, min(_TOGETHER, first + rounds - begin), batch, deferred, sizes)
            self._shoes.launch(begin, sizes, batch, deferred)

    def _launch(self, first: int, rounds: int, batch: int, deferred: Any, sizes: Any) -> None:
        from holecard.kernels.gpu.fresh import TYPE_BITS, fresh_kernel

        at = self._program.offsets
        lut, entries, _ = self._shoes.tables
        arguments = (
            lut,
            entries,
            at,
            self._place,
            self._chart,
            np.uint32(-(-(52 << TYPE_BITS) // at.cards)),
            np.uint64(self._seed),
            np.uint64(first),
            rounds,
            batch,
            deferred,
            sizes,
            self._shoes.totals,
        )
        kernel = with_shared_memory(
            fresh_kernel(self._tables_are_shared, self._tuning.registers), arguments, self._memory
        )
        kernel[sizes.size, max(1, min(self._tuning.threads, batch)), 0, self._memory](*arguments)
