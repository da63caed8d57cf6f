"""Play rounds with one seat from fresh shoes: each thread plays its own rounds, with the first cards in registers.

Most rounds need no more cards than one block of random words deals, and no split. Only those are played here; the
numbers of the others are listed, for `shoes` to play them: a thread that takes its time holds up its whole warp.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from holecard.kernels.gpu.block import add_block, fill_block
from holecard.kernels.gpu.layout import SharedLayout, narrow
from holecard.kernels.gpu.numba_cuda import cuda, jit_options
from holecard.kernels.jit import index, lean
from holecard.kernels.lanes.rank_tables import RANK_BITS, SUIT_BITS, Small
from holecard.kernels.philox import philox
from holecard.kernels.play.dealing import BLOCK_CARDS, Few, first_block
from holecard.kernels.play.lookup import (
    ANY_CLASS,
    CLASS_COUNT,
    DEALER_OPEN,
    UNFINISHED,
    Lut,
    Numbers,
    Offsets,
    Results,
)
from holecard.kernels.play.play_round import ending
from holecard.kernels.play.side_wagers import WAGER, outcome_cell, row_of

_PAIR_BITS, _RANK = 2 * RANK_BITS, np.uint32(15)
_WORD, _HALF, _ZERO = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(0)
#: A card's index in the shoe times this over the decks, without these bits, is its type.
TYPE_BITS = 16


@cache
def fresh_kernel(tables_are_shared: bool, registers: int) -> Any:
    """Return the kernel; without space for them in shared memory, it reads the tables by rank where they are."""

    @cuda.jit(**jit_options(registers))  # type: ignore[untyped-decorator, unused-ignore]
    def play_fresh_rounds(
        lut: Lut,
        entries: Small,
        at: Offsets,
        place: SharedLayout,
        chart: int,
        per_deck: np.uint32,
        key: np.uint64,
        first: np.uint64,
        rounds: int,
        batch: int,
        deferred: NDArray[np.uint32],
        sizes: NDArray[np.uint32],
        totals: Results,
    ) -> None:
        """Play rounds numbered from `first` and add their results to `totals`.

        Each block plays one batch of rounds. It lists those that it did not play from `deferred[block * batch]` on, as
        numbers counted from `first`, and writes how many to `sizes[block]`.
        """
        words: Any = cuda.shared.array(0, numba.int32)
        small = words.view(np.uint16)
        fill_block(lut, entries, lut, at, place, tables_are_shared, words, small)
        tables = small[2 * place.tables : 2 * place.tables + place.entries] if tables_are_shared else entries
        begin = cuda.blockIdx.x * batch
        end, listed = min(begin + batch, rounds), place.shoes
        if cuda.threadIdx.x == 0:
            words[listed] = 0
        cuda.syncthreads()
        for i in range(begin + cuda.threadIdx.x, end, cuda.blockDim.x):
            number = first + np.uint64(i)
            a, b, c, d = philox(number & _WORD, number >> _HALF, _ZERO, _ZERO, key & _WORD, key >> _HALF)
            biased, cards = first_block(a, b, c, d, np.uint64(at.cards))
            played = False
            if not biased:
                played = _play(lut, tables, at, place, chart, per_deck, cards, words)
            if not played:
                deferred[begin + cuda.atomic.add(words, listed, 1)] = i
        add_block(place, words, totals)
        if cuda.threadIdx.x == 0:
            sizes[cuda.blockIdx.x] = words[listed]

    return play_fresh_rounds


@lean
def _type(card: np.uint32, per_deck: np.uint32) -> np.uint32:
    """Return the type of a card: 4 * rank + suit."""
    return np.uint32(np.uint32(card * per_deck) >> np.uint32(TYPE_BITS))


@lean
def _ranks(cards: Few, per_deck: np.uint32) -> np.uint32:
    """Return the ranks of the first cards, packed into one number."""
    packed = np.uint32(0)
    for i in range(BLOCK_CARDS):
        rank = np.uint32(_type(cards[i], per_deck) >> np.uint32(SUIT_BITS))
        packed = np.uint32(packed | np.uint32(rank << np.uint32(RANK_BITS * i)))
    return packed


@lean
def _nth_rank(ranks: np.uint32, n: int) -> int:
    return narrow(np.uint32(ranks >> np.uint32(RANK_BITS * n)) & _RANK)


@cuda.jit(device=True)  # type: ignore[untyped-decorator, unused-ignore]
def _play(
    lut: Lut,
    tables: Small,
    at: Offsets,
    place: SharedLayout,
    chart: int,
    per_deck: np.uint32,
    cards: Few,
    words: Numbers,
) -> bool:
    """Play a round and count it; return False if there is a split or there are too few cards."""
    ranks, n = _ranks(cards, per_deck), narrow(3 + at.has_hole)
    pair = narrow(_nth_rank(ranks, narrow(1)) << RANK_BITS)
    if at.has_hole:
        pair = narrow(pair | _nth_rank(ranks, narrow(3)))
    row = narrow(chart * at.dealer_views + tables[index(place.dealer_view + pair)])
    two = narrow((_nth_rank(ranks, narrow(0)) << RANK_BITS) | _nth_rank(ranks, narrow(2)))
    node = narrow(tables[index(narrow(row << _PAIR_BITS) | two)])
    if node >= at.splits:
        return False
    end, before, after, of_dealer = narrow(0), narrow(0), narrow(place.after), False
    while True:
        if not of_dealer and node < at.ends:
            end, of_dealer, before = node, True, narrow(n - 1 - at.has_hole)
            node = narrow(tables[index(place.dealer + pair)])
            if not at.has_hole:
                pair = narrow(pair | _nth_rank(ranks, n))
            after = narrow(place.dealer_after - (DEALER_OPEN << RANK_BITS))
        draws = not of_dealer or (node >= DEALER_OPEN and (end >= at.settled or at.draws_out > 0))
        if not draws or n == BLOCK_CARDS:
            break
        node = narrow(tables[index(after + narrow(node << RANK_BITS) + _nth_rank(ranks, n))])
        n = narrow(n + 1)
    if draws or (not at.has_hole and before + 1 == BLOCK_CARDS):
        return False
    cell = narrow(CLASS_COUNT * end + (node if end >= at.settled else ANY_CLASS))
    cuda.atomic.add(words, cell, 1)
    cuda.atomic.add(words, place.dealers + tables[index(place.opening + pair)], 1)
    finished = ending(node, n - before) if node < DEALER_OPEN else UNFINISHED
    if at.draws_out:
        cuda.atomic.add(words, place.endings + finished, 1)
    for wager in range(at.wagers):
        its = at.wager + WAGER * wager
        one, up, other = _type(cards[0], per_deck), _type(cards[1], per_deck), _type(cards[2], per_deck)
        hole = _type(cards[3], per_deck) if at.has_hole else other
        made = row_of(lut, its, narrow(one), narrow(other), narrow(up), narrow(hole))
        cuda.atomic.add(words, place.wagers + outcome_cell(lut, its, made, finished), 1)
    return True
