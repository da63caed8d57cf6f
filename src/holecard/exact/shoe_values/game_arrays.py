"""A prepared game as the arrays of `kernels.shoe_values.one_start`, and the scratch memory that its steps need."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from holecard.errors import Refusal
from holecard.exact.main.initial_hands import EVERY_DEAL
from holecard.exact.main.prepared_game import PreparedGame
from holecard.exact.main.round_evs import most_levels
from holecard.exact.splits.pair_trees import pair_trees
from holecard.exact.splits.pair_weights import levels
from holecard.kernels.arrays import Int32s, Integers
from holecard.kernels.exact.actions import Allowed
from holecard.kernels.exact.level_evs import PairTrees
from holecard.kernels.exact.stand import DealerTree
from holecard.kernels.shoe_values.lane_evs import CARD_VALUES, MOST_DRAWN, MOST_LEVELS, MOST_PATTERNS, GameArrays
from holecard.kernels.shoe_values.one_start import (
    AFTER_SPLIT,
    HIGHEST,
    MAY_DOUBLE,
    MAY_DOUBLE_UP,
    MAY_HIT,
    ONE_CARD_ACE,
    BlockScratch,
)
from holecard.kernels.shoe_values.round_evs import InitialEVs
from holecard.payoffs.stakes import StakesOnHand
from holecard.sheets.tables import NATURAL

#: Makes an array of a shape and type, here or on a GPU.
Allocate: TypeAlias = Callable[[tuple[int, ...], type], Any]


@lru_cache(maxsize=16)
def game_arrays(game: PreparedGame) -> GameArrays:
    """Return the arrays of a game."""
    tree, starts, weights = game.dealer.tree, game.dealer.starts, game.row_weights
    if tree.deepest.max() > MOST_DRAWN or np.diff(tree.patterns.astype(np.int64)).max() > MOST_PATTERNS:
        raise Refusal("this dealer can draw more cards than fit in a GPU thread's memory; use device 'cpu'")
    if most_levels(game) > MOST_LEVELS:
        raise Refusal("splits of this game make more hands than fit in a GPU thread's memory; use device 'cpu'")
    trees, pair_rows = pair_trees(game)
    hands = game.hands
    hard = (hands.cards @ np.arange(1, CARD_VALUES + 1)).astype(np.int64)
    entry, entry_longer, pair = _entries(game, hard)
    stakes = (game.original,) if game.rows.split_alike else (game.original, game.added)
    low, high = np.array(EVERY_DEAL).T - 1
    bust = game.rows.bust
    return GameArrays(
        nodes=tree.nodes.astype(np.int32),
        patterns=tree.patterns.astype(np.int32),
        node=_node_codes(tree),
        ways=tree.ways,
        weight=weights.weight,
        less=weights.less,
        pair_nodes=trees.nodes.astype(np.int32),
        pair_node=_node_codes(trees),
        pair_ways=trees.ways,
        pair_less=pair_rows.less,
        base=weights.base,
        settled=weights.settled,
        shown=starts.cards,
        natural=starts.natural.astype(np.int32),
        cards=hands.cards.astype(np.uint8),
        size=hands.size.astype(np.uint8),
        longer=hands.longer.astype(np.int32),
        totals=_ranges(hard),
        allowed=(
            _bits(game.first_hand)
            | _bits(game.split_hand) << np.int32(AFTER_SPLIT)
            | _bits(game.one_card_ace) << np.int32(ONE_CARD_ACE)
        ),
        first=_first_lanes(game),
        deals=hands.two[low, high].astype(np.int32),
        bust=np.array(
            [
                [bust[StakesOnHand.ORIGINAL], bust[StakesOnHand.ORIGINAL_DOUBLED]],
                *([rows.bust, rows.doubled_bust] for rows in stakes),
            ]
        ),
        entry=entry,
        entry_longer=entry_longer,
        entry_totals=_ranges(hard[entry[:, 0]]),
        like_entries=_like_entries(game, entry, pair),
        split_row=np.array([[rows.plain, rows.doubled, rows.doubled_up] for rows in stakes]),
        pair=pair,
        doubling_doubles=np.array([game.rows.doubling_doubles], np.int32),
    )


def scratch_for(game: PreparedGame, blocks: int, threads: int, allocate: Allocate) -> BlockScratch:
    """Return the scratch memory of all blocks; `threads` is the number in each, `allocate` makes an array."""
    arrays = game_arrays(game)
    hands, entries, n = arrays.size.size, len(arrays.entry), most_levels(game)
    return BlockScratch(
        stand=allocate((blocks, 3 * hands + 1), np.float64),
        hit=allocate((blocks, hands), np.float64),
        double=allocate((blocks, hands), np.float64),
        best=allocate((blocks, hands), np.float64),
        after=allocate((blocks, hands), np.uint8),
        ace=allocate((blocks, hands), np.uint8),
        comes=allocate((blocks, entries), np.uint8),
        doubled=allocate((blocks, entries), np.uint8),
        ev=allocate((blocks, entries, n), np.float64),
        doubled_ev=allocate((blocks, entries, n), np.float64),
        lanes=allocate((blocks, 2 * entries), np.int32),
        counted=allocate((blocks, threads + 1), np.int32),
    )


def initial_evs_for(game: PreparedGame, shoes: int, allocate: Allocate) -> InitialEVs:
    """Return memory for the EVs of a number of shoes."""
    n_starts, n_stakes = len(game.dealer.shown), 1 if game.rows.split_alike else 2
    split = (shoes, n_stakes, CARD_VALUES, most_levels(game), n_starts)
    return InitialEVs(
        first=allocate((shoes, len(EVERY_DEAL), n_starts), np.float64),
        natural=allocate((shoes, n_starts), np.float64),
        begun=allocate(split, np.float64),
        paired=allocate(split, np.float64),
    )


def starts_by_work(game: PreparedGame) -> Int32s:
    """Return the starts, those with the most dealer's hands first."""
    nodes = np.diff(game.dealer.tree.nodes.astype(np.int64))
    return np.argsort(-nodes, kind="stable").astype(np.int32)


def _ranges(sorted_totals: Integers) -> Int32s:
    """Return [hard total, hard total + 1] ranges."""
    return np.searchsorted(sorted_totals, np.arange(HIGHEST + 2)).astype(np.int32)


def _node_codes(tree: DealerTree | PairTrees) -> Int32s:
    """Return [node] depth, card, used and pattern, 8 bits each."""
    fields = (tree.depth, tree.card, tree.used, tree.pattern)
    return np.asarray(sum(field.astype(np.int32) << 8 * place for place, field in enumerate(fields)), np.int32)


def _like_entries(game: PreparedGame, entry: Int32s, pair: Int32s) -> Int32s:
    """Return the entries sorted by the tree they walk (one for all pairs with a single level) and by plain row."""
    hand, card = entry.T
    walked = np.where(pair[card, 0] == 1, -1, card)
    return np.lexsort((game.original.plain[hand], walked)).astype(np.int32)


def _bits(allowed: Allowed) -> Int32s:
    """Return [hand] the allowed actions as bits."""
    bits = MAY_HIT * allowed.hit + MAY_DOUBLE * allowed.double + MAY_DOUBLE_UP * allowed.double_up
    return np.asarray(bits, np.int32)


def _first_lanes(game: PreparedGame) -> Int32s:
    """Return [lane] hand, row and target of everything that is summed before a split, sorted by row."""
    size, rows = game.hands.size.size, game.original
    every = np.flatnonzero(game.hands.size >= 2)
    up = np.flatnonzero(game.first_hand.double_up | game.split_hand.double_up)
    natural = game.hands.two[0, 9:]
    lanes = [
        (every, rows.plain[every], every),
        (every[:0] if game.rows.doubling_doubles else every, rows.doubled[every], size + every),
        (up, rows.doubled_up[up], 2 * size + up),
        (natural, game.rows.row[[StakesOnHand.ORIGINAL], NATURAL], np.array([3 * size])),
    ]
    table = np.concatenate([np.column_stack([part[: len(lane[0])] for part in lane]) for lane in lanes])
    return table[np.argsort(table[:, 1], kind="stable")].astype(np.int32)


def _entries(game: PreparedGame, hard: Integers) -> tuple[Int32s, Int32s, Int32s]:
    """Return `entry`, `entry_longer` and `pair` of `GameArrays`."""
    hands = game.hands
    can_split = [game.most_hands(v) > 1 for v in range(CARD_VALUES)]
    held = (hands.cards > 0) & np.array(can_split)
    for v in range(CARD_VALUES):
        if game.gets_one_card(v):
            held[hands.size > 2, v] = False
    hand, pair_card = np.nonzero(held)
    order = np.lexsort((hand, pair_card, hard[hand]))
    hand, pair_card = hand[order], pair_card[order]
    # The last row stands for a bust.
    number = np.full((len(held) + 1, CARD_VALUES), -1)
    number[hand, pair_card] = np.arange(len(hand))
    singles = hands.longer[0]
    pair = np.zeros((CARD_VALUES, 4), np.int32)
    for v in range(CARD_VALUES):
        if can_split[v]:
            pair[v] = (
                levels(game.most_hands(v)),
                number[singles[v], v],
                number[hands.two[v, v], v],
                game.gets_one_card(v),
            )
    longer = number[hands.longer[hand], pair_card[:, None]]
    return np.column_stack([hand, pair_card]).astype(np.int32), longer.astype(np.int32), pair
