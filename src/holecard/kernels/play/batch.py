"""Many rounds side by side, each as `play_round` would play it, but quicker.

The first cards of a block of rounds ("lanes") are dealt by loops over lanes; then all hands that get a card get it,
those that are over fall out of the list, and so on: no branch to guess wrong. Lanes with a split, or that need more
cards than were dealt to them, are left to `play_round`.

Where a hand or the dealer stands is one number of 32 bits, half of it the node, half the place of the lane's next card.
Behind a lane's last card lies the card that there is not, and leads to a node which is no end: nobody asks on the way
how many cards there are.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import index, lean
from holecard.kernels.play.batch_deal import LANES, blocks_for, deal_block
from holecard.kernels.play.counting import Counts, count_round
from holecard.kernels.play.dealing import BLOCK_CARDS, BLOCKS, FIRST, HAVE, begin
from holecard.kernels.play.lookup import (
    ANY_CLASS,
    CLASSES,
    DEALER_OPEN,
    DEALER_SHORT,
    PAIRS,
    RANKS,
    ROW,
    VALUES,
    Book,
    Places,
    Results,
    Shoe,
)
from holecard.kernels.play.play_round import ending, play_round
from holecard.kernels.play.side_wagers import wager_cell
from holecard.kernels.play.workspace import Room

_LANE, _PLACE, _NODE = LANES - 1, 0xFFFF, 16


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
    odd = 0
    for done in range(0, rounds, LANES):
        width = min(LANES, rounds - done)
        number = first + np.uint64(done)
        room.columns.unfair[:] = 0
        for block in range(blocks_for(seats)):
            deal_block(at, key, number, room.lanes, block, room.columns)
        _open(book, at, seats, opening, room)
        for seat in range(seats):
            _players(book, at, charts[seat], seat, seats, room)
        _dealers(book, at, seats, room)
        _find_odd(at, seats, room)
        if not at.has_hole:
            _open_late(book, at, room)
        _count(book, at, seats, room, width, counts)
        for i in range(_list_odd(room, width)):
            if odd == LANES:
                _play_alone(book, at, charts, key, first, room, odd, counts)
                odd = 0
            _put_off(seats, room, np.uint64(done), int(room.waiting[i]), odd)
            odd += 1
    _play_alone(book, at, charts, key, first, room, odd, counts)


@lean
def _open(book: Book, at: Places, seats: int, opening: int, room: Room) -> None:
    """The dealer's cards."""
    up, hole = room.columns.cards[seats], room.columns.cards[2 * seats + at.has_hole]
    for lane in range(LANES):
        cell = VALUES * book[index(at.value + up[lane])]
        if at.has_hole:
            cell += book[index(at.value + hole[lane])]
        room.opening[lane] = cell
        room.dealers[lane] = book[index(at.dealer + cell)]
        room.next[lane] = LANES * opening + lane
        room.odd[lane] = room.columns.unfair[lane]


@lean
def _players(book: Book, at: Places, chart: int, seat: int, seats: int, room: Room) -> None:
    """One seat's hands, in all lanes: looked up, then drawn to until all are over."""
    cards, next_ = room.columns.cards, room.next
    lying, nodes, waiting = cards.reshape(cards.size), room.nodes[seat], room.waiting
    one, two, opening = cards[seat], cards[seats + 1 + seat], room.opening
    begin = at.first + chart * at.sights * PAIRS
    ends, open_ = np.uint32(at.ends), np.uint32(at.splits - at.ends)
    still = 0
    for lane in range(LANES):
        first, second = book[index(at.rank + one[lane])], book[index(at.rank + two[lane])]
        sight = book[index(at.sight + opening[lane])]
        node = np.uint32(book[index(begin + PAIRS * sight + RANKS * first + second)])
        nodes[lane] = node
        waiting[index(still)] = (node << _NODE) | next_[lane]
        still += int(np.uint32(node - ends) < open_)
    while still:
        before, still = still, 0
        for i in range(before):
            hand = waiting[i]
            place = hand & _PLACE
            value = book[index(at.value + lying[index(place)])]
            node = np.uint32(book[index(at.after + ROW * (hand >> _NODE) + value)])
            nodes[index(place & _LANE)], next_[index(place & _LANE)] = node, place + LANES
            waiting[index(still)] = (node << _NODE) | (place + LANES)
            still += int(np.uint32(node - ends) < open_)


@lean
def _dealers(book: Book, at: Places, seats: int, room: Room) -> None:
    """The dealer draws where some hand waits for it."""
    lying, next_, nodes = room.columns.cards.reshape(room.columns.cards.size), room.next, room.nodes
    dealers, waiting = room.dealers, room.waiting
    settled, open_ = np.uint32(at.settled), np.uint32(DEALER_SHORT - DEALER_OPEN)
    still = 0
    for lane in range(LANES):
        waits = at.draws_out > 0
        for seat in range(seats):
            waits |= nodes[seat, lane] >= settled
        dealer, place = dealers[lane], next_[lane]
        room.players[lane] = place
        waiting[index(still)] = (dealer << _NODE) | place
        still += int(waits & (np.uint32(dealer - DEALER_OPEN) < open_))
    while still:
        before, still = still, 0
        for i in range(before):
            hand = waiting[i]
            place = hand & _PLACE
            value = book[index(at.value + lying[index(place)])]
            dealer = np.uint32(book[index(at.dealer_after + ROW * ((hand >> _NODE) - DEALER_OPEN) + value)])
            dealers[index(place & _LANE)], next_[index(place & _LANE)] = dealer, place + LANES
            waiting[index(still)] = (dealer << _NODE) | (place + LANES)
            still += int(np.uint32(dealer - DEALER_OPEN) < open_)


@lean
def _find_odd(at: Places, seats: int, room: Room) -> None:
    """Which lanes were not played to their end."""
    odd, splits = room.odd, np.uint32(at.splits)
    for lane in range(LANES):
        odd[lane] |= np.uint32(room.dealers[lane] == np.uint32(DEALER_SHORT))
    for seat in range(seats):
        nodes = room.nodes[seat]
        for lane in range(LANES):
            odd[lane] |= np.uint32(nodes[lane] >= splits)


@lean
def _open_late(book: Book, at: Places, room: Room) -> None:
    """The dealer's second card where it comes behind the players', whether it is taken or not."""
    lying = room.columns.cards.reshape(room.columns.cards.size)
    for lane in range(LANES):
        second = np.uint32(book[index(at.value + lying[index(room.players[lane])])])
        room.odd[lane] |= np.uint32(second == np.uint32(VALUES))
        room.opening[lane] += second


@lean
def _count(book: Book, at: Places, seats: int, room: Room, width: int, counts: Counts) -> None:
    """What the other lanes come to."""
    odd, dealers = room.odd, room.dealers
    settled, classes, any_class = np.uint32(at.settled), np.uint32(CLASSES), np.uint32(ANY_CLASS)
    for lane in range(width):
        counts.dealers[np.uint32(0) if odd[lane] else room.opening[lane]] += 1 - odd[lane]
    for seat in range(seats):
        nodes, cells, places = room.nodes[seat], counts.cells[seat], room.waiting
        for lane in range(LANES):
            end, dealer = nodes[lane], dealers[lane] if nodes[lane] >= settled else any_class
            places[lane] = np.uint32(0) if odd[lane] else end * classes + dealer
        for lane in range(width):
            cells[places[lane]] += 1 - odd[lane]
    if at.draws_out:
        _count_endings(at, room, width, counts.endings)
    if at.wagers:
        for seat in range(seats):
            _count_wagers(book, at, seat, seats, room, width, counts.wagers[seat])


@lean
def _ending(at: Places, room: Room, lane: int) -> int:
    """Where the dealer's hand is counted."""
    drawn = (room.next[lane] - room.players[lane]) // LANES
    return ending(room.dealers[lane], 1 + at.has_hole + drawn)


@lean
def _count_endings(at: Places, room: Room, width: int, endings: Results) -> None:
    for lane in range(width):
        if not room.odd[lane]:
            endings[index(_ending(at, room, lane))] += 1


@lean
def _count_wagers(book: Book, at: Places, seat: int, seats: int, room: Room, width: int, counted: Results) -> None:
    cards = room.columns.cards
    first, second, up, hole = cards[seat], cards[seats + 1 + seat], cards[seats], cards[2 * seats + at.has_hole]
    for wager in range(at.wagers):
        for lane in range(width):
            if not room.odd[lane]:
                one, two = int(first[lane]), int(second[lane])
                end = _ending(at, room, lane)
                counted[wager_cell(book, at, wager, one, two, int(up[lane]), int(hole[lane]), end)] += 1


@lean
def _list_odd(room: Room, width: int) -> int:
    """The odd lanes: how many `waiting` lists."""
    odd = 0
    for lane in range(width):
        room.waiting[index(odd)] = lane
        odd += int(room.odd[lane])
    return odd


@lean
def _put_off(seats: int, room: Room, done: np.uint64, lane: int, place: int) -> None:
    """Keep an odd lane's cards."""
    now, later = room.columns, room.later
    room.put_off[place] = done + np.uint64(lane)
    for n in range(BLOCK_CARDS * blocks_for(seats)):
        later.cards[n, place], later.moved[n, place] = now.cards[n, lane], now.moved[n, lane]
    later.unfair[place] = now.unfair[lane]


@lean
def _play_alone(
    book: Book,
    at: Places,
    charts: NDArray[np.uint8],
    key: np.uint64,
    first: np.uint64,
    room: Room,
    rounds: int,
    counts: Counts,
) -> None:
    """Those that were put off, one by one. The next cards of all of them are dealt side by side once more."""
    blocks, dealt = blocks_for(charts.size), room.dealt
    deal_block(at, key, first, room.put_off, blocks, room.later)
    for i in range(rounds):
        shoe = Shoe(first + room.put_off[i], key)
        begin(dealt)
        if not room.later.unfair[i]:
            dealt[BLOCKS], dealt[HAVE] = blocks + 1, BLOCK_CARDS * (blocks + 1)
            for n in range(BLOCK_CARDS * (blocks + 1)):
                dealt[FIRST + n] = room.later.cards[n, i]
        play_round(book, at, charts, shoe, dealt, room.ends, room.hands, room.results, True)
        count_round(book, at, charts.size, dealt, room.results, counts)
