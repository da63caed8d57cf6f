"""Where compiled kernels are cached: in a folder named after a hash of all kernel sources.

numba notices an edit in the file of a compiled function, but not in a function that it calls from another file. With
the hash in the folder's name, an edited kernel never finds a stale one. A command that has finished leaves a marker
there, so the next command knows, without loading numba, whether it will have to wait for the compiler.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from functools import cache
from importlib.metadata import version
from pathlib import Path


def hash_of_sources(package: Path) -> str:
    """Return a hash of every Python file in a folder and below it, by name and content, and of numba's version."""
    digest = hashlib.sha256(version("numba").encode())
    for place, _, names in sorted(os.walk(package)):
        # Editors leave files and dangling links that begin with a dot; no module's name does.
        for name in sorted(name for name in names if name.endswith(".py") and not name.startswith(".")):
            source = Path(place, name)
            where = source.relative_to(package).as_posix().encode()
            digest.update(b"\0".join((where, source.read_bytes(), b"")))
    return digest.hexdigest()[:16]


def _hash_of_sources() -> str:
    return hash_of_sources(Path(__file__).parent)


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


@cache
def folder() -> Path:
    """Return the folder: in NUMBA_CACHE_DIR or the user's cache, or a temporary one where neither is writable."""
    caches = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    name = f"kernels-{_hash_of_sources()}"
    wanted = Path(caches) / "holecard" / name
    return wanted if _writable(wanted) else Path(tempfile.mkdtemp(prefix="holecard-")) / name


def is_warm(what: str) -> bool:
    """Return whether a process has already compiled everything that `what` needs from these kernels."""
    return _marker(what).exists()


def mark_warm(what: str) -> None:
    """Record that `what` has run, so that its kernels are compiled. Do nothing where the folder is not writable."""
    try:
        _marker(what).parent.mkdir(parents=True, exist_ok=True)
        _marker(what).touch()
    except OSError:
        # The marker only saves a message about waiting.
        return


def _marker(what: str) -> Path:
    return folder() / f"{what}.done"
