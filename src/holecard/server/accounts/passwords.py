"""Passwords, hashed with argon2id."""

from __future__ import annotations

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_HASHER = PasswordHasher()
#: Checked where a name does not exist, so that the answer takes the same time.
_NOBODY = _HASHER.hash("nobody")


async def hash_password(password: str) -> str:
    """Return the hash of a password, computed in another thread."""
    return await asyncio.to_thread(_HASHER.hash, password)


async def is_password(password: str, known: str | None) -> bool:
    """Return whether a password is right; without a hash it is wrong, after the same time."""
    return await asyncio.to_thread(_verify, password, known)


def _verify(password: str, known: str | None) -> bool:
    try:
        _HASHER.verify(known or _NOBODY, password)
    except (VerificationError, InvalidHashError):
        return False
    return known is not None
