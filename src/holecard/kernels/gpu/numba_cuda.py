"""`numba.cuda`, and limits of all kernels for GPUs."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

if not hasattr(np, "row_stack"):  # numba-cuda 0.30 needs it; numpy 2.5 removed it
    np.row_stack = np.vstack
cuda: Any = import_module("numba.cuda")

#: Limits per round: hands, seats.
MOST_HANDS, MOST_SEATS = 64, 7


def jit_options(registers: int) -> dict[str, int]:
    """Return options for `cuda.jit` that limit the registers per thread; the simulator of a GPU knows none."""
    return {} if import_module("numba").config.ENABLE_CUDASIM else {"max_registers": registers}
