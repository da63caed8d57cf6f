"""Sums over every deal of the first cards, for many shoes side by side.

A deal is decided type by type: how many of its cards are of the first type (ace of spades), of the second, and so on.
Partial deals that the rest of the cards continue in the same way are one *node*, so a function of the deal is a small
decision diagram. Notation:

    left        int64[shoe, type]       cards of each type in the shoe
    n (n-1) …   the ways to take cards of one type in order; an edge's factor divides by the orders that do not count
    sum         of a node: over all ways to complete its partial deals, ways times gain

The last node is the root: the sum over all deals.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.arrays import Floats, Integers
from holecard.kernels.jit import kernel, lean

SHOES_PER_BLOCK = 32
MOST_TAKEN = 4
_TYPES = 52


class Diagram(NamedTuple):
    """Nodes in an order in which every node comes after those that its edges lead to; the first ones are gains."""

    gain: Floats
    """[ended node] what a complete deal adds"""
    card: Integers
    """[other node] the type that it decides"""
    edges: Integers
    """[other node, other node + 1] range of its edges"""
    child: Integers
    """[edge] the node that it leads to"""
    taken: Integers
    """[edge] cards taken of the type"""
    factor: Floats
    """[edge] 1 / orders that do not count"""


@kernel
def sum_deals(left: Integers, diagram: Diagram, out: Floats) -> None:
    """Fill `out[shoe]` with the sum over all deals of ways times gain."""
    ended, nodes = diagram.gain.size, diagram.gain.size + diagram.card.size
    sums = np.empty((nodes, SHOES_PER_BLOCK))
    ways = np.empty((_TYPES * MOST_TAKEN, SHOES_PER_BLOCK))
    for node in range(ended):
        sums[node, :] = diagram.gain[node]
    for begin in range(0, left.shape[0], SHOES_PER_BLOCK):
        used = min(SHOES_PER_BLOCK, left.shape[0] - begin)
        _fill_ways(left, begin, used, ways)
        _fill_sums(diagram, ways, sums)
        for i in range(used):
            out[begin + i] = sums[nodes - 1, i]


@lean
def _fill_ways(left: Integers, begin: int, used: int, ways: Floats) -> None:
    """Fill `ways[4 * type + taken - 1, shoe]` with n (n-1) …; shoes beyond the last one repeat it."""
    for i in range(SHOES_PER_BLOCK):
        shoe = begin + min(i, used - 1)
        for card in range(_TYPES):
            product = 1.0
            for taken in range(MOST_TAKEN):
                product *= left[shoe, card] - taken
                ways[MOST_TAKEN * card + taken, i] = product


@lean
def _fill_sums(diagram: Diagram, ways: Floats, sums: Floats) -> None:
    """Fill `sums[node, shoe]` of the nodes that are not ended."""
    ended = diagram.gain.size
    for at in range(diagram.card.size):
        here, first = sums[np.uint64(ended + at)], MOST_TAKEN * diagram.card[at] - 1
        here[:] = 0.0
        for e in range(diagram.edges[at], diagram.edges[at + 1]):
            then, taken, factor = sums[np.uint64(diagram.child[e])], diagram.taken[e], diagram.factor[e]
            if taken == 0:
                for i in range(SHOES_PER_BLOCK):
                    here[i] += then[i]
            else:
                of_type = ways[np.uint64(first + taken)]
                for i in range(SHOES_PER_BLOCK):
                    here[i] += (factor * of_type[i]) * then[i]
