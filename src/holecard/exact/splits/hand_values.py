"""Hands made by splitting: pairs with all their levels, summed in one run of the kernel by each thread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard.exact.main.batches import share_out, sum_lanes
from holecard.exact.main.prepared_game import Game
from holecard.exact.splits.pair_weights import levels
from holecard.kernels.exact.actions import Plan
from holecard.kernels.exact.split_pair import Pairs, SplitRows, carry_back, find_lanes, reach

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SplitHands:
    """[level, start] values of a hand begun with a card of the pair, and once it is paired again."""

    begun: Floats
    paired: Floats


def split_values(
    game: Game, counts: Floats, plans: dict[int, Plan], rows: SplitRows, threads: int
) -> tuple[dict[int, SplitHands], int]:
    """Values of split hands by rank of the pair, each with its plan, and how many lanes were summed."""
    if not plans:
        return {}, 0

    def part(ranks: list[int]) -> tuple[dict[int, SplitHands], int]:
        return _some_pairs(game, counts, {rank: plans[rank] for rank in ranks}, rows)

    parts = share_out(part, _shares(game, list(plans), threads), threads)
    found = {rank: hands for part, _ in parts for rank, hands in part.items()}
    return {rank: found[rank] for rank in plans}, sum(lanes for _, lanes in parts)


def _shares(game: Game, ranks: list[int], threads: int) -> list[list[int]]:
    """The pairs by thread: the one with the most hands to whoever has the least to do."""
    held = np.count_nonzero(game.hands.cards, axis=0).tolist()
    work = {rank: 1 if game.is_lone(rank) else held[rank] * levels(game.most_hands(rank)) for rank in ranks}
    shares: list[list[int]] = [[] for _ in range(min(threads, len(ranks)))]
    for rank in sorted(ranks, key=work.__getitem__, reverse=True):
        min(shares, key=lambda share: sum(work[r] for r in share)).append(rank)
    return shares


def _some_pairs(
    game: Game, counts: Floats, plans: dict[int, Plan], rows: SplitRows
) -> tuple[dict[int, SplitHands], int]:
    """What one thread does."""
    pairs = Pairs(
        rank=np.array(list(plans)),
        levels=np.array([levels(game.most_hands(rank)) for rank in plans]),
        plan=np.array(list(plans.values())),
    )
    n_starts = len(game.dealer.shown)
    reached = reach(pairs, game.arrays, n_starts)
    wanted = find_lanes(pairs, reached, rows, n_starts, game.stakes.base.size)
    worth = sum_lanes(game, counts, wanted.lanes, 1)
    begun, paired = carry_back(counts, pairs, game.arrays, rows, game.dealer.starts, reached, wanted, worth)
    found = {
        rank: SplitHands(begun[p, : pairs.levels[p]], paired[p, : pairs.levels[p]]) for p, rank in enumerate(plans)
    }
    return found, worth.size
