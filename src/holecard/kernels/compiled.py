"""How kernels are compiled: once, for all processes, into a cache that an edited kernel never finds stale.

numba notices an edit in the file of a compiled function, but not in a function it calls from another file. So the
cache lives in a folder named after a hash of all kernel sources.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def _hash_of_sources() -> str:
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + source.read_bytes())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _cache_folder() -> Path:
    caches = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    name = f"kernels-{_hash_of_sources()}"
    folder = Path(caches) / "holecard" / name
    return folder if _writable(folder) else Path(tempfile.gettempdir()) / f"holecard-{os.getuid()}" / name


FOLDER = _cache_folder()
numba.config.CACHE_DIR = str(FOLDER)


def is_warm() -> bool:
    """Whether some process has compiled these very kernels before."""
    return any(FOLDER.rglob("*.nbc"))


def kernel(function: Function) -> Function:
    """Compile a function: no Python objects inside, other threads run beside it, a*b+c may be fused."""
    compiled: Function = numba.njit(cache=True, nogil=True, fastmath={"contract"}, error_model="numpy")(function)
    return compiled
