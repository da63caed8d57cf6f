"""Joint probabilities of the results of several split hands and the dealer's outcomes, at several levels in one walk.

A *level* is a number of cards of the pair that are out of the shoe besides those drawn. It changes only two things: how
many cards of the pair's value the dealer can draw, and how many cards are left in all. So the walk over the dealer's
tree sums hands by outcome, by length and by their number of pair cards, without either factor; each level is then a
short sum over these. The notation is that of `stand`; states are those of `joint_states`.
"""

from __future__ import annotations

import numpy as np

from holecard.kernels.arrays import Floats, Int32s, Integers, UInt64s
from holecard.kernels.exact.dealer_outcomes import BUST_OUTCOME, OutcomeTable
from holecard.kernels.exact.stand import DealerTree
from holecard.kernels.jit import kernel, lean

#: Hands computed side by side: few enough for the sums of all lengths to stay in the fastest cache.
_LANES = 32
_NONE = -1


@kernel
def sum_joint(
    left: Floats,
    pair: int,
    levels: Integers,
    cards: UInt64s,
    shifts: UInt64s,
    masks: UInt64s,
    number: Int32s,
    group: Int32s,
    ways: Floats,
    start: int,
    natural: int,
    tree: DealerTree,
    outcomes: OutcomeTable,
    probabilities: Floats,
    sums: Floats,
) -> None:
    """Add to `sums[level, group, outcome]` the probability of each state together with each dealer outcome.

    `left[v]` is the shoe without the dealer's start. `levels` counts the cards of the pair that are out besides those
    drawn, among them the first cards of the split hands. `cards` holds the distinct multisets drawn, packed by `shifts`
    and `masks`; each state has the `number` of its multiset, a `group` and `ways`. `probabilities` comes from
    `order_probabilities`.
    """
    n_levels, n_ends, n_ranks = levels.size, outcomes.size, left.size
    order, begins = _by_cards(number, cards.size)
    rows, row_of, row_depth, row_pairs, row_ending = _rows(tree, start, outcomes, pair)
    deepest = np.int64(tree.deepest[start])
    block = np.ones((n_ranks, _LANES))
    drawn = np.zeros((n_ranks, _LANES), np.int64)
    counted = np.zeros(_LANES, np.int64)
    weights = np.ones((deepest + 1, _LANES))
    share = np.empty(_LANES)
    found = np.zeros((rows, _LANES))
    ended = np.zeros((n_levels, n_ends, _LANES))
    draw = np.zeros((n_levels, _LANES))
    falling = _falling(left, 256)
    inverse = np.zeros((deepest + 1, _LANES))
    factors = np.ones((deepest + 2, _LANES))
    in_shoe = left.sum()
    for begin in range(0, cards.size, _LANES):
        used = min(_LANES, cards.size - begin)
        counted[:] = 0
        for v in range(n_ranks):
            for i in range(used):
                drawn[v, i] = np.int64((cards[begin + i] >> shifts[v]) & masks[v])
                block[v, i] = left[v] - drawn[v, i]
                counted[i] += drawn[v, i]
        _fill_draw_probabilities(left, pair, levels, drawn, counted, falling, used, draw)
        if outcomes.finished[start] >= 0:
            ended[:, :, :] = 0.0
            ended[:, outcomes.finished[start], :] = 1.0
        else:
            found[:, :] = 0.0
            _walk(tree, start, outcomes, pair, block, weights, share, row_of, found)
            _levels(
                in_shoe, pair, natural, levels, block, counted, probabilities, row_depth, row_pairs, row_ending, found,
                inverse, factors, ended,
            )  # fmt: skip
        for i in range(used):
            for at in range(begins[begin + i], begins[begin + i + 1]):
                state = order[at]
                for level in range(n_levels):
                    probability = ways[state] * draw[level, i]
                    if probability > 0.0:
                        for outcome in range(n_ends):
                            sums[level, group[state], outcome] += probability * ended[level, outcome, i]


@kernel
def _by_cards(number: Int32s, size: int) -> tuple[Integers, Integers]:
    """Return the states sorted by their multiset, and where the states of each multiset begin."""
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
    """Return [v, k] the falling factorial n (n-1) … of k factors, where n = left[v]."""
    found = np.zeros((left.size, most))
    for v in range(left.size):
        product = 1.0
        for k in range(most):
            found[v, k] = product
            product *= max(left[v] - k, 0.0)
            if product > 1e280:
                break
    return found


@lean
def _fill_draw_probabilities(
    left: Floats,
    pair: int,
    levels: Integers,
    drawn: Integers,
    counted: Integers,
    falling: Floats,
    used: int,
    draw: Floats,
) -> None:
    """Fill `draw[level, lane]`: the probability of drawing these cards in one given order at each level."""
    in_shoe = left.sum()
    for i in range(used):
        others = 1.0
        for v in range(left.size):
            if v != pair:
                others *= falling[v, drawn[v, i]]
        for level in range(levels.size):
            probability = others
            for k in range(drawn[pair, i]):
                probability *= max(left[pair] - levels[level] - k, 0.0)
            if left[pair] < levels[level]:
                probability = 0.0
            for k in range(counted[i]):
                probability /= max(in_shoe - levels[level] - k, 1.0)
            draw[level, i] = probability


@kernel
def _rows(
    tree: DealerTree, start: int, outcomes: OutcomeTable, pair: int
) -> tuple[int, Integers, Integers, Integers, Integers]:
    """Return the number of sums needed, [entry of the start] its sum, and [sum] depth, pair cards and outcome."""
    one = np.uint64(1)
    s = np.uint64(start)
    deepest = np.int64(tree.deepest[s])
    known = np.full((outcomes.size, deepest + 2, deepest + 2), _NONE, np.int64)
    first = outcomes.entries[tree.nodes[s]]
    row_of = np.empty(np.int64(outcomes.entries[tree.nodes[s + one]] - first), np.int64)
    depth_of, pairs_of = np.empty(row_of.size, np.int64), np.empty(row_of.size, np.int64)
    ending_of = np.empty(row_of.size, np.int64)
    pairs = np.zeros(deepest + 1, np.int64)
    rows = 0
    for node in range(tree.nodes[s], tree.nodes[s + one]):
        depth = np.int64(tree.depth[node])
        if depth > 0:
            pairs[depth] = pairs[depth - 1] + (1 if np.int64(tree.card[node]) == pair else 0)
        for e in range(outcomes.entries[node], outcomes.entries[node + 1]):
            of_pair = pairs[depth] + (1 if np.int64(outcomes.card[e]) == pair else 0)
            outcome = np.int64(outcomes.outcome[e])
            if known[outcome, depth, of_pair] == _NONE:
                known[outcome, depth, of_pair] = rows
                depth_of[rows], pairs_of[rows], ending_of[rows] = depth, of_pair, outcome
                rows += 1
            row_of[np.int64(e) - np.int64(first)] = known[outcome, depth, of_pair]
    return rows, row_of, depth_of[:rows], pairs_of[:rows], ending_of[:rows]


@lean
def _walk(
    tree: DealerTree,
    start: int,
    outcomes: OutcomeTable,
    pair: int,
    left: Floats,
    weights: Floats,
    share: Floats,
    row_of: Integers,
    found: Floats,
) -> None:
    """Fill `found[sum, lane]`: the walk of `dealer_outcomes` without the two factors that levels change."""
    one = np.uint64(1)
    root = tree.nodes[start]
    first = outcomes.entries[root]
    for node in range(root, tree.nodes[start + 1]):
        depth = tree.depth[node]
        here, ways = weights[depth], tree.ways[node]
        if node > root:
            before, of_value, removed = weights[depth - one], left[tree.card[node]], tree.used[node]
            if tree.card[node] == np.uint64(pair):
                for i in range(_LANES):
                    here[i] = before[i]
            else:
                for i in range(_LANES):
                    here[i] = before[i] * (of_value[i] - removed)
        for i in range(_LANES):
            share[i] = here[i] * ways
        for e in range(outcomes.entries[node], outcomes.entries[node + one]):
            of_value, own, into = left[outcomes.card[e]], outcomes.own[e], found[row_of[e - first]]
            if outcomes.card[e] == np.uint64(pair):
                for i in range(_LANES):
                    into[i] += share[i]
            else:
                for i in range(_LANES):
                    into[i] += share[i] * (of_value[i] - own)


@lean
def _levels(
    in_shoe: float,
    pair: int,
    natural: int,
    levels: Integers,
    block: Floats,
    counted: Integers,
    probabilities: Floats,
    row_depth: Integers,
    row_pairs: Integers,
    row_ending: Integers,
    found: Floats,
    inverse: Floats,
    falling: Floats,
    ended: Floats,
) -> None:
    """Fill `ended[level, outcome, lane]` from the sums of the walk; a bust is what the other outcomes leave.

    `inverse[depth, lane]` and `falling[pairs, lane]` are scratch for the two factors that a level changes.
    """
    for level in range(levels.size):
        into, out = ended[level], float(levels[level])
        into[:, :] = 0.0
        for depth in range(inverse.shape[0]):
            for i in range(_LANES):
                inverse[depth, i] = probabilities[depth, max(np.int64(in_shoe) - counted[i] - levels[level], 0)]
        for k in range(1, falling.shape[0]):
            for i in range(_LANES):
                falling[k, i] = falling[k - 1, i] * max(block[pair, i] - out - (k - 1), 0.0)
        for row in range(row_depth.size):
            of_ending, of_row = into[row_ending[row]], found[row]
            over, ways = inverse[row_depth[row]], falling[row_pairs[row]]
            for i in range(_LANES):
                of_ending[i] += of_row[i] * over[i] * ways[i]
        for i in range(_LANES):
            rest = 1.0
            if natural >= 0:
                partners = block[natural, i] - (out if natural == pair else 0.0)
                rest -= partners / max(in_shoe - counted[i] - out, 1.0)
            for outcome in range(1, into.shape[0]):
                rest -= into[outcome, i]
            into[BUST_OUTCOME, i] = rest
