"""What every state of a round is worth if the shoe never ran low: the worths that luck is measured by.

A worth is a mean over the next card, each value as likely as in the full shoe, of the worths it leads to. All of it is
reckoned in whole steps, rounded down, so that every machine comes to the same numbers. They need not be right: luck
has no mean whatever they are. That they are nearly right makes the variance small.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.play.lookup import ANY_CLASS, CLASSES, DEALER_OPEN, PAIRS, RANKS, ROW, VALUES
from holecard.kernels.play.luck import Steps, Worths
from holecard.simulation.compile.program import Program

#: About as many steps make a unit of stake: a whole number of them makes a part.
_STEPS = 2**32

Table = NDArray[np.int32]


def steps_in_part(program: Program) -> int:
    """Steps in a part of the stake."""
    return _STEPS // program.scale


def worths_of(program: Program) -> Worths:
    """The worths for one who plays by the program's first chart."""
    reckoning = Reckoning(program)
    worth = reckoning.hands()
    pending = reckoning.pending(worth)
    return Worths(
        worth=worth,
        pending=pending,
        opening=reckoning.opening(worth, pending),
        part=steps_in_part(program),
        shoe=np.concatenate([reckoning.values, reckoning.ranks]),
    )


class Reckoning:
    """The tables of a program's book, by name and shape, and what is reckoned from them."""

    def __init__(self, program: Program) -> None:
        self.book, self.at = program.book, program.places
        self.part = steps_in_part(program)
        values, ranks = self._table(self.at.value, self.at.cards), self._table(self.at.rank, self.at.cards)
        self.values, self.ranks = np.bincount(values, minlength=VALUES), np.bincount(ranks, minlength=RANKS)
        self.value_of = np.zeros(RANKS, np.int64)
        self.value_of[ranks] = values
        self.dealers = self._table(self.at.dealer, VALUES * VALUES)
        self.sights = self._table(self.at.sight, VALUES * VALUES)

    def hands(self) -> Steps:
        """[original or added stakes, dealer's hand, node]"""
        at, draws = self.at, self._dealers_draws()
        after = self._table(at.after, at.splits, ROW)[:, :VALUES]
        worth = np.zeros((2, 1 + max([CLASSES - 1, *draws]), at.splits), np.int64)
        worth[:, :CLASSES, : at.ends] = self._nets()
        for dealer in _last_first(draws):
            worth[:, dealer, : at.ends] = self._mean(worth[:, draws[dealer], : at.ends], axis=1)
        opens = {node: after[node] for node in range(at.ends, at.splits)}
        for node in _last_first(opens):
            worth[:, :, node] = self._mean(worth[:, :, opens[node]], axis=2)
        return worth

    def pending(self, worth: Steps) -> Steps:
        """[upcard and hole card, rank, hands that are over, hands]; 0 where all hands are over."""
        at = self.at
        second = self._by_cell(at.second)
        again = self._by_cell(at.again).astype(np.bool_)
        most = self._table(at.most, RANKS)
        with_second = [worth[added, self.dealers[:, None, None], second] for added in (0, 1)]
        found = np.zeros((VALUES * VALUES, RANKS, at.hands + 2, at.hands + 2), np.int64)
        for hands in range(at.hands, 1, -1):
            splits = again & (hands < most)[None, :, None]
            for over in range(hands - 1, -1, -1):
                stays = with_second[min(over, 1)] + found[:, :, over + 1, hands, None]
                then = np.where(splits, found[:, :, over, hands + 1, None], stays)
                found[:, :, over, hands] = (then @ self.ranks) // at.cards
        return found

    def opening(self, worth: Steps, pending: Steps) -> int:
        """The mean over all opening cards in the order they are dealt, each drawn from those left."""
        at = self.at
        cards = np.indices((RANKS,) * (3 + at.has_hole)).reshape(3 + at.has_hole, -1)
        ways = np.ones(cards.shape[1], np.int64)
        for n, drawn in enumerate(cards):
            ways *= self.ranks[drawn] - (cards[:n] == drawn).sum(axis=0)
        first, up, second = cards[:3]
        cell = VALUES * self.value_of[up] + (self.value_of[cards[3]] if at.has_hole else 0)
        node = self._by_cell(at.first)[cell, first, second]
        single = worth[0, self.dealers[cell], np.minimum(node, at.splits - 1)]
        found = np.where(node >= at.splits, pending[cell, first, 0, 2], single)
        # In Python's own numbers: the sum needs more than 64 bits.
        weights: list[int] = ways.tolist()
        worths: list[int] = found.tolist()
        return sum(weight * one for weight, one in zip(weights, worths, strict=True)) // sum(weights)

    def _table(self, begin: int, *shape: int) -> Table:
        return self.book[begin : begin + int(np.prod(shape))].reshape(shape)

    def _by_cell(self, begin: int) -> Table:
        """[upcard and hole card, rank, rank] a table by sights"""
        return self._table(begin, self.at.sights, PAIRS)[self.sights].reshape(-1, RANKS, RANKS)

    def _nets(self) -> Steps:
        """[original or added stakes, dealer class, end]"""
        nets = self._table(self.at.net, 2, self.at.ends, CLASSES).astype(np.int64)
        nets[:, : self.at.settled] = nets[:, : self.at.settled, ANY_CLASS, None]
        return nets.transpose(0, 2, 1) * self.part

    def _dealers_draws(self) -> dict[int, Table]:
        """Where each value leads, for every unfinished hand that the dealer can come to."""
        found: dict[int, Table] = {}
        waiting = self.dealers.tolist()
        while waiting:
            dealer = waiting.pop()
            if dealer >= DEALER_OPEN and dealer not in found:
                found[dealer] = self._table(self.at.dealer_after + ROW * (dealer - DEALER_OPEN), VALUES)
                waiting += found[dealer].tolist()
        return found

    def _mean(self, worths: Steps, axis: int) -> Steps:
        """Over the values, which lie along an axis."""
        return np.moveaxis(worths, axis, -1) @ self.values // self.at.cards


def _last_first(leads: Mapping[int, Table]) -> list[int]:
    """Those that lead somewhere, each after all that it leads to."""
    found: dict[int, None] = {}

    def visit(one: int) -> None:
        if one in leads and one not in found:
            for then in leads[one].tolist():
                visit(then)
            found[one] = None

    for one in leads:
        visit(one)
    return list(found)
