"""Play many rounds at once, each exactly as `play_round` plays it, but faster.

Loops over *lanes* (one round each) deal the first cards; then every hand that takes a card gets one, finished hands
drop out of the list, and so on, so the CPU mispredicts few branches. Lanes with a split, and lanes that need more cards
than they were dealt, are deferred to `play_round`.

A hand in progress is one 32-bit number: the node in the upper half, the index of the lane's next card in the lower
half. A sentinel follows each lane's last card and leads to an out-of-cards node, so the inner loop needs no bounds
check.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.jit import index, lean
from holecard.kernels.play.batch_deal import LANES, blocks_for, deal_block
from holecard.kernels.play.counting import RoundCounts, count_round
from holecard.kernels.play.dealing import BLOCK_CARDS, BLOCKS, FIRST, HAVE, begin
from holecard.kernels.play.lookup import (
    ANY_CLASS,
    CLASS_COUNT,
    DEALER_OPEN,
    DEALER_SHORT,
    PAIRS,
    RANK_COUNT,
    ROW,
    VALUE_COUNT,
    Lut,
    Offsets,
    Results,
    ShoeKey,
)
from holecard.kernels.play.play_round import ending, play_round
from holecard.kernels.play.side_wagers import wager_cell
from holecard.kernels.play.workspace import Workspace

_LANE, _PLACE, _NODE = LANES - 1, 0xFFFF, 16


@lean
def play_rounds(
    lut: Lut,
    at: Offsets,
    charts: NDArray[np.uint8],
    key: np.uint64,
    first: np.uint64,
    rounds: int,
    work: Workspace,
    counts: RoundCounts,
) -> None:
    """Play rounds from fresh shoes, numbered from `first`."""
    seats = charts.size
    opening = 2 * seats + 1 + at.has_hole
    needs_scalar = 0
    for done in range(0, rounds, LANES):
        width = min(LANES, rounds - done)
        number = first + np.uint64(done)
        work.batch.biased[:] = 0
        for block in range(blocks_for(seats)):
            deal_block(at, key, number, work.lanes, block, work.batch)
        _open(lut, at, seats, opening, work)
        for seat in range(seats):
            _players(lut, at, charts[seat], seat, seats, work)
        _dealers(lut, at, seats, work)
        _find_scalar(at, seats, work)
        if not at.has_hole:
            _open_late(lut, at, work)
        _count(lut, at, seats, work, width, counts)
        for i in range(_list_scalar(work, width)):
            if needs_scalar == LANES:
                _play_deferred(lut, at, charts, key, first, work, needs_scalar, counts)
                needs_scalar = 0
            _defer(seats, work, np.uint64(done), int(work.waiting[i]), needs_scalar)
            needs_scalar += 1
    _play_deferred(lut, at, charts, key, first, work, needs_scalar, counts)


@lean
def _open(lut: Lut, at: Offsets, seats: int, opening: int, work: Workspace) -> None:
    """Look up the dealer's first cards in all lanes."""
    up, hole = work.batch.cards[seats], work.batch.cards[2 * seats + at.has_hole]
    for lane in range(LANES):
        cell = VALUE_COUNT * lut[index(at.value + up[lane])]
        if at.has_hole:
            cell += lut[index(at.value + hole[lane])]
        work.opening[lane] = cell
        work.dealers[lane] = lut[index(at.dealer + cell)]
        work.next[lane] = LANES * opening + lane
        work.needs_scalar[lane] = work.batch.biased[lane]


@lean
def _players(lut: Lut, at: Offsets, chart: int, seat: int, seats: int, work: Workspace) -> None:
    """Play one seat's hands in all lanes: look up the first node, then draw until all are finished."""
    cards, next_ = work.batch.cards, work.next
    dealt_card, nodes, waiting = cards.reshape(cards.size), work.nodes[seat], work.waiting
    one, two, opening = cards[seat], cards[seats + 1 + seat], work.opening
    begin = at.first + int(chart) * at.dealer_views * PAIRS
    ends, open_ = np.uint32(at.ends), np.uint32(at.splits - at.ends)
    still = 0
    for lane in range(LANES):
        first, second = lut[index(at.rank + one[lane])], lut[index(at.rank + two[lane])]
        view = lut[index(at.dealer_view + opening[lane])]
        node = np.uint32(lut[index(begin + PAIRS * view + RANK_COUNT * first + second)])
        nodes[lane] = node
        waiting[index(still)] = (node << _NODE) | next_[lane]
        still += int(np.uint32(node - ends) < open_)
    while still:
        before, still = still, 0
        for i in range(before):
            hand = waiting[i]
            place = hand & _PLACE
            value = lut[index(at.value + dealt_card[index(place)])]
            node = np.uint32(lut[index(at.after + ROW * (hand >> _NODE) + value)])
            nodes[index(place & _LANE)], next_[index(place & _LANE)] = node, place + LANES
            waiting[index(still)] = (node << _NODE) | (place + LANES)
            still += int(np.uint32(node - ends) < open_)


@lean
def _dealers(lut: Lut, at: Offsets, seats: int, work: Workspace) -> None:
    """Draw the dealer's cards in lanes where a hand waits for them."""
    dealt_card, next_, nodes = work.batch.cards.reshape(work.batch.cards.size), work.next, work.nodes
    dealers, waiting = work.dealers, work.waiting
    settled, open_ = np.uint32(at.settled), np.uint32(DEALER_SHORT - DEALER_OPEN)
    still = 0
    for lane in range(LANES):
        waits = at.draws_out > 0
        for seat in range(seats):
            waits |= nodes[seat, lane] >= settled
        dealer, place = dealers[lane], next_[lane]
        work.players[lane] = place
        waiting[index(still)] = (dealer << _NODE) | place
        still += int(waits & (np.uint32(dealer - DEALER_OPEN) < open_))
    while still:
        before, still = still, 0
        for i in range(before):
            hand = waiting[i]
            place = hand & _PLACE
            value = lut[index(at.value + dealt_card[index(place)])]
            dealer = np.uint32(lut[index(at.dealer_after + ROW * ((hand >> _NODE) - DEALER_OPEN) + value)])
            dealers[index(place & _LANE)], next_[index(place & _LANE)] = dealer, place + LANES
            waiting[index(still)] = (dealer << _NODE) | (place + LANES)
            still += int(np.uint32(dealer - DEALER_OPEN) < open_)


@lean
def _find_scalar(at: Offsets, seats: int, work: Workspace) -> None:
    """Mark the lanes that were not played to the end."""
    needs_scalar, splits = work.needs_scalar, np.uint32(at.splits)
    for lane in range(LANES):
        needs_scalar[lane] |= np.uint32(work.dealers[lane] == np.uint32(DEALER_SHORT))
    for seat in range(seats):
        nodes = work.nodes[seat]
        for lane in range(LANES):
            needs_scalar[lane] |= np.uint32(nodes[lane] >= splits)


@lean
def _open_late(lut: Lut, at: Offsets, work: Workspace) -> None:
    """Read the dealer's second card where it comes after the players' cards, whether or not the dealer takes it."""
    dealt_card = work.batch.cards.reshape(work.batch.cards.size)
    for lane in range(LANES):
        second = np.uint32(lut[index(at.value + dealt_card[index(work.players[lane])])])
        work.needs_scalar[lane] |= np.uint32(second == np.uint32(VALUE_COUNT))
        work.opening[lane] += second


@lean
def _count(lut: Lut, at: Offsets, seats: int, work: Workspace, width: int, counts: RoundCounts) -> None:
    """Count the results of all lanes that were played to the end."""
    needs_scalar, dealers = work.needs_scalar, work.dealers
    settled, classes, any_class = np.uint32(at.settled), np.uint32(CLASS_COUNT), np.uint32(ANY_CLASS)
    for lane in range(width):
        counts.dealers[np.uint32(0) if needs_scalar[lane] else work.opening[lane]] += 1 - needs_scalar[lane]
    for seat in range(seats):
        nodes, cells, offsets = work.nodes[seat], counts.cells[seat], work.waiting
        for lane in range(LANES):
            end, dealer = nodes[lane], dealers[lane] if nodes[lane] >= settled else any_class
            offsets[lane] = np.uint32(0) if needs_scalar[lane] else end * classes + dealer
        for lane in range(width):
            cells[offsets[lane]] += 1 - needs_scalar[lane]
    if at.draws_out:
        _count_endings(at, work, width, counts.endings)
    if at.wagers:
        for seat in range(seats):
            _count_wagers(lut, at, seat, seats, work, width, counts.wagers[seat])


@lean
def _ending(at: Offsets, work: Workspace, lane: int) -> int:
    """Return the cell of the dealer's final hand."""
    drawn = (work.next[lane] - work.players[lane]) // LANES
    return ending(work.dealers[lane], 1 + at.has_hole + drawn)


@lean
def _count_endings(at: Offsets, work: Workspace, width: int, endings: Results) -> None:
    for lane in range(width):
        if not work.needs_scalar[lane]:
            endings[index(_ending(at, work, lane))] += 1


@lean
def _count_wagers(lut: Lut, at: Offsets, seat: int, seats: int, work: Workspace, width: int, counted: Results) -> None:
    cards = work.batch.cards
    first, second, up, hole = cards[seat], cards[seats + 1 + seat], cards[seats], cards[2 * seats + at.has_hole]
    for wager in range(at.wagers):
        for lane in range(width):
            if not work.needs_scalar[lane]:
                one, two = int(first[lane]), int(second[lane])
                end = _ending(at, work, lane)
                counted[wager_cell(lut, at, wager, one, two, int(up[lane]), int(hole[lane]), end)] += 1


@lean
def _list_scalar(work: Workspace, width: int) -> int:
    """List the lanes to defer in `waiting`; return how many."""
    needs_scalar = 0
    for lane in range(width):
        work.waiting[index(needs_scalar)] = lane
        needs_scalar += int(work.needs_scalar[lane])
    return needs_scalar


@lean
def _defer(seats: int, work: Workspace, done: np.uint64, lane: int, place: int) -> None:
    """Save the cards of a deferred lane."""
    now, deferred_cards = work.batch, work.deferred_cards
    work.deferred[place] = done + np.uint64(lane)
    for n in range(BLOCK_CARDS * blocks_for(seats)):
        deferred_cards.cards[n, place], deferred_cards.moved[n, place] = now.cards[n, lane], now.moved[n, lane]
    deferred_cards.biased[place] = now.biased[lane]


@lean
def _play_deferred(
    lut: Lut,
    at: Offsets,
    charts: NDArray[np.uint8],
    key: np.uint64,
    first: np.uint64,
    work: Workspace,
    rounds: int,
    counts: RoundCounts,
) -> None:
    """Play the deferred rounds one by one, after dealing each of them one more block of cards as a batch."""
    blocks, dealt = blocks_for(charts.size), work.dealt
    deal_block(at, key, first, work.deferred, blocks, work.deferred_cards)
    for i in range(rounds):
        shoe = ShoeKey(first + work.deferred[i], key)
        begin(dealt)
        if not work.deferred_cards.biased[i]:
            dealt[BLOCKS], dealt[HAVE] = blocks + 1, BLOCK_CARDS * (blocks + 1)
            for n in range(BLOCK_CARDS * (blocks + 1)):
                dealt[FIRST + n] = work.deferred_cards.cards[n, i]
        play_round(lut, at, charts, shoe, dealt, work.ends, work.hands, work.results, True)
        count_round(lut, at, charts.size, dealt, work.results, counts)
