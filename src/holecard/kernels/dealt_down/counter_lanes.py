"""Count the cards of shoes that are played side by side, and decide bets, insurance and charts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.dealt_down.counter_tables import NOT_INSURED, SIDE_SUMS, CounterTables, Tags, slot_of
from holecard.kernels.dealt_down.state import SHOE_LANES, ShoeLanes
from holecard.kernels.jit import index, inlined, lean
from holecard.kernels.lanes.rank_tables import RANK_BITS
from holecard.kernels.lanes.state import PerLane
from holecard.kernels.play.lookup import Offsets, Results


class CounterLanes(NamedTuple):
    """Arrays by [lane]."""

    sums: Tags
    """[count, place] sum of the tags of the shoe's cards before this place, without burned ones"""
    slots: PerLane
    """[count, lane] slot of the reading before the round"""
    seated: PerLane
    """1 while the player sits at the table"""
    plays: PerLane
    """1 if the player bets in this round"""
    insured: PerLane
    """NOT_INSURED, INSURANCE_LOST or INSURANCE_WON"""
    offered: PerLane
    """slot of the main count when insurance was offered, plus one; 0 if it was not"""
    wagers: Results
    """[wager, lane] the cell of each side wager"""
    money: Results
    """[MAIN_SUM, INSURANCE_SUM, TOTAL_SUM, then each side wager, lane] won in the shoe so far, in steps of bets times
    parts"""


def new_counter_lanes(at: Offsets, counter: CounterTables, state: ShoeLanes) -> CounterLanes:
    """Return lanes for a counter."""
    counts = counter.tags.shape[0]
    return CounterLanes(
        sums=np.zeros((counts, state.lanes.cards.size), np.int32),
        slots=np.zeros((counts, SHOE_LANES), np.uint32),
        seated=np.zeros(SHOE_LANES, np.uint32),
        plays=np.zeros(SHOE_LANES, np.uint32),
        insured=np.zeros(SHOE_LANES, np.uint32),
        offered=np.zeros(SHOE_LANES, np.uint32),
        wagers=np.zeros((max(1, at.wagers), SHOE_LANES), np.int64),
        money=np.zeros((SIDE_SUMS + at.wagers, SHOE_LANES), np.int64),
    )


@lean
def begin_count(at: Offsets, counter: CounterTables, lane: int, state: ShoeLanes, counting: CounterLanes) -> None:
    """Count a shoe in advance: the sum of tags before each of its cards."""
    stride = state.full.size
    begin = lane * stride
    cards = state.lanes.cards
    for count in range(counter.tags.shape[0]):
        tags, sums = counter.tags[count], counting.sums[count]
        total = np.int32(0)
        for place in range(begin + counter.burn, begin + at.cards):
            sums[index(place)] = total
            total += tags[index(cards[index(place)])]
        for place in range(begin + at.cards, begin + stride):
            sums[index(place)] = total
    counting.seated[lane] = counter.begins
    for what in range(counting.money.shape[0]):
        counting.money[what, lane] = 0


@lean
def decide_bets(at: Offsets, counter: CounterTables, width: int, state: ShoeLanes, counting: CounterLanes) -> None:
    """Read every count before the round, and decide who plays."""
    lanes, stride, cards = state.lanes, state.full.size, float(at.cards)
    for count in range(counter.tags.shape[0]):
        sums, terms, low, slots = counting.sums[count], counter.terms[count], counter.lows[count], counting.slots[count]
        for lane in range(width):
            place = lanes.next[lane]
            seen = float(np.int64(place) - lane * stride - counter.burn)
            slots[lane] = slot_of(float(sums[index(place)]), seen, cards, terms, low, counter.slots)
    main = counting.slots[0]
    for lane in range(width):
        slot = index(main[lane])
        seated = (counting.seated[lane] | np.uint32(counter.enters[slot])) & ~np.uint32(counter.leaves[slot])
        counting.seated[lane] = seated
        counting.plays[lane] = seated & np.uint32(counter.bets[slot] > 0)


@lean
def decide_insurance(
    at: Offsets, counter: CounterTables, seats: int, lane: int, state: ShoeLanes, counting: CounterLanes
) -> None:
    """Note the slot of the main count if an ace is up, and take insurance if a count says so."""
    counting.insured[lane] = NOT_INSURED
    counting.offered[lane] = 0
    lanes = state.lanes
    if lanes.openings[lane] >> RANK_BITS == 0:
        takes, place = 0, int(lanes.start[lane]) + 2 * seats + 1 + at.has_hole
        for count in range(counter.tags.shape[0]):
            slot = _slot_at(at, counter, count, seats, lane, place, state, counting)
            takes |= counter.insures[count, slot]
            if count == 0:
                counting.offered[lane] = slot + np.uint32(1)
        counting.insured[lane] = takes


@lean
def choose_charts(
    at: Offsets, counter: CounterTables, seats: int, width: int, state: ShoeLanes, counting: CounterLanes
) -> None:
    """Choose the chart of the counter, whose turn it is; chart 0 if somebody else plays the seat.

    It is chosen when the player is first asked for a decision on the hand. With early surrender, nobody has drawn yet.
    """
    lanes = state.lanes
    charts, dealt = lanes.charts[counter.seat], 2 * seats + 1 + at.has_hole
    for lane in range(width):
        is_early = counter.early[index(lanes.openings[lane] >> RANK_BITS)]
        place = int(lanes.start[lane]) + dealt if is_early else int(lanes.next[lane])
        chart = np.int64(1)
        for count in range(counter.tags.shape[0]):
            slot = _slot_at(at, counter, count, seats, lane, place, state, counting)
            chart += counter.charts[count, slot]
        charts[lane] = chart * np.int64(counting.plays[lane])


@inlined
def _slot_at(
    at: Offsets,
    counter: CounterTables,
    count: int,
    seats: int,
    lane: int,
    place: int,
    state: ShoeLanes,
    counting: CounterLanes,
) -> np.uint32:
    """Return the slot of a count when the cards before `place` are on the table.

    A hole card that is face down is not counted. Of other players' hands that are dealt face down, only the cards that
    they draw are: their first two, even of a hand that is over, are counted after the round. Cards that are shuffled in
    when a shoe runs out in the middle of a round are never counted; the shoe ends with that round.
    """
    lanes, sums, tags = state.lanes, counting.sums[count], counter.tags[count]
    begin, start = lane * state.full.size, int(lanes.start[lane])
    end, cards = begin + at.cards, lanes.cards
    place, hole = min(place, end), start + 2 * seats + 1
    total, seen = int(sums[index(place)]), place - begin - counter.burn
    if at.has_hole and not counter.sees_hole and hole < end:
        total, seen = total - int(tags[index(cards[index(hole)])]), seen - 1
    if not counter.sees_others:
        for other in range(2 * seats + 1):
            is_seen = other in (counter.seat, seats, seats + 1 + counter.seat)  # the player's own, and the upcard
            if not is_seen and start + other < end:
                total, seen = total - int(tags[index(cards[index(start + other)])]), seen - 1
    return slot_of(float(total), float(seen), float(at.cards), counter.terms[count], counter.lows[count], counter.slots)


@lean
def move_count(source: int, to: int, state: ShoeLanes, counting: CounterLanes) -> None:
    """Move the count of a shoe to another lane, after the shoe itself."""
    stride = state.full.size
    for count in range(counting.sums.shape[0]):
        sums = counting.sums[count]
        for place in range(stride):
            sums[to * stride + place] = sums[source * stride + place]
    counting.seated[to] = counting.seated[source]
    for what in range(counting.money.shape[0]):
        counting.money[what, to] = counting.money[what, source]
