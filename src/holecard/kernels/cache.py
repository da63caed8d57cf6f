"""The folder of compiled kernels, named after a hash of all kernel sources, and a notice before they are compiled.

numba notices an edit in the file of a compiled function, but not in a function that it calls from another file. A
folder for each version of the sources keeps stale kernels from being found. Kernels that are compiled together have a
marker there, left for its installation by a computation that has finished. So the next computation knows, without
loading numba, whether it will have to wait, and for what: no kernel is announced twice.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

#: Kernels that are compiled together: what they are for, and about how many seconds of a processor they take.
GROUPS: dict[str, tuple[str, int]] = {
    "wagers": ("side wagers", 3),
    "hands": ("hands", 8),
    "splits": ("splits", 20),
    "split-optimum": ("the best play after splits", 7),
    "distributions": ("distributions", 10),
    "rounds": ("simulated rounds", 25),
    "shoes": ("shoes that are dealt down", 25),
    "shufflers": ("continuous shufflers", 20),
    "counter": ("a player who counts", 25),
    "luck": ("luck", 25),
    "luck-shoes": ("luck in shoes that are dealt down", 25),
    "covariances": ("covariances", 15),
    "bankrolls": ("bankrolls", 5),
    "samples": ("samples of shoes", 20),
}
#: The groups that a computation needs. One inside another announces its own: an analysis in `bankroll`, and the search
#: for the best chart, which is kept, before rounds are played.
_NEEDS: dict[str, tuple[str, ...]] = {
    "analyze": ("hands", "splits"),
    "analyze-optimum": ("hands", "splits", "split-optimum"),
    "bankroll": ("bankrolls",),
    "check": ("wagers",),
    "coach": ("hands", "splits"),
    "compare": ("hands", "splits"),
    "count": ("counter",),
    "counting": ("samples",),
    "covariances": ("covariances",),
    "distribution": ("distributions",),
    "evaluate": ("hands",),
    "evaluate-pair": ("hands", "splits"),
    "luck": ("luck",),
    "luck-cut-card": ("luck-shoes", "shoes"),
    "luck-shoes": ("luck-shoes",),
    "play": ("hands", "splits"),
    "sample": ("samples",),
    "simulate": ("rounds",),
    "simulate-shoes": ("shoes",),
    "simulate-shufflers": ("shufflers",),
    "strategy": ("hands", "splits"),
    "sweep": ("rounds",),
    "sweep-exact": ("rounds",),
    "verify": ("rounds",),
}


def notice_of(groups: Iterable[str]) -> str:
    """Return what is said before kernels are compiled.

    >>> notice_of(["hands", "splits"])
    'compiling the kernels for hands and splits (once, about 28 s) ...'
    """
    named = [GROUPS.get(group, (group, 0)) for group in groups]
    words = [words for words, _ in named]
    listed = " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
    return f"compiling the kernels for {listed} (once, about {sum(seconds for _, seconds in named)} s) ..."


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

    A process is warned at most once of the same kernels.
    """


_warned: set[str] = set()


def _warn(message: str) -> None:
    if message not in _warned:
        _warned.add(message)
        warnings.warn(message, CompilingKernels, stacklevel=5)


#: How the notice is given: see `announcing`.
announce: Callable[[str], None] = _warn
_running: ContextVar[frozenset[str]] = ContextVar("kernels that were announced", default=frozenset())


@contextmanager
def announcing(give: Callable[[str], None]) -> Iterator[None]:
    """Give notices in another way than by a warning, in the whole process: the command line prints them."""
    global announce
    before, announce = announce, give
    try:
        yield
    finally:
        announce = before


class Compilation:
    """One computation; it clears `finished` if it was stopped before all its kernels were compiled."""

    def __init__(self) -> None:
        self.finished = True


@contextmanager
def compiling(what: str) -> Iterator[Compilation]:
    """Announce that kernels must be compiled before `what` can run, if so, and remember when it has run.

    A computation inside another one announces only what the outer one did not.
    """
    compilation = Compilation()
    outer, groups = _running.get(), _groups(what)
    new = [group for group in groups if group not in outer]
    if new and not is_warm(what):
        announce(notice_of([group for group in new if not _is_compiled(group)] or new))
    token = _running.set(outer.union(groups))
    try:
        yield compilation
    finally:
        _running.reset(token)
    if compilation.finished:
        mark_warm(what)


def is_warm(what: str) -> bool:
    """Return whether this installation has compiled everything that `what` needs."""
    return all(map(_is_compiled, _groups(what)))


def _groups(what: str) -> tuple[str, ...]:
    """Return the kernels that a computation needs; those of one that is not known have its name."""
    return _NEEDS.get(what, (what,))


def _is_compiled(group: str) -> bool:
    return _key(group) in _marked or _marker(group).exists()


def mark_warm(what: str) -> None:
    """Remember that `what` has run, so its kernels are compiled; where nothing can be written, do nothing."""
    for group in _groups(what):
        if _key(group) in _marked:
            continue
        try:
            _marker(group).parent.mkdir(parents=True, exist_ok=True)
            _marker(group).touch()
        except OSError:
            # The marker only saves a notice: the next run repeats it.
            return
        _marked.add(_key(group))


#: What this process has marked; looking into the folder takes a tenth of the time that one hand takes.
_marked: set[tuple[Path, str, str]] = set()


def _key(group: str) -> tuple[Path, str, str]:
    return folder(), _installation(), group


def _marker(group: str) -> Path:
    return folder() / f"{group}-{_installation()}.done"


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
