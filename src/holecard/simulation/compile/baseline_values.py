"""The baseline value of every state of a round, which luck is measured against.

A value is the mean of the values after the next card, with every card as likely as in the full shoe. All values are
whole steps, rounded down, so every machine computes the same numbers. They need not be accurate: the correction has
mean zero for any values; accuracy only lowers the variance.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.play.lookup import ANY_CLASS, CLASS_COUNT, DEALER_OPEN, PAIRS, RANK_COUNT, ROW, VALUE_COUNT
from holecard.kernels.play.luck import BaselineValues, Steps
from holecard.simulation.compile.program import Program

#: About this many steps make a unit of stake; a part is a whole number of steps.
_STEPS = 2**32

IntTable = NDArray[np.int32]


def steps_in_part(program: Program) -> int:
    """Return the number of steps in a part of the stake."""
    return _STEPS // program.scale


def baseline_values(program: Program) -> BaselineValues:
    """Return the baseline for the program's first chart."""
    builder = BaselineBuilder(program)
    ev = builder.hands()
    pending = builder.pending(ev)
    return BaselineValues(
        ev=ev,
        pending=pending,
        opening=builder.opening(ev, pending),
        part=steps_in_part(program),
        shoe=np.concatenate([builder.values, builder.ranks]),
    )


class BaselineBuilder:
    """The tables of a program by name and shape, and the baseline computed from them."""

    def __init__(self, program: Program) -> None:
        self.lut, self.at = program.lut, program.offsets
        self.part = steps_in_part(program)
        values, ranks = self._table(self.at.value, self.at.cards), self._table(self.at.rank, self.at.cards)
        self.values, self.ranks = np.bincount(values, minlength=VALUE_COUNT), np.bincount(ranks, minlength=RANK_COUNT)
        self.value_of = np.zeros(RANK_COUNT, np.int64)
        self.value_of[ranks] = values
        self.dealers = self._table(self.at.dealer, VALUE_COUNT * VALUE_COUNT)
        self.dealer_views = self._table(self.at.dealer_view, VALUE_COUNT * VALUE_COUNT)

    def hands(self) -> Steps:
        """Return [original or added stakes, dealer hand, node]."""
        at, draws = self.at, self._dealers_draws()
        after = self._table(at.after, at.splits, ROW)[:, :VALUE_COUNT]
        ev = np.zeros((2, 1 + max([CLASS_COUNT - 1, *draws]), at.splits), np.int64)
        ev[:, :CLASS_COUNT, : at.ends] = self._nets()
        for dealer in _last_first(draws):
            ev[:, dealer, : at.ends] = self._mean(ev[:, draws[dealer], : at.ends], axis=1)
        opens = {node: after[node] for node in range(at.ends, at.splits)}
        for node in _last_first(opens):
            ev[:, :, node] = self._mean(ev[:, :, opens[node]], axis=2)
        return ev

    def pending(self, ev: Steps) -> Steps:
        """Return [upcard and hole card, rank, finished hands, hands]; 0 where all hands are finished."""
        at = self.at
        second = self._by_cell(at.second)
        again = self._by_cell(at.again).astype(np.bool_)
        most = self._table(at.most, RANK_COUNT)
        with_second = [ev[added, self.dealers[:, None, None], second] for added in (0, 1)]
        found = np.zeros((VALUE_COUNT * VALUE_COUNT, RANK_COUNT, at.hands + 2, at.hands + 2), np.int64)
        for hands in range(at.hands, 1, -1):
            splits = again & (hands < most)[None, :, None]
            for over in range(hands - 1, -1, -1):
                stays = with_second[min(over, 1)] + found[:, :, over + 1, hands, None]
                then = np.where(splits, found[:, :, over, hands + 1, None], stays)
                found[:, :, over, hands] = (then @ self.ranks) // at.cards
        return found

    def opening(self, ev: Steps, pending: Steps) -> int:
        """Return the mean over all opening deals, drawn without replacement."""
        at = self.at
        cards = np.indices((RANK_COUNT,) * (3 + at.has_hole)).reshape(3 + at.has_hole, -1)
        ways = np.ones(cards.shape[1], np.int64)
        for n, drawn in enumerate(cards):
            ways *= self.ranks[drawn] - (cards[:n] == drawn).sum(axis=0)
        first, up, second = cards[:3]
        cell = VALUE_COUNT * self.value_of[up] + (self.value_of[cards[3]] if at.has_hole else 0)
        node = self._by_cell(at.first)[cell, first, second]
        single = ev[0, self.dealers[cell], np.minimum(node, at.splits - 1)]
        found = np.where(node >= at.splits, pending[cell, first, 0, 2], single)
        # Python integers, because the sum needs more than 64 bits.
        weights: list[int] = ways.tolist()
        baseline: list[int] = found.tolist()
        return sum(weight * one for weight, one in zip(weights, baseline, strict=True)) // sum(weights)

    def _table(self, begin: int, *shape: int) -> IntTable:
        return self.lut[begin : begin + int(np.prod(shape))].reshape(shape)

    def _by_cell(self, begin: int) -> IntTable:
        """Return a table by dealer views as [upcard and hole card, rank, rank]."""
        return self._table(begin, self.at.dealer_views, PAIRS)[self.dealer_views].reshape(-1, RANK_COUNT, RANK_COUNT)

    def _nets(self) -> Steps:
        """Return [original or added stakes, dealer class, end]."""
        nets = self._table(self.at.net, 2, self.at.ends, CLASS_COUNT).astype(np.int64)
        nets[:, : self.at.settled] = nets[:, : self.at.settled, ANY_CLASS, None]
        return nets.transpose(0, 2, 1) * self.part

    def _dealers_draws(self) -> dict[int, IntTable]:
        """Return the next hand for each value, for every unfinished hand the dealer can reach."""
        found: dict[int, IntTable] = {}
        waiting = self.dealers.tolist()
        while waiting:
            dealer = waiting.pop()
            if dealer >= DEALER_OPEN and dealer not in found:
                found[dealer] = self._table(self.at.dealer_after + ROW * (dealer - DEALER_OPEN), VALUE_COUNT)
                waiting += found[dealer].tolist()
        return found

    def _mean(self, baseline: Steps, axis: int) -> Steps:
        """Average over the values along an axis."""
        return np.moveaxis(baseline, axis, -1) @ self.values // self.at.cards


def _last_first(leads: Mapping[int, IntTable]) -> list[int]:
    """Return the keys so that each comes after all keys it leads to."""
    found: dict[int, None] = {}

    def visit(one: int) -> None:
        if one in leads and one not in found:
            for then in leads[one].tolist():
                visit(then)
            found[one] = None

    for one in leads:
        visit(one)
    return list(found)
