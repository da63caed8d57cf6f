"""Play all hands and the dealer's after the opening, and measure the luck of every card."""

from __future__ import annotations

from typing import NamedTuple

from holecard.kernels.jit import index, inlined
from holecard.kernels.luck.baseline import CARDS_LEFT, BaselineValues, baseline_value
from holecard.kernels.luck.undealt import LuckWorkspace, counts_row, draw, take
from holecard.kernels.play.dealing import dealt_card
from holecard.kernels.play.lookup import (
    DEALER_OPEN,
    PAIRS,
    RANK_COUNT,
    ROW,
    VALUE_COUNT,
    Lut,
    Offsets,
    ShoeKey,
)


class SeatSpot(NamedTuple):
    """A seat against the dealer's cards."""

    seat: int
    chart: int
    cell: int
    """upcard and hole card"""
    dealer: int
    """the dealer hand"""
    row: int
    """of the first card in the tables of second cards"""


@inlined
def play_seat_hands(
    lut: Lut, at: Offsets, baseline: BaselineValues, shoe: ShoeKey, work: LuckWorkspace, seat: int, cell: int, n: int
) -> int:
    """Play all hands of a seat, with n cards dealt; return the number of cards dealt then."""
    seats, chart = work.charts.size, work.charts[seat]
    pair = lut[at.rank + dealt_card(work.dealt, seat)]
    row = (chart * at.dealer_views + lut[at.dealer_view + cell]) * PAIRS + RANK_COUNT * pair
    spot = SeatSpot(seat, chart, cell, lut[at.dealer + cell], row)
    node = lut[at.first + row + lut[at.rank + dealt_card(work.dealt, seats + 1 + seat)]]
    split, over, begin = node >= at.splits, 0, at.hands * seat
    hands = 2 if split else 1
    while over < hands:
        if split:
            node = _second_card(lut, at, baseline, shoe, work, n, spot, over, hands)
            n += 1
            if node >= at.splits:
                hands += 1
                continue
        work.ends[begin + over], n = _play_on(lut, at, baseline, shoe, work, n, spot, node, min(over, 1))
        over += 1
    work.hands[seat] = hands
    return n


@inlined
def _play_on(
    lut: Lut,
    at: Offsets,
    baseline: BaselineValues,
    shoe: ShoeKey,
    work: LuckWorkspace,
    n: int,
    spot: SeatSpot,
    node: int,
    added: int,
) -> tuple[int, int]:
    """Draw to a hand until it is finished; return its end and the number of cards dealt."""
    evs, slopes, begin = baseline.ev, baseline.slope, hand_state(baseline, added, spot.dealer, 0)
    while node >= at.ends:
        card = draw(lut, at, baseline, shoe, work, n)
        row, left, drawn = at.after + ROW * node, work.left[counts_row(work, n)], lut[at.value + card]
        weighed, after = 0, 0
        for value in range(VALUE_COUNT):
            found = baseline_value(evs, slopes, work.tilt, begin + lut[index(row + value)])
            weighed += left[index(value)] * found
            after = found if value == drawn else after
        work.luck[spot.seat] += after - weighed // left[CARDS_LEFT]
        node = lut[row + drawn]
        take(lut, at, work, card)
        n += 1
    return node, n


@inlined
def _second_card(
    lut: Lut,
    at: Offsets,
    baseline: BaselineValues,
    shoe: ShoeKey,
    work: LuckWorkspace,
    n: int,
    spot: SeatSpot,
    over: int,
    hands: int,
) -> int:
    """Deal the second card of a split hand; return its node, a split if the pair is split again."""
    card = draw(lut, at, baseline, shoe, work, n)
    left, drawn, weighed = work.left[counts_row(work, n)], lut[at.rank + card], 0
    for rank in range(RANK_COUNT):
        _, found = _with_second(lut, at, baseline, work, spot, rank, over, hands)
        weighed += left[VALUE_COUNT + rank] * found
    node, found = _with_second(lut, at, baseline, work, spot, drawn, over, hands)
    work.luck[spot.seat] += found - weighed // left[CARDS_LEFT]
    take(lut, at, work, card)
    return node


@inlined
def _with_second(
    lut: Lut,
    at: Offsets,
    baseline: BaselineValues,
    work: LuckWorkspace,
    spot: SeatSpot,
    rank: int,
    over: int,
    hands: int,
) -> tuple[int, int]:
    """Return the node after a second card of this rank, and the value of it and of all hands still to come."""
    row, pair, evs, slopes = spot.row, spot.row % PAIRS // RANK_COUNT, baseline.ev, baseline.slope
    cell = (spot.chart * VALUE_COUNT * VALUE_COUNT + spot.cell) * RANK_COUNT + pair
    pending, size = baseline.pending + cell * baseline.hands * baseline.hands, baseline.hands
    if lut[at.again + row + rank] and hands < lut[at.most + pair]:
        return at.splits, baseline_value(evs, slopes, work.tilt, pending + over * size + hands + 1)
    node = lut[at.second + row + rank]
    this = baseline_value(evs, slopes, work.tilt, hand_state(baseline, min(over, 1), spot.dealer, node))
    return node, this + baseline_value(evs, slopes, work.tilt, pending + (over + 1) * size + hands)


@inlined
def draw_dealer(
    lut: Lut, at: Offsets, baseline: BaselineValues, shoe: ShoeKey, work: LuckWorkspace, dealer: int, n: int
) -> tuple[int, int]:
    """Draw for the dealer if a hand waits; return the dealer hand and the number of cards dealt."""
    seats = work.charts.size
    waits = at.draws_out > 0
    for seat in range(seats):
        for hand in range(work.hands[seat]):
            waits |= work.ends[at.hands * seat + hand] >= at.settled
    while waits and dealer >= DEALER_OPEN:
        card = draw(lut, at, baseline, shoe, work, n)
        row, left = at.dealer_after + ROW * (dealer - DEALER_OPEN), work.left[counts_row(work, n)]
        drawn = lut[at.value + card]
        for seat in range(seats):
            weighed, after = 0, 0
            for value in range(VALUE_COUNT):
                found = _together(at, baseline, work, seat, lut[row + value])
                weighed += left[index(value)] * found
                after = found if value == drawn else after
            work.luck[seat] += after - weighed // left[CARDS_LEFT]
        dealer = lut[row + drawn]
        take(lut, at, work, card)
        n += 1
    return dealer, n


@inlined
def _together(at: Offsets, baseline: BaselineValues, work: LuckWorkspace, seat: int, dealer: int) -> int:
    """Return the value of a seat's finished hands against a dealer hand."""
    begin, evs, slopes = at.hands * seat, baseline.ev, baseline.slope
    found = baseline_value(evs, slopes, work.tilt, hand_state(baseline, 0, dealer, work.ends[begin]))
    for hand in range(1, work.hands[seat]):
        found += baseline_value(evs, slopes, work.tilt, hand_state(baseline, 1, dealer, work.ends[begin + hand]))
    return found


@inlined
def hand_state(baseline: BaselineValues, added: int, dealer: int, node: int) -> int:
    """Return the state of a hand against a dealer hand."""
    return (added * baseline.dealers + dealer) * baseline.nodes + node
