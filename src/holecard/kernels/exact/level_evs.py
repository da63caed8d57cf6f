"""EVs of standing hands made by splitting, at every level of their pair, by one walk over the dealer's hands.

The notation is that of `stand`. A *level* is a number of cards of the pair out of the shoe besides the hand's own:
level index 0, 1, … stands for 1, 2, … cards.

Draws are exchangeable, so the dealer may as well draw the cards of the pair first. Of N cards left, c of the pair, the
sum over the dealer's hands at a level with j cards out is

    sum over k of  P[j, k] * (S[k, 0] + S[k, 1] / n + S[k, 2] / (n (n-1)) + …),    n = N - j - k
    P[j, k] = (c-j) (c-j-1) … (c-j-k+1) / ((N-j) (N-j-1) … (N-j-k+1)),             k cards of the pair in a row

S[k, r] adds up the hands with k cards of the pair and r others, the last card included, each by the product of its
other cards' factors times what it pays beyond a bust. S does not depend on the level, so all levels share the walk.
Pairs with one level share blocks, which `stand` sums.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.arrays import Flags, Floats, Int32s, Integers, UInt8s, UInt16s, UInt64s
from holecard.kernels.exact.stand import (
    LANES_PER_BLOCK,
    DealerStarts,
    DealerTree,
    LaneBlock,
    RowWeights,
    fill_left,
    new_block,
    sum_block,
)
from holecard.kernels.jit import kernel, lean


class PairTrees(NamedTuple):
    """The dealer's unfinished hands once for each start and pair: `DealerTree`, but a path begins with the pair's."""

    nodes: UInt64s
    """[start * values + pair, + 1] range of its nodes"""
    deepest: UInt64s
    """[start * values + pair] the most cards drawn"""
    patterns: UInt64s
    """[start, start + 1] range of its patterns"""
    depth: UInt64s
    """[node] cards drawn besides the pair's; a node of depth 0 has one more of the pair than the one before"""
    card: UInt64s
    """[node] v of its last card, if it is not of the pair"""
    used: Floats
    """[node] cards of that value drawn before it"""
    pattern: UInt64s
    """[node] index of its pattern within the start"""
    ways: Floats
    """[node] number of orders in which its cards can come; 0 where it only leads to others"""


class PairRows(NamedTuple):
    """Payoff rows arranged by these trees."""

    like: UInt8s
    """[row] the row whose multiple it is, or itself"""
    times: Floats
    """[row] the multiple"""
    less: Floats
    """[row, node] the part of the weights that the node's own cards use up, those of the pair apart, times its ways"""
    active: Flags
    """[row, pattern] whether any weight is not zero"""


class LevelBatch(NamedTuple):
    """Hands whose EVs are wanted, sorted by start, pair and `PairRows.like` of the row. All arrays are [lane]."""

    hand: UInt16s
    pair: UInt8s
    """v of the pair"""
    start: UInt8s
    row: UInt8s
    target: Int32s
    """where the EV of its first level goes"""


class _LevelBlock(NamedTuple):
    """More arrays of a block of lanes; the last axis is always the lane. `left` includes the levels' cards."""

    chance: Floats
    """[n] 1 / (cards - n)"""
    by_others: Floats
    """[2, r] S of this k and of the next one"""
    total: Floats
    in_a_row: Floats
    """[level] P of this k"""
    ev: Floats
    """[level]"""


@kernel
def sum_level_evs(
    counts: Floats,
    cards: Floats,
    batch: LevelBatch,
    levels: Integers,
    tree: DealerTree,
    trees: PairTrees,
    starts: DealerStarts,
    row_weights: RowWeights,
    pair_rows: PairRows,
    stride: int,
    out: Floats,
) -> None:
    """Fill `out[target + level * stride]` with U of standing for each of `levels[v]` levels of a lane's pair.

    `counts[v]` is the whole shoe, `cards[hand, v]` holds the player's hands.
    """
    block, level_block = new_block(counts.size, tree), _new_level_block(levels.max(), trees)
    lane_start, lane_pair, lane_row, like = batch.start, batch.pair, batch.row, pair_rows.like
    counts_are_low = counts.min() < 24.0
    begin = 0
    while begin < lane_row.size:
        start, pair, row = np.uint64(lane_start[begin]), np.uint64(lane_pair[begin]), np.uint64(like[lane_row[begin]])
        end, most = begin + 1, min(begin + LANES_PER_BLOCK, lane_row.size)
        n_levels = levels[pair]
        while end < most and lane_start[end] == start and like[lane_row[end]] == row:
            if lane_pair[end] != pair and not (n_levels == 1 and levels[lane_pair[end]] == 1):
                break
            end += 1
        fill_left(counts, cards, batch.hand[begin:end], starts.cards[start], block)
        natural, settled = starts.natural[start], row_weights.settled[row, start]
        if settled == settled:
            level_block.ev[:n_levels] = settled
        elif n_levels == 1:
            _add_cards(batch.pair[begin:end], -1.0, block)
            sum_block(tree, start, natural, row, row_weights, end - begin, block)
            level_block.ev[0] = block.ev
            _add_cards(batch.pair[begin:end], 1.0, block)
        else:
            # Compute whole vectors only; the lanes beyond the last one are never read.
            width = ((end - begin + 3) >> 2) << 2
            _sum_levels(trees, start, pair, row, n_levels, width, natural, row_weights, pair_rows, block, level_block)
        if counts_are_low:
            _clear_impossible(starts.cards[start], batch.pair[begin:end], n_levels, block.left, level_block.ev)
        _write(batch, pair_rows.times, begin, end, n_levels, stride, level_block.ev, out)
        begin = end


@kernel
def _new_level_block(n_levels: np.int64, trees: PairTrees) -> _LevelBlock:
    deepest, lanes = np.int64(trees.deepest.max()), LANES_PER_BLOCK
    return _LevelBlock(
        chance=np.zeros((n_levels + deepest + 2, lanes)),
        by_others=np.zeros((2, deepest + 2, lanes)),
        total=np.zeros(lanes),
        in_a_row=np.zeros((n_levels, lanes)),
        ev=np.zeros((n_levels, lanes)),
    )


@lean
def _add_cards(pairs: UInt8s, cards: float, block: LaneBlock) -> None:
    """Add some cards of each lane's pair."""
    for i in range(pairs.size):
        block.left[pairs[i], i] += cards
        block.cards[i] += cards


@lean
def _sum_levels(
    trees: PairTrees,
    start: np.uint64,
    pair: np.uint64,
    row: np.uint64,
    n_levels: int,
    width: int,
    natural: int,
    row_weights: RowWeights,
    pair_rows: PairRows,
    block: LaneBlock,
    of_levels: _LevelBlock,
) -> None:
    """Fill `of_levels.ev`."""
    first, last = trees.patterns[start], trees.patterns[start + np.uint64(1)]
    tree = start * np.uint64(block.left.shape[0]) + pair
    weight, active = row_weights.weight[row, first:last], pair_rows.active[row, first:last]
    _sum_patterns(weight, pair, width, block)
    for n in range(1, n_levels + np.int64(trees.deepest[tree]) + 2):
        chance = of_levels.chance[n]
        for i in range(width):
            chance[i] = 1.0 / max(block.cards[i] - n, 1.0)
    base = row_weights.base[row]
    for level in range(n_levels):
        ev, in_a_row = of_levels.ev[level], of_levels.in_a_row[level]
        in_a_row[:width] = 1.0
        ev[:width] = base
        if natural >= 0:
            of_level, chance = level + 1.0 if np.uint64(natural) == pair else 0.0, of_levels.chance[level + 1]
            for i in range(width):
                ev[i] = base * (1.0 - (block.left[natural, i] - of_level) * chance[i])
    _walk(trees, tree, pair, weight, active, pair_rows.less[row], n_levels, width, block, of_levels)


@lean
def _sum_patterns(weight: Floats, pair: np.uint64, width: int, block: LaneBlock) -> None:
    """Fill `block.sums` without the cards of the pair."""
    for pattern in range(weight.shape[0]):
        total = block.sums[pattern]
        total[:width] = 0.0
        for v in range(weight.shape[1]):
            w = weight[pattern, v]
            if w != 0.0 and np.uint64(v) != pair:
                of_value = block.left[v]
                for i in range(width):
                    total[i] += w * of_value[i]


@lean
def _walk(
    trees: PairTrees,
    tree: np.uint64,
    pair: np.uint64,
    weight: Floats,
    active: Flags,
    less: Floats,
    n_levels: int,
    width: int,
    block: LaneBlock,
    of_levels: _LevelBlock,
) -> None:
    """Add the sum over the dealer's unfinished hands to `of_levels.ev`."""
    zero, one = np.uint64(0), np.uint64(1)
    root, end = trees.nodes[tree], trees.nodes[tree + one]
    left, sums, weights = block.left, block.sums, block.weights
    in_row, depths, filled = zero, zero, one
    by_others = of_levels.by_others
    by_others[0, 0, :width] = 0.0
    for node in range(root, end):
        depth, pattern, ways = trees.depth[node], trees.pattern[node], trees.ways[node]
        if depth == zero and node > root:
            _add_in_a_row(in_row, filled, left[pair], n_levels, width, of_levels)
            in_row, depths, filled = in_row + one, zero, depths
        here, after = in_row & one, (in_row & one) ^ one
        if depth == depths:
            # The deepest node yet with these cards of the pair: its sums begin here.
            depths = depth + one
            by_others[after, depth, :width] = 0.0
            if filled <= depths:
                by_others[here, depths, :width] = 0.0
                filled = depths + one
        of_node = weights[depth]
        if depth:
            before, of_value, removed = weights[depth - one], left[trees.card[node]], trees.used[node]
            for i in range(width):
                of_node[i] = before[i] * (of_value[i] - removed)
        if ways > 0.0 and active[pattern]:
            total, own, added, of_pair = sums[pattern], less[node], by_others[here, depth + one], weight[pattern, pair]
            for i in range(width):
                added[i] += of_node[i] * (ways * total[i] - own)
            if of_pair != 0.0:
                # The last card is of the pair: one more of them.
                added, of_pair = by_others[after, depth], ways * of_pair
                for i in range(width):
                    added[i] += of_node[i] * of_pair
    _add_in_a_row(in_row, filled, left[pair], n_levels, width, of_levels)
    _add_in_a_row(in_row + one, depths, left[pair], n_levels, width, of_levels)


@lean
def _add_in_a_row(
    in_row: np.uint64, filled: np.uint64, of_pair: Floats, n_levels: int, width: int, block: _LevelBlock
) -> None:
    """Add the hands with `in_row` cards of the pair: S is filled for fewer than `filled` other cards."""
    one = np.uint64(1)
    total, by_others = block.total, block.by_others[in_row & one]
    for level in range(n_levels):
        out = np.uint64(level) + one + in_row
        chance = block.chance[out - one :]
        r = filled - one
        if r & one:
            for i in range(width):
                total[i] = by_others[r, i] * chance[r, i]
            r -= one
        else:
            total[:width] = 0.0
        while r:
            this, this_chance, next_, next_chance = by_others[r], chance[r], by_others[r - one], chance[r - one]
            for i in range(width):
                total[i] = ((total[i] + this[i]) * this_chance[i] + next_[i]) * next_chance[i]
            r -= one + one
        ev, in_a_row, alone, next_chance = block.ev[level], block.in_a_row[level], by_others[0], chance[one]
        for i in range(width):
            ev[i] += in_a_row[i] * (total[i] + alone[i])
        for i in range(width):
            in_a_row[i] *= (of_pair[i] - out) * next_chance[i]


@lean
def _clear_impossible(shown: Floats, pairs: UInt8s, n_levels: int, left: Floats, ev: Floats) -> None:
    """Set EVs to 0 where the shoe does not hold the cards that the dealer shows."""
    for v in range(shown.size):
        if shown[v] > 0.0:
            for level in range(n_levels):
                for i in range(pairs.size):
                    if left[v, i] - (level + 1.0 if pairs[i] == v else 0.0) < 0.0:
                        ev[level, i] = 0.0


@lean
def _write(
    batch: LevelBatch, times: Floats, begin: int, end: int, n_levels: int, stride: int, ev: Floats, out: Floats
) -> None:
    for lane in range(begin, end):
        target, of_row = batch.target[lane], times[batch.row[lane]]
        for level in range(n_levels):
            out[target + level * stride] = of_row * ev[level, lane - begin]
