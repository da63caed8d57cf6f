"""EVs of standing hands, summed over every way the dealer can draw.

Notation, shared by all kernels of this package:

    v           a card value minus 1: 0 is an ace, 9 a card that counts ten
    start       what the dealer shows before the players act: one card, or two where both are face up
    hand        a player's hand by its number in `PlayerHands`
    row         a row of payoffs: what each dealer outcome pays a hand with certain stakes
    lane        one of the player's hands that are computed side by side, so that the inner loops vectorize
    U           an EV times the probability that the dealer has no natural the players know of; with U, every draw
                has the plain probability count / cards left, whatever the hole card is

For each start the dealer's unfinished hands form a tree. The weight of a node is its parent's weight times one factor.
Each node is computed for a block of lanes at once. The dealer's last card is summed in closed form: a node's pattern
says which values finish the hand, and a row says what each of them pays.

    out[lane] = base * P(no known natural) + sum over nodes of weight * (ways * sum over v of left[v] * pay[v] - less)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.arrays import Flags, Floats, Integers, UInt8s, UInt16s, UInt64s
from holecard.kernels.jit import kernel, lean

#: Hands computed side by side.
LANES_PER_BLOCK = 128


class DealerTree(NamedTuple):
    """The dealer's unfinished hands of every start. A node adds one card to its parent, highest values first."""

    nodes: UInt64s
    """[start, start + 1] range of its nodes; the first node is the start itself"""
    patterns: UInt64s
    """[start, start + 1] range of its patterns"""
    deepest: UInt64s
    """[start] the most cards drawn"""
    depth: UInt64s
    """[node] cards drawn so far; its parent is the nearest earlier node with one card less"""
    card: UInt64s
    """[node] v of its last card"""
    used: Floats
    """[node] cards of that value drawn before it"""
    pattern: UInt64s
    """[node] index of its pattern within the start: which values finish the hand, and how"""
    ways: Floats
    """[node] number of orders in which its cards can come"""


class DealerStarts(NamedTuple):
    """What the dealer shows before the players act: one card, or two."""

    cards: Floats
    """[start, v] cards of each value that it shows"""
    natural: Integers
    """[start] v that would make a natural the players know of and never play against; -1 if none"""


class RowWeights(NamedTuple):
    """Payoff rows arranged by the dealer's tree."""

    base: Floats
    """[row] payoff when the dealer busts; weights are what other outcomes pay beyond it"""
    weight: Floats
    """[row, pattern, v]"""
    less: Floats
    """[row, node] the part of the weights that the node's own cards use up, times its ways"""
    active: Flags
    """[row, node] whether any weight is not zero"""
    settled: Floats
    """[row, start] payoff against a start that is a finished hand; NaN where the dealer draws"""


class Batch(NamedTuple):
    """Hands whose EV of standing is wanted, sorted by start and row. All arrays are [lane]."""

    hand: UInt16s
    start: UInt8s
    row: UInt8s


class LaneBlock(NamedTuple):
    """Arrays of a block of lanes; the last axis is always the lane."""

    left: Floats
    """[v] cards left"""
    cards: Floats
    """their number"""
    sums: Floats
    """[pattern] cards left that finish the pattern, each times its weight"""
    inverse: Floats
    """[depth] 1 / (n (n-1) … (n-depth)), where n is the number of cards left"""
    weights: Floats
    """[depth] weight of the node"""
    ev: Floats


@kernel
def sum_stand_evs(
    counts: Floats,
    cards: Floats,
    batch: Batch,
    tree: DealerTree,
    starts: DealerStarts,
    row_weights: RowWeights,
    out: Floats,
) -> None:
    """Fill `out[lane]` with U of standing.

    `counts[v]` is the whole shoe, `cards[hand, v]` holds the player's hands.
    """
    lane_start, lane_row = batch.start, batch.row
    block = new_block(counts.size, tree)
    # With enough cards of every value, the shoe always has the cards that the dealer shows.
    counts_are_low = counts.min() < 24.0
    begin = 0
    while begin < lane_row.size:
        start, row = np.uint64(lane_start[begin]), np.uint64(lane_row[begin])
        end = begin + 1
        most = min(begin + LANES_PER_BLOCK, lane_row.size)
        while end < most and lane_start[end] == start and lane_row[end] == row:
            end += 1
        settled = row_weights.settled[row, start]
        if settled == settled:
            out[begin:end] = settled
        else:
            fill_left(counts, cards, batch.hand[begin:end], starts.cards[start], block)
            sum_block(tree, start, starts.natural[start], row, row_weights, end - begin, block)
            out[begin:end] = block.ev[: end - begin]
        if counts_are_low:
            _clear_impossible(counts, cards, batch, begin, end, starts.cards[start], out)
        begin = end


@kernel
def new_block(values: int, tree: DealerTree) -> LaneBlock:
    """Return the arrays of a block."""
    deepest, patterns = _widths(tree)
    return LaneBlock(
        left=np.zeros((values, LANES_PER_BLOCK)),
        cards=np.zeros(LANES_PER_BLOCK),
        sums=np.zeros((patterns, LANES_PER_BLOCK)),
        inverse=np.zeros((deepest + 1, LANES_PER_BLOCK)),
        weights=np.ones((deepest + 1, LANES_PER_BLOCK)),
        ev=np.zeros(LANES_PER_BLOCK),
    )


@lean
def sum_block(
    tree: DealerTree,
    start: np.uint64,
    natural: int,
    row: np.uint64,
    row_weights: RowWeights,
    lanes: int,
    block: LaneBlock,
) -> None:
    """Fill `block.ev` with U of standing."""
    left, cards, sums, inverse, weights, ev = block
    # Compute whole vectors only; the lanes beyond the last one are never read.
    width = ((lanes + 3) >> 2) << 2
    _orders(tree.deepest[start], cards, width, inverse)
    first, last = tree.patterns[start], tree.patterns[start + np.uint64(1)]
    _sum_patterns(row_weights.weight[row], first, last, width, left, sums)
    _walk(tree, start, row_weights.active[row], row_weights.less[row], width, left, sums, inverse, weights, ev)
    base = row_weights.base[row]
    for i in range(lanes):
        no_natural = 1.0 - left[natural, i] / max(cards[i], 1.0) if natural >= 0 else 1.0
        ev[i] = base * no_natural + ev[i]


@lean
def _walk(
    tree: DealerTree,
    start: np.uint64,
    active: Flags,
    less: Floats,
    width: int,
    left: Floats,
    sums: Floats,
    inverse: Floats,
    weights: Floats,
    ev: Floats,
) -> None:
    """Fill `ev[lane]` with the sum over the dealer's unfinished hands."""
    one = np.uint64(1)
    depths, cards, used, patterns, all_ways = tree.depth, tree.card, tree.used, tree.pattern, tree.ways
    root, end = tree.nodes[start], tree.nodes[start + one]
    total, own = sums[patterns[root]], less[root]
    for i in range(width):
        ev[i] = inverse[0, i] * (total[i] - own)
    for node in range(root + one, end):
        depth = depths[node]
        here, before, of_value, removed = weights[depth], weights[depth - one], left[cards[node]], used[node]
        if active[node]:
            total, over, ways, own = sums[patterns[node]], inverse[depth], all_ways[node], less[node]
            for i in range(width):
                weight = before[i] * (of_value[i] - removed)
                here[i] = weight
                ev[i] += (weight * over[i]) * (ways * total[i] - own)
        else:
            for i in range(width):
                here[i] = before[i] * (of_value[i] - removed)


@lean
def fill_left(counts: Floats, cards: Floats, hands: UInt16s, shown: Floats, block: LaneBlock) -> None:
    """Fill the cards left in `block` without the lane's own and the dealer's."""
    left, all_left = block.left, block.cards
    for i in range(hands.size):
        hand, in_all = hands[i], 0.0
        for v in range(counts.size):
            of_value = counts[v] - shown[v] - cards[hand, v]
            left[v, i] = of_value
            in_all += of_value
        all_left[i] = in_all


@lean
def _clear_impossible(
    counts: Floats, cards: Floats, batch: Batch, begin: int, end: int, shown: Floats, out: Floats
) -> None:
    """Set `out` to 0 where the shoe does not hold the cards that the dealer shows."""
    for v in range(counts.size):
        if shown[v] > 0.0:
            for lane in range(begin, end):
                if counts[v] - shown[v] - cards[batch.hand[lane], v] < 0.0:
                    out[lane] = 0.0


@kernel
def order_probabilities(cards: np.int64, deepest: np.int64) -> Floats:
    """Return [depth, n] 1 / (n (n-1) … (n-depth)): the probability of drawing depth + 1 given cards of n in order."""
    probabilities = np.zeros((deepest + 1, cards + 1))
    for n in range(1, cards + 1):
        product = 1.0
        for depth in range(deepest + 1):
            if depth < n:
                product *= n - depth
                probabilities[depth, n] = 1.0 / product
    return probabilities


@lean
def _orders(deepest: np.uint64, drawn: Floats, width: int, inverse: Floats) -> None:
    """Fill `inverse[depth, lane]` with 1 / (n (n-1) … (n-depth)), where n is the lane's number of cards left."""
    one = np.uint64(1)
    last = inverse[deepest]
    last[:width] = 1.0
    for removed in range(deepest + one):
        for i in range(width):
            last[i] *= max(drawn[i] - float(removed), 1.0)
    for i in range(width):
        last[i] = 1.0 / last[i]
    # One division per lane; the other depths are multiplied back from it.
    for back in range(deepest):
        depth = deepest - np.uint64(back)
        longer, here = inverse[depth], inverse[depth - one]
        for i in range(width):
            here[i] = longer[i] * max(drawn[i] - float(depth), 1.0)


@lean
def _sum_patterns(weight: Floats, first: int, last: int, width: int, left: Floats, sums: Floats) -> None:
    """Fill `sums[pattern, lane]`: cards left that finish the pattern, each times its weight."""
    for p in range(first, last):
        total = sums[p - first]
        total[:width] = 0.0
        for v in range(left.shape[0]):
            w = weight[p, v]
            if w != 0.0:
                of_value = left[v]
                for i in range(width):
                    total[i] += w * of_value[i]


@kernel
def _widths(tree: DealerTree) -> tuple[np.int64, np.int64]:
    """Return the depth of the deepest node and the most patterns of any start."""
    patterns, deepest = np.int64(0), np.int64(0)
    for start in range(tree.deepest.size):
        patterns = max(patterns, np.int64(tree.patterns[start + 1]) - np.int64(tree.patterns[start]))
        deepest = max(deepest, np.int64(tree.deepest[start]))
    return deepest, patterns
