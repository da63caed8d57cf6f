"""Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw, 2011).

A number depends only on its key and counter, so any round can be dealt anywhere: on another thread, machine or kind of
processor. 32-bit numbers are kept in 64 bits, where no product overflows.
"""

from __future__ import annotations

import numpy as np

from holecard.kernels.jit import inlined

_MULTIPLY_0, _MULTIPLY_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_RAISE_0, _RAISE_1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)

RandomWords = tuple[np.uint64, np.uint64, np.uint64, np.uint64]


@inlined
def philox(c0: np.uint64, c1: np.uint64, c2: np.uint64, c3: np.uint64, k0: np.uint64, k1: np.uint64) -> RandomWords:
    """Return four 32-bit random numbers for a counter of four words and a key of two."""
    for _ in range(10):
        product_0, product_1 = _MULTIPLY_0 * c0, _MULTIPLY_1 * c2
        c0, c1 = (product_1 >> _HALF) ^ c1 ^ k0, product_1 & _LOW
        c2, c3 = (product_0 >> _HALF) ^ c3 ^ k1, product_0 & _LOW
        k0, k1 = (k0 + _RAISE_0) & _LOW, (k1 + _RAISE_1) & _LOW
    return c0, c1, c2, c3
