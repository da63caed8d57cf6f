"""Play one round from a column, exactly as `play_round` plays it.

The threads of a warp run in step, so one loop plays the whole round: in each turn, a thread gives one card to its
current hand, the dealer's or a seat's, and moves on to the next hand if that one is finished. A round that needs few
cards is then not held up by another one's second seat while it plays its first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.gpu.column import Cursor, ShoeColumn, deal_for, nth_type
from holecard.kernels.gpu.layout import SharedLayout, narrow
from holecard.kernels.jit import index, lean
from holecard.kernels.lanes.rank_tables import RANK_BITS, SUIT_BITS, Small
from holecard.kernels.lanes.state import Types
from holecard.kernels.play.lookup import DEALER_OPEN, RANK_COUNT, Lut, Numbers, Offsets
from holecard.kernels.play.play_round import ending
from holecard.kernels.play.side_wagers import LIVE, WAGER, row_of

_PAIR_BITS = 2 * RANK_BITS
#: Cards that most rounds take after the first ones: this many, and one more per seat.
_USUAL = 4


class ColumnRound(NamedTuple):
    """A round that was played."""

    cursor: Cursor
    cards: int
    """cards that the round took"""
    pair: int
    """ranks of the dealer's first two cards; the second as `play_round` reports it"""
    dealer: int
    """the dealer's hand"""
    drawn: int
    """its number of cards"""


@lean
def play_column(
    lut: Lut,
    tables: Small,
    at: Offsets,
    place: SharedLayout,
    charts: NDArray[np.uint8],
    memory: Types,
    column: ShoeColumn,
    cursor: Cursor,
    ahead: bool,
    ends: Numbers,
    hands: Numbers,
) -> ColumnRound:
    """Play one round; write how each hand ends ([seat, hand]) and the hands per seat.

    With `ahead`, deal the cards that most rounds need at once: possible unless cards return to the shoe in between.
    """
    seats = narrow(charts.size)
    n = narrow(2 * seats + 1 + at.has_hole)
    cursor = deal_for(memory, column, cursor, n - 1, (n + seats + _USUAL if ahead else n) - 1)
    pair = narrow(_rank(memory, column, cursor, seats) << RANK_BITS)
    if at.has_hole:
        pair = narrow(pair | _rank(memory, column, cursor, 2 * seats + 1))
    view = narrow(tables[index(place.dealer_view + pair)])
    seat, hand, waits, after = narrow(0), narrow(0), at.draws_out > 0, narrow(place.after)
    node, row, one = _open_seat(tables, at, charts, view, seat, seats, memory, column, cursor)
    all_hands = narrow(2 if node >= at.splits else 1)
    before, live, second_card = narrow(0), narrow(0), False
    while True:
        if seat < seats and node < at.ends:
            ends[index(at.hands * seat + hand)] = node
            waits |= node >= at.settled
            hand, node = narrow(hand + 1), narrow(at.splits)
            if hand == all_hands:
                hands[index(seat)] = all_hands
                seat, hand = narrow(seat + 1), narrow(0)
                if seat < seats:
                    node, row, one = _open_seat(tables, at, charts, view, seat, seats, memory, column, cursor)
                    all_hands = narrow(2 if node >= at.splits else 1)
                else:
                    node = narrow(tables[index(place.dealer + pair)])
                    after = narrow(place.dealer_after - (DEALER_OPEN << RANK_BITS))
                    before, second_card = narrow(n - 1 - at.has_hole), at.has_hole == 0
                    if at.dealt_down and at.wagers and node >= DEALER_OPEN and not waits:
                        live = _live_bits(lut, at, seats, memory, column, cursor)
        if seat < seats:
            draws = node >= at.ends
        else:
            draws = node >= DEALER_OPEN and (
                waits or (live & lut[index(at.decidable + ending(node - DEALER_OPEN, n - before))]) != 0
            )
        if draws or second_card:
            cursor = deal_for(memory, column, cursor, n, n)
            rank = _rank(memory, column, cursor, n)
            if second_card:
                pair, second_card = narrow(pair | rank), False
            if draws:
                n = narrow(n + 1)
                if seat < seats and node >= at.splits:
                    of_split = narrow((row * RANK_COUNT + one) * RANK_COUNT + rank)
                    if all_hands < lut[index(at.most + one)] and lut[index(at.again + of_split)]:
                        all_hands = narrow(all_hands + 1)
                    else:
                        node = narrow(lut[index(at.second + of_split)])
                else:
                    node = narrow(tables[index(after + narrow(node << RANK_BITS) + rank)])
        elif seat == seats:
            break
    return ColumnRound(cursor, n, pair, node, narrow(n - before))


@lean
def _rank(memory: Types, column: ShoeColumn, cursor: Cursor, n: int) -> int:
    return narrow(nth_type(memory, column, cursor, n) >> SUIT_BITS)


@lean
def _open_seat(
    tables: Small,
    at: Offsets,
    charts: NDArray[np.uint8],
    view: int,
    seat: int,
    seats: int,
    memory: Types,
    column: ShoeColumn,
    cursor: Cursor,
) -> tuple[int, int, int]:
    """Return the node of a seat's first two cards, the row of its chart, and the rank of the first card."""
    one, two = _rank(memory, column, cursor, seat), _rank(memory, column, cursor, seats + 1 + seat)
    row = narrow(charts[index(seat)] * at.dealer_views + view)
    return narrow(tables[index(narrow(row << _PAIR_BITS) + narrow(one << RANK_BITS) + two)]), row, one


@lean
def _live_bits(lut: Lut, at: Offsets, seats: int, memory: Types, column: ShoeColumn, cursor: Cursor) -> int:
    """Return bits of the pay lines that are still live for any seat after the first cards."""
    live = narrow(0)
    for wager in range(at.wagers):
        its = at.wager + WAGER * wager
        for seat in range(seats):
            row = wager_row(lut, at, its, seat, seats, memory, column, cursor)
            live = narrow(live | lut[index(lut[its + LIVE] + row)])
    return live


@lean
def wager_row(
    lut: Lut, at: Offsets, its: int, seat: int, seats: int, memory: Types, column: ShoeColumn, cursor: Cursor
) -> int:
    """Return the row of a seat's first cards, given the wager's record."""
    first, second = nth_type(memory, column, cursor, seat), nth_type(memory, column, cursor, seats + 1 + seat)
    up, hole = nth_type(memory, column, cursor, seats), nth_type(memory, column, cursor, 2 * seats + at.has_hole)
    return row_of(lut, its, first, second, up, hole)
