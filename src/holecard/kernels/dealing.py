"""Cards dealt from a shoe nobody shuffles: each is drawn from those still there.

A stream of random values of 16 bits belongs to one shoe; it depends on the shoe's number and the key alone. For one
round from a fresh shoe the next card is the next value that, multiplied by the cards of the shoe, falls without bias on
a card not dealt before; others are passed over. A block of values is dealt at a time. From a shoe that is dealt down
the next card is drawn from those left, and changes places with the first of them. Either way every order of the cards
is equally likely.

What was dealt lies in an array: how many cards, where the round began, where the shoe did, how many blocks of random
values they took, how many values of the last block are taken, that block, then the cards; those of a round are counted
from its beginning.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.compiled import index, lean
from holecard.kernels.philox import Words, philox

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
        if unfair >= 0:
            _deal_block(number, key, cards, unfair, dealt)
        else:
            _draw(_next_value(number, key, dealt), cards, dealt)
    return lying(dealt, n)


@lean
def lying(dealt: Dealt, n: int) -> int:
    """The round's n-th card, which was dealt before."""
    return int(dealt[index(FIRST + dealt[START] + n)])


@lean
def _random_words(number: np.uint64, key: np.uint64, dealt: Dealt) -> Words:
    """The shoe's next block of random values, two in a word."""
    block = np.uint64(dealt[BLOCKS])
    dealt[BLOCKS] += 1
    return philox(number & _WORD, number >> _HALF, block, np.uint64(0), key & _WORD, key >> _HALF)


@lean
def fallen(value: np.uint64, cards: int, unfair: int) -> np.uint32:
    """The card that a random value falls on, or as many as there are `cards`, which is none.

    It is none where the remainder is below `unfair`: these values would make some cards likelier than others.
    """
    product = np.uint32(value) * np.uint32(cards)
    return np.uint32(product >> _BITS if product & _VALUE >= np.uint32(unfair) else cards)


@lean
def _deal_block(number: np.uint64, key: np.uint64, cards: int, unfair: int, dealt: Dealt) -> None:
    """The cards that a block of values falls on, from a fresh shoe: but for those that are out.

    A table that needs more cards than the shoe has opens another one.
    """
    if dealt[HAVE] == dealt[SHOE] + cards:
        dealt[SHOE] = dealt[HAVE]
    u, v, w, x = _random_words(number, key, dealt)
    a, b = fallen(u & _VALUE, cards, unfair), fallen(u >> _BITS, cards, unfair)
    c, d = fallen(v & _VALUE, cards, unfair), fallen(v >> _BITS, cards, unfair)
    e, f = fallen(w & _VALUE, cards, unfair), fallen(w >> _BITS, cards, unfair)
    g, h = fallen(x & _VALUE, cards, unfair), fallen(x >> _BITS, cards, unfair)
    out = int(dealt[HAVE])
    _lay(dealt, a, out, cards, True)
    _lay(dealt, b, out, cards, b != a)
    _lay(dealt, c, out, cards, (c != a) & (c != b))
    _lay(dealt, d, out, cards, (d != a) & (d != b) & (d != c))
    _lay(dealt, e, out, cards, (e != a) & (e != b) & (e != c) & (e != d))
    _lay(dealt, f, out, cards, (f != a) & (f != b) & (f != c) & (f != d) & (f != e))
    _lay(dealt, g, out, cards, (g != a) & (g != b) & (g != c) & (g != d) & (g != e) & (g != f))
    _lay(dealt, h, out, cards, (h != a) & (h != b) & (h != c) & (h != d) & (h != e) & (h != f) & (h != g))


@lean
def _lay(dealt: Dealt, fell: np.uint32, out: int, cards: int, new: bool) -> None:
    """Put down a card that is new to its block, unless it is none or one of those that were `out` before."""
    for i in range(FIRST + dealt[SHOE], FIRST + out):
        new &= dealt[index(i)] != fell
    dealt[index(FIRST + dealt[HAVE])] = fell
    dealt[HAVE] += new & (fell != np.uint32(cards))


@lean
def _next_value(number: np.uint64, key: np.uint64, dealt: Dealt) -> int:
    """The next random value of a shoe that is dealt down."""
    if dealt[TAKEN] == BLOCK_VALUES:
        for i, word in enumerate(_random_words(number, key, dealt)):
            dealt[BLOCK + 2 * i], dealt[BLOCK + 2 * i + 1] = word & _VALUE, word >> _BITS
        dealt[TAKEN] = 0
    value = int(dealt[BLOCK + dealt[TAKEN]])
    dealt[TAKEN] += 1
    return value


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
