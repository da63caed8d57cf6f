"""The first cards of many rounds, dealt side by side.

They are the cards that `dealing` deals for each of these rounds by itself: random values fall on cards, and those that
fall on none or on one that is out are passed over. Here a whole block of values falls at once, lane by lane, and only
the few lanes where one is to be passed over are gone through again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.book import Numbers, Places
from holecard.kernels.compiled import index, lean
from holecard.kernels.dealing import BLOCK_VALUES, FIRST, HAVE, Dealt, fallen
from holecard.kernels.philox import philox

LANES = 256
_WORD, _HALF, _BITS = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(16)

Cards = NDArray[np.uint16]
Lanes = NDArray[np.uint32]
Rounds = NDArray[np.uint64]


class Columns(NamedTuple):
    """The cards, and what is worked in."""

    cards: Cards
    """[card, lane] as they lie in the shoe; then rows of no cards, one for each hand that may ask"""
    have: Numbers
    """[lane] cards dealt"""
    lanes: Rounds
    """[lane] its number"""
    troubled: Cards
    """[lane] 1 where a value is to be passed over"""
    troubles: Lanes
    """lanes where one is"""
    seen: Rounds
    """[card] the last round that had it; one more for no card"""


def columns(at: Places, seats: int) -> Columns:
    """Enough for a table with so many seats, most of the time."""
    return Columns(
        cards=np.full((BLOCK_VALUES * blocks_for(seats) + seats + 1, LANES), at.cards, np.uint16),
        have=np.empty(LANES, np.int32),
        lanes=np.arange(LANES, dtype=np.uint64),
        troubled=np.empty(LANES, np.uint16),
        troubles=np.empty(LANES, np.uint32),
        seen=np.empty(at.cards + 1, np.uint64),
    )


@lean
def blocks_for(seats: int) -> int:
    """Blocks of random values that every lane is dealt from."""
    return 1 + (3 * seats + 3) // BLOCK_VALUES


@lean
def deal_columns(at: Places, key: np.uint64, number: np.uint64, seats: int, opening: int, to: Columns) -> None:
    """The first cards of the rounds numbered from `number`.

    The card behind a lane's last is none; a lane that has fewer than `opening` gets any, and `have` tells.
    """
    cards, have, blocks = to.cards, to.have, blocks_for(seats)
    rows = BLOCK_VALUES * blocks
    for block in range(blocks):
        begin = BLOCK_VALUES * block
        _random_values(key, number, to.lanes, np.uint64(block), cards[begin : begin + BLOCK_VALUES])
    _fall(cards.reshape(cards.size)[: rows * LANES], at.cards, at.unfair)
    _find_troubles(cards, rows, at.cards, to.troubled)
    troubles = 0
    for lane in range(LANES):
        have[lane] = rows
        to.troubles[index(troubles)] = lane
        troubles += to.troubled[lane]
    for i in range(troubles):
        lane = to.troubles[i]
        have[lane] = _close_up(cards, rows, lane, at.cards, number + np.uint64(lane), to.seen)
        for missing in range(have[lane], opening):
            cards[missing, lane] = 0
        cards[max(have[lane], opening), lane] = at.cards


@lean
def deal_more(at: Places, key: np.uint64, number: np.uint64, rounds: Rounds, block: int, values: Cards) -> None:
    """[value, round] what the next block of values falls on, for rounds counted from `number`."""
    _random_values(key, number, rounds, np.uint64(block), values)
    _fall(values.reshape(values.size), at.cards, at.unfair)


@lean
def _random_values(key: np.uint64, number: np.uint64, rounds: Rounds, block: np.uint64, rows: Cards) -> None:
    """[value, lane] a block of random values for each of these rounds, counted from a number."""
    for lane in range(rounds.size):
        shoe = number + rounds[lane]
        a, b, c, d = philox(shoe & _WORD, shoe >> _HALF, block, np.uint64(0), key & _WORD, key >> _HALF)
        rows[0, lane], rows[1, lane], rows[2, lane], rows[3, lane] = a, a >> _BITS, b, b >> _BITS
        rows[4, lane], rows[5, lane], rows[6, lane], rows[7, lane] = c, c >> _BITS, d, d >> _BITS


@lean
def _fall(values: Cards, of_shoe: int, unfair: int) -> None:
    """Turn random values into the cards they fall on, or into none: see `dealing`."""
    for i in range(values.size):
        values[i] = fallen(np.uint64(values[i]), of_shoe, unfair)


@lean
def _find_troubles(cards: Cards, rows: int, none: int, troubled: Cards) -> None:
    """Mark the lanes that have a value which is no card, or a card twice."""
    troubled[:] = 0
    for i in range(rows):
        row = cards[i]
        for lane in range(LANES):
            troubled[lane] |= np.uint16(row[lane] == np.uint16(none))
        # Three at a time; where fewer are left the first stands in for them.
        for a in range(0, i, 3):
            one, two, three = cards[a], cards[a + 1 if a + 1 < i else a], cards[a + 2 if a + 2 < i else a]
            for lane in range(LANES):
                card = row[lane]
                troubled[lane] |= np.uint16((card == one[lane]) | (card == two[lane]) | (card == three[lane]))


@lean
def _close_up(cards: Cards, rows: int, lane: int, none: int, number: np.uint64, seen: Rounds) -> int:
    """Close up a lane's cards over the values to be passed over; returns how many there are."""
    have = 0
    seen[none] = number
    for i in range(rows):
        card = cards[i, lane]
        cards[have, lane] = card
        have += seen[card] != number
        seen[card] = number
    return have


@lean
def add_cards(values: Cards, place: int, none: int, number: np.uint64, seen: Rounds, dealt: Dealt) -> None:
    """To the cards that a round has those of its next block of values."""
    have = index(dealt[HAVE])
    seen[none] = number
    for n in range(have):
        seen[dealt[FIRST + n]] = number
    for value in range(BLOCK_VALUES):
        card = values[value, place]
        dealt[index(FIRST + have)] = card
        have += index(seen[card] != number)
        seen[card] = number
    dealt[HAVE] = have
