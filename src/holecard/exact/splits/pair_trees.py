"""`pair_trees`: the dealer's unfinished hands as trees in which the cards of a split pair come first.

Of all nodes of `dealer_tree` and all pairs: the same hands in another order, and hands that only lead to others.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from holecard.exact.main.dealer_tree import N_VALUES, DealerModel
from holecard.exact.main.prepared_game import PreparedGame
from holecard.kernels.arrays import Floats, Integers, UInt8s
from holecard.kernels.exact.level_evs import PairRows, PairTrees
from holecard.kernels.exact.stand import RowWeights

#: Bits of a value's field in the code of a dealer's hand.
_BITS = 5


@lru_cache(maxsize=64)
def pair_trees(game: PreparedGame) -> tuple[PairTrees, PairRows]:
    """Return the trees of every start and pair, and the game's payoff rows arranged by them."""
    trees, origin, pair = _trees(game.dealer)
    weights = game.row_weights
    # What each value uses up, less the pair's; the last node stands for those that only lead to others.
    used_up = weights.weight[:, game.dealer.pattern_of] * game.dealer.drawn * game.dealer.tree.ways[:, None]
    besides = np.pad(used_up @ (1 - np.eye(N_VALUES)), ((0, 0), (0, 1), (0, 0)))
    like, times = _multiples(weights)
    return trees, PairRows(
        like=like, times=times, less=besides[:, origin, pair].copy(), active=np.any(weights.weight, axis=2)
    )


def _trees(dealer: DealerModel) -> tuple[PairTrees, Integers, Integers]:
    """Return the trees, and by node: its number in the dealer's tree, or -1; v of its pair."""
    tree, n_starts = dealer.tree, len(dealer.shown)
    start = np.repeat(np.arange(n_starts), (tree.nodes[1:] - tree.nodes[:-1]).astype(np.int64))
    codes = [_code(start * N_VALUES + v, dealer.drawn.astype(np.int64)[:, _order(v)]) for v in range(N_VALUES)]
    known = np.concatenate(codes)
    by_code = np.argsort(known)
    every = _with_parents(known)
    at = by_code[np.minimum(np.searchsorted(known[by_code], every), known.size - 1)] if known.size else every
    origin = np.where(known[at] == every, at % start.size, -1) if known.size else every
    which, cards = every >> _BITS * N_VALUES, _cards(every)
    others = cards[:, 1:]
    last = N_VALUES - 2 - (others[:, ::-1] > 0).argmax(axis=1)
    pair, place = which % N_VALUES, np.arange(every.size)
    depth = others.sum(axis=1)
    return (
        PairTrees(
            nodes=np.searchsorted(which, np.arange(n_starts * N_VALUES + 1)).astype(np.uint64),
            deepest=np.repeat(tree.deepest, N_VALUES),
            patterns=tree.patterns,
            depth=depth.astype(np.uint64),
            card=np.array([_order(v)[1:] for v in range(N_VALUES)])[pair, last].astype(np.uint64),
            used=np.maximum(others[place, last] - 1, 0).astype(np.float64),
            pattern=np.where(origin >= 0, tree.pattern[origin], 0).astype(np.uint64),
            ways=np.where(origin >= 0, tree.ways[origin], 0.0),
        ),
        origin,
        pair,
    )


def _order(pair: int) -> list[int]:
    """Return the order of values in a path: the pair's, then descending."""
    return [pair, *(v for v in range(N_VALUES - 1, -1, -1) if v != pair)]


def _code(which: Integers, cards: Integers) -> Integers:
    """Return `which` tree and `cards[node, place]` as whole numbers; sorted, parents come before their children."""
    code = which.copy()
    for place in range(N_VALUES):
        code = code << _BITS | cards[:, place]
    return code


def _cards(code: Integers) -> Integers:
    """Return [node, place] the cards of a code."""
    shifts = _BITS * np.arange(N_VALUES - 1, -1, -1)
    return code[:, None] >> shifts & (1 << _BITS) - 1


def _with_parents(known: Integers) -> Integers:
    """Return the sorted codes of all nodes and of those that lead to them; a parent lacks the last card of the path."""
    every = np.unique(known)
    while True:
        cards = _cards(every)
        place = (cards[:, ::-1] > 0).argmax(axis=1)
        parents = np.where(cards.any(axis=1), every - (1 << _BITS * place), every)
        more = np.union1d(every, parents)
        if more.size == every.size:
            return every
        every = more


def _multiples(weights: RowWeights) -> tuple[UInt8s, Floats]:
    """Return [row] the row whose double it is, and 2; or itself, and 1."""
    n = weights.base.size
    flat = np.nan_to_num(np.column_stack([weights.base, weights.weight.reshape(n, -1), weights.settled]))
    doubles = (flat[:, None] == 2 * flat).all(axis=2) & ~np.eye(n, dtype=np.bool_)
    is_double = doubles.any(axis=1)
    return np.where(is_double, doubles.argmax(axis=1), np.arange(n)).astype(np.uint8), np.where(is_double, 2.0, 1.0)
