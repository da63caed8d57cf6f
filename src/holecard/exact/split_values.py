"""Hands made by splitting: every pair, every level, summed in one run of the kernel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard.exact.game import Game
from holecard.exact.lanes import sum_lanes
from holecard.exact.splits import levels
from holecard.kernels.deciding import Plan
from holecard.kernels.splitting import (
    Reached,
    SplitRows,
    carry_back,
    find_lanes,
    reach,
    scatter,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SplitHands:
    """[level, start] values of a hand begun with a card of the pair, and once it is paired again."""

    begun: Floats
    paired: Floats


@dataclass(frozen=True)
class _Job:
    """One pair: the hands its plan comes to, and where their values begin in the run's two buffers."""

    rank: int
    levels: int
    plan: Plan
    reached: Reached
    offset: int

    def size(self, n_starts: int) -> int:
        return int(self.reached.hand.size) * self.levels * n_starts


def split_values(
    game: Game, counts: Floats, plans: dict[int, Plan], rows: SplitRows, threads: int
) -> tuple[dict[int, SplitHands], int]:
    """Values of split hands by rank of the pair, each with its plan, and how many lanes were summed."""
    if not plans:
        return {}, 0
    n_starts = len(game.dealer.shown)
    jobs: list[_Job] = []
    end = 0
    for rank, plan in plans.items():
        job = _Job(rank, levels(game.most_hands(rank)), plan, reach(rank, game.arrays, plan, n_starts), end)
        jobs.append(job)
        end += job.size(n_starts)
    wanted = find_lanes(
        np.array([job.rank for job in jobs]),
        np.array([job.levels for job in jobs]),
        np.array([*(job.offset for job in jobs), end]),
        tuple(job.reached for job in jobs),
        rows,
        n_starts,
        game.stakes.base.size,
    )
    worth = sum_lanes(game, counts, wanted.lanes, threads)
    # First the hands that stand, then, in a second half, those that stand with a doubling card.
    values = np.zeros(2 * end)
    scatter(worth, wanted, values)

    def back(job: _Job) -> SplitHands:
        shape = (job.reached.hand.size, job.levels * n_starts)
        value, doubled = (values[at : at + job.size(n_starts)].reshape(shape) for at in (job.offset, end + job.offset))
        starts = game.dealer.starts
        carry_back(counts, job.rank, job.levels, game.arrays, job.plan, rows, starts, job.reached, value, doubled)
        second = job.reached.place[game.arrays.longer[job.reached.hand[0], job.rank]]
        return SplitHands(value[0].reshape(-1, n_starts).copy(), value[second].reshape(-1, n_starts).copy())

    return {job.rank: back(job) for job in jobs}, worth.size
