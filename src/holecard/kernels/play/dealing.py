"""Deal cards from a shoe with random 32-bit words.

One word picks two of the remaining cards: the word times their number has the index of the first in its upper half, and
the lower half picks one of the others in the same way. Words that would make some pairs more likely than others are
skipped (Lemire, "Fast random integer generation in an interval", 2019; two at a time: Brackett-Rozinsky and Lemire,
"Batched ranged random integer generation", 2024). The drawn card is swapped with the first remaining card, so every
order of the cards is equally likely.

`dealt` is a uint16 array: [HAVE] number of cards dealt, [START] where the round starts, [SHOE] where the shoe starts,
[BLOCKS] blocks of random words used, then the cards from [FIRST] on. Cards of a round are numbered from its start. When
a shoe is dealt down, the remaining cards follow in their current order. A fresh shoe is not stored: every card is at
its own index, except for those already dealt.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import index, lean
from holecard.kernels.philox import philox

#: Cards dealt by one block of random words.
BLOCK_CARDS = 8
HAVE, START, SHOE, BLOCKS = range(4)
FIRST = 4
#: The most cards a hand can have.
LONGEST = 22

Dealt = NDArray[np.uint16]
Few = tuple[np.uint32, ...]
_Number = TypeVar("_Number", np.uint16, np.uint32)

_WORD, _HALF, _WORDS = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(2**32)
_ONE = np.uint64(1)


def dealt_size(cards: int, hands: int) -> int:
    """Return the length of a `dealt` array for this many hands, in whole shoes."""
    return FIRST + cards * (2 + LONGEST * (hands + 1) // cards)


@lean
def begin(dealt: Dealt) -> None:
    """Start a fresh shoe for one round."""
    dealt[HAVE], dealt[START], dealt[SHOE], dealt[BLOCKS] = 0, 0, 0, 0


@lean
def begin_whole_shoe(dealt: Dealt, cards: int) -> None:
    """Start a fresh shoe that is dealt down over several rounds."""
    begin(dealt)
    _fill(dealt, cards)


@lean
def _fill(dealt: Dealt, cards: int) -> None:
    """Write all cards of a shoe in order."""
    for i in range(cards):
        dealt[FIRST + dealt[SHOE] + i] = i


@lean
def nth_card(number: np.uint64, key: np.uint64, cards: int, dealt_down: int, dealt: Dealt, n: int) -> int:
    """Return the round's n-th card, dealing it if necessary."""
    while dealt[HAVE] <= dealt[START] + n:
        _deal_block(number, key, cards, dealt_down, dealt)
    return dealt_card(dealt, n)


@lean
def dealt_card(dealt: Dealt, n: int) -> int:
    """Return the round's n-th card, already dealt."""
    return int(dealt[index(FIRST + dealt[START] + n)])


@lean
def pick(word: np.uint64, offsets: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return an index below `places`, and the unused part of the word."""
    product = word * offsets
    return product >> _HALF, product & _WORD


@lean
def may_be_biased(rest: np.uint64, left: np.uint64) -> bool:
    """Return whether a word that picked two cards needs the exact bias test, judged by its unused part."""
    return bool(rest < left * (left - _ONE))


@lean
def _deal_block(number: np.uint64, key: np.uint64, cards: int, dealt_down: int, dealt: Dealt) -> None:
    """Deal the next cards of a shoe with one block of random words."""
    if dealt[HAVE] == dealt[SHOE] + cards:
        _refill(cards, dealt_down, dealt)
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
    """Deal the first block of a fresh shoe without loops, unless a word may be biased. Most rounds need no more."""
    biased, out = first_block(a, b, c, d, cards)
    if biased:
        return False
    for i in range(BLOCK_CARDS):
        dealt[FIRST + i] = out[i]
    dealt[HAVE] = BLOCK_CARDS
    return True


@lean
def first_block(a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64, cards: np.uint64) -> tuple[bool, Few]:
    """Return whether a word may be biased, and the first cards of a fresh shoe if not."""
    p0, rest = pick(a, cards)
    p1, rest_a = pick(rest, cards - np.uint64(1))
    p2, rest = pick(b, cards - np.uint64(2))
    p3, rest_b = pick(rest, cards - np.uint64(3))
    p4, rest = pick(c, cards - np.uint64(4))
    p5, rest_c = pick(rest, cards - np.uint64(5))
    p6, rest = pick(d, cards - np.uint64(6))
    p7, rest_d = pick(rest, cards - np.uint64(7))
    biased = may_be_biased(min(min(rest_a, rest_b), min(rest_c, rest_d)), cards)
    c0, m0 = np.uint32(p0), np.uint32(0)
    c1, m1 = _after(1, p1, (c0,), (m0,))
    c2, m2 = _after(2, p2, (c0, c1), (m0, m1))
    c3, m3 = _after(3, p3, (c0, c1, c2), (m0, m1, m2))
    c4, m4 = _after(4, p4, (c0, c1, c2, c3), (m0, m1, m2, m3))
    c5, m5 = _after(5, p5, (c0, c1, c2, c3, c4), (m0, m1, m2, m3, m4))
    c6, m6 = _after(6, p6, (c0, c1, c2, c3, c4, c5), (m0, m1, m2, m3, m4, m5))
    c7, _ = _after(7, p7, (c0, c1, c2, c3, c4, c5, c6), (m0, m1, m2, m3, m4, m5, m6))
    return biased, (c0, c1, c2, c3, c4, c5, c6, c7)


@lean
def _after(turn: int, place: np.uint64, out: Few, moved: Few) -> tuple[np.uint32, np.uint32]:
    """Return the card drawn on this turn from an index among those left, and the card that was swapped into its place.

    `out` holds the cards drawn before, `moved` the cards swapped into their places.
    """
    drawn, first = np.uint32(place + np.uint64(turn)), np.uint32(turn)
    for i in range(len(out)):
        drawn, first = after_swap(drawn, out[i], moved[i]), after_swap(first, out[i], moved[i])
    return drawn, first


@lean
def after_swap(slot: _Number, out: _Number, moved: _Number) -> _Number:
    """Return the card now at a place: its own card, or the one swapped in if its own was drawn."""
    return moved if out == slot else slot


@lean
def _refill(cards: int, dealt_down: int, dealt: Dealt) -> None:
    """Shuffle the discards back in when the last card is out, keeping the cards of this round on the table.

    If there are no discards, open another shoe.
    """
    if dealt[START] > 0:
        reshuffle_keeping(dealt, int(dealt[START]), cards - int(dealt[START]))
    else:
        dealt[SHOE] = dealt[HAVE]
        if dealt_down:
            _fill(dealt, cards)


@lean
def _draw_two(word: np.uint64, cards: int, dealt_down: int, dealt: Dealt) -> None:
    """Draw the two cards that a word picks, or the last one; none if the word is biased or the shoe is empty."""
    left = np.uint64(dealt[SHOE] + cards - dealt[HAVE])
    if left > 0:
        one, rest = pick(word, left)
        two, rest = pick(rest, left - _ONE)
        if may_be_biased(rest, left) and rest < _WORDS % (left * (left - _ONE)):
            return
        _draw(int(one), dealt_down, dealt)
        if left > 1:
            _draw(int(two), dealt_down, dealt)


@lean
def _draw(place: int, dealt_down: int, dealt: Dealt) -> None:
    """Draw the card at this index among those left."""
    have = index(FIRST + dealt[HAVE])
    if dealt_down:
        dealt[have], dealt[have + place] = dealt[have + place], dealt[have]
    else:
        dealt[have] = _card_at(dealt, dealt[HAVE] - dealt[SHOE] + place)
    dealt[HAVE] += 1


@lean
def _card_at(dealt: Dealt, place: int) -> int:
    """Return the card at an index of a fresh shoe, derived from the cards already drawn.

    It is the index's own card unless that was drawn: then it is the card that was first among those left at that draw,
    which was that place's own card unless it was drawn earlier, and so on.
    """
    first, end = FIRST + dealt[SHOE], FIRST + dealt[HAVE]
    slot, i = place, first
    while i < end:
        if dealt[index(i)] == slot:
            slot, i = i - first, first
        else:
            i += 1
    return slot


@lean
def reshuffle_keeping(dealt: Dealt, first: int, n: int) -> None:
    """Keep `n` cards from `first` on as the next cards, and return all others to the shoe."""
    for i in range(n):
        one, other = FIRST + i, FIRST + first + i
        dealt[one], dealt[other] = dealt[other], dealt[one]
    dealt[HAVE], dealt[START], dealt[SHOE] = n, 0, 0
