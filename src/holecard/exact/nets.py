"""Distributions of net results on a grid: whole numbers of the smallest part a stake can win or lose."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from holecard.exact.game import Game

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Nets:
    """Chances of net results, per unit of initial stake."""

    def __init__(self, game: Game) -> None:
        self.scale = game.rows.scale
        self.worth: Integers = np.rint(game.rows.every * self.scale).astype(np.int64)
        """[carries, player class, dealer class] in parts of a unit"""
        most = int(np.abs(self.worth).max()) * game.tables.split_hands
        self.zero = most
        self.chances: Floats = np.zeros(2 * most + 1)

    def add(self, parts: int | Integers, chance: float | Floats) -> None:
        """Net results, in parts of a unit, with their chances."""
        np.add.at(self.chances, self.zero + np.asarray(parts), chance)

    def add_all(self, other: Nets) -> None:
        """The chances of another distribution of the same game."""
        self.chances += other.chances

    def add_fraction(self, net: Fraction, chance: float) -> None:
        """A net result in units."""
        self.add(int(net * self.scale), chance)

    def sums_of(self, each: list[tuple[Integers, Floats]]) -> tuple[Integers, Floats]:
        """Sums of independent net results, each a list of parts with chances."""
        low, chances = 0, np.ones(1)
        for parts, of_parts in each:
            lowest = int(parts.min())
            alone = np.zeros(int(parts.max()) - lowest + 1)
            np.add.at(alone, parts - lowest, of_parts)
            low, chances = low + lowest, np.convolve(chances, alone)
        return low + np.arange(chances.size), chances

    def distribution(self) -> tuple[tuple[Fraction, float], ...]:
        """Net results that can happen, lowest first."""
        found = np.flatnonzero(self.chances > 0.0)
        return tuple((Fraction(int(at) - self.zero, self.scale), float(self.chances[at])) for at in found)
