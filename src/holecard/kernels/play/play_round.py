"""One round, card by card: the same function for processors and graphics cards.

What a rule or a chart says is looked up in the book; here is only the order in which cards fall.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import index, lean
from holecard.kernels.play.dealing import Dealt, card, lying
from holecard.kernels.play.lookup import (
    ANY_CLASS,
    CELL,
    CLASSES,
    DEALER_CARDS,
    DEALER_OPEN,
    ENDING,
    NET,
    OPENING,
    PAIRS,
    RANKS,
    RESULT,
    ROW,
    STAKE,
    UNFINISHED,
    VALUES,
    Book,
    Numbers,
    Places,
    Results,
    Shoe,
)
from holecard.kernels.play.side_wagers import hopes_of


@lean
def play_round(
    book: Book,
    at: Places,
    charts: NDArray[np.uint8],
    shoe: Shoe,
    dealt: Dealt,
    ends: Numbers,
    hands: Numbers,
    results: Results,
    with_split: bool,
) -> int:
    """Play one round for as many seats as there are `charts`; returns how many cards it took.

    A round that comes to a split is given up, and none returned, unless it is to be played `with_split`.

    `dealt` (begun), `ends` ([seat, hand]) and `hands` ([seat]) are room to work in; `results[seat]` says how it went.
    After the seats' results comes where the dealer's cards are counted: the hand if it is finished, and the first two
    of them. Without a hole card the second is the one behind the players' cards, whether it is taken or not.
    """
    seats = charts.size
    n = 2 * seats + 1 + at.has_hole
    last = _value(book, at, shoe, dealt, n - 1)
    cell = VALUES * book[at.value + lying(dealt, seats)] + (last if at.has_hole else 0)
    sight, dealer = book[at.sight + cell], book[at.dealer + cell]
    waits = False
    for seat in range(seats):
        first, second = book[at.rank + lying(dealt, seat)], book[at.rank + lying(dealt, seats + 1 + seat)]
        row = (charts[seat] * at.sights + sight) * PAIRS + RANKS * first
        node = book[at.first + row + second]
        begin = at.hands * seat
        if node >= at.splits:
            if not with_split:
                return 0
            hands[seat], n = _split(book, at, row, first, shoe, dealt, n, ends, begin)
        else:
            while node >= at.ends:
                node = book[index(at.after + ROW * node + _value(book, at, shoe, dealt, n))]
                n += 1
            hands[seat], ends[begin] = 1, node
        for hand in range(hands[seat]):
            waits |= ends[begin + hand] >= at.settled
    drawn = 1 + at.has_hole - n
    if not at.has_hole:
        cell += _value(book, at, shoe, dealt, n)
    hopes = hopes_of(book, at, seats, dealt) if at.dealt_down else 0
    while dealer >= DEALER_OPEN and (waits or at.draws_out or hopes & _awaiting(book, at, dealer, drawn + n)):
        dealer = book[index(at.dealer_after + ROW * (dealer - DEALER_OPEN) + _value(book, at, shoe, dealt, n))]
        n += 1
    for seat in range(seats):
        _settle(book, at, dealer, ends, at.hands * seat, hands[seat], results, RESULT * seat)
    results[RESULT * seats + ENDING] = ending(dealer, drawn + n) if dealer < DEALER_OPEN else UNFINISHED
    results[RESULT * seats + OPENING] = cell
    return n


@lean
def ending(dealer: int, cards: int) -> int:
    """Where a dealer's finished hand is counted: by its class and its cards."""
    return (DEALER_CARDS + 1) * dealer + min(cards, DEALER_CARDS)


@lean
def _awaiting(book: Book, at: Places, dealer: int, cards: int) -> int:
    """The hopes that one more card for an unfinished hand may decide."""
    return int(book[at.awaiting + ending(dealer - DEALER_OPEN, cards)])


@lean
def _value(book: Book, at: Places, shoe: Shoe, dealt: Dealt, n: int) -> int:
    """The value of the n-th card."""
    return int(book[index(at.value + card(shoe.number, shoe.key, at.cards, at.dealt_down, dealt, n))])


@lean
def _split(
    book: Book, at: Places, row: int, pair: int, shoe: Shoe, dealt: Dealt, n: int, ends: Numbers, begin: int
) -> tuple[int, int]:
    """Each hand in turn gets its second card, is split again or played on: how many hands, the cards dealt so far."""
    hands, over = 2, 0
    while over < hands:
        second = book[at.rank + card(shoe.number, shoe.key, at.cards, at.dealt_down, dealt, n)]
        n += 1
        if book[at.again + row + second] and hands < book[at.most + pair]:
            hands += 1
            continue
        node = book[at.second + row + second]
        while node >= at.ends:
            node = book[index(at.after + ROW * node + _value(book, at, shoe, dealt, n))]
            n += 1
        ends[begin + over] = node
        over += 1
    return hands, n


@lean
def _settle(
    book: Book, at: Places, dealer: int, ends: Numbers, begin: int, hands: int, results: Results, to: int
) -> None:
    """Write down a seat's result."""
    end = ends[begin]
    cell = CLASSES * end + (dealer if end >= at.settled else ANY_CLASS)
    net, stake = book[index(at.net + cell)], book[at.stake + end]
    if hands > 1:
        together = book[index(at.sum_after + book[index(at.kind + cell)])]
        for hand in range(1, hands):
            end = ends[begin + hand]
            cell = CLASSES * (at.ends + end) + (dealer if end >= at.settled else ANY_CLASS)
            together = book[index(at.sum_after + at.kinds * together + book[index(at.kind + cell)])]
            stake += book[at.stake + end]
        cell, net = -1 - together, book[index(at.sum_net + together)]
    results[to + CELL], results[to + NET], results[to + STAKE] = cell, net, stake
