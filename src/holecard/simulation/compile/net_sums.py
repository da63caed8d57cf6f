"""Every net result that the hands of a split can add up to, numbered.

A round with a split is counted by the number of its sum. Equal net results of single hands share a *kind*, and hands
are added by lookup: (sum so far, kind of the next hand) gives the new sum. The table's size does not depend on how fine
the odds are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Parts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class NetSums:
    """The sums and the lookup tables that add hands."""

    kinds: NDArray[np.int32]
    """[original or added stakes, end, dealer class] the kind of a hand's net result"""
    after: NDArray[np.int32]
    """[sum, kind] the sum with one more hand"""
    sums: Parts
    """[sum] in parts; the first is the sum of no hands"""


def net_sums(nets: Parts, hands: int, ends: Iterable[int]) -> NetSums:
    """Return the sums of up to `hands` hands, each at one of these ends, all against the same dealer hand.

    `nets` is [original or added stakes, end, dealer class] in parts: the first hand has the original stakes, all other
    hands the stakes added by splits.
    """
    split = sorted(ends)
    values = np.unique(nets[:, split])
    found: set[int] = {0}
    steps: set[tuple[int, int]] = set()
    for original, added in {_against(nets[:, split, dealer]) for dealer in range(nets.shape[2])}:
        so_far, next_ = {0}, original
        for _ in range(hands):
            steps |= {(before, value) for before in so_far for value in next_}
            so_far, next_ = {before + value for before in so_far for value in next_}, added
            found |= so_far
    numbers = {parts: number for number, parts in enumerate(sorted(found, key=lambda parts: (parts != 0, parts)))}
    after = np.zeros((len(numbers), max(1, values.size)), np.int32)
    kind = {value: number for number, value in enumerate(values.tolist())}
    for before, value in steps:
        after[numbers[before], kind[value]] = numbers[before + value]
    kinds = np.zeros(nets.shape, np.int32)
    kinds[:, split] = np.searchsorted(values, nets[:, split])
    return NetSums(kinds, after, np.array(list(numbers), np.int64))


def _against(nets: Parts) -> tuple[frozenset[int], frozenset[int]]:
    """Return the distinct net results of a hand with the original stakes, and with added stakes."""
    original, added = (frozenset(of_stakes.tolist()) for of_stakes in nets)
    return original, added
