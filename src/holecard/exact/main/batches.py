"""Lanes summed against the dealer, by one thread or several: they are independent of each other."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from holecard.exact.main.prepared_game import Game
from holecard.kernels.exact.stand import Lanes, standing

Floats = NDArray[np.float64]
Share = TypeVar("Share")
Done = TypeVar("Done")
#: Setting up a lane takes about as long as walking so many nodes.
_SETUP = 80


def sum_lanes(game: Game, counts: Floats, lanes: Lanes, threads: int) -> Floats:
    """[lane] worth of standing; threads share the lanes by the dealer's hands each has to walk."""
    dealer = game.dealer
    worth = np.empty(lanes.hand.size)
    ends = [0, *_cuts(dealer.tree.nodes[1:] - dealer.tree.nodes[:-1], lanes.start, threads), worth.size]

    def part(here: slice) -> None:
        some = Lanes(lanes.hand[here], lanes.pair[here], lanes.more[here], lanes.start[here], lanes.row[here])
        standing(counts, game.arrays.cards, some, dealer.tree, dealer.starts, game.stakes, worth[here])

    share_out(part, [slice(*ends) for ends in pairwise(ends)], threads)
    return worth


def share_out(work: Callable[[Share], Done], shares: list[Share], threads: int) -> list[Done]:
    """Every share done, by threads that take the next one as soon as they are free; in order."""
    if threads == 1 or len(shares) == 1:
        return [work(share) for share in shares]
    return list(_pool(threads).map(work, shares))


def _cuts(nodes: NDArray[np.uint64], start: NDArray[np.uint8], threads: int) -> list[int]:
    """Where to cut lanes that lie sorted by start, so that every thread has as much to do."""
    if threads == 1:
        return []
    lanes = np.bincount(start, minlength=nodes.size)
    work = np.concatenate([[0.0], np.cumsum(lanes * (nodes + float(_SETUP)))])
    shares = work[-1] * np.arange(1, threads) / threads
    cuts: list[int] = np.interp(shares, work, np.concatenate([[0], np.cumsum(lanes)])).astype(int).tolist()
    return cuts


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Threads are kept: making them takes as long as a tenth of a game."""
    return ThreadPoolExecutor(threads, thread_name_prefix="holecard")
