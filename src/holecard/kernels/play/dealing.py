"""Cards from a shoe, drawn by random words.

A word of 32 bits falls on two of the cards that are left: times their number, its upper half is the place of the first,
and what remains falls in the same way on one of the others. Some words would make some pairs likelier than others and
are passed over (Lemire, "Fast random integer generation in an interval", 2019; two at a time: Brackett-Rozinsky and
Lemire, "Batched ranged random integer generation", 2024). The card drawn changes places with the first of those left,
so that every order of the cards is equally likely.

What was dealt lies in an array: how many cards, where the round began, where the shoe did, how many blocks of random
words they took, then the cards; those of a round are counted from its beginning. If the shoe is dealt down the cards
that are left follow in the order they lie in. A fresh shoe for one round is not written down: there every card lies at
its own place, but for those that are out.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import index, lean
from holecard.kernels.philox import philox

#: Cards dealt by a block of random words.
BLOCK_CARDS = 8
HAVE, START, SHOE, BLOCKS = range(4)
FIRST = 4
#: No hand has more cards.
LONGEST = 22

Dealt = NDArray[np.uint16]
Few = tuple[np.uint32, ...]
_Number = TypeVar("_Number", np.uint16, np.uint32)

_WORD, _HALF, _WORDS = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(2**32)
_ONE = np.uint64(1)


def room_to_deal(cards: int, hands: int) -> int:
    """How long an array is that holds what a table with so many hands can be dealt, whole shoes."""
    return FIRST + cards * (2 + LONGEST * (hands + 1) // cards)


@lean
def begin(dealt: Dealt) -> None:
    """A fresh shoe for one round."""
    dealt[HAVE], dealt[START], dealt[SHOE], dealt[BLOCKS] = 0, 0, 0, 0


@lean
def begin_shoe(dealt: Dealt, cards: int) -> None:
    """A fresh shoe to be dealt down."""
    begin(dealt)
    _fill(dealt, cards)


@lean
def _fill(dealt: Dealt, cards: int) -> None:
    """All cards of a shoe, each at its own place."""
    for i in range(cards):
        dealt[FIRST + dealt[SHOE] + i] = i


@lean
def card(number: np.uint64, key: np.uint64, cards: int, dealt_down: int, dealt: Dealt, n: int) -> int:
    """The round's n-th card from a shoe of so many `cards`, which is `dealt_down` or fresh for this round."""
    while dealt[HAVE] <= dealt[START] + n:
        _deal_block(number, key, cards, dealt_down, dealt)
    return lying(dealt, n)


@lean
def lying(dealt: Dealt, n: int) -> int:
    """The round's n-th card, which was dealt before."""
    return int(dealt[index(FIRST + dealt[START] + n)])


@lean
def spread(word: np.uint64, places: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The place that a word falls on, of so many, and what remains of the word."""
    product = word * places
    return product >> _HALF, product & _WORD


@lean
def maybe_unfair(rest: np.uint64, left: np.uint64) -> bool:
    """Whether one has to look closer, by what remains of a word that fell on two cards of those left."""
    return bool(rest < left * (left - _ONE))


@lean
def _deal_block(number: np.uint64, key: np.uint64, cards: int, dealt_down: int, dealt: Dealt) -> None:
    """The next cards of a shoe, as many as a block of random words falls on."""
    if dealt[HAVE] == dealt[SHOE] + cards:
        _go_on(cards, dealt_down, dealt)
    block = np.uint64(dealt[BLOCKS])
    dealt[BLOCKS] += 1
    a, b, c, d = philox(number & _WORD, number >> _HALF, block, np.uint64(0), key & _WORD, key >> _HALF)
    if dealt[HAVE] == 0 and not dealt_down and cards > BLOCK_CARDS and _deal_first(a, b, c, d, np.uint64(cards), dealt):
        return
    _draw_two(a, cards, dealt_down, dealt)
    _draw_two(b, cards, dealt_down, dealt)
    _draw_two(c, cards, dealt_down, dealt)
    _draw_two(d, cards, dealt_down, dealt)


@lean
def _deal_first(a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64, cards: np.uint64, dealt: Dealt) -> bool:
    """The first block of a fresh shoe, unless a word may be unfair: most rounds take no more, and these are quicker."""
    p0, rest = spread(a, cards)
    p1, rest_a = spread(rest, cards - np.uint64(1))
    p2, rest = spread(b, cards - np.uint64(2))
    p3, rest_b = spread(rest, cards - np.uint64(3))
    p4, rest = spread(c, cards - np.uint64(4))
    p5, rest_c = spread(rest, cards - np.uint64(5))
    p6, rest = spread(d, cards - np.uint64(6))
    p7, rest_d = spread(rest, cards - np.uint64(7))
    if maybe_unfair(min(min(rest_a, rest_b), min(rest_c, rest_d)), cards):
        return False
    c0, m0 = np.uint32(p0), np.uint32(0)
    c1, m1 = _after(1, p1, (c0,), (m0,))
    c2, m2 = _after(2, p2, (c0, c1), (m0, m1))
    c3, m3 = _after(3, p3, (c0, c1, c2), (m0, m1, m2))
    c4, m4 = _after(4, p4, (c0, c1, c2, c3), (m0, m1, m2, m3))
    c5, m5 = _after(5, p5, (c0, c1, c2, c3, c4), (m0, m1, m2, m3, m4))
    c6, m6 = _after(6, p6, (c0, c1, c2, c3, c4, c5), (m0, m1, m2, m3, m4, m5))
    c7, _ = _after(7, p7, (c0, c1, c2, c3, c4, c5, c6), (m0, m1, m2, m3, m4, m5, m6))
    dealt[FIRST], dealt[FIRST + 1], dealt[FIRST + 2], dealt[FIRST + 3] = c0, c1, c2, c3
    dealt[FIRST + 4], dealt[FIRST + 5], dealt[FIRST + 6], dealt[FIRST + 7] = c4, c5, c6, c7
    dealt[HAVE] = BLOCK_CARDS
    return True


@lean
def _after(turn: int, place: np.uint64, out: Few, moved: Few) -> tuple[np.uint32, np.uint32]:
    """The card drawn in a turn at a place among those left, and the one that lay first, and moved there.

    `out` are the cards drawn before, `moved` those that came to their places.
    """
    drawn, first = np.uint32(place + np.uint64(turn)), np.uint32(turn)
    for i in range(len(out)):
        drawn, first = instead(drawn, out[i], moved[i]), instead(first, out[i], moved[i])
    return drawn, first


@lean
def instead(lies: _Number, out: _Number, moved: _Number) -> _Number:
    """What lies where a card lay that may be out now: it, or the one that moved there."""
    return moved if out == lies else lies


@lean
def _go_on(cards: int, dealt_down: int, dealt: Dealt) -> None:
    """When the last card is out the discards are shuffled in: the cards of this round stay, all others are there again.

    If there are no discards another shoe is opened.
    """
    if dealt[START] > 0:
        begin_anew(dealt, int(dealt[START]), cards - int(dealt[START]))
    else:
        dealt[SHOE] = dealt[HAVE]
        if dealt_down:
            _fill(dealt, cards)


@lean
def _draw_two(word: np.uint64, cards: int, dealt_down: int, dealt: Dealt) -> None:
    """The two cards that a word falls on, or the last one; none if the word is unfair, or the shoe empty."""
    left = np.uint64(dealt[SHOE] + cards - dealt[HAVE])
    if left > 0:
        one, rest = spread(word, left)
        two, rest = spread(rest, left - _ONE)
        if maybe_unfair(rest, left) and rest < _WORDS % (left * (left - _ONE)):
            return
        _draw(int(one), dealt_down, dealt)
        if left > 1:
            _draw(int(two), dealt_down, dealt)


@lean
def _draw(place: int, dealt_down: int, dealt: Dealt) -> None:
    """The card at a place among those left."""
    have = index(FIRST + dealt[HAVE])
    if dealt_down:
        dealt[have], dealt[have + place] = dealt[have + place], dealt[have]
    else:
        dealt[have] = _lies_at(dealt, dealt[HAVE] - dealt[SHOE] + place)
    dealt[HAVE] += 1


@lean
def _lies_at(dealt: Dealt, place: int) -> int:
    """The card at a place of a fresh shoe, told by those that are out.

    It is the place's own, unless that is out: then the card came here that lay first when it was drawn. That was the
    own card of the first place, unless it was out, and so on.
    """
    first, end = FIRST + dealt[SHOE], FIRST + dealt[HAVE]
    lies, i = place, first
    while i < end:
        if dealt[index(i)] == lies:
            lies, i = i - first, first
        else:
            i += 1
    return lies


@lean
def begin_anew(dealt: Dealt, first: int, n: int) -> None:
    """Keep `n` cards from the `first` on as the next ones, and have all others in the shoe again."""
    for i in range(n):
        one, other = FIRST + i, FIRST + first + i
        dealt[one], dealt[other] = dealt[other], dealt[one]
    dealt[HAVE], dealt[START], dealt[SHOE] = n, 0, 0
