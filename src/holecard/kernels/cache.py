"""Where compiled kernels are kept: in a folder named after a hash of all kernel sources.

numba notices an edit in the file of a compiled function, but not in a function it calls from another file; with the
folder named so, an edited kernel never finds a stale one. Asking whether the folder is warm does not load numba.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from functools import cache
from importlib.metadata import version
from pathlib import Path


def _hash_of_sources() -> str:
    digest = hashlib.sha256(version("numba").encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + source.read_bytes())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


@cache
def folder() -> Path:
    """In the user's cache, or where NUMBA_CACHE_DIR says; in the temporary folder where neither can be written."""
    caches = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    name = f"kernels-{_hash_of_sources()}"
    wanted = Path(caches) / "holecard" / name
    return wanted if _writable(wanted) else Path(tempfile.mkdtemp(prefix="holecard-")) / name


def is_warm() -> bool:
    """Whether some process has compiled these very kernels before."""
    return any(folder().rglob("*.nbc"))
