"""Count the work of an exact analysis while it runs.

A *lane* is one player hand against one start (what the dealer shows), with certain cards removed from the shoe; the
kernel sums over the dealer's draws for it. Every lane walks the dealer's tree for its start, unless the dealer's hand
is already finished, so the work is lanes times nodes. Sums by outcome compute the probability of every final dealer
total. The distribution needs them, and each takes several times as long as the EV of one standing hand.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np

import holecard.exact.distribution.round_distribution  # noqa: F401  # an analysis imports it late; it must be there
from bench.timing import Job
from holecard.kernels.exact.dealer_outcomes import OutcomeTable, fill_outcome_probabilities
from holecard.kernels.exact.level_evs import LevelBatch, sum_level_evs
from holecard.kernels.exact.level_outcomes import sum_joint
from holecard.kernels.exact.stand import Batch, DealerTree, RowWeights, sum_stand_evs


@dataclass
class Work:
    """Lanes and the nodes visited for them: for EVs of standing, and for probabilities of every dealer outcome."""

    lanes: int = 0
    nodes: int = 0
    ending_lanes: int = 0
    ending_nodes: int = 0

    def __str__(self) -> str:
        text = f"{self.lanes:,} lanes, {self.nodes / 1e6:.2f} M lane-nodes"
        if self.ending_lanes:
            text += f"; by outcome {self.ending_lanes:,}, {self.ending_nodes / 1e6:.1f} M"
        return text

    def stood(self, *, batch: Batch | LevelBatch, tree: DealerTree, row_weights: RowWeights, **_: object) -> None:
        """Count hands that stand, each with its own start."""
        start = batch.start.astype(np.int64)
        walks = np.isnan(row_weights.settled[batch.row.astype(np.int64), start])
        self.lanes += start.size
        self.nodes += int(nodes_of(tree)[start[walks]].sum())

    def ended(self, *, left: Any, start: int, tree: DealerTree, outcomes: OutcomeTable, **_: object) -> None:
        """Count hands against the dealer outcomes of one start."""
        self._by_ending(left.shape[1], start, tree, outcomes)

    def joined(self, *, cards: Any, start: int, tree: DealerTree, outcomes: OutcomeTable, **_: object) -> None:
        """Count split hands taken together: each multiset of cards that they draw is a lane."""
        self._by_ending(cards.size, start, tree, outcomes)

    def _by_ending(self, lanes: int, start: int, tree: DealerTree, outcomes: OutcomeTable) -> None:
        self.ending_lanes += lanes
        if outcomes.finished[start] < 0:
            self.ending_nodes += lanes * int(nodes_of(tree)[start])


def nodes_of(tree: DealerTree) -> Any:
    """Return the number of unfinished dealer hands, [start]."""
    return np.diff(tree.nodes.astype(np.int64))


def counted(job: Job) -> Work:
    """Run a job on one thread and return its counted work."""
    work = Work()
    with ExitStack() as watch:
        for kernel, note in (
            (sum_stand_evs, work.stood),
            (sum_level_evs, work.stood),
            (fill_outcome_probabilities, work.ended),
            (sum_joint, work.joined),
        ):
            for module in _users(kernel):
                watch.enter_context(mock.patch.object(module, kernel.__name__, _watched(kernel, note)))
        job()
    return work


def _users(kernel: Callable[..., object]) -> list[ModuleType]:
    """Return the modules of the exact analysis that call a kernel."""
    exact = [module for name, module in sys.modules.items() if name.startswith("holecard.exact.")]
    return [module for module in exact if vars(module).get(kernel.__name__) is kernel]


def _watched(kernel: Callable[..., object], note: Callable[..., None]) -> Callable[..., object]:
    """Return a kernel that reports its arguments to `note`."""
    names = inspect.signature(kernel)

    def noted(*given: object) -> object:
        note(**names.bind(*given).arguments)
        return kernel(*given)

    return noted
