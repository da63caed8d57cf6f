"""Cards dealt from a shoe nobody shuffles: each is drawn from those still there.

A stream of random values of 16 bits belongs to one shoe; it depends on the shoe's number and the key alone. The next
card is the next value that, multiplied by the cards of the shoe, falls without bias on a card not dealt before; others
are passed over. Every order of the cards is then equally likely.

What was dealt lies in an array: how many cards, how many blocks of random values they took, then the cards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.compiled import lean
from holecard.kernels.philox import philox

HAVE, BLOCKS, FIRST = range(3)
#: Random values in a block.
BLOCK_VALUES = 8

Dealt = NDArray[np.uint16]

_WORD, _HALF, _VALUE, _BITS = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(0xFFFF), np.uint64(16)


@lean
def begin(dealt: Dealt) -> None:
    """A shoe nothing was dealt from."""
    dealt[HAVE], dealt[BLOCKS] = 0, 0


@lean
def card(number: np.uint64, key: np.uint64, cards: int, unfair: int, dealt: Dealt, n: int) -> int:
    """The n-th card from a shoe of so many `cards`. `unfair` is 65536 mod the cards, see `deal_block`."""
    while dealt[HAVE] <= n:
        deal_block(number, key, cards, unfair, dealt)
    return int(dealt[FIRST + n])


@lean
def deal_block(number: np.uint64, key: np.uint64, cards: int, unfair: int, dealt: Dealt) -> None:
    """Deal the cards of the next block of random values.

    A remainder below `unfair` is passed over: it would make some cards likelier than others.
    """
    a, b, c, d = philox(
        number & _WORD, number >> _HALF, np.uint64(dealt[BLOCKS]), np.uint64(0), key & _WORD, key >> _HALF
    )
    dealt[BLOCKS] += 1
    low, high = a | (b << _HALF), c | (d << _HALF)
    have = int(dealt[HAVE])
    for value in range(BLOCK_VALUES):
        words = low if value < BLOCK_VALUES // 2 else high
        product = int((words >> (_BITS * np.uint64(value & 3))) & _VALUE) * cards
        new = (product & 0xFFFF) >= unfair
        for i in range(FIRST, FIRST + have):
            new &= dealt[i] != product >> 16
        if new:
            dealt[FIRST + have] = product >> 16
            have += 1
    dealt[HAVE] = have
