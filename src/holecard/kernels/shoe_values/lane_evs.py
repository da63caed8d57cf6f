"""U of one standing hand: what one thread of a GPU computes.

The notation is that of `exact.stand` and `exact.level_evs`, which compute the same for blocks of lanes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.arrays import Floats, Int32s, UInt8s
from holecard.kernels.jit import lean

#: An index of 64 bits that is never negative: no check for counting from the end, and no widening of addresses.
_place = np.uint64
CARD_VALUES = 10
#: What fits in a thread's own arrays: cards drawn by the dealer, patterns of one start, and levels of a pair.
MOST_DRAWN, MOST_PATTERNS, MOST_LEVELS = 15, 32, 16
#: Cards of the longest hand, and one more of a pair.
MOST_HELD = 22
#: Sizes of arrays of a thread, and of one that all threads of a block share.
WEIGHTS, BY_OTHERS, RECIPROCALS = MOST_DRAWN + 2, MOST_DRAWN + 2, MOST_HELD + MOST_LEVELS + MOST_DRAWN + 1
TWO_BY_OTHERS = 2 * BY_OTHERS
_FIELD, _BITS = 255, 8


class GameArrays(NamedTuple):
    """The rules as arrays in the memory of a GPU. None of them depends on the shoe."""

    nodes: Int32s
    """[start, start + 1] range of its nodes"""
    patterns: Int32s
    """[start, start + 1] range of its patterns"""
    node: Int32s
    """[node] depth, v of its last card, cards of that value drawn before it, pattern within the start; 8 bits each"""
    ways: Floats
    """[node] number of orders in which its cards can come"""
    weight: Floats
    """[row, pattern, v]"""
    less: Floats
    """[row, node]"""
    pair_nodes: Int32s
    """[start * values + pair, + 1] range of its nodes in `exact.level_evs.PairTrees`"""
    pair_node: Int32s
    """[node] the same as in `node`; the depth does not count the pair's cards"""
    pair_ways: Floats
    """[node]"""
    pair_less: Floats
    """[row, node]"""
    base: Floats
    """[row]"""
    settled: Floats
    """[row, start]"""
    shown: Floats
    """[start, v] the dealer's visible cards"""
    natural: Int32s
    """[start] v that would make a known natural, or -1"""
    cards: UInt8s
    """[hand, v]"""
    size: UInt8s
    """[hand]"""
    longer: Int32s
    """[hand, v] the hand with one more card, or -1"""
    totals: Int32s
    """[hard total, hard total + 1] range of its hands"""
    allowed: Int32s
    """[hand] bits: before a split, after it, as an ace with one card"""
    first: Int32s
    """[lane before a split, 3] hand, row, where its EV goes: `stakes * hands + hand`, or 3 * hands for a natural"""
    deals: Int32s
    """[deal] hand"""
    bust: Floats
    """[stakes, 2] payoff of a bust, plain and doubled: of hands before a split, then of split hands by their stakes"""
    entry: Int32s
    """[entry, 2] hand, v of the pair"""
    entry_longer: Int32s
    """[entry, v] the entry with one more card, or -1"""
    entry_totals: Int32s
    """[hard total, hard total + 1] range of its entries"""
    like_entries: Int32s
    """[entry] all entries, those that walk the same tree and have the same row as neighbors"""
    split_row: UInt8s
    """[stakes, how it stands, hand] payoff row of a split hand"""
    pair: Int32s
    """[v, 4] levels (0: it cannot be split), entry of one card, entry of two, whether an ace gets only one card"""
    doubling_doubles: Int32s
    """[0] 1 where a doubled hand before a split always has twice the EV of a plain one"""


class ThreadScratch(NamedTuple):
    """Arrays of one thread, and one of its block."""

    left: Floats
    """[v] cards left"""
    weights: Floats
    """[depth]"""
    reciprocal: Floats
    """[n] 1 / (cards left - n) with no hand out yet: the same for all threads of a block"""
    sums: Floats
    """[pattern]"""
    by_others: Floats
    """[TWO_BY_OTHERS] S of this k and of the next one"""
    in_a_row: Floats
    """[level] P of this k"""
    ev: Floats
    """[level]"""


@lean
def fill_reciprocals(
    game: GameArrays, counts: Floats, start: int, reciprocal: Floats, thread: int, threads: int
) -> None:
    """Fill `ThreadScratch.reciprocal` for a start; all threads of a block take part."""
    cards = 0.0
    for v in range(CARD_VALUES):
        cards += counts[v] - game.shown[start, v]
    for n in range(thread, RECIPROCALS, threads):
        reciprocal[n] = 1.0 / max(cards - n, 1.0)


@lean
def stand_ev(game: GameArrays, counts: Floats, start: int, hand: int, pair: int, row: int, own: ThreadScratch) -> float:
    """Return U of standing with a hand when one card of a pair is out, or none if -1; 0 if the start is impossible."""
    if not _fill_left(game, counts, start, hand, pair, own):
        return 0.0
    settled = game.settled[row, start]
    if settled == settled:
        return float(settled)
    left, weights, sums, out = own.left, own.weights, own.sums, _place(game.size[hand] + (1 if pair >= 0 else 0))
    reciprocal, ways, less, codes = own.reciprocal[out:], game.ways, game.less[row], game.node
    _sum_patterns(game, start, row, own)
    root = _place(game.nodes[start])
    weights[1] = reciprocal[0]
    ev = reciprocal[0] * (sums[_place(codes[root]) >> 3 * _BITS] - less[root])
    for node in range(root + _place(1), _place(game.nodes[start + 1])):
        code = np.uint32(codes[node])
        depth, v, used, pattern = code & _FIELD, code >> _BITS & _FIELD, code >> 2 * _BITS & _FIELD, code >> 3 * _BITS
        weight = weights[depth] * (left[v] - used) * reciprocal[depth]
        weights[depth + 1] = weight
        ev += weight * (ways[node] * sums[pattern] - less[node])
    natural = game.natural[start]
    no_natural = 1.0 - left[natural] * reciprocal[0] if natural >= 0 else 1.0
    return float(game.base[row] * no_natural + ev)


@lean
def _fill_left(game: GameArrays, counts: Floats, start: int, hand: int, pair: int, own: ThreadScratch) -> bool:
    """Fill the cards left when one card of a pair is out; return whether the start is possible."""
    is_possible = True
    for v in range(CARD_VALUES):
        shown = game.shown[start, v]
        of_value = counts[v] - shown - game.cards[hand, v] - (1.0 if v == pair else 0.0)
        is_possible = is_possible and (shown == 0.0 or of_value >= 0.0)
        own.left[v] = of_value
    return is_possible


@lean
def _sum_patterns(game: GameArrays, start: int, row: int, own: ThreadScratch) -> None:
    """Fill the sums of a start's patterns over the cards left."""
    weight, left, sums = game.weight[row], own.left, own.sums
    first = _place(game.patterns[start])
    for n in range(_place(game.patterns[start + 1]) - first):
        pattern = _place(n)
        total = 0.0
        for v in range(CARD_VALUES):
            total += weight[first + pattern, _place(v)] * left[_place(v)]
        sums[pattern] = total


@lean
def fill_own_evs(
    game: GameArrays, counts: Floats, start: int, hand: int, pair: int, row: int, n_levels: int, own: ThreadScratch
) -> None:
    """Fill `own.ev` with U of standing at every level of a pair."""
    is_possible = _fill_left(game, counts, start, hand, pair, own)
    settled, natural, of_pair = game.settled[row, start], game.natural[start], own.left[pair]
    if not is_possible or settled == settled:
        for level in range(n_levels):
            own.ev[level] = settled if is_possible else 0.0
    else:
        out = game.size[hand] + 1
        for level in range(n_levels):
            no_natural = 1.0
            if natural >= 0:
                no_natural -= (own.left[natural] - (level if natural == pair else 0.0)) * own.reciprocal[out + level]
            own.ev[level], own.in_a_row[level] = game.base[row] * no_natural, 1.0
        # Sums and nodes leave out the cards of the pair.
        own.left[pair] = 0.0
        _sum_patterns(game, start, row, own)
        _walk_pair(game, start, pair, row, of_pair, out, n_levels, own)
    if game.shown[start, pair] > 0.0:
        for level in range(n_levels):
            if of_pair - level < 0.0:
                own.ev[level] = 0.0


@lean
def _walk_pair(
    game: GameArrays, start: int, pair: int, row: int, of_pair: float, out: int, n_levels: int, own: ThreadScratch
) -> None:
    """Add the sum over the dealer's unfinished hands to `own.ev`, when `out` cards are out at the first level."""
    left, weights, sums, by_others = own.left, own.weights, own.sums, own.by_others
    ways, less, codes, last = game.pair_ways, game.pair_less[row], game.pair_node, game.weight[row, :, pair]
    tree, first = start * CARD_VALUES + pair, _place(game.patterns[start])
    root = _place(game.pair_nodes[tree])
    in_row, depths, filled, here, after = 0, _place(0), _place(1), _place(0), _place(BY_OTHERS)
    by_others[0], weights[1] = 0.0, 1.0
    for node in range(root, _place(game.pair_nodes[tree + 1])):
        code = np.uint32(codes[node])
        depth, v, used, pattern = code & _FIELD, code >> _BITS & _FIELD, code >> 2 * _BITS & _FIELD, code >> 3 * _BITS
        if depth == 0 and node > root:
            _add_in_a_row(in_row, here, filled, of_pair, out, n_levels, own)
            in_row, depths, filled = in_row + 1, _place(0), depths
            here, after = after, here
        if depth == depths:
            depths = _place(depth + 1)
            by_others[after + _place(depth)] = 0.0
            if filled <= depths:
                by_others[here + depths] = 0.0
                filled = _place(depths + 1)
        if depth > 0:
            weights[depth + 1] = weights[depth] * (left[v] - used)
        weight = weights[depth + 1]
        ordered = weight * ways[node]
        by_others[here + _place(depth + 1)] += ordered * sums[pattern] - weight * less[node]
        by_others[after + _place(depth)] += ordered * last[first + pattern]
    _add_in_a_row(in_row, here, filled, of_pair, out, n_levels, own)
    _add_in_a_row(in_row + 1, after, depths, of_pair, out, n_levels, own)


@lean
def _add_in_a_row(
    in_row: int, here: np.uint64, filled: np.uint64, of_pair: float, out: int, n_levels: int, own: ThreadScratch
) -> None:
    """Add the hands with `in_row` cards of the pair: S is filled for fewer than `filled` other cards."""
    by_others, reciprocal = own.by_others, own.reciprocal
    for level in range(n_levels):
        drawn, total = _place(out + level + in_row), 0.0
        for r in range(int(filled) - 1, 0, -1):
            total = (total + by_others[here + _place(r)]) * reciprocal[drawn + _place(r - 1)]
        own.ev[level] += own.in_a_row[level] * (total + by_others[here])
        own.in_a_row[level] *= (of_pair - (level + in_row)) * reciprocal[drawn]
