"""Many rounds side by side, each as `play_round` would play it, but quicker.

The opening cards of a block of rounds ("lanes") are dealt by loops over lanes; then all hands that get a card get it,
those that are over fall out of the list, and so on: no branch to guess wrong. Lanes with a split, or that need more
cards than were dealt to them, are left to `play_round`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.compiled import kernel
from holecard.kernels.dealing import BLOCK_VALUES, BLOCKS, FIRST, HAVE, Dealt
from holecard.kernels.philox import philox
from holecard.kernels.rounds import (
    ANY_CLASS,
    CELL,
    CLASSES,
    DEALER_OPEN,
    NET,
    NO_CELL,
    PAIRS,
    RANKS,
    RESULT,
    STAKE,
    VALUES,
    Book,
    Numbers,
    Places,
    Results,
    Shoe,
    play_round,
)

LANES = 256
#: In the place of a card: a random value to be passed over.
_NO_CARD = 0xFFFF
_WORD, _HALF, _VALUE, _BITS = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(0xFFFF), np.uint64(16)

Words = NDArray[np.uint64]
Cards = NDArray[np.uint16]


class Counts(NamedTuple):
    """What was played, counted."""

    cells: Results
    """[seat, end, dealer class] rounds without a split"""
    nets: Results
    """[seat, net result in parts, from -zero on] rounds with one"""
    stakes: Results
    """[seat] units staked in rounds with a split"""
    zero: int


@kernel
def play_rounds(
    book: Book, at: Places, charts: NDArray[np.uint8], key: np.uint64, first: np.uint64, rounds: int, counts: Counts
) -> None:
    """Play rounds from fresh shoes, numbered from `first`."""
    seats = charts.size
    blocks = 1 + (3 * seats + 3) // BLOCK_VALUES
    cards = np.empty((blocks * BLOCK_VALUES, LANES), np.uint16)
    have = np.empty(LANES, np.int32)
    nodes = np.empty((seats, LANES), np.int32)
    dealers = np.empty(LANES, np.int32)
    sights = np.empty(LANES, np.int32)
    used = np.empty(LANES, np.int32)
    odd = np.empty(LANES, np.bool_)
    lanes = np.empty(LANES, np.int32)
    words = np.empty((2, LANES), np.uint64)
    alone = _room(at, seats)
    for begin in range(0, rounds, LANES):
        width = min(LANES, rounds - begin)
        number = first + np.uint64(begin)
        _deal(at, key, number, blocks, words, cards, have)
        _sights(book, at, seats, cards, width, sights, dealers)
        used[:] = 2 * seats + 1 + at.has_hole
        odd[:] = have < 2 * seats + 1 + at.has_hole
        for seat in range(seats):
            _players(book, at, charts[seat], seat, seats, cards, have, sights, nodes[seat], used, odd, lanes, width)
        _dealers(book, at, cards, have, nodes, dealers, used, odd, lanes, width)
        for seat in range(seats):
            cells, node_of = counts.cells[seat], nodes[seat]
            for lane in range(width):
                if not odd[lane]:
                    end = node_of[lane]
                    cells[CLASSES * end + (dealers[lane] if end >= at.settled else ANY_CLASS)] += 1
        for lane in range(width):
            if odd[lane]:
                _alone(book, at, charts, key, number + np.uint64(lane), blocks, cards, have, lane, alone, counts)


class Room(NamedTuple):
    """What `play_round` works in."""

    dealt: Dealt
    ends: Numbers
    hands: Numbers
    results: Results


@kernel
def _room(at: Places, seats: int) -> Room:
    return Room(
        np.empty(FIRST + at.cards + BLOCK_VALUES, np.uint16),
        np.empty(at.hands * seats, np.int32),
        np.empty(seats, np.int32),
        np.empty(RESULT * seats, np.int64),
    )


@kernel
def _deal(
    at: Places, key: np.uint64, number: np.uint64, blocks: int, words: Words, cards: Cards, have: Numbers
) -> None:
    """The first cards of every lane; a lane's cards are closed up where a value was passed over."""
    low, high = words[0], words[1]
    of_shoe, unfair = np.uint64(at.cards), np.uint64(at.unfair)
    for block in range(blocks):
        for lane in range(LANES):
            shoe = number + np.uint64(lane)
            a, b, c, d = philox(
                shoe & _WORD, shoe >> _HALF, np.uint64(block), np.uint64(0), key & _WORD, key >> _HALF
            )
            low[lane], high[lane] = a | (b << _HALF), c | (d << _HALF)
        for value in range(BLOCK_VALUES):
            word, row = words[value >> 2], cards[block * BLOCK_VALUES + value]
            shift = _BITS * np.uint64(value & 3)
            for lane in range(LANES):
                product = ((word[lane] >> shift) & _VALUE) * of_shoe
                row[lane] = product >> _BITS if product & _VALUE >= unfair else np.uint64(_NO_CARD)
    have[:] = 0
    for i in range(blocks * BLOCK_VALUES):
        _mark(cards, i, have)
    for lane in range(LANES):
        have[lane] = _close_up(cards, lane) if have[lane] else blocks * BLOCK_VALUES


@kernel
def _mark(cards: Cards, i: int, marks: Numbers) -> None:
    """Mark the lanes whose i-th value is to be passed over."""
    row = cards[i]
    for lane in range(LANES):
        marks[lane] |= row[lane] == _NO_CARD
    for before in range(i):
        other = cards[before]
        for lane in range(LANES):
            marks[lane] |= row[lane] == other[lane]


@kernel
def _close_up(cards: Cards, lane: int) -> int:
    """Close up a lane's cards over the values to be passed over; returns how many there are."""
    have = 0
    for i in range(cards.shape[0]):
        card = cards[i, lane]
        new = card != _NO_CARD
        for before in range(have):
            new &= cards[before, lane] != card
        if new:
            cards[have, lane] = card
            have += 1
    return have


@kernel
def _sights(
    book: Book, at: Places, seats: int, cards: Cards, width: int, sights: Numbers, dealers: Numbers
) -> None:
    """What the players see of the dealer's cards, and the dealer's hand."""
    up, hole = cards[seats], cards[2 * seats + 1]
    for lane in range(width):
        cell = VALUES * book[at.value + np.int64(up[lane])]
        if at.has_hole:
            cell += book[at.value + np.int64(hole[lane])]
        sights[lane], dealers[lane] = book[at.sight + cell], book[at.dealer + cell]


@kernel
def _players(
    book: Book,
    at: Places,
    chart: int,
    seat: int,
    seats: int,
    cards: Cards,
    have: Numbers,
    sights: Numbers,
    nodes: Numbers,
    used: Numbers,
    odd: NDArray[np.bool_],
    lanes: Numbers,
    width: int,
) -> None:
    """One seat's hands, in all lanes: looked up, then drawn to until all are over."""
    one, two = cards[seat], cards[seats + 1 + seat]
    first_row = at.first + chart * at.sights * PAIRS
    waiting = 0
    for lane in range(width):
        first, second = book[at.rank + np.int64(one[lane])], book[at.rank + np.int64(two[lane])]
        node = book[first_row + sights[lane] * PAIRS + RANKS * first + second]
        nodes[lane] = node
        lanes[waiting] = lane
        waiting += node >= at.ends
    while waiting:
        still = 0
        for i in range(waiting):
            lane = lanes[i]
            node, n = nodes[lane], used[lane]
            if node >= at.splits or n >= have[lane] or odd[lane]:
                odd[lane] = True
                continue
            node = book[at.after + VALUES * node + book[at.value + np.int64(cards[n, lane])]]
            nodes[lane], used[lane] = node, n + 1
            lanes[still] = lane
            still += node >= at.ends
        waiting = still


@kernel
def _dealers(
    book: Book,
    at: Places,
    cards: Cards,
    have: Numbers,
    nodes: Numbers,
    dealers: Numbers,
    used: Numbers,
    odd: NDArray[np.bool_],
    lanes: Numbers,
    width: int,
) -> None:
    """The dealer draws where some hand waits for it."""
    waiting = 0
    for lane in range(width):
        waits = False
        for seat in range(nodes.shape[0]):
            waits |= nodes[seat, lane] >= at.settled
        lanes[waiting] = lane
        waiting += waits and dealers[lane] >= DEALER_OPEN
    while waiting:
        still = 0
        for i in range(waiting):
            lane = lanes[i]
            n = used[lane]
            if n >= have[lane] or odd[lane]:
                odd[lane] = True
                continue
            value = book[at.value + np.int64(cards[n, lane])]
            dealer = book[at.dealer_after + VALUES * (dealers[lane] - DEALER_OPEN) + value]
            dealers[lane], used[lane] = dealer, n + 1
            lanes[still] = lane
            still += dealer >= DEALER_OPEN
        waiting = still


@kernel
def _alone(
    book: Book,
    at: Places,
    charts: NDArray[np.uint8],
    key: np.uint64,
    number: np.uint64,
    blocks: int,
    cards: Cards,
    have: Numbers,
    lane: int,
    room: Room,
    counts: Counts,
) -> None:
    """A round played by itself, from the cards its lane was dealt."""
    for i in range(have[lane]):
        room.dealt[FIRST + i] = cards[i, lane]
    room.dealt[HAVE], room.dealt[BLOCKS] = have[lane], blocks
    results = room.results
    play_round(book, at, charts, Shoe(number, key), room.dealt, room.ends, room.hands, results)
    for seat in range(charts.size):
        cell = results[RESULT * seat + CELL]
        if cell == NO_CELL:
            counts.nets[seat, counts.zero + results[RESULT * seat + NET]] += 1
            counts.stakes[seat] += results[RESULT * seat + STAKE]
        else:
            counts.cells[seat, cell] += 1
