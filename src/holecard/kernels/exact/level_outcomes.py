"""The dealer's endings with more and more cards of one rank gone, from a single walk.

Which cards of the pair are out besides those that are seen changes only two things: how many cards of that rank the
dealer can draw, and how many cards there are. So the walk sums the dealer's hands by ending, by length and by cards of
the pair among them, with neither factor in it; every *level* is then a short sum over those.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.exact.dealer_outcomes import BUST, Endings
from holecard.kernels.exact.stand import Floats, Tree
from holecard.kernels.jit import kernel, lean

#: Hands side by side: few enough for the sums of all lengths to stay in the fastest cache.
LANES = 32
_NONE = -1

Integers = NDArray[np.int64]
Words = NDArray[np.uint64]


@kernel
def sum_joint(
    left: Floats,
    pair: int,
    levels: Integers,
    cards: Words,
    shifts: Words,
    masks: Words,
    number: NDArray[np.int32],
    group: NDArray[np.int32],
    ways: Floats,
    start: int,
    natural: int,
    tree: Tree,
    endings: Endings,
    chances: Floats,
    sums: Floats,
) -> None:
    """Add to `sums[level, group, ending]` the chance of every state with each of the dealer's endings.

    `left[rank]` is the shoe without the dealer's start; `levels` says how many cards of the pair are out beside those
    drawn, the split hands' first ones among them. `cards` are the different multisets drawn, packed by `shifts` and
    `masks`; a state has the `number` of its cards, a `group` and `ways`. `chances` are those of `chances_of_orders`.
    """
    n_levels, n_ends, n_ranks = levels.size, endings.size, left.size
    order, begins = _by_cards(number, cards.size)
    rows, row_of, row_depth, row_pairs, row_ending = _rows(tree, start, endings, pair)
    deepest = np.int64(tree.deepest[start])
    block = np.ones((n_ranks, LANES))
    drawn = np.zeros((n_ranks, LANES), np.int64)
    counted = np.zeros(LANES, np.int64)
    weights = np.ones((deepest + 1, LANES))
    share = np.empty(LANES)
    found = np.zeros((rows, LANES))
    ended = np.zeros((n_levels, n_ends, LANES))
    draw = np.zeros((n_levels, LANES))
    falling = _falling(left, 256)
    inverse = np.zeros((deepest + 1, LANES))
    factors = np.ones((deepest + 2, LANES))
    in_shoe = left.sum()
    for begin in range(0, cards.size, LANES):
        used = min(LANES, cards.size - begin)
        counted[:] = 0
        for rank in range(n_ranks):
            for i in range(used):
                drawn[rank, i] = np.int64((cards[begin + i] >> shifts[rank]) & masks[rank])
                block[rank, i] = left[rank] - drawn[rank, i]
                counted[i] += drawn[rank, i]
        _draw_chances(left, pair, levels, drawn, counted, falling, used, draw)
        if endings.finished[start] >= 0:
            ended[:, :, :] = 0.0
            ended[:, endings.finished[start], :] = 1.0
        else:
            found[:, :] = 0.0
            _walk(tree, start, endings, pair, block, weights, share, row_of, found)
            _levels(
                in_shoe, pair, natural, levels, block, counted, chances, row_depth, row_pairs, row_ending, found,
                inverse, factors, ended,
            )  # fmt: skip
        for i in range(used):
            for at in range(begins[begin + i], begins[begin + i + 1]):
                state = order[at]
                for level in range(n_levels):
                    chance = ways[state] * draw[level, i]
                    if chance > 0.0:
                        for ending in range(n_ends):
                            sums[level, group[state], ending] += chance * ended[level, ending, i]


@kernel
def _by_cards(number: NDArray[np.int32], size: int) -> tuple[Integers, Integers]:
    """States in order of their cards, and where those of each begin."""
    begins = np.zeros(size + 1, np.int64)
    for i in range(number.size):
        begins[number[i] + 1] += 1
    for i in range(size):
        begins[i + 1] += begins[i]
    at = begins[:-1].copy()
    order = np.empty(number.size, np.int64)
    for i in range(number.size):
        order[at[number[i]]] = i
        at[number[i]] += 1
    return order, begins


@kernel
def _falling(left: Floats, most: int) -> Floats:
    """[rank, k] n (n-1) … in k steps."""
    found = np.zeros((left.size, most))
    for rank in range(left.size):
        product = 1.0
        for k in range(most):
            found[rank, k] = product
            product *= max(left[rank] - k, 0.0)
            if product > 1e280:
                break
    return found


@lean
def _draw_chances(
    left: Floats,
    pair: int,
    levels: Integers,
    drawn: NDArray[np.int64],
    counted: NDArray[np.int64],
    falling: Floats,
    used: int,
    draw: Floats,
) -> None:
    """`draw[level, lane]`: chance of drawing these cards in one given order, the level's cards of the pair out."""
    in_shoe = left.sum()
    for i in range(used):
        others = 1.0
        for rank in range(left.size):
            if rank != pair:
                others *= falling[rank, drawn[rank, i]]
        for level in range(levels.size):
            chance = others
            for k in range(drawn[pair, i]):
                chance *= max(left[pair] - levels[level] - k, 0.0)
            if left[pair] < levels[level]:
                chance = 0.0
            for k in range(counted[i]):
                chance /= max(in_shoe - levels[level] - k, 1.0)
            draw[level, i] = chance


@kernel
def _rows(tree: Tree, start: int, endings: Endings, pair: int) -> tuple[int, Integers, Integers, Integers, Integers]:
    """Sums that are needed: [entry of the start] its row; then [row] cards of the dealer but one, pairs, ending."""
    one = np.uint64(1)
    s = np.uint64(start)
    deepest = np.int64(tree.deepest[s])
    known = np.full((endings.size, deepest + 2, deepest + 2), _NONE, np.int64)
    first = endings.entries[tree.nodes[s]]
    row_of = np.empty(np.int64(endings.entries[tree.nodes[s + one]] - first), np.int64)
    depth_of, pairs_of = np.empty(row_of.size, np.int64), np.empty(row_of.size, np.int64)
    ending_of = np.empty(row_of.size, np.int64)
    pairs = np.zeros(deepest + 1, np.int64)
    rows = 0
    for node in range(tree.nodes[s], tree.nodes[s + one]):
        depth = np.int64(tree.depth[node])
        if depth > 0:
            pairs[depth] = pairs[depth - 1] + (1 if np.int64(tree.rank[node]) == pair else 0)
        for e in range(endings.entries[node], endings.entries[node + 1]):
            of_pair = pairs[depth] + (1 if np.int64(endings.rank[e]) == pair else 0)
            ending = np.int64(endings.ending[e])
            if known[ending, depth, of_pair] == _NONE:
                known[ending, depth, of_pair] = rows
                depth_of[rows], pairs_of[rows], ending_of[rows] = depth, of_pair, ending
                rows += 1
            row_of[np.int64(e) - np.int64(first)] = known[ending, depth, of_pair]
    return rows, row_of, depth_of[:rows], pairs_of[:rows], ending_of[:rows]


@lean
def _walk(
    tree: Tree,
    start: int,
    endings: Endings,
    pair: int,
    left: Floats,
    weights: Floats,
    share: Floats,
    row_of: Integers,
    found: Floats,
) -> None:
    """As in `endings`, without the factors that levels change."""
    one = np.uint64(1)
    root = tree.nodes[start]
    first = endings.entries[root]
    for node in range(root, tree.nodes[start + 1]):
        depth = tree.depth[node]
        here, ways = weights[depth], tree.ways[node]
        if node > root:
            before, of_rank, gone = weights[depth - one], left[tree.rank[node]], tree.used[node]
            if tree.rank[node] == np.uint64(pair):
                for i in range(LANES):
                    here[i] = before[i]
            else:
                for i in range(LANES):
                    here[i] = before[i] * (of_rank[i] - gone)
        for i in range(LANES):
            share[i] = here[i] * ways
        for e in range(endings.entries[node], endings.entries[node + one]):
            of_rank, own, into = left[endings.rank[e]], endings.own[e], found[row_of[e - first]]
            if endings.rank[e] == np.uint64(pair):
                for i in range(LANES):
                    into[i] += share[i]
            else:
                for i in range(LANES):
                    into[i] += share[i] * (of_rank[i] - own)


@lean
def _levels(
    in_shoe: float,
    pair: int,
    natural: int,
    levels: Integers,
    block: Floats,
    counted: NDArray[np.int64],
    chances: Floats,
    row_depth: Integers,
    row_pairs: Integers,
    row_ending: Integers,
    found: Floats,
    inverse: Floats,
    falling: Floats,
    ended: Floats,
) -> None:
    """`ended[level, ending, lane]` from the sums of the walk; a bust is what is left of no known natural.

    `inverse[depth, lane]` and `falling[pairs, lane]` are scratch: the factors that a level changes.
    """
    for level in range(levels.size):
        into, out = ended[level], float(levels[level])
        into[:, :] = 0.0
        for depth in range(inverse.shape[0]):
            for i in range(LANES):
                inverse[depth, i] = chances[depth, max(np.int64(in_shoe) - counted[i] - levels[level], 0)]
        for k in range(1, falling.shape[0]):
            for i in range(LANES):
                falling[k, i] = falling[k - 1, i] * max(block[pair, i] - out - (k - 1), 0.0)
        for row in range(row_depth.size):
            of_ending, of_row = into[row_ending[row]], found[row]
            over, ways = inverse[row_depth[row]], falling[row_pairs[row]]
            for i in range(LANES):
                of_ending[i] += of_row[i] * over[i] * ways[i]
        for i in range(LANES):
            rest = 1.0
            if natural >= 0:
                partners = block[natural, i] - (out if natural == pair else 0.0)
                rest -= partners / max(in_shoe - counted[i] - out, 1.0)
            for ending in range(1, into.shape[0]):
                rest -= into[ending, i]
            into[BUST, i] = rest
