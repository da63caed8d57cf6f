"""Arrays that hold how often a policy reaches each hand, for the kernel `forward` to fill."""

from __future__ import annotations

import numpy as np

from holecard.kernels.arrays import Floats
from holecard.kernels.exact.forward import Reach


def empty_reach(hands: int, starts: int) -> Reach:
    """Return arrays of zeros."""
    shape = (hands, starts)
    return Reach(
        hit=np.zeros(shape),
        doubled=np.zeros(shape),
        stands=np.zeros(shape),
        stands_doubled=np.zeros(shape),
        stands_doubled_up=np.zeros(shape),
        busts=np.zeros(starts),
        busts_doubled=np.zeros(starts),
    )


def decision_frequency(reach: Reach) -> Floats:
    """Return [hand, start] how often a hand is decided on."""
    return reach.hit + reach.doubled + reach.stands + reach.stands_doubled_up
