"""Two hands of one split pair together: how both end against every ending of the dealer, all pairs of hands summed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.compiled import kernel
from holecard.kernels.endings import Endings, dealer_endings
from holecard.kernels.standing import Floats, Tree, chances_of_orders


@kernel
def two_hands(
    left: Floats,
    pair: int,
    cards: Floats,
    ways: Floats,
    paired: Floats,
    once: float,
    twice: float,
    kind: NDArray[np.int64],
    start: int,
    natural: int,
    tree: Tree,
    endings: Endings,
    joint: Floats,
) -> int:
    """Add to `joint[kind, kind, ending]` the chance that two hands end so, in this order. Returns the pairs summed.

    `cards[rank, hand]` are the hands as they end, each with its card of the pair; `ways[hand]` in how many orders its
    further cards come, `paired[hand]` in how many of them the first is of the pair again; of those a share `once` is
    left out, and of two hands both paired a share `twice` was left out twice. `left[rank]` is the shoe without the
    dealer's start, the pair still in it. Chances are given that both hands have begun.
    """
    n = ways.size
    n_ranks = left.size
    falling = _falling(left, pair, 45)
    orders = _inverse_falling(left.sum() - 2.0, 45)
    chances = chances_of_orders(np.int64(left.sum()), np.int64(tree.deepest[start]))
    after = np.empty((n_ranks, n))
    chance = np.empty(n)
    found = np.empty((endings.size, n))
    summed = 0
    for a in range(n):
        width = n - a
        for i in range(width):
            b = a + i
            one_paired = paired[a] * ways[b] + ways[a] * paired[b]
            chance[i] = ways[a] * ways[b] - once * one_paired + twice * paired[a] * paired[b]
        drawn = np.zeros(width, np.int64)
        for rank in range(n_ranks):
            for i in range(width):
                both = np.int64(cards[rank, a] + cards[rank, a + i])
                after[rank, i] = left[rank] - both
                if rank == pair:
                    both -= 2
                drawn[i] += both
                chance[i] *= falling[rank, both]
        for i in range(width):
            chance[i] *= orders[drawn[i]]
        dealer_endings(after[:, :width], start, natural, tree, endings, chances, found[:, :width])
        summed += width
        for i in range(width):
            if chance[i] > 0.0:
                for ending in range(endings.size):
                    share = chance[i] * found[ending, i]
                    joint[kind[a], kind[a + i], ending] += share
                    if i > 0:
                        joint[kind[a + i], kind[a], ending] += share
    return summed


@kernel
def _falling(left: Floats, pair: int, most: int) -> Floats:
    """[rank, k] n (n-1) … in k steps: the ordered ways to draw k cards of a rank; two of the pair are out already."""
    found = np.zeros((left.size, most))
    for rank in range(left.size):
        n = left[rank] - (2.0 if rank == pair else 0.0)
        product = 1.0
        for k in range(most):
            found[rank, k] = product
            product *= max(n - k, 0.0)
    return found


@kernel
def _inverse_falling(cards: float, most: int) -> Floats:
    """[k] 1 / (n (n-1) …) in k steps."""
    found = np.zeros(most)
    product = 1.0
    for k in range(most):
        found[k] = 1.0 / product
        if cards - k <= 0.0:
            break
        product *= cards - k
    return found
