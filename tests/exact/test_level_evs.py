"""Levels of a split share one walk over the dealer's hands: each must be a shoe with fewer cards of the pair."""

from __future__ import annotations

import numpy as np
import pytest

from holecard.exact.error_bound import hand_bound
from holecard.exact.main.prepared_game import prepared_game
from holecard.exact.main.solve import solve
from holecard.exact.splits.pair_levels import pair_hands, pair_levels
from holecard.exact.splits.pair_trees import pair_trees
from holecard.sheets.read import rules

FULL = np.array([24.0] * 9 + [96.0])
#: Values run out within a round.
FEW = np.array([7.0, 3.0, 6.0, 8.0, 5.0, 2.0, 6.0, 4.0, 7.0, 11.0])


@pytest.mark.parametrize("counts", [FULL, FEW], ids=["full", "few"])
@pytest.mark.parametrize(("game", "pairs"), [("classic", (0, 1, 9)), ("last-chance", (0, 5, 7)), ("face-up", (0, 4))])
def test_a_level_is_a_shoe_with_fewer_cards(game: str, pairs: tuple[int, ...], counts: np.ndarray) -> None:
    """Hands that stand plain, doubled and doubled up, against every start, within the bound of each sum."""
    ready = prepared_game(rules(game).tables)
    off = 2 * hand_bound(ready)
    every = [pair_hands(ready, v) for v in pairs]
    by_pair = pair_levels(ready, counts, every, ready.original)
    for pair in every:
        for number, level in enumerate(by_pair[pair.card], start=1):
            left = counts - number * np.eye(10)[pair.card]
            np.testing.assert_array_equal(level.counts, left)
            out = pair.hands.cards[:, None] + ready.dealer.starts.cards
            fits = (pair.hands.size >= 2)[:, None] & (out <= left).all(axis=2)
            theirs = solve(ready, left, only=()).stand_evs
            up = pair.allowed.double_up[:, None] & fits
            for mine, other, some in zip(level.stand_evs, theirs, (fits, fits, up), strict=True):
                np.testing.assert_allclose(mine[some], other[pair.which][some], rtol=0, atol=off)


@pytest.mark.parametrize("game", ["classic", "face-up"])
def test_trees_of_pairs_hold_every_hand_once(game: str) -> None:
    """Each tree has all ways of the dealer's tree, and a path of one more card at each step."""
    ready = prepared_game(rules(game).tables)
    trees, _ = pair_trees(ready)
    tree = ready.dealer.tree
    for start in range(len(ready.dealer.shown)):
        mine = slice(int(tree.nodes[start]), int(tree.nodes[start + 1]))
        for v in range(10):
            here = slice(int(trees.nodes[10 * start + v]), int(trees.nodes[10 * start + v + 1]))
            ways, depth = trees.ways[here], trees.depth[here].astype(int)
            assert sorted(ways[ways > 0]) == sorted(tree.ways[mine][tree.ways[mine] > 0])
            assert (np.diff(depth) <= 1).all()
            assert not (trees.card[here][depth > 0] == v).any()
