"""The steps of a round, for all lanes at once.

Hands that take a card are listed; each gets one, finished hands drop out of the list, and so on, so the CPU mispredicts
few branches. A listed hand is one 32-bit number: the node in the upper half, the lane in the lower half.
"""

from __future__ import annotations

import numpy as np

from holecard.kernels.jit import index, lean
from holecard.kernels.lanes.rank_tables import RANK_BITS, SUIT_BITS, RankTables
from holecard.kernels.lanes.state import RoundLanes
from holecard.kernels.play.lookup import DEALER_OPEN, DEALER_SHORT, RANK_COUNT, Lut, Offsets

_NODE, _LANE = 16, np.uint32(0xFFFF)
_PAIR_BITS = 2 * RANK_BITS
SPLIT_LANE, SPLIT_SEAT = range(2)


@lean
def open_round(tables: RankTables, at: Offsets, seats: int, width: int, lanes: RoundLanes) -> None:
    """Deal the first cards: look up the dealer's in the first `width` lanes."""
    cards, next_, step = lanes.cards, lanes.next, lanes.step
    to_up, to_hole, dealt = step * seats, step * (2 * seats + 1), step * (2 * seats + 1 + at.has_hole)
    for lane in range(width):
        place = next_[lane]
        pair = np.uint32(cards[index(place + to_up)] >> SUIT_BITS) << RANK_BITS
        if at.has_hole:
            pair |= np.uint32(cards[index(place + to_hole)] >> SUIT_BITS)
        lanes.openings[lane] = pair
        lanes.dealers[lane] = tables.dealer[index(pair)]
        lanes.start[lane] = place
        next_[lane] = place + dealt


@lean
def play_seat(tables: RankTables, at: Offsets, seat: int, seats: int, width: int, lanes: RoundLanes) -> int:
    """Play one seat's hands: look up the first node, then draw until all are finished; return the number of splits.

    Splits are only listed in `splitting`.
    """
    cards, next_, nodes, waiting, splitting = lanes.cards, lanes.next, lanes.nodes[seat], lanes.waiting, lanes.splitting
    after, first, charts, step = tables.after, tables.first, lanes.charts[seat], lanes.step
    ends, open_, splits = np.uint32(at.ends), np.uint32(at.splits - at.ends), np.uint32(at.splits)
    to_one, to_two = step * seat, step * (seats + 1 + seat)
    still, split = 0, 0
    for lane in range(width):
        start = lanes.start[lane]
        one = np.uint32(cards[index(start + to_one)] >> SUIT_BITS)
        two = np.uint32(cards[index(start + to_two)] >> SUIT_BITS)
        row = index(charts[lane] * at.dealer_views + tables.dealer_view[index(lanes.openings[lane])])
        node = np.uint32(first[index((row << _PAIR_BITS) | (one << RANK_BITS) | two)])
        nodes[lane] = node
        waiting[index(still)] = (node << _NODE) | np.uint32(lane)
        still += int(np.uint32(node - ends) < open_)
        splitting[index(split)] = lane
        split += int(node >= splits)
    while still:
        before, still = still, 0
        for i in range(before):
            hand = waiting[i]
            lane = hand & _LANE
            place = next_[index(lane)]
            rank = np.uint32(cards[index(place)] >> SUIT_BITS)
            node = np.uint32(after[index(((hand >> _NODE) << RANK_BITS) | rank)])
            nodes[index(lane)], next_[index(lane)] = node, place + step
            waiting[index(still)] = (node << _NODE) | lane
            still += int(np.uint32(node - ends) < open_)
    return split


@lean
def split_pairs(
    lut: Lut, tables: RankTables, at: Offsets, seat: int, split: int, splits: int, lanes: RoundLanes
) -> int:
    """Play the hands of this seat's split pairs, `split` of them, after `splits` earlier ones; return the new number.

    The seat's node becomes that of a hand that waits for the dealer, if any of them does.
    """
    for i in range(split):
        lane = lanes.splitting[i]
        lanes.splits[splits, SPLIT_LANE], lanes.splits[splits, SPLIT_SEAT] = lane, seat
        lanes.split_hands[splits] = _split(lut, tables, at, int(lanes.nodes[seat, lane]), lane, splits, lanes)
        waits = np.int32(0)
        for hand in range(lanes.split_hands[splits]):
            waits = max(waits, lanes.split_ends[splits, hand])
        lanes.nodes[seat, lane] = waits
        splits += 1
    return splits


@lean
def _split(lut: Lut, tables: RankTables, at: Offsets, node: int, lane: int, split: int, lanes: RoundLanes) -> int:
    """Play all hands of one split pair in turn; return their number."""
    row, pair = RANK_COUNT * (node - at.splits), (node - at.splits) % RANK_COUNT
    cards, place, most = lanes.cards, lanes.next[lane], lut[at.most + pair]
    hands, over = 2, 0
    while over < hands:
        second = np.uint32(cards[index(place)] >> SUIT_BITS)
        place += lanes.step
        if lut[index(at.again + row + second)] and hands < most:
            hands += 1
            continue
        end = np.uint32(lut[index(at.second + row + second)])
        while end >= np.uint32(at.ends):
            rank = np.uint32(cards[index(place)] >> SUIT_BITS)
            end = np.uint32(tables.after[index((end << RANK_BITS) | rank)])
            place += lanes.step
        lanes.split_ends[split, over] = end
        over += 1
    lanes.next[lane] = place
    return hands


@lean
def draw_dealers(tables: RankTables, at: Offsets, seats: int, width: int, lanes: RoundLanes) -> None:
    """Draw the dealer's cards in lanes where a hand waits for them."""
    cards, next_, dealers, nodes, waiting = lanes.cards, lanes.next, lanes.dealers, lanes.nodes, lanes.waiting
    after, settled, open_ = tables.dealer_after, np.uint32(at.settled), np.uint32(DEALER_SHORT - DEALER_OPEN)
    still = 0
    for lane in range(width):
        waits = at.draws_out > 0
        for seat in range(seats):
            waits |= nodes[seat, lane] >= settled
        dealer = dealers[lane]
        lanes.players[lane] = next_[lane]
        waiting[index(still)] = (dealer << _NODE) | np.uint32(lane)
        still += int(waits & (np.uint32(dealer - DEALER_OPEN) < open_))
    while still:
        before, still = still, 0
        for i in range(before):
            hand = waiting[i]
            lane = hand & _LANE
            place = next_[index(lane)]
            rank = np.uint32(cards[index(place)] >> SUIT_BITS)
            dealer = np.uint32(after[index((((hand >> _NODE) - DEALER_OPEN) << RANK_BITS) | rank)])
            dealers[index(lane)], next_[index(lane)] = dealer, place + lanes.step
            waiting[index(still)] = (dealer << _NODE) | lane
            still += int(np.uint32(dealer - DEALER_OPEN) < open_)
