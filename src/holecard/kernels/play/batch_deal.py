"""The first cards of many rounds, dealt side by side.

They are the cards that `dealing` deals for each of these rounds by itself, but by loops over lanes, without a branch.
Words that may be unfair are so few that their lanes are only marked.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import lean
from holecard.kernels.philox import philox
from holecard.kernels.play.dealing import BLOCK_CARDS, instead, maybe_unfair, spread
from holecard.kernels.play.lookup import Places

LANES = 256
_WORDS = BLOCK_CARDS // 2
_WORD, _HALF, _ONE = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(1)
#: Says that a number is small, so that a product is taken to fit 64 bits.
_SMALL = np.uint64(0xFFFF)

Cards = NDArray[np.uint16]
Lanes = NDArray[np.uint32]
Rounds = NDArray[np.uint64]


class Columns(NamedTuple):
    """The cards, and what is worked in."""

    cards: Cards
    """[card, lane] as they lie in the shoe; then rows of no cards, one for each hand that may ask"""
    moved: Cards
    """[card, lane] the card that lay first when this one was drawn, and came to its place"""
    unfair: Lanes
    """[lane] 1 where some word may be unfair, and the cards are not to be used"""
    words: Lanes
    """[word, lane]"""


def columns(at: Places, seats: int, blocks: int) -> Columns:
    """Room for so many blocks of cards."""
    rows = BLOCK_CARDS * blocks
    return Columns(
        cards=np.full((rows + seats + 1, LANES), at.cards, np.uint16),
        moved=np.empty((rows, LANES), np.uint16),
        unfair=np.zeros(LANES, np.uint32),
        words=np.empty((_WORDS, LANES), np.uint32),
    )


@lean
def blocks_for(seats: int) -> int:
    """Blocks of cards that are enough for a table with so many seats, most of the time."""
    return 1 + (3 * seats + 3) // BLOCK_CARDS


@lean
def deal_block(at: Places, key: np.uint64, number: np.uint64, rounds: Rounds, block: int, to: Columns) -> None:
    """A block of cards for each of these rounds, counted from a number, which have those before it."""
    begin = BLOCK_CARDS * block
    _random_words(key, number, rounds, np.uint64(block), to.words)
    for i in range(_WORDS):
        row = begin + 2 * i
        _fall(to.words[i], at.cards, row, to.cards[row], to.cards[row + 1])
    _mark_unfair(to.words, at.cards - begin, to.unfair)
    for row in range(begin, begin + BLOCK_CARDS):
        _lay(to.cards, to.moved, row)


@lean
def _random_words(key: np.uint64, number: np.uint64, rounds: Rounds, block: np.uint64, words: Lanes) -> None:
    for lane in range(LANES):
        shoe = number + rounds[lane]
        a, b, c, d = philox(shoe & _WORD, shoe >> _HALF, block, np.uint64(0), key & _WORD, key >> _HALF)
        words[0, lane], words[1, lane], words[2, lane], words[3, lane] = a, b, c, d


@lean
def _fall(words: Lanes, cards: int, out: int, ones: Cards, twos: Cards) -> None:
    """The places that words fall on when so many cards are out; what remains of the words is left."""
    left, others = np.uint64(cards - out) & _SMALL, np.uint64(cards - out - 1) & _SMALL
    first, second = np.uint64(out), np.uint64(out + 1)
    for lane in range(LANES):
        one, rest = spread(np.uint64(words[lane]), left)
        two, rest = spread(rest, others)
        ones[lane], twos[lane], words[lane] = first + one, second + two, rest


@lean
def _mark_unfair(rests: Lanes, left: int, unfair: Lanes) -> None:
    """Mark the lanes where some word may be unfair: all are asked as the first, which is the likeliest to be."""
    one, two, three, four = rests[0], rests[1], rests[2], rests[3]
    for lane in range(LANES):
        least = min(min(one[lane], two[lane]), min(three[lane], four[lane]))
        unfair[lane] |= np.uint32(maybe_unfair(np.uint64(least), np.uint64(left)))


@lean
def _lay(cards: Cards, moved: Cards, row: int) -> None:
    """Turn a row of places into the cards that lie there; and see which lay first."""
    drawn, first, turn = cards[row], moved[row], np.uint16(row)
    for lane in range(LANES):
        first[lane] = turn
    for before in range(row):
        out, came = cards[before], moved[before]
        for lane in range(LANES):
            one, other, lies, lay = out[lane], came[lane], drawn[lane], first[lane]
            drawn[lane], first[lane] = instead(lies, one, other), instead(lay, one, other)
