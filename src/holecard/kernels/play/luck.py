"""One round from a fresh shoe, and how much of its result was luck.

Give every state of a round a fixed worth v. The *luck* of a card is what it did beyond what was to be expected of it,

    v(after it) - Σ_r left_r · v(after r) / Σ_r left_r

with the cards still in the shoe. Its mean is exactly 0 whatever v is, so the result less all the luck of a round has
the mean of the result; it varies the less, the nearer v is to the truth. The opening cards are one step: the worth of
what they give, less its mean over all openings. The hole card counts as known once it is dealt: luck may look.

Worths are whole *steps*, `part` of them in a part of the stake and just under 2^32 in a unit of it, so all of this is
exact up to one division for each card, which rounds down: luck comes out too high by less than a step, 2.4e-10 units.

How sums fit 63 bits for 10^12 < 2^40 rounds: a number of steps is cut after its 12th bit. The upper piece is below 2^26
in a round of up to 64 units, and its sum over all rounds fits while its mean stays under 8 units; the lower piece sums
up to less than 2^52. The upper piece squared is below 2^52 and is cut after its 20th bit: that sums up to less than
2^63 while the mean square stays under 8 square units, the rest to less than 2^60. Squares of net results in parts are
cut after their 22nd bit: the lower pieces sum up to less than 2^62, the upper ones fit as many rounds as
`simulation.luck.most_rounds` says.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import lean
from holecard.kernels.play.dealing import Dealt, begin, card, lying, room_to_deal
from holecard.kernels.play.lookup import (
    ANY_CLASS,
    CLASSES,
    DEALER_OPEN,
    PAIRS,
    RANKS,
    ROW,
    VALUES,
    Book,
    Numbers,
    Places,
    Shoe,
)

#: Bits cut off: of a number of steps, of the square of what is left of it, and of the square of a net result.
FINE, SQUARE_FINE, NET_FINE = 12, 20, 22
#: Where sums lie: of net results in parts and of their squares, in two pieces, then four for the luck and four for what
#: it leaves.
NET, NET_UPPER, NET_LOWER, LUCK, LUCKLESS = 0, 1, 2, 3, 7
SUMS = 11
#: Of each four: upper pieces, lower pieces, and those of the squares.
UPPER, LOWER, SQUARE_UPPER, SQUARE_LOWER = range(4)

Steps = NDArray[np.int64]


class Worths(NamedTuple):
    """What states are worth to the player, in steps, and the full shoe."""

    worth: Steps
    """[original or added stakes, dealer's hand, node] a hand that is over or gets a card"""
    pending: Steps
    """[upcard and hole card, rank, hands that are over, hands] all hands after a split that wait for a second card"""
    opening: int
    """the mean over all opening cards"""
    part: int
    """steps in a part of the stake"""
    shoe: Steps
    """[value, then rank] cards of each"""


class Room(NamedTuple):
    """What is worked in."""

    dealt: Dealt
    left: Steps
    """as `Worths.shoe`, of the cards still there; full again after each round"""
    ends: Numbers


def room(at: Places, worths: Worths) -> Room:
    """Enough of it for one seat."""
    return Room(
        dealt=np.empty(room_to_deal(at.cards, at.hands), np.uint16),
        left=worths.shoe.copy(),
        ends=np.empty(at.hands, np.int32),
    )


@lean
def play_lucky_rounds(
    book: Book, at: Places, worths: Worths, key: np.uint64, first: np.uint64, rounds: int, room: Room, sums: Steps
) -> None:
    """Play rounds from fresh shoes, numbered from `first`, by the first chart; add up what comes of them."""
    for number in range(rounds):
        begin(room.dealt)
        play_lucky_round(book, at, worths, Shoe(first + np.uint64(number), key), room, sums)


@lean
def play_lucky_round(book: Book, at: Places, worths: Worths, shoe: Shoe, room: Room, sums: Steps) -> int:
    """The round that `play_round` plays with one seat, the shoe begun; returns how many cards it took."""
    for n in range(3 + at.has_hole):
        _deal(book, at, shoe, room, n)
    cell = VALUES * book[at.value + lying(room.dealt, 1)]
    if at.has_hole:
        cell += book[at.value + lying(room.dealt, 3)]
    hands, n, luck = _player(book, at, worths, shoe, room, cell)
    dealer, n, more = _dealer(book, at, worths, shoe, room, n, book[at.dealer + cell], hands)
    _add_up(sums, _net(book, at, dealer, room.ends, hands), luck + more, worths.part)
    _put_back(book, at, room, n)
    return n


@lean
def _deal(book: Book, at: Places, shoe: Shoe, room: Room, n: int) -> int:
    """Take the n-th card out of the shoe."""
    index = card(shoe.number, shoe.key, at.cards, at.dealt_down, room.dealt, n)
    room.left[book[at.value + index]] -= 1
    room.left[VALUES + book[at.rank + index]] -= 1
    return index


@lean
def _put_back(book: Book, at: Places, room: Room, n: int) -> None:
    """Fill the shoe again."""
    for i in range(n):
        index = lying(room.dealt, i)
        room.left[book[at.value + index]] += 1
        room.left[VALUES + book[at.rank + index]] += 1


@lean
def _player(book: Book, at: Places, worths: Worths, shoe: Shoe, room: Room, cell: int) -> tuple[int, int, int]:
    """Play all hands, the opening cards being dealt: how many hands, the cards dealt so far, and their luck."""
    n, dealer = 3 + at.has_hole, book[at.dealer + cell]
    pair = book[at.rank + lying(room.dealt, 0)]
    row = book[at.sight + cell] * PAIRS + RANKS * pair
    node = book[at.first + row + book[at.rank + lying(room.dealt, 2)]]
    split, over = node >= at.splits, 0
    hands = 2 if split else 1
    luck = (worths.pending[cell, pair, 0, 2] if split else worths.worth[0, dealer, node]) - worths.opening
    while over < hands:
        if split:
            node, more = _second(book, at, worths, shoe, room, n, cell, row, over, hands)
            n, luck = n + 1, luck + more
            if node >= at.splits:
                hands += 1
                continue
        room.ends[over], n, more = _play_on(book, at, worths, shoe, room, n, node, min(over, 1), dealer)
        luck += more
        over += 1
    return hands, n, luck


@lean
def _play_on(
    book: Book, at: Places, worths: Worths, shoe: Shoe, room: Room, n: int, node: int, added: int, dealer: int
) -> tuple[int, int, int]:
    """Draw to a hand until it is over: its end, the cards dealt so far, and the luck of these."""
    luck = 0
    while node >= at.ends:
        row, weighed = at.after + ROW * node, 0
        for value in range(VALUES):
            weighed += room.left[value] * worths.worth[added, dealer, book[row + value]]
        node = book[row + book[at.value + _deal(book, at, shoe, room, n)]]
        luck += worths.worth[added, dealer, node] - weighed // (at.cards - n)
        n += 1
    return node, n, luck


@lean
def _second(
    book: Book, at: Places, worths: Worths, shoe: Shoe, room: Room, n: int, cell: int, row: int, over: int, hands: int
) -> tuple[int, int]:
    """The second card of a split hand: its node, a split if it is split again, and the luck of the card."""
    weighed = 0
    for rank in range(RANKS):
        _, worth = _with_second(book, at, worths, cell, row, rank, over, hands)
        weighed += room.left[VALUES + rank] * worth
    dealt = book[at.rank + _deal(book, at, shoe, room, n)]
    node, worth = _with_second(book, at, worths, cell, row, dealt, over, hands)
    return node, worth - weighed // (at.cards - n)


@lean
def _with_second(
    book: Book, at: Places, worths: Worths, cell: int, row: int, rank: int, over: int, hands: int
) -> tuple[int, int]:
    """The node that a second card gives, and what it and all hands still to come are worth then."""
    pair = row % PAIRS // RANKS
    if book[at.again + row + rank] and hands < book[at.most + pair]:
        return at.splits, worths.pending[cell, pair, over, hands + 1]
    node = book[at.second + row + rank]
    this = worths.worth[min(over, 1), book[at.dealer + cell], node]
    return node, this + worths.pending[cell, pair, over + 1, hands]


@lean
def _dealer(
    book: Book, at: Places, worths: Worths, shoe: Shoe, room: Room, n: int, dealer: int, hands: int
) -> tuple[int, int, int]:
    """The dealer draws if some hand waits: its hand, the cards dealt so far, and their luck."""
    waits, luck = at.draws_out > 0, 0
    for hand in range(hands):
        waits |= room.ends[hand] >= at.settled
    while waits and dealer >= DEALER_OPEN:
        row, weighed = at.dealer_after + ROW * (dealer - DEALER_OPEN), 0
        for value in range(VALUES):
            weighed += room.left[value] * _together(worths, book[row + value], room.ends, hands)
        dealer = book[row + book[at.value + _deal(book, at, shoe, room, n)]]
        luck += _together(worths, dealer, room.ends, hands) - weighed // (at.cards - n)
        n += 1
    return dealer, n, luck


@lean
def _together(worths: Worths, dealer: int, ends: Numbers, hands: int) -> int:
    """What hands that are over are worth against a dealer's hand."""
    worth = worths.worth[0, dealer, ends[0]]
    for hand in range(1, hands):
        worth += worths.worth[1, dealer, ends[hand]]
    return int(worth)


@lean
def _net(book: Book, at: Places, dealer: int, ends: Numbers, hands: int) -> int:
    """The net result in parts."""
    net = 0
    for hand in range(hands):
        against = dealer if ends[hand] >= at.settled else ANY_CLASS
        net += int(book[at.net + CLASSES * (ends[hand] + (at.ends if hand else 0)) + against])
    return net


@lean
def _add_up(sums: Steps, net: int, luck: int, part: int) -> None:
    sums[NET] += net
    sums[NET_UPPER] += (net * net) >> NET_FINE
    sums[NET_LOWER] += (net * net) & ((1 << NET_FINE) - 1)
    _add(sums, LUCK, luck)
    _add(sums, LUCKLESS, net * part - luck)


@lean
def _add(sums: Steps, to: int, steps: int) -> None:
    """Add a number and its square, each in two pieces."""
    upper = steps >> FINE
    square = upper * upper
    sums[to + UPPER] += upper
    sums[to + LOWER] += steps & ((1 << FINE) - 1)
    sums[to + SQUARE_UPPER] += square >> SQUARE_FINE
    sums[to + SQUARE_LOWER] += square & ((1 << SQUARE_FINE) - 1)
