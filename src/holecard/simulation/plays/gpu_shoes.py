"""Play shoes on a GPU: lay out its shared memory, launch the kernel, read the counts back."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np

from holecard.errors import Refusal
from holecard.gpu import cuda_module
from holecard.kernels.dealt_down.dealing_rule import SUMS, DealingRule
from holecard.kernels.dealt_down.one_by_one import play_shoes
from holecard.kernels.gpu.layout import SharedLayout, Tuning
from holecard.kernels.play.dealing import LONGEST
from holecard.kernels.play.lookup import CLASS_COUNT, Results
from holecard.kernels.play.tally import RoundCounts
from holecard.kernels.play.workspace import new_workspace
from holecard.simulation.compile.program import Program
from holecard.simulation.plays.gpu import blocks_at_once, most_shared_memory, with_shared_memory

#: As many threads as their registers allow; shared memory has space for fewer shoes in most games.
SHOE_TUNING = Tuning(threads=640, registers=96)
#: Threads that run in step.
_WARP = 32
#: Threads per block below which the tables by rank are left out of shared memory.
_FEW_THREADS = 128
#: Shoes per launch. Rounds that take more than one shoe are listed, and the list has space for all shoes.
_TOGETHER = 1 << 22
#: Shoes per launch where no round takes more than one.
_MOST_TOGETHER = 1 << 27


class ShoesOnGpu:
    """A game on a GPU, ready to play shoes that follow a `DealingRule`."""

    def __init__(
        self,
        program: Program,
        charts: tuple[int, ...],
        seed: int,
        rule: DealingRule,
        counts: RoundCounts,
        sums: Results | None = None,
        tuning: Tuning = SHOE_TUNING,
    ) -> None:
        """Copy the tables to the GPU. `finish` adds to `counts`, and to `sums` ([seat, sum]) if given."""
        cuda = cuda_module()
        from holecard.kernels.gpu.numba_cuda import MOST_HANDS, MOST_SEATS

        at, seats = program.offsets, len(charts)
        if seats > MOST_SEATS or seats * at.hands > MOST_HANDS:
            raise Refusal(f"a GPU plays at most {MOST_HANDS} hands per round; use fewer seats, or --device cpu")
        self._program, self._charts, self._seed, self._rule = program, np.array(charts, np.uint8), seed, rule
        self._counts, self._sums = counts, sums
        self._one_is_enough = LONGEST * (seats * at.hands + 1) <= at.cards
        self._find_layout(tuning)
        self._registers = tuning.registers
        full = (np.arange(at.cards) // (at.cards // 52)).astype(np.uint8).view(np.int32)
        self.tables = [cuda.to_device(array) for array in (program.lut, np.concatenate(program.rank_tables), full)]
        self._by_seat, self.nothing = cuda.to_device(self._charts), cuda.device_array(0, np.uint32)
        self.totals = cuda.to_device(np.zeros(self.place.counters, np.int64))
        no_sums = cuda.device_array(0, np.int64)
        self._total_sums = no_sums if sums is None else cuda.to_device(np.zeros(sums.size, np.int64))

    def _find_layout(self, tuning: Tuning) -> None:
        """Use as many threads as there is shared memory for shoes; leave the tables out of it if necessary."""
        for self.tables_are_shared in (True, False) if tuning.share_tables else (False,):
            self.place = shared_layout(self._program, self._counts, with_shoes=True, with_tables=self.tables_are_shared)
            shoes = (most_shared_memory() - 4 * self.place.shoes) // self._program.offsets.cards
            self.threads = min(tuning.threads, shoes // _WARP * _WARP)
            if self.threads >= min(tuning.threads, _FEW_THREADS):
                return
        if self.threads < _WARP:
            raise Refusal(
                "this game needs more counters than fit in a GPU's shared memory; use fewer seats, or --device cpu"
            )

    @property
    def together(self) -> int:
        """Return how many shoes a launch may play."""
        return _MOST_TOGETHER if self._one_is_enough and self._rule.rounds == 1 else _TOGETHER

    def play(self, first: int, shoes: int) -> None:
        """Play shoes numbered from `first`."""
        blocks = blocks_at_once()
        for begin in range(first, first + shoes, self.together):
            many = min(self.together, first + shoes - begin)
            batch = -(-many // blocks)
            sizes = np.clip(many - batch * np.arange(blocks), 0, batch).astype(np.uint32)
            self.launch(begin, cuda_module().to_device(sizes), batch, self.nothing)

    def launch(self, first: int, sizes: Any, batch: int, picked: Any) -> None:
        """Play batches of shoes, numbered from `first` or picked; see the kernel."""
        from holecard.kernels.gpu.shoes import shoes_kernel

        space = 0 if self._one_is_enough else min(_TOGETHER, sizes.size * batch)
        short = cuda_module().to_device(np.zeros(1 + 2 * space, np.uint32))
        threads = max(1, min(self.threads, batch))
        arguments = (
            *self.tables,
            self._program.offsets,
            self.place,
            self._rule,
            self._by_seat,
            np.uint64(self._seed),
            np.uint64(first),
            picked,
            sizes,
            batch,
            short,
            self.totals,
            self._total_sums,
        )
        memory = 4 * self.place.shoes + self._program.offsets.cards * threads
        kernel = with_shared_memory(shoes_kernel(self.tables_are_shared, self._registers), arguments, memory)
        kernel[min(blocks_at_once(), sizes.size), threads, 0, memory](*arguments)
        if space:
            many = int(short[:1].copy_to_host()[0])
            if many > space:
                raise Refusal("too many rounds of this game take more than one shoe; use more decks, or --device cpu")
            for shoe, rounds in short[: 1 + 2 * many].copy_to_host()[1:].reshape(-1, 2).tolist():
                self._play_here(first + shoe, rounds)

    def _play_here(self, shoe: int, counted: int) -> None:
        """Play a shoe with a round for which one shoe is not enough; the GPU has counted the rounds before it."""
        sums = np.zeros((self._charts.size, SUMS), np.int64) if self._sums is None else self._sums
        _play_one(self._program, self._charts, self._seed, shoe, self._rule, self._counts, sums)
        if counted:
            before = RoundCounts(*(np.zeros_like(table) for table in self._counts))
            rule, unused = self._rule._replace(rounds=counted), np.zeros_like(sums)
            _play_one(self._program, self._charts, self._seed, shoe, rule, before, unused)
            for table, less in zip(self._counts, before, strict=True):
                table -= less

    def finish(self) -> None:
        """Add everything that was played to the counts."""
        tables = self._counts
        parts = np.split(self.totals.copy_to_host(), list(accumulate(table.size for table in tables))[:-1])
        for table, part in zip(tables, parts, strict=True):
            table += part.reshape(table.shape)
        if self._sums is not None:
            self._sums += self._total_sums.copy_to_host().reshape(self._sums.shape)


def _play_one(
    program: Program,
    charts: Any,
    seed: int,
    shoe: int,
    rule: DealingRule,
    counts: RoundCounts,
    sums: Results,
) -> None:
    work, nets = new_workspace(program.offsets, charts.size), np.zeros(charts.size, np.int64)
    play_shoes(
        program.lut, program.offsets, charts, np.uint64(seed), np.uint64(shoe), 1, rule, work, counts, sums, nets
    )


def shared_layout(program: Program, counts: RoundCounts, *, with_shoes: bool, with_tables: bool) -> SharedLayout:
    """Return where the counters of these counts, the tables and the shoes are."""
    at, ranks, seats = program.offsets, program.rank_tables, counts.stakes.size
    splits, stakes, dealers, endings, wagers, counters = accumulate(table.size for table in counts)
    after, dealer_view, dealer, dealer_after, opening, entries = accumulate(table.size for table in ranks)
    full = counters + (CLASS_COUNT * at.ends if with_shoes else 0)
    tables = full + (at.cards // 4 if with_shoes else 0)
    return SharedLayout(
        splits=splits,
        stakes=stakes,
        dealers=dealers,
        endings=endings,
        wagers=wagers,
        counters=counters,
        cells=counts.cells.size // seats,
        wager_cells=counts.wagers.size // seats,
        after=after,
        dealer_view=dealer_view,
        dealer=dealer,
        dealer_after=dealer_after,
        opening=opening,
        entries=entries,
        nets=counters,
        full=full,
        tables=tables,
        shoes=tables + (-(-entries // 2) if with_tables else 0),
    )
