"""EVs of standing for a batch of hands, computed by one thread or several."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import TypeVar

import numpy as np

from holecard.exact.main.prepared_game import PreparedGame
from holecard.kernels.arrays import Floats, UInt8s, UInt64s
from holecard.kernels.exact.stand import Batch, sum_stand_evs

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
#: Setting up a lane takes about as long as walking this many nodes.
_SETUP = 80


def batch_stand_evs(game: PreparedGame, counts: Floats, batch: Batch, threads: int) -> Floats:
    """Return [lane] U of standing; lanes are divided among threads by the dealer's hands that each has to walk."""
    dealer = game.dealer
    evs = np.empty(batch.hand.size)
    ends = [0, *_cuts(dealer.tree.nodes[1:] - dealer.tree.nodes[:-1], batch.start, threads), evs.size]

    def sum_part(here: slice) -> None:
        part = Batch(batch.hand[here], batch.start[here], batch.row[here])
        sum_stand_evs(counts, game.arrays.cards, part, dealer.tree, dealer.starts, game.row_weights, evs[here])

    map_threads(sum_part, [slice(*ends) for ends in pairwise(ends)], threads)
    return evs


def map_threads(work: Callable[[_Item], _Result], items: list[_Item], threads: int) -> list[_Result]:
    """Return `work(item)` for every item, in order; each thread takes the next item as soon as it is free."""
    if threads == 1 or len(items) == 1:
        return [work(item) for item in items]
    return list(_pool(threads).map(work, items))


def _cuts(nodes: UInt64s, start: UInt8s, threads: int) -> list[int]:
    """Return where to cut lanes sorted by start, so that every thread has the same amount of work."""
    if threads == 1:
        return []
    lanes = np.bincount(start, minlength=nodes.size)
    work = np.concatenate([[0.0], np.cumsum(lanes * (nodes + float(_SETUP)))])
    shares = work[-1] * np.arange(1, threads) / threads
    cuts: list[int] = np.interp(shares, work, np.concatenate([[0], np.cumsum(lanes)])).astype(int).tolist()
    return cuts


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Return threads that are kept: starting them takes a tenth of the time that a game takes."""
    return ThreadPoolExecutor(threads, thread_name_prefix="holecard")
