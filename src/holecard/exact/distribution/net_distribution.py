"""`NetDistribution`: net results with their probabilities, collected one by one and added for several hands.

A result is a whole number of *parts*, `scale` of them to a unit of initial stake. Only results that occur are held, so
neither time nor memory depends on the scale.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from holecard.exact.main.prepared_game import PreparedGame
from holecard.kernels.arrays import Floats, Integers

#: Up to this range, sums are held in a dense array; beyond it, only those that occur are listed.
_DENSE = 1024


class NetDistribution:
    """Probabilities of net results, per unit of initial stake."""

    def __init__(self, game: PreparedGame) -> None:
        self.scale = game.rows.scale
        self.payoffs: Integers = game.rows.parts
        """[stakes, player class, dealer class] in parts"""
        self.parts: Integers = np.zeros(0, np.int64)
        """[result] in parts, ascending"""
        self.probabilities: Floats = np.zeros(0)
        """[result] its probability"""
        self._index: dict[int, int] = {}

    def add(self, parts: int | Integers, probability: float | Floats) -> None:
        """Add net results, in parts, with their probabilities."""
        if isinstance(parts, int) and parts in self._index:
            self.probabilities[self._index[parts]] += probability
            return
        indices = self._indices(np.asarray(parts, np.int64))
        np.add.at(self.probabilities, indices, probability)

    def _indices(self, parts: Integers) -> NDArray[np.intp]:
        """Return where results are held, making room for new ones."""
        indices = np.searchsorted(self.parts, parts)
        held = self.parts.take(indices, mode="clip") == parts if self.parts.size else np.zeros(parts.shape, np.bool_)
        if np.all(held):
            return np.asarray(indices)
        every = np.union1d(self.parts, parts)
        probabilities = np.zeros(every.size)
        probabilities[np.searchsorted(every, self.parts)] = self.probabilities
        self.parts, self.probabilities = every, probabilities
        self._index = {result: index for index, result in enumerate(every.tolist())}
        return np.asarray(np.searchsorted(every, parts))

    def add_all(self, other: NetDistribution) -> None:
        """Add another distribution of the same game."""
        self.add(other.parts, other.probabilities)

    def add_fraction(self, net: Fraction, probability: float) -> None:
        """Add a net result given in units."""
        self.add(int(net * self.scale), probability)

    def sums_of(self, each: list[tuple[Integers, Floats]]) -> tuple[Integers, Floats]:
        """Return the distribution of the sum of independent net results, each given as (parts, probabilities)."""
        lowest = [int(parts.min()) for parts, _ in each]
        widest = sum(int(parts.max()) for parts, _ in each) - sum(lowest)
        step = 1
        if widest >= _DENSE:
            beyond = [parts - low for (parts, _), low in zip(each, lowest, strict=True)]
            step = int(np.gcd.reduce(np.concatenate(beyond)))
        add = _add_dense if widest // step < _DENSE else _add_sparse
        steps, probabilities = np.zeros(1, np.int64), np.ones(1)
        for (parts, of_parts), low in zip(each, lowest, strict=True):
            further = parts - low if step == 1 else (parts - low) // step
            steps, probabilities = add(steps, probabilities, further, of_parts)
        return sum(lowest) + step * steps, probabilities

    def distribution(self) -> tuple[tuple[Fraction, float], ...]:
        """Return the net results that can occur with their probabilities, lowest first."""
        return tuple(
            (Fraction(parts, self.scale), probability)
            for parts, probability in zip(self.parts.tolist(), self.probabilities.tolist(), strict=True)
            if probability > 0.0
        )


def _add_dense(_: Integers, of_one: Floats, other: Integers, of_other: Floats) -> tuple[Integers, Floats]:
    """Return every sum up to the largest; the first argument's steps are 0, 1, 2, … without a gap."""
    alone = np.zeros(int(other.max()) + 1)
    np.add.at(alone, other, of_other)
    found = np.convolve(of_one, alone)
    return np.arange(found.size), found


def _add_sparse(one: Integers, of_one: Floats, other: Integers, of_other: Floats) -> tuple[Integers, Floats]:
    """Return each sum that occurs, once."""
    sums, index = np.unique(one[:, None] + other[None, :], return_inverse=True)
    found = np.zeros(sums.size)
    np.add.at(found, index.ravel(), np.outer(of_one, of_other).ravel())
    return sums, found
