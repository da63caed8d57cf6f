"""Cards dealt from a shoe nobody shuffles: each is drawn from those still there.

A stream of random values of 16 bits belongs to one shoe; it depends on the shoe's number and the key alone. For one
round from a fresh shoe the next card is the next value that, multiplied by the cards of the shoe, falls without bias on
a card not dealt before; others are passed over. From a shoe that is dealt down the next card is drawn from those left,
and changes places with the first of them. Either way every order of the cards is equally likely.

What was dealt lies in an array: how many cards, where the round began, where the shoe did, how many blocks of random
values they took, how many values of the last block are taken, that block, then the cards; those of a round are counted
from its beginning.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.compiled import lean
from holecard.kernels.philox import philox

#: Random values in a block.
BLOCK_VALUES = 8
HAVE, START, SHOE, BLOCKS, TAKEN, BLOCK = range(6)
FIRST = BLOCK + BLOCK_VALUES
#: No hand has more cards.
LONGEST = 22

Dealt = NDArray[np.uint16]

_WORD, _HALF, _VALUE, _BITS = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(0xFFFF), np.uint64(16)


def room_to_deal(cards: int, hands: int) -> int:
    """How long an array is that holds what a table with so many hands can be dealt, whole shoes."""
    return FIRST + cards * (2 + LONGEST * (hands + 1) // cards)


@lean
def begin(dealt: Dealt) -> None:
    """A fresh shoe for one round."""
    dealt[HAVE], dealt[START], dealt[SHOE], dealt[BLOCKS], dealt[TAKEN] = 0, 0, 0, 0, BLOCK_VALUES


@lean
def begin_shoe(dealt: Dealt, cards: int) -> None:
    """A fresh shoe to be dealt down: all its cards, none of them in its place yet."""
    begin(dealt)
    for i in range(cards):
        dealt[FIRST + i] = i


@lean
def card(number: np.uint64, key: np.uint64, cards: int, unfair: int, dealt: Dealt, n: int) -> int:
    """The round's n-th card from a shoe of so many `cards`.

    `unfair` is 65536 mod the cards for a fresh shoe, or -1 for a shoe that is dealt down.
    """
    while dealt[HAVE] <= dealt[START] + n:
        value = _next_value(number, key, dealt)
        if unfair >= 0:
            _deal(value, cards, unfair, dealt)
        else:
            _draw(value, cards, dealt)
    return lying(dealt, n)


@lean
def lying(dealt: Dealt, n: int) -> int:
    """The round's n-th card, which was dealt before."""
    return int(dealt[FIRST + dealt[START] + n])


@lean
def _next_value(number: np.uint64, key: np.uint64, dealt: Dealt) -> int:
    """The shoe's next random value of 16 bits."""
    if dealt[TAKEN] == BLOCK_VALUES:
        a, b, c, d = philox(
            number & _WORD, number >> _HALF, np.uint64(dealt[BLOCKS]), np.uint64(0), key & _WORD, key >> _HALF
        )
        dealt[BLOCK], dealt[BLOCK + 1], dealt[BLOCK + 2], dealt[BLOCK + 3] = (
            a & _VALUE,
            a >> _BITS,
            b & _VALUE,
            b >> _BITS,
        )
        dealt[BLOCK + 4], dealt[BLOCK + 5], dealt[BLOCK + 6], dealt[BLOCK + 7] = (
            c & _VALUE,
            c >> _BITS,
            d & _VALUE,
            d >> _BITS,
        )
        dealt[BLOCKS] += 1
        dealt[TAKEN] = 0
    value = int(dealt[BLOCK + dealt[TAKEN]])
    dealt[TAKEN] += 1
    return value


@lean
def _deal(value: int, cards: int, unfair: int, dealt: Dealt) -> None:
    """A card from a fresh shoe, unless the value is passed over: it falls on a card that is out.

    So is a remainder below `unfair`, which would make some cards likelier than others. A table that needs more cards
    than the shoe has opens another one.
    """
    product, have = value * cards, int(dealt[HAVE])
    if have == dealt[SHOE] + cards:
        dealt[SHOE] = have
    new = (product & 0xFFFF) >= unfair
    for i in range(FIRST + dealt[SHOE], FIRST + have):
        new &= dealt[i] != product >> 16
    if new:
        dealt[FIRST + have] = product >> 16
        dealt[HAVE] = have + 1


@lean
def _draw(value: int, cards: int, dealt: Dealt) -> None:
    """A card from a shoe that is dealt down, unless the value would make some cards likelier than others.

    When the last card is out the discards are shuffled in: the cards of this round stay, all others are there again. If
    there are no discards another shoe is opened.
    """
    if dealt[HAVE] == cards and dealt[START] > 0:
        begin_anew(dealt, int(dealt[START]), cards - int(dealt[START]))
    have = int(dealt[HAVE])
    if have == dealt[SHOE] + cards:
        dealt[SHOE] = have
        for i in range(cards):
            dealt[FIRST + have + i] = i
    left = dealt[SHOE] + cards - have
    product = value * left
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
    dealt[HAVE], dealt[START], dealt[SHOE] = n, 0, 0
