"""Play shoes on a GPU: each thread owns a shoe, and a thread block shares memory for shoes, counters and tables.

Shared memory holds 32-bit numbers first (counters, net results, a full shoe), then the tables by rank, then the shoes.
A thread plays its shoe to the end and takes the next one, so the shoes of a warp stay about in step.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from holecard.kernels.dealt_down.dealing_rule import SUMS, DealingRule, add_shoe, ends_shoe
from holecard.kernels.gpu.block import add_block, fill_block
from holecard.kernels.gpu.column import ShoeColumn, deal_for, keep_first, new_cursor, start_round
from holecard.kernels.gpu.column_round import ColumnRound, play_column, wager_row
from holecard.kernels.gpu.layout import SharedLayout, narrow
from holecard.kernels.gpu.numba_cuda import MOST_HANDS, MOST_SEATS, cuda, jit_options
from holecard.kernels.jit import index
from holecard.kernels.lanes.rank_tables import Small
from holecard.kernels.lanes.state import Types
from holecard.kernels.play.lookup import (
    ANY_CLASS,
    CELL,
    CLASS_COUNT,
    DEALER_OPEN,
    NET,
    RESULT,
    STAKE,
    UNFINISHED,
    Lut,
    Numbers,
    Offsets,
    Results,
)
from holecard.kernels.play.play_round import ending, settle
from holecard.kernels.play.side_wagers import WAGER, outcome_cell


@cache
def shoes_kernel(tables_are_shared: bool, registers: int) -> Any:
    """Return the kernel; without space for them in shared memory, it reads the tables by rank where they are."""

    @cuda.jit(**jit_options(registers))  # type: ignore[untyped-decorator, unused-ignore]
    def play_shoes_on_gpu(
        lut: Lut,
        entries: Small,
        full: NDArray[np.int32],
        at: Offsets,
        place: SharedLayout,
        rule: DealingRule,
        charts: NDArray[np.uint8],
        key: np.uint64,
        first: np.uint64,
        picked: NDArray[np.uint32],
        batches: NDArray[np.uint32],
        batch: int,
        short: NDArray[np.uint32],
        totals: Results,
        sums: Results,
    ) -> None:
        """Play shoes and add their results to `totals` (see `SharedLayout`) and `sums` ([seat, sum], or nothing).

        Block after block takes a batch. `batches` holds their sizes; shoes of batch b are numbered from
        `first + b * batch` on, or as `picked[b * batch:]` lists them. Shoes with a round that takes more than one shoe
        are not counted from that round on: `short` gets the number of them, then each one's number and rounds counted.
        """
        words: Any = cuda.shared.array(0, numba.int32)
        small = words.view(np.uint16)
        memory = words.view(np.uint8)
        ends = cuda.local.array(MOST_HANDS, numba.int32)
        hands = cuda.local.array(MOST_SEATS, numba.int32)
        results = cuda.local.array(RESULT, numba.int64)
        nets = cuda.local.array(MOST_SEATS, numba.int32)
        mine = cuda.local.array((MOST_SEATS, SUMS), numba.int64)
        fill_block(lut, entries, full, at, place, tables_are_shared, words, small)
        tables = small[2 * place.tables : 2 * place.tables + place.entries] if tables_are_shared else entries
        seats = charts.size
        for seat in range(seats):
            for of in range(SUMS):
                mine[seat, of] = 0
        for b in range(cuda.blockIdx.x, batches.size, cuda.gridDim.x):
            for i in range(cuda.threadIdx.x, narrow(batches[b]), cuda.blockDim.x):
                shoe = b * batch + i
                if picked.size:
                    shoe = narrow(picked[shoe])
                column = _open_shoe(at, place, key, first + np.uint64(shoe), words)
                cursor, rounds, out = new_cursor(rule.burn), narrow(0), narrow(rule.burn)
                for seat in range(seats):
                    nets[seat] = 0
                while rounds < rule.rounds and out < rule.cut:
                    played = play_column(
                        lut, tables, at, place, charts, memory, column, cursor, rule.chute < 0, ends, hands
                    )
                    cursor = played.cursor
                    if cursor.short:
                        break
                    _tally_round(
                        lut, tables, at, place, seats, memory, column, played, ends, hands, results, words, nets
                    )
                    rounds = narrow(rounds + 1)
                    if ends_shoe(rule, at, played.cards, False):
                        break
                    if rule.chute < 0:
                        cursor = start_round(cursor, cursor.start + played.cards)
                        out = narrow(out + played.cards)
                    else:
                        more = played.cards + rule.chute - 1
                        cursor = deal_for(memory, column, cursor, more, more)
                        cursor = keep_first(memory, column, cursor, cursor.start + played.cards, rule.chute)
                if cursor.short:
                    _list_short(short, shoe, rounds)
                elif sums.size:
                    for seat in range(seats):
                        add_shoe(mine, seat, int(nets[seat]), int(rounds))
        add_block(place, words, totals)
        if sums.size:
            for seat in range(seats):
                for of in range(SUMS):
                    cuda.atomic.add(sums, seat * SUMS + of, mine[seat, of])

    return play_shoes_on_gpu


@cuda.jit(device=True)  # type: ignore[untyped-decorator, unused-ignore]
def _open_shoe(at: Offsets, place: SharedLayout, key: np.uint64, number: np.uint64, words: Numbers) -> ShoeColumn:
    """Write a full shoe into the thread's column."""
    this, threads = narrow(cuda.threadIdx.x), narrow(cuda.blockDim.x)
    begin = narrow(place.shoes + this)
    for i in range(place.tables - place.full):
        words[index(begin + i * threads)] = words[index(place.full + i)]
    return ShoeColumn(number, key, narrow(4 * begin), narrow(4 * threads), narrow(at.cards))


@cuda.jit(device=True)  # type: ignore[untyped-decorator, unused-ignore]
def _tally_round(
    lut: Lut,
    tables: Small,
    at: Offsets,
    place: SharedLayout,
    seats: int,
    memory: Types,
    column: ShoeColumn,
    played: ColumnRound,
    ends: Numbers,
    hands: Numbers,
    results: Results,
    counted: Numbers,
    nets: Numbers,
) -> None:
    """Count one round in shared memory, and add each seat's net result to `nets`."""
    dealer, cursor = played.dealer, played.cursor
    cuda.atomic.add(counted, place.dealers + tables[index(place.opening + played.pair)], 1)
    finished = ending(dealer, played.drawn) if dealer < DEALER_OPEN else UNFINISHED
    if at.draws_out:
        cuda.atomic.add(counted, place.endings + finished, 1)
    for seat in range(seats):
        for wager in range(at.wagers):
            its = at.wager + WAGER * wager
            row = wager_row(lut, at, its, seat, seats, memory, column, cursor)
            cell = outcome_cell(lut, its, row, finished)
            cuda.atomic.add(counted, place.wagers + seat * place.wager_cells + cell, 1)
        begin = at.hands * seat
        if hands[seat] > 1:
            settle(lut, at, dealer, ends, begin, hands[seat], results, 0)
            cuda.atomic.add(counted, place.splits + seat * at.sums - 1 - results[CELL], 1)
            cuda.atomic.add(counted, place.stakes + seat, narrow(results[STAKE]))
            nets[seat] += narrow(results[NET])
        else:
            end = narrow(ends[begin])
            cell = narrow(CLASS_COUNT * end + (dealer if end >= at.settled else ANY_CLASS))
            cuda.atomic.add(counted, seat * place.cells + cell, 1)
            nets[seat] += counted[index(place.nets + cell)]


@cuda.jit(device=True)  # type: ignore[untyped-decorator, unused-ignore]
def _list_short(short: NDArray[np.uint32], shoe: int, rounds: int) -> None:
    here = 2 * cuda.atomic.add(short, 0, 1) + 1
    if here + 1 < short.size:
        short[here], short[here + 1] = shoe, rounds
