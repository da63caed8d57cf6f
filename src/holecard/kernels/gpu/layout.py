"""Where a GPU's kernels find counters, tables and shoes in the memory that the threads of a block share."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np

#: A number of 32 bits: a GPU's registers have no more, while numba widens every sum to 64.
narrow = cast("type[int]", np.int32)


class SharedLayout(NamedTuple):
    """Counters by number, tables by 16-bit entry, shared memory by 32-bit word.

    Counters come first in shared memory. Those of rounds without a split come first among them.
    """

    splits: int
    stakes: int
    dealers: int
    endings: int
    wagers: int
    counters: int
    """number of all counters"""
    cells: int
    """counters per seat for rounds without a split"""
    wager_cells: int
    """counters per seat for side wagers"""
    after: int
    dealer_view: int
    dealer: int
    dealer_after: int
    opening: int
    entries: int
    """entries of all tables by rank"""
    nets: int
    """the word where net results begin"""
    full: int
    """the word where a full shoe begins"""
    tables: int
    """the word where the tables by rank begin"""
    shoes: int
    """the word where the threads' shoes begin"""


class Tuning(NamedTuple):
    """How a kernel uses a GPU; results do not depend on it."""

    threads: int
    """most threads per block"""
    registers: int
    """most registers per thread; all blocks of a multiprocessor share 65,536"""
    share_tables: bool = True
    """copy the tables by rank to shared memory if they fit"""
