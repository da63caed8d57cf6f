"""Short names for the array types that kernels and their callers pass around."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Int32s: TypeAlias = NDArray[np.int32]
UInt8s: TypeAlias = NDArray[np.uint8]
UInt16s: TypeAlias = NDArray[np.uint16]
UInt64s: TypeAlias = NDArray[np.uint64]
Flags: TypeAlias = NDArray[np.bool_]
