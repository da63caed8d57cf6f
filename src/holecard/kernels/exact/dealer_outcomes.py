"""How the dealer's hand ends: the chance of every ending, against many player's hands side by side.

The same walk as in `standing`, but every rank that ends a hand is counted for its own ending. A bust is what is left.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.exact.stand import LANES, Floats, Indices, Tree
from holecard.kernels.jit import kernel, lean

BUST = 0


class Endings(NamedTuple):
    """Which ranks end an unfinished hand, and in what; ranks that bust it, or that do not end it, are left out."""

    size: int
    """How many endings there are; the first is a bust."""
    entries: Indices
    """[node, node + 1] its range among the entries"""
    rank: Indices
    own: Floats
    """[entry] how many cards of the rank the node drew itself"""
    ending: Indices
    finished: NDArray[np.int64]
    """[start] the ending of a start that is finished as it lies, or -1"""


@kernel
def dealer_endings(
    left: Floats, start: int, natural: int, tree: Tree, endings: Endings, chances: Floats, out: Floats
) -> None:
    """`out[ending, lane]` for cards `left[rank, lane]`, the player's and the start's own cards already out.

    The chances add up to that of no natural the players know of: `natural` is the rank that would make one, or -1.
    `chances[depth, cards]` are those of any one order of cards, for all the cards there can be.
    """
    size = left.shape[1]
    if endings.finished[start] >= 0:
        out[:, :] = 0.0
        out[endings.finished[start], :] = 1.0
        return
    deepest = np.int64(tree.deepest[start])
    block = np.zeros((left.shape[0], LANES))
    cards = np.zeros(LANES)
    inverse = np.zeros((deepest + 1, LANES))
    weights = np.ones((deepest + 1, LANES))
    found = np.empty((endings.size, LANES))
    share = np.empty(LANES)
    for begin in range(0, size, LANES):
        used = min(LANES, size - begin)
        cards[:] = 0.0
        for rank in range(left.shape[0]):
            for i in range(used):
                block[rank, i] = left[rank, begin + i]
                cards[i] += block[rank, i]
        for depth in range(deepest + 1):
            for i in range(used):
                inverse[depth, i] = chances[depth, np.uint64(max(cards[i], 0.0))]
        found[:, :] = 0.0
        _walk(tree, start, endings, ((used + 3) >> 2) << 2, block, inverse, weights, share, found)
        for i in range(used):
            rest = 1.0 - block[natural, i] / max(cards[i], 1.0) if natural >= 0 else 1.0
            for ending in range(1, endings.size):
                out[ending, begin + i] = found[ending, i]
                rest -= found[ending, i]
            out[BUST, begin + i] = rest


@lean
def _walk(
    tree: Tree,
    start: int,
    endings: Endings,
    width: int,
    left: Floats,
    inverse: Floats,
    weights: Floats,
    share: Floats,
    found: Floats,
) -> None:
    one = np.uint64(1)
    root = tree.nodes[start]
    for node in range(root, tree.nodes[start + one]):
        depth = tree.depth[node]
        here, over, ways = weights[depth], inverse[depth], tree.ways[node]
        if node > root:
            before, of_rank, gone = weights[depth - one], left[tree.rank[node]], tree.used[node]
            for i in range(width):
                weight = before[i] * (of_rank[i] - gone)
                here[i] = weight
                share[i] = weight * over[i] * ways
        else:
            for i in range(width):
                share[i] = over[i] * ways
        for e in range(endings.entries[node], endings.entries[node + one]):
            of_rank, own, into = left[endings.rank[e]], endings.own[e], found[endings.ending[e]]
            for i in range(width):
                into[i] += share[i] * (of_rank[i] - own)
