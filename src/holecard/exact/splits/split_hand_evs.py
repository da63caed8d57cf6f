"""`split_hand_evs`: EVs of the hands that splits make, each pair played by its own policy, at every level.

A *level* is how many cards of the pair are out of the shoe in addition to the hand's own; see `pair_levels`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from holecard.exact.main.batches import map_threads
from holecard.exact.main.dealer_tree import N_VALUES
from holecard.exact.main.prepared_game import PreparedGame
from holecard.exact.splits.pair_trees import pair_trees
from holecard.exact.splits.pair_weights import levels
from holecard.kernels.arrays import Floats, Integers
from holecard.kernels.exact.actions import ActionCodes
from holecard.kernels.exact.level_evs import LevelBatch, sum_level_evs
from holecard.kernels.exact.split_batch import Pairs, SplitRows, follow_policies, list_batch
from holecard.kernels.exact.split_evs import carry_back


@dataclass(frozen=True)
class SplitHandEVs:
    """[level, start] EVs of a hand begun with one card of the pair, and of the hand once it is paired again."""

    begun: Floats
    paired: Floats


def split_hand_evs(
    game: PreparedGame, counts: Floats, policies: dict[int, ActionCodes], rows: SplitRows, threads: int
) -> tuple[dict[int, SplitHandEVs], int]:
    """Return the EVs of split hands by v of the pair, each with its policy, and how many hands were summed."""
    if not policies:
        return {}, 0

    def part(pairs: list[int]) -> tuple[dict[int, SplitHandEVs], int]:
        return _some_pairs(game, counts, {v: policies[v] for v in pairs}, rows)

    parts = map_threads(part, _shares(game, list(policies), threads), threads)
    found = {v: hands for part, _ in parts for v, hands in part.items()}
    return {v: found[v] for v in policies}, sum(summed for _, summed in parts)


def _shares(game: PreparedGame, pairs: list[int], threads: int) -> list[list[int]]:
    """Return the pairs of each thread: the pair with the most hands goes to the thread with the least work."""
    held = np.count_nonzero(game.hands.cards, axis=0).tolist()
    work = {v: 1 if game.gets_one_card(v) else held[v] * levels(game.most_hands(v)) for v in pairs}
    shares: list[list[int]] = [[] for _ in range(min(threads, len(pairs)))]
    for v in sorted(pairs, key=work.__getitem__, reverse=True):
        min(shares, key=lambda share: sum(work[r] for r in share)).append(v)
    return shares


def _some_pairs(
    game: PreparedGame, counts: Floats, policies: dict[int, ActionCodes], rows: SplitRows
) -> tuple[dict[int, SplitHandEVs], int]:
    """Return the same for the pairs of one thread."""
    pairs = Pairs(
        card=np.array(list(policies)),
        levels=np.array([levels(game.most_hands(v)) for v in policies]),
        policy=np.array(list(policies.values())),
    )
    n_starts = len(game.dealer.shown)
    reached = follow_policies(pairs, game.arrays, n_starts)
    batch = list_batch(pairs, reached, rows, pair_trees(game)[1].like, n_starts)
    evs = np.zeros(reached.begins[-1])
    fill_level_evs(game, counts, batch, n_starts, evs)
    begun, paired = carry_back(counts, pairs, game.arrays, rows, game.dealer.starts, reached, evs)
    found = {v: SplitHandEVs(begun[p, : pairs.levels[p]], paired[p, : pairs.levels[p]]) for p, v in enumerate(policies)}
    return found, batch.hand.size


def fill_level_evs(game: PreparedGame, counts: Floats, batch: LevelBatch, stride: int, evs: Floats) -> None:
    """Fill `evs[target + level * stride]` with U of standing, at every level of a lane's pair."""
    trees, rows = pair_trees(game)
    cards, dealer, weights = game.arrays.cards, game.dealer, game.row_weights
    sum_level_evs(counts, cards, batch, _levels(game), dealer.tree, trees, dealer.starts, weights, rows, stride, evs)


@lru_cache(maxsize=64)
def _levels(game: PreparedGame) -> Integers:
    """Return [v] the number of levels; 1 where a pair cannot be split."""
    return np.array([max(levels(game.most_hands(v)), 1) for v in range(N_VALUES)])
