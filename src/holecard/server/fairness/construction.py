"""How a secret seed deals a shoe: construction `holecard-shoe-1`, documented in docs/fairness.md with test vectors.

seed          32 bytes from the operating system, secret until the shoe ends
context       the construction's name, the shoe's id and the sheet's SHA-256, each followed by a newline
commitment    SHA-256(context + seed in hexadecimal), published before the shoe
key           HMAC-SHA256(seed, context + each player's seed as a netstring), fixed at the first card
draw k        HMAC-SHA256(key, "draw k attempt a"), its first 8 bytes as a big-endian number x, from k = 0, a = 0;
              with n cards left, x must be below the largest multiple of n that fits into 64 bits, else a + 1 is tried
card          number x mod n of the cards left, sorted by rank (A23456789TJQK) and then by suit (shdc)
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable

NAME = "holecard-shoe-1"
SEED_BYTES = 32
#: The longest seed that a player may add, in characters.
LONGEST_PLAYER_SEED = 64
_RANGE = 2**64


def new_seed() -> bytes:
    """Return a secret seed from the operating system; where its generator fails, this raises and nothing is dealt."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes, shoe_id: str, sheet_hash: str) -> str:
    """Return the hash that binds the house to a seed, a shoe and a sheet, in hexadecimal."""
    return hashlib.sha256(_context(shoe_id, sheet_hash) + seed.hex().encode()).hexdigest()


def shoe_key(seed: bytes, shoe_id: str, sheet_hash: str, player_seeds: Iterable[str]) -> bytes:
    """Return the key of the shoe's draws. Every player's seed changes every card."""
    texts = (text.encode() for text in player_seeds)
    message = _context(shoe_id, sheet_hash) + b"".join(b"%d:%b," % (len(text), text) for text in texts)
    return hmac.digest(seed, message, "sha256")


def draw_number(key: bytes, draw: int, left: int) -> int:
    """Return which of the cards left is drawn, from 0; every one of them is equally likely."""
    limit = _RANGE - _RANGE % left
    attempt = 0
    while True:
        block = hmac.digest(key, b"draw %d attempt %d" % (draw, attempt), "sha256")
        number = int.from_bytes(block[:8], "big")
        if number < limit:
            return number % left
        attempt += 1


def _context(shoe_id: str, sheet_hash: str) -> bytes:
    return f"{NAME}\n{shoe_id}\n{sheet_hash}\n".encode()
