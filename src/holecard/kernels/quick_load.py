"""Load a compiled kernel from disk without preparing numba's compiler first.

Before numba looks into its cache it imports everything that its compiler may need, which takes longer than loading all
kernels of an analysis. A kernel in the cache needs only numba's memory management. One that is not there is compiled
as always: numba prepares its compiler again before each compilation.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import environment
from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys


class QuickCache(FunctionCache):
    """The cache of one function; see the module."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled function for a signature, or None where the cache does not hold it."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors(), _light_environments():
            return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]


def _light_environment(module: str, constants: list[Any], name: str) -> Any:
    """Return the environment of a compiled function without importing its module.

    Compiled code reads the constants; it has no use for the global names, which only interpreted code would read.
    """
    found = environment.lookup_environment(name)  # type: ignore[no-untyped-call]
    if found is None:
        imported = sys.modules.get(module)
        found = environment.Environment({"__name__": module} if imported is None else imported.__dict__)
        found.consts[:] = constants
        found.env_name = name
        environment.Environment._memo[name] = found
    return found


@contextmanager
def _light_environments() -> Iterator[None]:
    """Let pickle call `_light_environment` for numba's function; numba's compiler lock is held meanwhile."""
    full = environment._rebuild_env
    environment._rebuild_env = _light_environment
    try:
        yield
    finally:
        environment._rebuild_env = full
