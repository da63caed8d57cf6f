"""Side wagers in lockstep: what the first cards make, which cards the dealer draws for them, and their outcomes."""

from __future__ import annotations

import numpy as np

from holecard.kernels.jit import index, lean
from holecard.kernels.lanes.rank_tables import RANK_BITS, SUIT_BITS, RankTables
from holecard.kernels.lanes.state import PerLane, RoundLanes
from holecard.kernels.play.lookup import DEALER_OPEN, Lut, Offsets, Results
from holecard.kernels.play.play_round import ending
from holecard.kernels.play.side_wagers import LIVE, WAGER, outcome_cell, row_of

#: The bit of `needs` for hands that wait; every card to an unfinished dealer hand can decide these.
HANDS = np.uint32(1 << 31)


@lean
def read_wagers(lut: Lut, at: Offsets, seats: int, width: int, lanes: RoundLanes) -> None:
    """Look up what the first cards make for each wager, and which pay lines are live."""
    cards, step = lanes.cards, lanes.step
    to_up, to_hole = step * seats, step * (2 * seats + at.has_hole)
    for lane in range(width):
        lanes.needs[lane] = 0
    for wager in range(at.wagers):
        its = at.wager + WAGER * wager
        live = lut[its + LIVE]
        for seat in range(seats):
            rows, to_one, to_two = lanes.rows[wager, seat], step * seat, step * (seats + 1 + seat)
            for lane in range(width):
                start = lanes.start[lane]
                one, two = int(cards[index(start + to_one)]), int(cards[index(start + to_two)])
                up, hole = int(cards[index(start + to_up)]), int(cards[index(start + to_hole)])
                row = row_of(lut, its, one, two, up, hole)
                rows[lane] = row
                if at.dealt_down:
                    lanes.needs[lane] |= np.uint32(lut[index(live + row)])


@lean
def draw_for_wagers(lut: Lut, tables: RankTables, at: Offsets, seats: int, width: int, lanes: RoundLanes) -> None:
    """Draw the dealer's cards in lanes where a hand waits for them or another card can decide a wager."""
    cards, next_, dealers, needs, waiting = lanes.cards, lanes.next, lanes.dealers, lanes.needs, lanes.waiting
    settled, still = np.uint32(at.settled), 0
    for lane in range(width):
        waits = at.draws_out > 0
        for seat in range(seats):
            waits |= lanes.nodes[seat, lane] >= settled
        needs[lane] |= HANDS if waits else np.uint32(0)
        lanes.players[lane] = next_[lane]
        waiting[index(still)] = lane
        still += int(_draws(lut, at, lanes, lane))
    while still:
        before, still = still, 0
        for i in range(before):
            taker = waiting[i]
            place = next_[index(taker)]
            rank = np.uint32(cards[index(place)] >> SUIT_BITS)
            hand = dealers[index(taker)] - np.uint32(DEALER_OPEN)
            dealers[index(taker)] = tables.dealer_after[index((hand << RANK_BITS) | rank)]
            next_[index(taker)] = place + lanes.step
            waiting[index(still)] = taker
            still += int(_draws(lut, at, lanes, int(taker)))


@lean
def _draws(lut: Lut, at: Offsets, lanes: RoundLanes, lane: int) -> bool:
    """Return whether the dealer takes another card."""
    dealer = int(lanes.dealers[lane])
    if dealer < DEALER_OPEN:
        return False
    hand = ending(dealer - DEALER_OPEN, dealer_cards(at, lanes, lane))
    decides = np.uint32(lut[index(at.decidable + hand)]) | HANDS
    return bool(lanes.needs[lane] & decides)


@lean
def dealer_cards(at: Offsets, lanes: RoundLanes, lane: int) -> int:
    """Return the number of cards in the dealer's hand."""
    return 1 + at.has_hole + (int(lanes.next[lane]) - int(lanes.players[lane])) // lanes.step


@lean
def tally_wagers(lut: Lut, at: Offsets, seats: int, width: int, lanes: RoundLanes, wagers: Results) -> None:
    """Count the outcomes of the side wagers in the first `width` lanes."""
    for wager in range(at.wagers):
        its = at.wager + WAGER * wager
        for seat in range(seats):
            rows, counted = lanes.rows[wager, seat], wagers[seat]
            for lane in range(width):
                counted[index(outcome_cell(lut, its, int(rows[lane]), int(lanes.endings[lane])))] += 1


@lean
def untally_wagers(
    lut: Lut, at: Offsets, seats: int, many: int, listed: PerLane, lanes: RoundLanes, wagers: Results
) -> None:
    """Take the outcomes of the side wagers in the first `many` of the listed lanes out of the counts again."""
    for wager in range(at.wagers):
        its = at.wager + WAGER * wager
        for seat in range(seats):
            rows, counted = lanes.rows[wager, seat], wagers[seat]
            for i in range(many):
                lane = listed[i]
                counted[index(outcome_cell(lut, its, int(rows[lane]), int(lanes.endings[lane])))] -= 1
