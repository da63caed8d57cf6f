"""Deal one shoe at once: the cards that `kernels.play.dealing` deals one after the other.

How many cards are left is known for every random word in advance, so loops over the shoe's blocks compute all words and
all picks. Only the swaps follow one after the other. A shoe with a word that may be biased is dealt by `dealing`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import index, lean
from holecard.kernels.lanes.state import Types
from holecard.kernels.philox import philox
from holecard.kernels.play.dealing import BLOCK_CARDS, may_be_biased, pick

_WORDS = BLOCK_CARDS // 2
_WORD, _HALF, _ONE = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(1)
_SMALL = np.uint64(0xFFFF)

Picks = NDArray[np.uint32]


class Picked(NamedTuple):
    """Scratch for one shoe."""

    words: NDArray[np.uint64]
    """[word of a block, block]"""
    places: Picks
    """[word of a block, block] the two cards it picks, as `pick_two` packs them"""


@lean
def deal_shoe(number: np.uint64, key: np.uint64, cards: int, blocks: int, picked: Picked, shoe: Types) -> bool:
    """Deal the first blocks of a full shoe, given in order; return False, with nothing dealt, if a word may be biased.

    All of these blocks must have eight cards left.
    """
    _random_words(number, key, blocks, picked.words)
    biased = _ONE - _ONE
    for word in range(_WORDS):
        biased |= _pick_places(picked.words[word], cards - 2 * word, blocks, picked.places[word])
    if biased:
        return False
    one, two, three, four = picked.places[0], picked.places[1], picked.places[2], picked.places[3]
    for block in range(blocks):
        swap_block(shoe, index(BLOCK_CARDS * block), one[block], two[block], three[block], four[block])
    return True


@lean
def deal_rest(number: np.uint64, key: np.uint64, cards: int, blocks: int, shoe: Types) -> bool:
    """Deal the last cards of a shoe, fewer than a block and an even number; return False if a word may be biased.

    The shoe is then dealt by halves, and cannot be used.
    """
    left = cards - BLOCK_CARDS * blocks
    a, b, c, _ = philox(number & _WORD, number >> _HALF, np.uint64(blocks), np.uint64(0), key & _WORD, key >> _HALF)
    for i in range(left // 2):
        out, now = BLOCK_CARDS * blocks + 2 * i, np.uint64(left - 2 * i)
        places, biased = pick_two(a if i == 0 else (b if i == 1 else c), now)
        if biased:
            return False
        _swap_two(shoe, index(out), places)
    return True


@lean
def _random_words(number: np.uint64, key: np.uint64, blocks: int, words: NDArray[np.uint64]) -> None:
    one, two, three, four = words[0], words[1], words[2], words[3]
    for block in range(blocks):
        a, b, c, d = philox(number & _WORD, number >> _HALF, np.uint64(block), np.uint64(0), key & _WORD, key >> _HALF)
        one[block], two[block], three[block], four[block] = a, b, c, d


@lean
def _pick_places(words: NDArray[np.uint64], left: int, blocks: int, places: Picks) -> np.uint64:
    """Turn a row of words into the places of the cards that they pick; return whether any word may be biased."""
    biased = _ONE - _ONE
    for block in range(blocks):
        places[block], doubtful = pick_two(words[block], np.uint64(left - BLOCK_CARDS * block))
        biased |= np.uint64(doubtful)
    return biased


@lean
def pick_two(word: np.uint64, left: np.uint64) -> tuple[np.uint32, bool]:
    """Return which two of the cards left a word picks, and whether it may be biased.

    The lower 16 bits are the place of the first card, counted from the first card left, the upper ones that of the
    second.
    """
    now = left & _SMALL
    one, rest = pick(word & _WORD, now)
    two, rest = pick(rest, (now - _ONE) & _SMALL)
    return np.uint32(one | ((two + _ONE) << np.uint64(16))), may_be_biased(rest, now)


@lean
def swap_block(cards: Types, out: np.uint32, one: np.uint32, two: np.uint32, three: np.uint32, four: np.uint32) -> None:
    """Draw a block of cards to places from `out` on, given what its four words pick."""
    _swap_two(cards, out, one)
    _swap_two(cards, out + index(2), two)
    _swap_two(cards, out + index(4), three)
    _swap_two(cards, out + index(6), four)


@lean
def _swap_two(cards: Types, out: np.uint32, places: np.uint32) -> None:
    """Swap the next two cards with those that a word picks."""
    one, two = index(out + (places & np.uint32(0xFFFF))), index(out + (places >> np.uint32(16)))
    after = index(out + np.uint32(1))
    cards[index(out)], cards[one] = cards[one], cards[index(out)]
    cards[after], cards[two] = cards[two], cards[after]
