"""Distributions of net results: each result that can happen with its probability, however fine the odds are.

A result is a whole number of *parts*, `scale` of them to a unit of initial stake. Only results that happen are held, so
neither time nor memory depends on the scale.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from holecard.exact.main.prepared_game import Game

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Sums lie side by side up to this many places; beyond, only those that happen are listed.
_DENSE = 1024


class Nets:
    """Probabilities of net results, per unit of initial stake."""

    def __init__(self, game: Game) -> None:
        self.scale = game.rows.scale
        self.worth: Integers = game.rows.parts
        """[carries, player class, dealer class] in parts of a unit"""
        self.parts: Integers = np.zeros(0, np.int64)
        """[result] in parts of a unit, rising"""
        self.chances: Floats = np.zeros(0)
        """[result] its probability"""
        self._place: dict[int, int] = {}

    def add(self, parts: int | Integers, chance: float | Floats) -> None:
        """Add net results, in parts of a unit, with their probabilities."""
        if isinstance(parts, int) and parts in self._place:
            self.chances[self._place[parts]] += chance
            return
        places = self._places(np.asarray(parts, np.int64))
        np.add.at(self.chances, places, chance)

    def _places(self, parts: Integers) -> NDArray[np.intp]:
        """Where results are held; those not met before get a place."""
        places = np.searchsorted(self.parts, parts)
        held = self.parts.take(places, mode="clip") == parts if self.parts.size else np.zeros(parts.shape, np.bool_)
        if np.all(held):
            return np.asarray(places)
        every = np.union1d(self.parts, parts)
        chances = np.zeros(every.size)
        chances[np.searchsorted(every, self.parts)] = self.chances
        self.parts, self.chances = every, chances
        self._place = {one: place for place, one in enumerate(every.tolist())}
        return np.asarray(np.searchsorted(every, parts))

    def add_all(self, other: Nets) -> None:
        """Add another distribution of the same game."""
        self.add(other.parts, other.chances)

    def add_fraction(self, net: Fraction, chance: float) -> None:
        """Add a net result in units."""
        self.add(int(net * self.scale), chance)

    def sums_of(self, each: list[tuple[Integers, Floats]]) -> tuple[Integers, Floats]:
        """Sums of independent net results, each a list of parts with probabilities."""
        lowest = [int(parts.min()) for parts, _ in each]
        widest = sum(int(parts.max()) for parts, _ in each) - sum(lowest)
        step = 1
        if widest >= _DENSE:
            beyond = [parts - low for (parts, _), low in zip(each, lowest, strict=True)]
            step = int(np.gcd.reduce(np.concatenate(beyond)))
        add = _side_by_side if widest // step < _DENSE else _one_by_one
        steps, chances = np.zeros(1, np.int64), np.ones(1)
        for (parts, of_parts), low in zip(each, lowest, strict=True):
            further = parts - low if step == 1 else (parts - low) // step
            steps, chances = add(steps, chances, further, of_parts)
        return sum(lowest) + step * steps, chances

    def distribution(self) -> tuple[tuple[Fraction, float], ...]:
        """Net results that can happen, lowest first."""
        return tuple(
            (Fraction(parts, self.scale), chance)
            for parts, chance in zip(self.parts.tolist(), self.chances.tolist(), strict=True)
            if chance > 0.0
        )


def _side_by_side(_: Integers, of_one: Floats, other: Integers, of_other: Floats) -> tuple[Integers, Floats]:
    """Every sum up to the largest; the first steps count from nothing without a gap."""
    alone = np.zeros(int(other.max()) + 1)
    np.add.at(alone, other, of_other)
    found = np.convolve(of_one, alone)
    return np.arange(found.size), found


def _one_by_one(one: Integers, of_one: Floats, other: Integers, of_other: Floats) -> tuple[Integers, Floats]:
    """Each sum that happens, once."""
    sums, place = np.unique(one[:, None] + other[None, :], return_inverse=True)
    found = np.zeros(sums.size)
    np.add.at(found, place.ravel(), np.outer(of_one, of_other).ravel())
    return sums, found
