"""Many rounds side by side, each as `play_round` would play it, but quicker.

The opening cards of a block of rounds ("lanes") are dealt by loops over lanes; then all hands that get a card get it,
those that are over fall out of the list, and so on: no branch to guess wrong. Lanes with a split, or that need more
cards than were dealt to them, are left to `play_round`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.compiled import lean
from holecard.kernels.counting import Counts, count_seats
from holecard.kernels.dealing import BLOCK_VALUES, BLOCKS, FIRST, HAVE, START, TAKEN, Dealt, room_to_deal
from holecard.kernels.philox import philox
from holecard.kernels.rounds import (
    ANY_CLASS,
    CLASSES,
    DEALER_OPEN,
    ENDING,
    PAIRS,
    RANKS,
    RESULT,
    VALUES,
    Book,
    Numbers,
    Places,
    Results,
    Shoe,
    ending,
    play_round,
)
from holecard.kernels.side_wagers import wager_cell

LANES = 256
#: In the place of a card: a random value to be passed over.
_NO_CARD = 0xFFFF
_BITS_OF_16 = 16
_WORD, _HALF, _VALUE, _BITS = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(0xFFFF), np.uint64(16)

Words = NDArray[np.uint64]
Cards = NDArray[np.uint16]


class Room(NamedTuple):
    """What is worked in: [lane] arrays, and what `play_round` wants."""

    words: Words
    """[half of a block, lane]"""
    cards: Cards
    """[card, lane]"""
    passed: Cards
    """[sixteen values, lane] those to be passed over, as bits"""
    have: Numbers
    """cards dealt"""
    used: Numbers
    """cards in play"""
    players: Numbers
    """cards in play before the dealer draws"""
    sights: Numbers
    dealers: Numbers
    nodes: Numbers
    """[seat, lane]"""
    odd: NDArray[np.bool_]
    """left to `play_round`"""
    waiting: Numbers
    """lanes that get a card"""
    dealt: Dealt
    ends: Numbers
    hands: Numbers
    results: Results


def room(at: Places, seats: int) -> Room:
    """Enough of it for a table with so many seats."""
    blocks = 1 + (3 * seats + 3) // BLOCK_VALUES
    return Room(
        words=np.empty((2, LANES), np.uint64),
        cards=np.empty((blocks * BLOCK_VALUES, LANES), np.uint16),
        passed=np.empty((1 + (blocks * BLOCK_VALUES - 1) // _BITS_OF_16, LANES), np.uint16),
        have=np.empty(LANES, np.int32),
        used=np.empty(LANES, np.int32),
        players=np.empty(LANES, np.int32),
        sights=np.empty(LANES, np.int32),
        dealers=np.empty(LANES, np.int32),
        nodes=np.empty((seats, LANES), np.int32),
        odd=np.empty(LANES, np.bool_),
        waiting=np.empty(LANES, np.int32),
        dealt=np.empty(room_to_deal(at.cards, at.hands * seats), np.uint16),
        ends=np.empty(at.hands * seats, np.int32),
        hands=np.empty(seats, np.int32),
        results=np.empty(RESULT * seats + ENDING, np.int64),
    )


@lean
def play_rounds(
    book: Book,
    at: Places,
    charts: NDArray[np.uint8],
    key: np.uint64,
    first: np.uint64,
    rounds: int,
    room: Room,
    counts: Counts,
) -> None:
    """Play rounds from fresh shoes, numbered from `first`."""
    seats = charts.size
    opening = 2 * seats + 1 + at.has_hole
    have, used, odd = room.have, room.used, room.odd
    for begin in range(0, rounds, LANES):
        width = min(LANES, rounds - begin)
        number = first + np.uint64(begin)
        _deal(at, key, number, room)
        _sights(book, at, seats, room, width, counts.dealers)
        for lane in range(width):
            used[lane] = opening
            odd[lane] = have[lane] < opening
        for seat in range(seats):
            _players(book, at, charts[seat], seat, seats, room, width)
        for lane in range(width):
            room.players[lane] = used[lane]
        _dealers(book, at, room, width)
        for seat in range(seats):
            _count(at, room.nodes[seat], room.dealers, odd, width, counts.cells[seat])
        if at.draws_out:
            _count_endings(at, room, width, counts.endings)
        if at.wagers:
            for seat in range(seats):
                _count_wagers(book, at, seat, seats, room, width, counts.wagers[seat])
        for lane in range(width):
            if odd[lane]:
                _alone(book, at, charts, key, number + np.uint64(lane), lane, room, counts)


@lean
def _deal(at: Places, key: np.uint64, number: np.uint64, room: Room) -> None:
    """The first cards of every lane; a lane's cards are closed up where a value was passed over."""
    words, cards, passed, have = room.words, room.cards, room.passed, room.have
    of_shoe, unfair = np.uint64(at.cards), np.uint64(at.unfair)
    for block in range(cards.shape[0] // BLOCK_VALUES):
        _random_words(key, number, np.uint64(block), words[0], words[1])
        for value in range(BLOCK_VALUES):
            word, row = words[value >> 2], cards[block * BLOCK_VALUES + value]
            shift = _BITS * np.uint64(value & 3)
            for lane in range(LANES):
                product = ((word[lane] >> shift) & _VALUE) * of_shoe
                row[lane] = product >> _BITS if product & _VALUE >= unfair else np.uint64(_NO_CARD)
    passed[:] = 0
    for i in range(cards.shape[0]):
        _pass_over(cards, i, passed[i // _BITS_OF_16])
    for lane in range(LANES):
        have[lane] = cards.shape[0]
    for bits in passed:
        for lane in range(LANES):
            if bits[lane]:
                have[lane] = 0
    for lane in range(LANES):
        if have[lane] == 0:
            have[lane] = _close_up(cards, lane, passed)


@lean
def _random_words(key: np.uint64, number: np.uint64, block: np.uint64, low: Words, high: Words) -> None:
    for lane in range(LANES):
        shoe = number + np.uint64(lane)
        a, b, c, d = philox(shoe & _WORD, shoe >> _HALF, block, np.uint64(0), key & _WORD, key >> _HALF)
        low[lane], high[lane] = a | (b << _HALF), c | (d << _HALF)


@lean
def _pass_over(cards: Cards, i: int, passed: Cards) -> None:
    """Mark the lanes whose i-th value is no card, or one that an earlier value dealt."""
    row, bit = cards[i], np.uint16(1 << (i % _BITS_OF_16))
    for lane in range(LANES):
        passed[lane] |= bit if row[lane] == _NO_CARD else np.uint16(0)
    # Three at a time; where fewer are left the first stands in for them.
    for a in range(0, i, 3):
        one, two, three = cards[a], cards[a + 1 if a + 1 < i else a], cards[a + 2 if a + 2 < i else a]
        for lane in range(LANES):
            card = row[lane]
            again = (card == one[lane]) | (card == two[lane]) | (card == three[lane])
            passed[lane] |= bit if again else np.uint16(0)


@lean
def _close_up(cards: Cards, lane: int, passed: Cards) -> int:
    """Close up a lane's cards over the values to be passed over; returns how many there are."""
    have = 0
    for i in range(cards.shape[0]):
        cards[have, lane] = cards[i, lane]
        have += 1 - ((int(passed[i // _BITS_OF_16, lane]) >> (i % _BITS_OF_16)) & 1)
    return have


@lean
def _count(at: Places, nodes: Numbers, dealers: Numbers, odd: NDArray[np.bool_], width: int, cells: Results) -> None:
    for lane in range(width):
        if not odd[lane]:
            end = nodes[lane]
            cells[CLASSES * end + (dealers[lane] if end >= at.settled else ANY_CLASS)] += 1


@lean
def _count_endings(at: Places, room: Room, width: int, endings: Results) -> None:
    for lane in range(width):
        if not room.odd[lane]:
            cards = 1 + at.has_hole + room.used[lane] - room.players[lane]
            endings[ending(room.dealers[lane], cards)] += 1


@lean
def _count_wagers(book: Book, at: Places, seat: int, seats: int, room: Room, width: int, counted: Results) -> None:
    first, second = room.cards[seat], room.cards[seats + 1 + seat]
    up, hole = room.cards[seats], room.cards[2 * seats + at.has_hole]
    for wager in range(at.wagers):
        for lane in range(width):
            if not room.odd[lane]:
                end = ending(room.dealers[lane], 1 + at.has_hole + room.used[lane] - room.players[lane])
                one, two = int(first[lane]), int(second[lane])
                counted[wager_cell(book, at, wager, one, two, int(up[lane]), int(hole[lane]), end)] += 1


@lean
def _sights(book: Book, at: Places, seats: int, room: Room, width: int, dealt: Results) -> None:
    """What the players see of the dealer's cards, and the dealer's hand."""
    up, hole, sights, dealers = room.cards[seats], room.cards[2 * seats + 1], room.sights, room.dealers
    for lane in range(width):
        cell = VALUES * book[at.value + np.int64(up[lane])]
        if at.has_hole:
            cell += book[at.value + np.int64(hole[lane])]
        sights[lane], dealers[lane] = book[at.sight + cell], book[at.dealer + cell]
        dealt[cell] += 1


@lean
def _players(book: Book, at: Places, chart: int, seat: int, seats: int, room: Room, width: int) -> None:
    """One seat's hands, in all lanes: looked up, then drawn to until all are over."""
    cards, have, used, odd, waiting = room.cards, room.have, room.used, room.odd, room.waiting
    one, two, sights, nodes = cards[seat], cards[seats + 1 + seat], room.sights, room.nodes[seat]
    begin = at.first + chart * at.sights * PAIRS
    still = 0
    for lane in range(width):
        first, second = book[at.rank + np.int64(one[lane])], book[at.rank + np.int64(two[lane])]
        node = book[begin + sights[lane] * PAIRS + RANKS * first + second]
        nodes[lane] = node
        waiting[still] = lane
        still += node >= at.ends
    while still:
        before, still = still, 0
        for i in range(before):
            lane = waiting[i]
            node, n = nodes[lane], used[lane]
            if (node >= at.splits) | (n >= have[lane]) | odd[lane]:
                odd[lane] = True
                continue
            node = book[at.after + VALUES * node + book[at.value + np.int64(cards[n, lane])]]
            nodes[lane], used[lane] = node, n + 1
            waiting[still] = lane
            still += node >= at.ends


@lean
def _dealers(book: Book, at: Places, room: Room, width: int) -> None:
    """The dealer draws where some hand waits for it."""
    cards, have, used, odd, waiting = room.cards, room.have, room.used, room.odd, room.waiting
    nodes, dealers = room.nodes, room.dealers
    still = 0
    for lane in range(width):
        waits = False
        for seat in range(nodes.shape[0]):
            waits |= nodes[seat, lane] >= at.settled
        waiting[still] = lane
        still += (waits | (at.draws_out > 0)) & (dealers[lane] >= DEALER_OPEN)
    while still:
        before, still = still, 0
        for i in range(before):
            lane = waiting[i]
            n = used[lane]
            if (n >= have[lane]) | odd[lane]:
                odd[lane] = True
                continue
            value = book[at.value + np.int64(cards[n, lane])]
            dealer = book[at.dealer_after + VALUES * (dealers[lane] - DEALER_OPEN) + value]
            dealers[lane], used[lane] = dealer, n + 1
            waiting[still] = lane
            still += dealer >= DEALER_OPEN


@lean
def _alone(
    book: Book,
    at: Places,
    charts: NDArray[np.uint8],
    key: np.uint64,
    number: np.uint64,
    lane: int,
    room: Room,
    counts: Counts,
) -> None:
    """A round played by itself, from the cards its lane was dealt."""
    dealt, results = room.dealt, room.results
    dealt[HAVE], dealt[BLOCKS] = room.have[lane], room.cards.shape[0] // BLOCK_VALUES
    for i in range(room.have[lane]):
        dealt[FIRST + i] = room.cards[i, lane]
    dealt[START], dealt[TAKEN] = 0, BLOCK_VALUES
    play_round(book, at, charts, Shoe(number, key), dealt, room.ends, room.hands, results)
    count_seats(book, at, charts.size, dealt, results, counts)
