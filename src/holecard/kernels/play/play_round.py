"""Play one round card by card.

Rules and charts are looked up in `lut`; this module only knows the order in which cards are dealt.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import index, lean
from holecard.kernels.play.dealing import Dealt, dealt_card, nth_card
from holecard.kernels.play.lookup import (
    ANY_CLASS,
    CELL,
    CLASS_COUNT,
    DEALER_CARDS,
    DEALER_OPEN,
    ENDING,
    NET,
    OPENING,
    PAIRS,
    RANK_COUNT,
    RESULT,
    ROW,
    STAKE,
    UNFINISHED,
    VALUE_COUNT,
    Lut,
    Numbers,
    Offsets,
    Results,
    ShoeKey,
)
from holecard.kernels.play.side_wagers import live_bits


@lean
def play_round(
    lut: Lut,
    at: Offsets,
    charts: NDArray[np.uint8],
    shoe: ShoeKey,
    dealt: Dealt,
    ends: Numbers,
    hands: Numbers,
    results: Results,
) -> int:
    """Play one round with one seat per entry of `charts`; return the number of cards it took.

    `dealt` (a started shoe), `ends` ([seat, hand]) and `hands` ([seat]) are scratch. `results` gets RESULT numbers per
    seat, then the cells of the dealer's final hand (if finished) and of the dealer's first two cards. Without a hole
    card, the second is the card after the players' last one, whether or not the dealer takes it.
    """
    seats = charts.size
    n = 2 * seats + 1 + at.has_hole
    last = _value(lut, at, shoe, dealt, n - 1)
    cell = VALUE_COUNT * lut[at.value + dealt_card(dealt, seats)] + (last if at.has_hole else 0)
    view, dealer = lut[at.dealer_view + cell], lut[at.dealer + cell]
    waits = False
    for seat in range(seats):
        first, second = lut[at.rank + dealt_card(dealt, seat)], lut[at.rank + dealt_card(dealt, seats + 1 + seat)]
        row = (charts[seat] * at.dealer_views + view) * PAIRS + RANK_COUNT * first
        node = lut[at.first + row + second]
        begin = at.hands * seat
        if node >= at.splits:
            hands[seat], n = _split(lut, at, row, first, shoe, dealt, n, ends, begin)
        else:
            while node >= at.ends:
                node = lut[index(at.after + ROW * node + _value(lut, at, shoe, dealt, n))]
                n += 1
            hands[seat], ends[begin] = 1, node
        for hand in range(hands[seat]):
            waits |= ends[begin + hand] >= at.settled
    drawn = 1 + at.has_hole - n
    if not at.has_hole:
        cell += _value(lut, at, shoe, dealt, n)
    live = live_bits(lut, at, seats, dealt) if at.dealt_down else 0
    while dealer >= DEALER_OPEN and (waits or at.draws_out or live & _decidable(lut, at, dealer, drawn + n)):
        dealer = lut[index(at.dealer_after + ROW * (dealer - DEALER_OPEN) + _value(lut, at, shoe, dealt, n))]
        n += 1
    for seat in range(seats):
        settle(lut, at, dealer, ends, at.hands * seat, hands[seat], results, RESULT * seat)
    results[RESULT * seats + ENDING] = ending(dealer, drawn + n) if dealer < DEALER_OPEN else UNFINISHED
    results[RESULT * seats + OPENING] = cell
    return n


@lean
def ending(dealer: int, cards: int) -> int:
    """Return the cell of a finished dealer hand: by class and number of cards."""
    return (DEALER_CARDS + 1) * dealer + min(cards, DEALER_CARDS)


@lean
def _decidable(lut: Lut, at: Offsets, dealer: int, cards: int) -> int:
    """Return bits of the live pay lines that another card to an unfinished dealer hand can decide."""
    return int(lut[at.decidable + ending(dealer - DEALER_OPEN, cards)])


@lean
def _value(lut: Lut, at: Offsets, shoe: ShoeKey, dealt: Dealt, n: int) -> int:
    """Return the value of the n-th card, 0 for an ace to 9 for a ten."""
    return int(lut[index(at.value + nth_card(shoe.number, shoe.key, at.cards, at.dealt_down, dealt, n))])


@lean
def _split(
    lut: Lut, at: Offsets, row: int, pair: int, shoe: ShoeKey, dealt: Dealt, n: int, ends: Numbers, begin: int
) -> tuple[int, int]:
    """Play all hands of a split pair in turn; return the number of hands and of cards dealt so far."""
    hands, over = 2, 0
    while over < hands:
        second = lut[at.rank + nth_card(shoe.number, shoe.key, at.cards, at.dealt_down, dealt, n)]
        n += 1
        if lut[at.again + row + second] and hands < lut[at.most + pair]:
            hands += 1
            continue
        node = lut[at.second + row + second]
        while node >= at.ends:
            node = lut[index(at.after + ROW * node + _value(lut, at, shoe, dealt, n))]
            n += 1
        ends[begin + over] = node
        over += 1
    return hands, n


@lean
def settle(
    lut: Lut, at: Offsets, dealer: int, ends: Numbers, begin: int, hands: int, results: Results, to: int
) -> None:
    """Write a seat's result."""
    end = ends[begin]
    cell = CLASS_COUNT * end + (dealer if end >= at.settled else ANY_CLASS)
    net, stake = lut[index(at.net + cell)], lut[at.stake + end]
    if hands > 1:
        together = lut[index(at.sum_after + lut[index(at.kind + cell)])]
        for hand in range(1, hands):
            end = ends[begin + hand]
            cell = CLASS_COUNT * (at.ends + end) + (dealer if end >= at.settled else ANY_CLASS)
            together = lut[index(at.sum_after + at.kinds * together + lut[index(at.kind + cell)])]
            stake += lut[at.stake + end]
        cell, net = -1 - together, lut[index(at.sum_net + together)]
    results[to + CELL], results[to + NET], results[to + STAKE] = cell, net, stake
