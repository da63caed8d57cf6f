"""Distributions of the sum of several hands' net results, from what one, two and three hands do together.

A *block* is some hands of a split: (original, closed, open), the number of hands of each sort. Every block has a
generating function, the sum of the probability of each total net result. If hands were independent, the function of a
block would be the product of its hands' functions; a *cumulant* is what a block has beyond what its parts explain. The
whole is the sum, over all ways to partition the hands into blocks, of the product of their cumulants. That is exact
with the cumulants of every block; cumulants of large blocks are small and may be left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import comb
from typing import TypeAlias

import numpy as np

from holecard.kernels.arrays import Floats, Integers

HandBlock: TypeAlias = tuple[int, int, int]
Functions: TypeAlias = dict[HandBlock, Floats]


@lru_cache(maxsize=512)
def support(values: tuple[int, ...], hands: int) -> Integers:
    """Return every total of `hands` hands that each have one of the values."""
    if hands == 0:
        return np.zeros(1, np.int64)
    found: Integers = np.unique(np.add.outer(support(values, hands - 1), np.array(values)))
    return found


@lru_cache(maxsize=2048)
def _places(values: tuple[int, ...], one: int, other: int) -> Integers:
    totals = np.add.outer(support(values, one), support(values, other)).ravel()
    return np.searchsorted(support(values, one + other), totals)


def product(values: tuple[int, ...], one: tuple[int, Floats], other: tuple[int, Floats]) -> Floats:
    """Return the function of hands that are independent of each other; each argument is (hands, function)."""
    places = _places(values, one[0], other[0])
    size = support(values, one[0] + other[0]).size
    return np.bincount(places, np.multiply.outer(one[1], other[1]).ravel(), size).astype(np.float64, copy=False)


@lru_cache(maxsize=512)
def _parts(block: HandBlock) -> tuple[tuple[int, HandBlock, HandBlock], ...]:
    """Return (ways, part with the first hand, rest) for every way to divide a block in two; the rest may be empty."""
    return tuple(_every_part(block))


def _every_part(block: HandBlock) -> Iterator[tuple[int, HandBlock, HandBlock]]:
    first = (1, 0, 0) if block[0] else (0, 1, 0) if block[1] else (0, 0, 1)
    left = tuple(n - own for n, own in zip(block, first, strict=True))
    for original in range(left[0] + 1):
        for closed in range(left[1] + 1):
            for open_ in range(left[2] + 1):
                ways = comb(left[0], original) * comb(left[1], closed) * comb(left[2], open_)
                part = (first[0] + original, first[1] + closed, first[2] + open_)
                yield ways, part, (left[0] - original, left[1] - closed, left[2] - open_)


@lru_cache(maxsize=512)
def blocks(block: HandBlock, most: int) -> list[HandBlock]:
    """Return every block within one, of at most `most` hands, smaller ones first."""
    found = [(o, c, p) for o in range(block[0] + 1) for c in range(block[1] + 1) for p in range(block[2] + 1)]
    return sorted((one for one in found if 0 < sum(one) <= most), key=sum)


def from_all(values: tuple[int, ...], block: HandBlock, functions: Functions, otherwise: tuple[int, int]) -> Floats:
    """Return the function of all hands of a block where that of every block within it is known, without cumulants.

    The functions are of what hands have beyond the value they have `otherwise`: the original, and any other.
    """
    one = np.zeros(support(values, sum(block)).size)
    for part in [(0, 0, 0), *blocks(block, sum(block))]:
        ways = comb(block[0], part[0]) * comb(block[1], part[1]) * comb(block[2], part[2])
        total = (block[0] - part[0]) * otherwise[0] + (sum(block[1:]) - sum(part[1:])) * otherwise[1]
        function = functions[part] if sum(part) else np.ones(1)
        places = np.searchsorted(support(values, sum(block)), support(values, sum(part)) + total)
        one[places] += ways * function
    return one


def cumulants(values: tuple[int, ...], functions: Functions) -> Functions:
    """Return the cumulants of blocks from their functions, which must be given for every block within each."""
    found: Functions = {}
    for block in sorted(functions, key=sum):
        one = functions[block].copy()
        for ways, part, rest in _parts(block):
            if sum(rest):
                one -= ways * product(values, (sum(part), found[part]), (sum(rest), functions[rest]))
        found[block] = one
    return found


def together(values: tuple[int, ...], block: HandBlock, known: Functions, most: int) -> Floats:
    """Return the function of all hands of a block, from the cumulants of at most `most` hands."""
    done: Functions = {(0, 0, 0): np.ones(1)}

    def whole(block: HandBlock) -> Floats:
        if block not in done:
            one = np.zeros(support(values, sum(block)).size)
            for ways, part, rest in _parts(block):
                if sum(part) <= most:
                    one += ways * product(values, (sum(part), known[part]), (sum(rest), whole(rest)))
            done[block] = one
        return done[block]

    return whole(block)
