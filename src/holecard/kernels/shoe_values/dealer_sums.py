"""Expected values of what the dealer's finished hand pays, upcard included, for many shoes side by side.

The dealer's unfinished hands, upcard included, form one tree (`stand` has one for each upcard). A node's weight is its
parent's times one factor. Its last card is summed in closed form:

    out[lane] = sum over nodes of weight / (n (n-1) … (n-size)) * sum over entries of pay * (left[v] - own)

where n is the number of cards left and `pay` is what the hand that v finishes pays beyond a hand that nothing asks for,
times the orders in which the node's cards can come, added up over upcards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.arrays import Floats, Integers
from holecard.kernels.jit import kernel, lean

_LANES = 64


class FinishTree(NamedTuple):
    """The dealer's unfinished hands, a parent before its children; entries are numbered node after node."""

    size: Integers
    """[node] number of its cards; its parent is the nearest earlier node with one card less"""
    card: Integers
    """[node] v of its last card"""
    used: Floats
    """[node] cards of that value before it"""
    entries: Integers
    """[node, node + 1] range of its entries"""
    last: Integers
    """[entry] v of a last card"""
    own: Floats
    """[entry] cards of that value in the node"""


@kernel
def sum_finishes(left: Floats, tree: FinishTree, pay: Floats, out: Floats) -> None:
    """Fill `out[lane]` for the cards `left[v, lane]` and `pay[entry]`."""
    deepest = tree.size.max()
    cards = np.empty((left.shape[0], _LANES))
    total = np.empty(_LANES)
    over = np.ones((deepest + 2, _LANES))
    weights = np.ones((deepest + 1, _LANES))
    found = np.empty(_LANES)
    closed = np.empty(_LANES)
    for begin in range(0, left.shape[1], _LANES):
        used = min(_LANES, left.shape[1] - begin)
        total[:] = 0.0
        for v in range(left.shape[0]):
            for i in range(_LANES):
                cards[v, i] = left[v, begin + min(i, used - 1)]
                total[i] += cards[v, i]
        for size in range(deepest + 1):
            for i in range(_LANES):
                over[size + 1, i] = over[size, i] / max(total[i] - size, 1.0)
        found[:] = 0.0
        _walk(tree, pay, cards, over, weights, closed, found)
        for i in range(used):
            out[begin + i] = found[i]


@lean
def _walk(
    tree: FinishTree, pay: Floats, cards: Floats, over: Floats, weights: Floats, closed: Floats, found: Floats
) -> None:
    """Add to `found[lane]`; `weights` and `closed` are scratch."""
    for node in range(tree.size.size):
        size = np.uint64(tree.size[node])
        here, before, of_value = weights[size], weights[size - np.uint64(1)], cards[np.uint64(tree.card[node])]
        removed, pays = tree.used[node], False
        for i in range(_LANES):
            here[i] = before[i] * (of_value[i] - removed)
        closed[:] = 0.0
        for e in range(tree.entries[node], tree.entries[node + 1]):
            amount = pay[e]
            if amount != 0.0:
                pays = True
                last, own = cards[np.uint64(tree.last[e])], tree.own[e]
                for i in range(_LANES):
                    closed[i] += amount * (last[i] - own)
        if pays:
            probability = over[size + np.uint64(1)]
            for i in range(_LANES):
                found[i] += here[i] * probability[i] * closed[i]
