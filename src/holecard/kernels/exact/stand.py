"""What standing hands are worth: the dealer's draws summed against many player's hands side by side.

For each start (what the dealer shows) the dealer's unfinished hands form a tree. A node's weight is one product away
from its parent's, and every node is worked out for a block of player's hands ("lanes") at once, so that the inner loops
run over lanes. The dealer's last card is summed in closed form: a node knows which ranks finish it, and what each of
them is worth.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import kernel, lean

Floats = NDArray[np.float64]
Indices = NDArray[np.uint64]
Bytes = NDArray[np.uint8]

LANES = 128


class Tree(NamedTuple):
    """The dealer's unfinished hands, start after start. A node adds one card to its parent, ranks descending."""

    nodes: Indices
    """[start, start + 1] its range among the nodes; the first is the start itself"""
    patterns: Indices
    """[start, start + 1] its range among the patterns"""
    deepest: Indices
    """[start] most cards drawn"""
    depth: Indices
    """[node] cards drawn so far; the parent is the last node before it that is one less deep"""
    rank: Indices
    """[node] its last card"""
    used: Floats
    """[node] how many cards of that rank were drawn before"""
    pattern: Indices
    """[node] which of the start's patterns says what ranks finish it"""
    ways: Floats
    """[node] in how many orders its cards can come"""


class Starts(NamedTuple):
    """What the dealer shows before the players act: one card, or two."""

    cards: Floats
    """[start, rank] how many cards of the rank it shows"""
    natural: NDArray[np.int64]
    """[start] rank that would make a natural the players know of and never play against; -1 if none"""


class Stakes(NamedTuple):
    """What the dealer's endings are worth to each row: a kind of hand with its stakes."""

    base: Floats
    """[row] what a bust is worth; weights are what other endings are worth beyond it"""
    weight: Floats
    """[row, pattern, rank]"""
    less: Floats
    """[row, node] what the node's own drawn cards take away from its weights, times its ways"""
    active: NDArray[np.bool_]
    """[row, node] whether any weight is not zero"""
    settled: Floats
    """[row, start] worth against a start that is finished already, nan where it is not"""


class Lanes(NamedTuple):
    """Player's hands to be summed against. Lanes with one start and one row should lie together."""

    hand: NDArray[np.uint16]
    pair: Bytes
    more: Bytes
    """[lane] how many further cards of the pair's rank are out of the shoe"""
    start: Bytes
    row: Bytes


@kernel
def standing(
    counts: Floats, cards: Floats, lanes: Lanes, tree: Tree, starts: Starts, stakes: Stakes, out: Floats
) -> None:
    """`out[lane]`: worth of standing, times the chance that the dealer has no known natural.

    `counts` is the whole shoe by rank, `cards[hand, rank]` the player's hands.
    """
    lane_start, lane_row = lanes.start, lanes.row
    deepest, patterns = _widths(tree)
    left = np.empty((counts.size, LANES))
    drawn = np.empty(LANES)
    sums = np.empty((patterns, LANES))
    inverse = np.empty((deepest + 1, LANES))
    weights = np.ones((deepest + 1, LANES))
    worth = np.empty(LANES)
    # Enough cards of every rank for any hand: then the dealer's can always lie there.
    counts_are_low = counts.min() < 24.0
    begin = 0
    while begin < lane_row.size:
        start, row = np.uint64(lane_start[begin]), np.uint64(lane_row[begin])
        end = begin + 1
        most = min(begin + LANES, lane_row.size)
        while end < most and lane_start[end] == start and lane_row[end] == row:
            end += 1
        used = end - begin
        settled = stakes.settled[row, start]
        shown = starts.cards[start]
        if settled == settled:
            out[begin:end] = settled
        else:
            # Whole vectors only: what the lanes beyond the last hold is never read.
            width = ((used + 3) >> 2) << 2
            _fill(counts, cards, lanes, begin, end, shown, left, drawn)
            _orders(tree.deepest[start], drawn, width, inverse)
            _endings(stakes.weight[row], tree.patterns[start], tree.patterns[start + np.uint64(1)], width, left, sums)
            _walk(tree, start, stakes.active[row], stakes.less[row], width, left, sums, inverse, weights, worth)
            natural = starts.natural[start]
            base = stakes.base[row]
            for i in range(used):
                unknown = 1.0 - left[natural, i] / max(drawn[i], 1.0) if natural >= 0 else 1.0
                out[begin + i] = base * unknown + worth[i]
        if counts_are_low:
            _strike(counts, cards, lanes, begin, end, shown, out)
        begin = end


@lean
def _walk(
    tree: Tree,
    start: np.uint64,
    active: NDArray[np.bool_],
    less: Floats,
    width: int,
    left: Floats,
    sums: Floats,
    inverse: Floats,
    weights: Floats,
    worth: Floats,
) -> None:
    """Add up the dealer's unfinished hands for one block of lanes."""
    one = np.uint64(1)
    depths, ranks, used, patterns, all_ways = tree.depth, tree.rank, tree.used, tree.pattern, tree.ways
    root, end = tree.nodes[start], tree.nodes[start + one]
    total, own = sums[patterns[root]], less[root]
    for i in range(width):
        worth[i] = inverse[0, i] * (total[i] - own)
    for node in range(root + one, end):
        depth = depths[node]
        here, before, of_rank, gone = weights[depth], weights[depth - one], left[ranks[node]], used[node]
        if active[node]:
            total, over, ways, own = sums[patterns[node]], inverse[depth], all_ways[node], less[node]
            for i in range(width):
                weight = before[i] * (of_rank[i] - gone)
                here[i] = weight
                worth[i] += (weight * over[i]) * (ways * total[i] - own)
        else:
            for i in range(width):
                here[i] = before[i] * (of_rank[i] - gone)


@lean
def _fill(
    counts: Floats, cards: Floats, lanes: Lanes, begin: int, end: int, shown: Floats, left: Floats, drawn: Floats
) -> None:
    """Cards left to each lane once its own, the pair's and the dealer's are out; `drawn`: all of them."""
    hands, pairs, more = lanes.hand, lanes.pair, lanes.more
    for lane in range(begin, end):
        i, hand = lane - begin, hands[lane]
        gone = float(more[lane])
        all_left = -gone
        for rank in range(counts.size):
            of_rank = counts[rank] - shown[rank] - cards[hand, rank]
            left[rank, i] = of_rank
            all_left += of_rank
        left[pairs[lane], i] -= gone
        drawn[i] = all_left


@lean
def _strike(counts: Floats, cards: Floats, lanes: Lanes, begin: int, end: int, shown: Floats, out: Floats) -> None:
    """Nothing is worth anything where the shoe has not the cards the dealer shows."""
    for rank in range(counts.size):
        if shown[rank] > 0.0:
            for lane in range(begin, end):
                gone = float(lanes.more[lane]) if lanes.pair[lane] == rank else 0.0
                if counts[rank] - shown[rank] - cards[lanes.hand[lane], rank] - gone < 0.0:
                    out[lane] = 0.0


@kernel
def chances_of_orders(cards: np.int64, deepest: np.int64) -> Floats:
    """[depth, n] 1 / (n (n-1) … (n-depth)): the chance of any one order of depth + 1 out of n cards."""
    chances = np.zeros((deepest + 1, cards + 1))
    for n in range(1, cards + 1):
        product = 1.0
        for depth in range(deepest + 1):
            if depth < n:
                product *= n - depth
                chances[depth, n] = 1.0 / product
    return chances


@lean
def _orders(deepest: np.uint64, drawn: Floats, width: int, inverse: Floats) -> None:
    """`inverse[depth, lane]`: 1 / (n (n-1) … (n-depth)), the chance of any one order of depth + 1 out of n cards."""
    one = np.uint64(1)
    last = inverse[deepest]
    last[:width] = 1.0
    for gone in range(deepest + one):
        for i in range(width):
            last[i] *= max(drawn[i] - float(gone), 1.0)
    for i in range(width):
        last[i] = 1.0 / last[i]
    # One division a lane; the others are multiplied back from it.
    for back in range(deepest):
        depth = deepest - np.uint64(back)
        longer, here = inverse[depth], inverse[depth - one]
        for i in range(width):
            here[i] = longer[i] * max(drawn[i] - float(depth), 1.0)


@lean
def _endings(weight: Floats, first: int, last: int, width: int, left: Floats, sums: Floats) -> None:
    """For each pattern of the start: the ranks that finish it, each as often as it is left, times its worth."""
    for p in range(first, last):
        total = sums[p - first]
        total[:width] = 0.0
        for rank in range(left.shape[0]):
            w = weight[p, rank]
            if w != 0.0:
                of_rank = left[rank]
                for i in range(width):
                    total[i] += w * of_rank[i]


@kernel
def _widths(tree: Tree) -> tuple[np.int64, np.int64]:
    """Deepest node, most patterns of a start."""
    patterns, deepest = np.int64(0), np.int64(0)
    for start in range(tree.deepest.size):
        patterns = max(patterns, np.int64(tree.patterns[start + 1]) - np.int64(tree.patterns[start]))
        deepest = max(deepest, np.int64(tree.deepest[start]))
    return deepest, patterns
