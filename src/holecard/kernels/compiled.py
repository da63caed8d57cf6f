"""How kernels are compiled: once for all processes, see `cache`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

from holecard.kernels.cache import folder

Function = TypeVar("Function", bound=Callable[..., Any])

numba.config.CACHE_DIR = str(folder())  # type: ignore[attr-defined]  # read from the environment, so not declared


def kernel(function: Function) -> Function:
    """Compile a function: no Python objects inside, other threads run beside it, a*b+c may be fused."""
    compile_ = numba.njit(cache=True, nogil=True, fastmath={"contract"}, error_model="numpy")
    return cast(Function, compile_(function))
