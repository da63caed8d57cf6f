"""Lanes summed against the dealer, by one thread or several: they are independent of each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from holecard.exact.game import Game
from holecard.kernels.standing import Lanes, standing

Floats = NDArray[np.float64]
Item = TypeVar("Item")
Result = TypeVar("Result")


def sum_lanes(game: Game, counts: Floats, lanes: Lanes, threads: int) -> Floats:
    """[lane] worth of standing; threads share the lanes by the dealer's hands each has to walk."""
    dealer = game.dealer
    worth = np.empty(lanes.hand.size)
    ends = [0, worth.size]
    if threads > 1 and worth.size:
        nodes = dealer.tree.nodes[1:] - dealer.tree.nodes[:-1]
        work = np.cumsum(nodes[lanes.start].astype(np.float64))
        ends[1:1] = np.searchsorted(work, work[-1] * np.arange(1, threads) / threads).tolist()

    def part(index: int) -> None:
        here = slice(ends[index], ends[index + 1])
        some = Lanes(lanes.hand[here], lanes.pair[here], lanes.more[here], lanes.start[here], lanes.row[here])
        standing(counts, game.arrays.cards, some, dealer.tree, dealer.starts, game.stakes, worth[here])

    in_threads(part, range(len(ends) - 1), threads)
    return worth


def in_threads(work: Callable[[Item], Result], items: Iterable[Item], threads: int) -> list[Result]:
    """Results in the order of the items."""
    if threads == 1:
        return [work(item) for item in items]
    return list(_pool(threads).map(work, items))


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Threads are kept: making them takes as long as a tenth of a game."""
    return ThreadPoolExecutor(threads, thread_name_prefix="holecard")
