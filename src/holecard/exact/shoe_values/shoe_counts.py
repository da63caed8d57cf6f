"""Tables of shoes: how many cards of each kind every shoe has left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard.composition import Composition
from holecard.errors import Refusal
from holecard.kernels.arrays import Integers

#: Called with the number of shoes done, and of all.
OnShoes: TypeAlias = Callable[[int, int], None]
VALUE_COUNTS, RANK_COUNTS, CARD_COUNTS = 10, 13, 52


def shoe_counts(shoes: NDArray[Any], *columns: int) -> Integers:
    """Return the table as int64[shoe, kind]; refuse other columns, and counts that are not whole numbers of cards."""
    counts = np.asarray(shoes)
    if counts.ndim != 2 or counts.shape[1] not in columns:
        wanted = " or ".join(map(str, columns))
        raise Refusal(f"shoes of shape {counts.shape}: write one shoe per row, with {wanted} counts in each")
    whole = counts.astype(np.int64)
    if (whole != counts).any() or (whole < 0).any():
        raise Refusal("shoes: each count is a whole number of cards, 0 or more")
    return whole


def by_value(counts: Integers) -> Integers:
    """Return [shoe, value - 1] from a table by value, rank or card."""
    if counts.shape[1] == CARD_COUNTS:
        counts = by_rank(counts)
    if counts.shape[1] == VALUE_COUNTS:
        return counts
    found: Integers = np.concatenate([counts[:, :9], counts[:, 9:].sum(axis=1, keepdims=True)], axis=1)
    return found


def by_rank(counts: Integers) -> Integers:
    """Return [shoe, rank]; where only values are known, tens are divided among their four ranks as evenly as can be."""
    if counts.shape[1] == RANK_COUNTS:
        return counts
    if counts.shape[1] == CARD_COUNTS:
        ranks: Integers = counts.reshape(-1, RANK_COUNTS, 4).sum(axis=2)
        return ranks
    return np.concatenate([counts[:, :9], (counts[:, 9:] + np.arange(4)) // 4], axis=1)


def composition_of(counts: Integers) -> Composition:
    """Return one row of a table as a composition."""
    ranks = tuple(by_rank(counts[None])[0].tolist())
    return Composition(ranks, tuple(counts.tolist()) if counts.size == CARD_COUNTS else None)
