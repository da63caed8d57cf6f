"""Deal the first cards of many rounds at once.

Each *lane* is one round. The cards are the ones that `dealing` deals for that round alone, computed by branch-free
loops over lanes. Words that may be biased are rare, so their lanes are only marked.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import lean
from holecard.kernels.philox import philox
from holecard.kernels.play.dealing import BLOCK_CARDS, after_swap, may_be_biased, pick
from holecard.kernels.play.lookup import Offsets

LANES = 1024
_WORDS = BLOCK_CARDS // 2
_WORD, _HALF, _ONE = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(1)
#: Masking with this tells the compiler that a number is small, so that products fit 64 bits.
_SMALL = np.uint64(0xFFFF)

CardIndexes = NDArray[np.uint16]
Lanes = NDArray[np.uint32]
RoundNumbers = NDArray[np.uint64]


class BatchCards(NamedTuple):
    """The cards of a batch, and scratch."""

    cards: CardIndexes
    """[card, lane] index in the shoe"""
    moved: CardIndexes
    """[card, lane] the card swapped into the place of the one drawn"""
    biased: Lanes
    """[lane] 1 if a word may be biased: do not use its cards"""
    words: Lanes
    """[word, lane]"""


def new_batch(blocks: int) -> BatchCards:
    """Return arrays for this many blocks of cards."""
    rows = BLOCK_CARDS * blocks
    return BatchCards(
        cards=np.zeros((rows, LANES), np.uint16),
        moved=np.empty((rows, LANES), np.uint16),
        biased=np.zeros(LANES, np.uint32),
        words=np.empty((_WORDS, LANES), np.uint32),
    )


@lean
def blocks_for(seats: int) -> int:
    """Return how many blocks of cards most rounds of a table with this many seats need."""
    return 1 + (3 * seats + 3) // BLOCK_CARDS


@lean
def deal_block(
    at: Offsets, key: np.uint64, number: np.uint64, rounds: RoundNumbers, block: int, to: BatchCards
) -> None:
    """Deal one more block of cards to each round; `rounds` holds their numbers relative to `number`."""
    begin = BLOCK_CARDS * block
    _random_words(key, number, rounds, np.uint64(block), to.words)
    for i in range(_WORDS):
        row = begin + 2 * i
        _pick_cards(to.words[i], at.cards, row, to.cards[row], to.cards[row + 1])
    _mark_biased(to.words, at.cards - begin, to.biased)
    for row in range(begin, begin + BLOCK_CARDS):
        _place_cards(to.cards, to.moved, row)


@lean
def _random_words(key: np.uint64, number: np.uint64, rounds: RoundNumbers, block: np.uint64, words: Lanes) -> None:
    for lane in range(LANES):
        shoe = number + rounds[lane]
        a, b, c, d = philox(shoe & _WORD, shoe >> _HALF, block, np.uint64(0), key & _WORD, key >> _HALF)
        words[0, lane], words[1, lane], words[2, lane], words[3, lane] = a, b, c, d


@lean
def _pick_cards(words: Lanes, cards: int, out: int, ones: CardIndexes, twos: CardIndexes) -> None:
    """Turn words into card indexes when `out` cards are dealt; `words` keeps their unused parts."""
    left, others = np.uint64(cards - out) & _SMALL, np.uint64(cards - out - 1) & _SMALL
    first, second = np.uint64(out), np.uint64(out + 1)
    for lane in range(LANES):
        one, rest = pick(np.uint64(words[lane]), left)
        two, rest = pick(rest, others)
        ones[lane], twos[lane], words[lane] = first + one, second + two, rest


@lean
def _mark_biased(rests: Lanes, left: int, biased: Lanes) -> None:
    """Mark the lanes where a word may be biased, testing all words with the bound of the first, the loosest."""
    one, two, three, four = rests[0], rests[1], rests[2], rests[3]
    for lane in range(LANES):
        least = min(min(one[lane], two[lane]), min(three[lane], four[lane]))
        biased[lane] |= np.uint32(may_be_biased(np.uint64(least), np.uint64(left)))


@lean
def _place_cards(cards: CardIndexes, moved: CardIndexes, row: int) -> None:
    """Turn a row of indexes into cards, and record which card each swap moved."""
    drawn, first, turn = cards[row], moved[row], np.uint16(row)
    for lane in range(LANES):
        first[lane] = turn
    for before in range(row):
        out, came = cards[before], moved[before]
        for lane in range(LANES):
            one, other, slot, first_slot = out[lane], came[lane], drawn[lane], first[lane]
            drawn[lane], first[lane] = after_swap(slot, one, other), after_swap(first_slot, one, other)
