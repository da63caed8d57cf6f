"""Counts for a wager: the best whole tags, and how well any tags fit its effects of removal.

The betting correlation is the correlation of tags with effects of removal over the cards of a deck. Among balanced
counts with tags from -L to L ("level L"), the one with the highest correlation is found exactly: a table holds, for
each sum of tags and each sum of squares that some tags of the first classes of cards have, the largest sum of tag times
effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import gcd, sqrt

import numpy as np
from numpy.typing import NDArray

from holecard.advantage.card_classes import CardClass, card_classes
from holecard.counts import Count, count_of, known_counts
from holecard.kernels.arrays import Floats


@dataclass(frozen=True)
class FittedCount:
    """A count, and its betting correlation with one wager."""

    count: Count
    correlation: float


def betting_correlation(tags: Sequence[float | Fraction], effects: Sequence[float]) -> float:
    """Return the correlation over the 52 cards of a deck; 0 where all tags or all effects are equal."""
    one, other = np.array(tags, np.float64), np.array(effects, np.float64)
    one, other = one - one.mean(), other - other.mean()
    size = sqrt(float(one @ one) * float(other @ other))
    return float(one @ other) / size if size > 0 else 0.0


def known_correlations(effects: Sequence[float]) -> tuple[FittedCount, ...]:
    """Return the counts that come with Holecard, each with its correlation."""
    counts = [count_of(name) for name in known_counts()]
    return tuple(FittedCount(count, betting_correlation(count.tags, effects)) for count in counts)


def best_tags(effects: Sequence[float], level: int, name: str) -> FittedCount | None:
    """Return the balanced count of a level that fits best; None where all effects are equal."""
    classes = card_classes(effects)
    centered = np.array(effects) - np.mean(effects)
    if len(classes) < 2 or not np.abs(centered).max() > 1e-15:
        return None
    tags = _search(classes, centered, level)
    if tags is None:
        return None
    by_card = [Fraction(0)] * len(centered)
    for one, tag in zip(classes, tags, strict=True):
        for card in one.cards:
            by_card[card] = Fraction(tag)
    return FittedCount(Count(name, tuple(by_card)), betting_correlation(by_card, effects))


def _search(classes: Sequence[CardClass], centered: Floats, level: int) -> list[int] | None:
    """Return the tag of each class; None where no balanced tags fit."""
    sizes = [len(one.cards) for one in classes]
    unit = reduce(gcd, sizes)
    weights = [size // unit for size in sizes]
    worth = [weight * float(centered[one.cards[0]]) for one, weight in zip(classes, weights, strict=True)]
    most = level * sum(weights)
    # best[middle + sum of tags, sum of squares]; each class moves it by one of its tags.
    best = np.full((2 * most + 1, level * most + 1), -np.inf)
    best[most, 0] = 0.0
    chosen: list[NDArray[np.int8]] = []
    for weight, gain in zip(weights, worth, strict=True):
        before, best = best, np.full_like(best, -np.inf)
        choice: NDArray[np.int8] = np.zeros(best.shape, np.int8)
        for tag in range(-level, level + 1):
            moved = _moved(before, weight * tag, weight * tag * tag) + tag * gain
            better = moved > best
            best[better], choice[better] = moved[better], tag
        chosen.append(choice)
    squares = np.arange(1, best.shape[1])
    score = best[most, 1:] / np.sqrt(squares)
    at = int(np.argmax(score > score.max() - 1e-12 * abs(score.max())))  # of equal ones, the smallest tags
    if not score[at] > 0:
        return None
    return _traced(chosen, weights, most, at + 1)


def _moved(table: Floats, tags: int, squares: int) -> Floats:
    """Return the table moved by a sum of tags and a sum of squares; what leaves it is lost."""
    found = np.full_like(table, -np.inf)
    height, width = table.shape
    low, high = max(0, tags), min(height, height + tags)
    found[low:high, squares:] = table[low - tags : high - tags, : width - squares]
    return found


def _traced(chosen: list[NDArray[np.int8]], weights: list[int], at: int, squares: int) -> list[int]:
    """Return the tags that lead to a place of the last table."""
    tags = []
    for choice, weight in zip(reversed(chosen), reversed(weights), strict=True):
        tag = int(choice[at, squares])
        tags.append(tag)
        at, squares = at - weight * tag, squares - weight * tag * tag
    return tags[::-1]
