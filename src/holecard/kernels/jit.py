"""Decorators that compile kernels with numba, once for all processes (`cache` says where the results are kept)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from llvmlite.binding import get_host_cpu_features  # type: ignore[import-untyped]

from holecard.kernels.cache import folder
from holecard.kernels.paused_import import numba
from holecard.kernels.quick_load import QuickCache

Function = TypeVar("Function", bound=Callable[..., Any])

#: An index type that is never negative: with a signed one, numba checks for counting from the end each time.
index = np.uint32

numba.config.CACHE_DIR = str(folder())  # type: ignore[attr-defined]  # read from the environment, so not declared
if "+avx512f" in (features := get_host_cpu_features().flatten()) and not numba.config.CPU_FEATURES:  # type: ignore[attr-defined]
    # LLVM halves the vector width of these processors by default; our loops run over long rows.
    numba.config.CPU_FEATURES = f"{features},-prefer-256-bit"  # type: ignore[attr-defined]


def kernel(function: Function) -> Function:
    """Compile a function without Python objects; it releases the GIL, and a*b+c may be fused."""
    compile_ = numba.njit(nogil=True, fastmath={"contract"}, error_model="numpy")
    return cast(Function, _cached(compile_(function)))


def lean(function: Function) -> Function:
    """Compile a function that allocates no arrays, without numba's reference counting.

    Reference counting costs about ten nanoseconds wherever a row of an array is named or passed on: more than playing a
    card does.
    """
    options: dict[str, Any] = {"nogil": True, "fastmath": {"contract"}, "error_model": "numpy"}
    options["_nrt"] = False  # the runtime that counts references
    return cast(Function, _cached(numba.njit(**options)(function)))


def _cached(function: Any) -> Any:
    """Keep compiled code on disk. Where numba is switched off (NUMBA_DISABLE_JIT), nothing is compiled."""
    if hasattr(function, "enable_caching"):
        function._cache = QuickCache(function.py_func)  # type: ignore[no-untyped-call]
    return function


def inlined(function: Function) -> Function:
    """Compile a function into each of its callers.

    Left to the compiler, a loop whose body calls a long function may not be vectorized, and runs five times as slowly.
    """
    return cast(Function, numba.njit(inline="always", error_model="numpy")(function))
