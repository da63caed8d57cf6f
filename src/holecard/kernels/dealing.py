"""Cards dealt from a shoe nobody shuffles: each is drawn from those still there.

A stream of random values of 16 bits belongs to one shoe; it depends on the shoe's number and the key alone. For one
round from a fresh shoe the next card is the next value that, multiplied by the cards of the shoe, falls without bias on
a card not dealt before; others are passed over. From a shoe that is dealt down the next card is drawn from those left,
and changes places with the first of them. Either way every order of the cards is equally likely.

What was dealt lies in an array: how many cards, how many blocks of random values they took, where the round began, then
the cards; those of a round are counted from its beginning.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.compiled import lean
from holecard.kernels.philox import philox

HAVE, BLOCKS, START, FIRST = range(4)
#: Random values in a block.
BLOCK_VALUES = 8

Dealt = NDArray[np.uint16]

_WORD, _HALF, _VALUE, _BITS = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(0xFFFF), np.uint64(16)


@lean
def begin(dealt: Dealt) -> None:
    """A fresh shoe for one round."""
    dealt[HAVE], dealt[BLOCKS], dealt[START] = 0, 0, 0


@lean
def begin_shoe(dealt: Dealt, cards: int) -> None:
    """A fresh shoe to be dealt down: all its cards, none of them in its place yet."""
    begin(dealt)
    for i in range(cards):
        dealt[FIRST + i] = i


@lean
def card(number: np.uint64, key: np.uint64, cards: int, unfair: int, dealt: Dealt, n: int) -> int:
    """The round's n-th card from a shoe of so many `cards`.

    `unfair` is 65536 mod the cards for a fresh shoe, see `deal_block`, or -1 for a shoe that is dealt down.
    """
    while dealt[HAVE] <= dealt[START] + n:
        if unfair >= 0:
            deal_block(number, key, cards, unfair, dealt)
        else:
            draw_block(number, key, cards, dealt)
    return int(dealt[FIRST + dealt[START] + n])


@lean
def lying(dealt: Dealt, n: int) -> int:
    """The round's n-th card, which was dealt before."""
    return int(dealt[FIRST + dealt[START] + n])


@lean
def draw_block(number: np.uint64, key: np.uint64, cards: int, dealt: Dealt) -> None:
    """Draw cards by the next block of random values from a shoe that is dealt down.

    When the last card is out the discards are shuffled in: the cards of this round stay, all others are there again.
    """
    a, b, c, d = philox(
        number & _WORD, number >> _HALF, np.uint64(dealt[BLOCKS]), np.uint64(1), key & _WORD, key >> _HALF
    )
    dealt[BLOCKS] += 1
    low, high = a | (b << _HALF), c | (d << _HALF)
    for value in range(BLOCK_VALUES):
        if dealt[HAVE] == cards:
            begin_anew(dealt, int(dealt[START]), cards - int(dealt[START]))
        have = int(dealt[HAVE])
        left = cards - have
        words = low if value < BLOCK_VALUES // 2 else high
        product = int((words >> (_BITS * np.uint64(value & 3))) & _VALUE) * left
        if (product & 0xFFFF) >= 65536 % left:
            drawn = FIRST + have + (product >> 16)
            dealt[FIRST + have], dealt[drawn] = dealt[drawn], dealt[FIRST + have]
            dealt[HAVE] = have + 1


@lean
def begin_anew(dealt: Dealt, first: int, n: int) -> None:
    """Keep `n` cards from the `first` on as the next ones, and have all others in the shoe again."""
    for i in range(n):
        one, other = FIRST + i, FIRST + first + i
        dealt[one], dealt[other] = dealt[other], dealt[one]
    dealt[HAVE], dealt[START] = n, 0


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
