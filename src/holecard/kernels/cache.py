"""Where compiled kernels are kept: in a folder named after a hash of all kernel sources.

numba notices an edit in the file of a compiled function, but not in a function it calls from another file; with the
folder named so, an edited kernel never finds a stale one. A command that has run to its end leaves a marker there, so
that the next one knows whether there is something to wait for, without loading numba.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from functools import cache
from importlib.metadata import version
from pathlib import Path


def hash_of_sources(package: Path) -> str:
    """Of every Python file in a folder and below it, by name and content, and of the numba that compiles them."""
    digest = hashlib.sha256(version("numba").encode())
    for place, _, names in sorted(os.walk(package)):
        # Editors leave files that begin with a dot, and that may lead nowhere; no module does.
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
    """In the user's cache, or where NUMBA_CACHE_DIR says; in the temporary folder where neither can be written."""
    caches = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    name = f"kernels-{_hash_of_sources()}"
    wanted = Path(caches) / "holecard" / name
    return wanted if _writable(wanted) else Path(tempfile.mkdtemp(prefix="holecard-")) / name


def is_warm(what: str) -> bool:
    """Whether some process has compiled all that `what` needs of these very kernels before."""
    return _marker(what).exists()


def mark_warm(what: str) -> None:
    """Remember that `what` has run, so that its kernels are compiled; where nothing can be written, forget it."""
    try:
        _marker(what).parent.mkdir(parents=True, exist_ok=True)
        _marker(what).touch()
    except OSError:
        # It is only a word about waiting: the next run says it once more.
        return


def _marker(what: str) -> Path:
    return folder() / f"{what}.done"
