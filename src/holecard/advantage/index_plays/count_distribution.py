"""How often each count is met: the exact distribution of the tags of the first cards of a shoe, at several depths.

The first d cards of a shoe are a random choice of d of its cards. A table that is filled class by class (all cards with
one tag) holds how many choices of d cards have each sum of tags.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb

import numpy as np

from holecard.counts import Count
from holecard.kernels.arrays import Floats, Integers

#: Depths between the first card and the cut card, and the probability below which a count is left out.
_DEPTHS = 8
_RARE = 1e-6
#: The last round starts half a round before the cut card on average; a round of one seat takes about this many cards.
_ROUND = 5.4


@dataclass(frozen=True, eq=False)
class CountDistribution:
    """Counts before a round, with their probabilities."""

    count: Count
    decks: int
    probability: Floats
    """[point] they sum to almost 1: very rare counts are left out"""
    total: Floats
    """[point] sum of the tags seen"""
    seen: Floats
    """[point] cards seen"""

    @property
    def excess(self) -> Floats:
        """[point] excess of the tags seen over their mean, per card not seen."""
        mean = float(self.count.imbalance) / 52
        found: Floats = (self.total - mean * self.seen) / (52 * self.decks - self.seen)
        return found

    def seen_excess(self, tags: Floats, cards: Floats) -> Floats:
        """Return [point, hand, start] the excess before the round, taken from a full shoe without these cards.

        `tags` and `cards` are the sum of the tags and the number of the cards that a player sees: [hand, start].
        """
        return excess_without(
            self.count, self.decks, self.total[:, None, None], self.seen[:, None, None], tags[None], cards[None]
        )

    def likelihood(self, tags: Floats, cards: Floats) -> Floats:
        """Return [point, hand, start] how likely each count is if these cards were not seen earlier, compared to any.

        Sums of tags are taken as normal, with the mean and the variance of draws without replacement.
        """
        without = total_density(
            self.count, self.decks, self.total[:, None, None], self.seen[:, None, None], tags, cards
        )
        none = np.zeros((1, 1))
        return without / total_density(
            self.count, self.decks, self.total[:, None, None], self.seen[:, None, None], none, none
        )

    def readings(self, tags: Floats | float = 0.0, cards: Floats | float = 0.0) -> Integers:
        """Return the whole counts after more cards with these tags were seen."""
        return count_readings(self.count, self.decks, self.total + tags, self.seen + cards)


def excess_without(
    count: Count, decks: int, total: Floats, seen: Floats | float, tags: Floats, cards: Floats
) -> Floats:
    """Return the excess of the tags seen, per card not seen, where other cards are known and out of the shoe."""
    mean = (float(count.imbalance) * decks - tags) / (52 * decks - cards)
    found: Floats = (total - mean * seen) / np.maximum(52 * decks - seen - cards, 1)
    return found


def total_density(count: Count, decks: int, total: Floats, seen: Floats | float, tags: Floats, cards: Floats) -> Floats:
    """Return the density of the sum of the tags seen, in a shoe without some cards with these tags.

    0 where no card would be left for the dealer: such hands are not dealt.
    """
    left = 52 * decks - cards
    mean = (float(count.imbalance) * decks - tags) / left * seen
    variance = np.maximum(float(np.var(np.array(count.tags, np.float64))) * seen * (left - seen) / (left - 1), _RARE)
    density = np.exp(-((total - mean) ** 2) / (2 * variance)) / np.sqrt(variance)
    found: Floats = np.where(left - seen >= 1, density, 0.0)
    return found


def count_readings(count: Count, decks: int, total: Floats, seen: Floats) -> Integers:
    """Return the whole numbers that a player uses, from sums of tags and numbers of cards seen."""
    if count.kind == "running":
        value = float(count.start) * decks + float(count.pivot) + total
    else:
        unseen = np.maximum(52 * decks - seen, 1)
        value = (total - float(count.imbalance) / 52 * seen) * count.per / unseen
    near = 1e-9  # a whole number that rounding has made slightly smaller
    if count.rounding == "nearest":
        found = np.floor(value + 0.5 + near)
    elif count.rounding == "down":
        found = np.floor(value + near)
    else:
        found = np.where(value >= 0, np.floor(value + near), np.ceil(value - near))
    return found.astype(np.int64)


def count_distribution(count: Count, decks: int, cut: int) -> CountDistribution:
    """Return the counts before the rounds up to a cut card at `cut` percent, all depths equally often."""
    cards = 52 * decks
    deepest = max(cards * cut / 100 - _ROUND / 2, 0)
    depths = [round(deepest * (2 * number + 1) / (2 * _DEPTHS)) for number in range(_DEPTHS)]
    table, lowest = _choices(count.whole_tags, decks)
    points = []
    for depth in depths:
        shares = table[depth] / float(comb(cards, depth))
        for place in np.flatnonzero(shares > _RARE).tolist():
            points.append((shares[place] / _DEPTHS, (place + lowest) / count.scale, depth))
    probability, total, seen = np.array(points, np.float64).T
    return CountDistribution(count, decks, probability, total, seen)


@lru_cache(maxsize=8)
def _choices(tags: tuple[int, ...], decks: int) -> tuple[Floats, int]:
    """Return [cards, sum of tags less the lowest one] the number of choices, and the lowest sum."""
    lowest = decks * sum(tag for tag in tags if tag < 0)
    highest = decks * sum(tag for tag in tags if tag > 0)
    table = np.zeros((52 * decks + 1, highest - lowest + 1))
    table[0, -lowest] = 1.0
    filled = 0
    for tag in sorted(set(tags)):
        cards = decks * tags.count(tag)
        before, table = table, np.zeros_like(table)
        for taken in range(cards + 1):
            moved = tag * taken
            into = slice(max(moved, 0), table.shape[1] + min(moved, 0))
            of = slice(max(-moved, 0), table.shape[1] + min(-moved, 0))
            if into.start < into.stop:
                table[taken : taken + filled + 1, into] += comb(cards, taken) * before[: filled + 1, of]
        filled += cards
    return table, lowest
