"""Probabilities of every dealer outcome, for many sets of cards left side by side.

The walk over the dealer's tree is that of `stand` (see there for the notation), but each value that finishes a hand
counts for its own outcome. A bust has the probability that the other outcomes leave.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.arrays import Floats, Integers, UInt64s
from holecard.kernels.exact.stand import LANES_PER_BLOCK, DealerTree
from holecard.kernels.jit import kernel, lean

BUST_OUTCOME = 0


class OutcomeTable(NamedTuple):
    """Which values finish an unfinished hand, and with what outcome.

    Values that bust the hand, or after which the dealer draws on, have no entry.
    """

    size: int
    """Number of outcomes; the first is a bust."""
    entries: UInt64s
    """[node, node + 1] range of its entries"""
    card: UInt64s
    """[entry] v of the card"""
    own: Floats
    """[entry] cards of that value among the node's own"""
    outcome: UInt64s
    """[entry]"""
    finished: Integers
    """[start] the outcome of a start that is a finished hand, or -1"""


@kernel
def fill_outcome_probabilities(
    left: Floats, start: int, natural: int, tree: DealerTree, outcomes: OutcomeTable, probabilities: Floats, out: Floats
) -> None:
    """Fill `out[outcome, lane]` for the cards `left[v, lane]`, which exclude the player's cards and the start's.

    The probabilities of a lane add up to P(no known natural): `natural` is the v that would make one, or -1.
    `probabilities` comes from `order_probabilities`.
    """
    size = left.shape[1]
    if outcomes.finished[start] >= 0:
        out[:, :] = 0.0
        out[outcomes.finished[start], :] = 1.0
        return
    deepest = np.int64(tree.deepest[start])
    block = np.zeros((left.shape[0], LANES_PER_BLOCK))
    cards = np.zeros(LANES_PER_BLOCK)
    inverse = np.zeros((deepest + 1, LANES_PER_BLOCK))
    weights = np.ones((deepest + 1, LANES_PER_BLOCK))
    found = np.empty((outcomes.size, LANES_PER_BLOCK))
    share = np.empty(LANES_PER_BLOCK)
    for begin in range(0, size, LANES_PER_BLOCK):
        used = min(LANES_PER_BLOCK, size - begin)
        cards[:] = 0.0
        for v in range(left.shape[0]):
            for i in range(used):
                block[v, i] = left[v, begin + i]
                cards[i] += block[v, i]
        for depth in range(deepest + 1):
            for i in range(used):
                inverse[depth, i] = probabilities[depth, np.uint64(max(cards[i], 0.0))]
        found[:, :] = 0.0
        _walk(tree, start, outcomes, ((used + 3) >> 2) << 2, block, inverse, weights, share, found)
        for i in range(used):
            rest = 1.0 - block[natural, i] / max(cards[i], 1.0) if natural >= 0 else 1.0
            for outcome in range(1, outcomes.size):
                out[outcome, begin + i] = found[outcome, i]
                rest -= found[outcome, i]
            out[BUST_OUTCOME, begin + i] = rest


@lean
def _walk(
    tree: DealerTree,
    start: int,
    outcomes: OutcomeTable,
    width: int,
    left: Floats,
    inverse: Floats,
    weights: Floats,
    share: Floats,
    found: Floats,
) -> None:
    """Add to `found[outcome, lane]` for one block of lanes; `weights` and `share` are scratch."""
    one = np.uint64(1)
    root = tree.nodes[start]
    for node in range(root, tree.nodes[start + one]):
        depth = tree.depth[node]
        here, over, ways = weights[depth], inverse[depth], tree.ways[node]
        if node > root:
            before, of_value, removed = weights[depth - one], left[tree.card[node]], tree.used[node]
            for i in range(width):
                weight = before[i] * (of_value[i] - removed)
                here[i] = weight
                share[i] = weight * over[i] * ways
        else:
            for i in range(width):
                share[i] = over[i] * ways
        for e in range(outcomes.entries[node], outcomes.entries[node + one]):
            of_value, own, into = left[outcomes.card[e]], outcomes.own[e], found[outcomes.outcome[e]]
            for i in range(width):
                into[i] += share[i] * (of_value[i] - own)
