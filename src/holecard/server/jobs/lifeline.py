"""What ends the process of a computation: its parent's end, its time limit, and a limit on its memory.

The server stops a computation that takes too long. These limits also hold when the server was killed, and while
compiled code keeps every Python thread waiting. Some systems have only some of them: Windows has no alarm and no limit
on memory, and macOS may refuse the latter.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import wait
from threading import Thread

_MEGABYTE = 2**20
#: PR_SET_PDEATHSIG of Linux: the signal that a process gets when its parent ends.
_PARENT_DEATH_SIGNAL = 1


def end_in_time(seconds: float) -> None:
    """Let this process end with its parent, and after some seconds at the latest."""
    end_with_parent(seconds)
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)


def end_with_parent(seconds: float | None = None) -> None:
    """Let this process end with its parent; where seconds are given, after these at the latest."""
    # Ctrl-C goes to every process of a terminal; the server decides what happens then.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_wait_and_end, args=(seconds,), name="lifeline", daemon=True).start()
    if sys.platform == "linux":
        _die_with_parent()


def limit_memory(megabytes: int) -> None:
    """Let this process use no more memory than this, where the system can; further requests for memory fail."""
    try:
        import resource
    except ImportError:
        return
    most = megabytes * _MEGABYTE
    with suppress(AttributeError, OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def lower_priority(niceness: int) -> None:
    """Let other processes run first, where the system can."""
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(niceness)


def _wait_and_end(seconds: float | None) -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel], seconds)
    os._exit(1)


def _die_with_parent() -> None:
    import ctypes

    ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    parent = multiprocessing.parent_process()
    if parent is not None and os.getppid() != parent.pid:
        os._exit(1)
