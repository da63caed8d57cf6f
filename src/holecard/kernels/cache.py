"""The folder of compiled kernels, named after a hash of all kernel sources, and a notice before they are compiled.

numba notices an edit in the file of a compiled function, but not in a function that it calls from another file. A
folder for each version of the sources keeps stale kernels from being found. A computation that has finished leaves a
marker there for its installation, so that the next one knows, without loading numba, whether it will have to wait.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

NOTICE = "compiling the kernels (once) ..."


def hash_of_sources(package: Path) -> str:
    """Return a hash of every Python file in a folder and below it, by name and content, and of numba's version."""
    import hashlib
    from importlib.metadata import version

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
    if _writable(wanted):
        return wanted
    import tempfile

    return Path(tempfile.mkdtemp(prefix="holecard-")) / name


class CompilingKernels(UserWarning):
    """Kernels are compiled, which takes up to a minute for each kind of computation, once per installation.

    A process is warned at most once.
    """


_has_warned = False


def _warn(message: str) -> None:
    global _has_warned
    if not _has_warned:
        _has_warned = True
        warnings.warn(message, CompilingKernels, stacklevel=5)


#: How the notice is given; the command line prints it instead.
announce: Callable[[str], None] = _warn
_running: ContextVar[bool] = ContextVar("a computation is running", default=False)


class Compilation:
    """One computation; it clears `finished` if it was stopped before all its kernels were compiled."""

    def __init__(self) -> None:
        self.finished = True


@contextmanager
def compiling(what: str) -> Iterator[Compilation]:
    """Announce that kernels must be compiled before `what` can run, if so, and remember when it has run.

    A computation inside another one leaves both to the outer one.
    """
    compilation = Compilation()
    if _running.get():
        yield compilation
        return
    if not is_warm(what):
        announce(NOTICE)
    token = _running.set(True)
    try:
        yield compilation
    finally:
        _running.reset(token)
    if compilation.finished:
        mark_warm(what)


def is_warm(what: str) -> bool:
    """Return whether this installation has compiled everything that `what` needs."""
    return _key(what) in _marked or _marker(what).exists()


def mark_warm(what: str) -> None:
    """Remember that `what` has run, so its kernels are compiled; where nothing can be written, do nothing."""
    if _key(what) in _marked:
        return
    try:
        _marker(what).parent.mkdir(parents=True, exist_ok=True)
        _marker(what).touch()
    except OSError:
        # The marker only saves a notice: the next run repeats it.
        return
    _marked.add(_key(what))


#: What this process has marked; looking into the folder takes a tenth of the time that one hand takes.
_marked: set[tuple[Path, str, str]] = set()


def _key(what: str) -> tuple[Path, str, str]:
    return folder(), _installation(), what


def _marker(what: str) -> Path:
    return folder() / f"{what}-{_installation()}.done"


@cache
def _installation() -> str:
    """Return what numba distinguishes installations by: path, times and sizes of sources, and Python's version."""
    import hashlib

    package = Path(__file__).parent
    digest = hashlib.sha256(f"{package}\0{sys.implementation.cache_tag}".encode())
    for source in sorted(package.rglob("*.py")):
        if not source.name.startswith("."):
            stat = source.stat()
            digest.update(f"\0{source.relative_to(package)}\0{stat.st_mtime_ns}\0{stat.st_size}".encode())
    return digest.hexdigest()[:12]
