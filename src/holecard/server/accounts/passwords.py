"""Passwords, hashed with argon2id: a few at a time, in threads that let everything else go first."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from holecard.server.errors import TooMany

_T = TypeVar("_T")
SHORTEST_PASSWORD = 8
#: Hashes at a time. Each takes 64 MiB and one core for some hundredths of a second.
AT_ONCE = max(1, (os.cpu_count() or 2) // 2)
#: Hashes that wait; beyond that people are asked to come back.
MOST_WAITING = 100
_HASHER = PasswordHasher(parallelism=1)
#: Checked where a name does not exist, so that the answer takes the same time.
_NOBODY = _HASHER.hash("nobody")


def _step_back() -> None:
    """Let other threads go first; only Linux has priorities of threads."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)


_threads = ThreadPoolExecutor(AT_ONCE, "passwords", _step_back)
_waiting = 0


def refuse_when_busy() -> None:
    """Refuse a password that would have to wait for too many others."""
    if _waiting >= MOST_WAITING:
        raise TooMany("many people sign in just now; try again in a moment")


async def hash_password(password: str) -> str:
    """Return the hash of a password."""
    refuse_when_busy()
    return await _in_turn(lambda: _HASHER.hash(password))


async def is_password(password: str, known: str | None) -> bool:
    """Return whether a password is right; without a hash it is wrong, after the same time."""
    return await _in_turn(lambda: _verify(password, known))


async def _in_turn(work: Callable[[], _T]) -> _T:
    global _waiting
    _waiting += 1
    try:
        return await asyncio.get_running_loop().run_in_executor(_threads, work)
    finally:
        _waiting -= 1


def _verify(password: str, known: str | None) -> bool:
    try:
        _HASHER.verify(known or _NOBODY, password)
    except (VerificationError, InvalidHashError):
        return False
    return known is not None
