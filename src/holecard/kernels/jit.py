"""How kernels are compiled: once for all processes, see `cache`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from llvmlite.binding import get_host_cpu_features  # type: ignore[import-untyped]

from holecard.kernels.cache import folder
from holecard.kernels.paused_import import numba
from holecard.kernels.quick_load import QuickCache

Function = TypeVar("Function", bound=Callable[..., Any])

#: An index that is never negative: of any other a kernel asks each time whether it counts from the end.
index = np.uint32

numba.config.CACHE_DIR = str(folder())  # type: ignore[attr-defined]  # read from the environment, so not declared
if "+avx512f" in (features := get_host_cpu_features().flatten()) and not numba.config.CPU_FEATURES:  # type: ignore[attr-defined]
    # LLVM halves the vectors of such processors unless told not to; our loops run over long rows of lanes.
    numba.config.CPU_FEATURES = f"{features},-prefer-256-bit"  # type: ignore[attr-defined]


def kernel(function: Function) -> Function:
    """Compile a function: no Python objects inside, other threads run beside it, a*b+c may be fused."""
    compile_ = numba.njit(nogil=True, fastmath={"contract"}, error_model="numpy")
    return cast(Function, _cached(compile_(function)))


def lean(function: Function) -> Function:
    """Compile a function that makes no arrays of its own, so that nobody counts who still uses one.

    The counting costs some ten nanoseconds wherever a row of an array is given a name or passed on: more than playing a
    card does.
    """
    options: dict[str, Any] = {"nogil": True, "fastmath": {"contract"}, "error_model": "numpy"}
    options["_nrt"] = False  # "Numba's run time", which does the counting
    return cast(Function, _cached(numba.njit(**options)(function)))


def _cached(function: Any) -> Any:
    """Keep what is compiled on disk; where numba is switched off (NUMBA_DISABLE_JIT), nothing is compiled."""
    if hasattr(function, "enable_caching"):
        function._cache = QuickCache(function.py_func)  # type: ignore[no-untyped-call]
    return function


def inlined(function: Function) -> Function:
    """Compile a function as a part of each that calls it.

    Left to the compiler, a loop whose body calls a long function may be run lane by lane, five times as slowly.
    """
    return cast(Function, numba.njit(inline="always", error_model="numpy")(function))
