"""Count the results of a round in all lanes.

The loops count every lane as if it had neither splits nor too few cards, because a branch costs more than a count.
Splits and lanes that have to be played alone are rare; they are taken out of the counts afterwards.
"""

from __future__ import annotations

import numpy as np

from holecard.kernels.jit import index, lean
from holecard.kernels.lanes.rank_tables import SUIT_BITS, RankTables
from holecard.kernels.lanes.rounds import SPLIT_LANE, SPLIT_SEAT
from holecard.kernels.lanes.state import PerLane, RoundLanes
from holecard.kernels.lanes.wagers import dealer_cards, tally_wagers, untally_wagers
from holecard.kernels.play.lookup import (
    ANY_CLASS,
    CELL,
    CLASS_COUNT,
    DEALER_OPEN,
    NET,
    STAKE,
    UNFINISHED,
    Lut,
    Offsets,
    Results,
)
from holecard.kernels.play.play_round import ending, settle
from holecard.kernels.play.tally import RoundCounts


@lean
def tally_lanes(
    lut: Lut, tables: RankTables, at: Offsets, seats: int, width: int, lanes: RoundLanes, counts: RoundCounts
) -> None:
    """Count the round in the first `width` lanes, and write their cells."""
    if not at.has_hole:
        _read_second_cards(width, lanes)
    for lane in range(width):
        counts.dealers[tables.opening[index(lanes.openings[lane])]] += 1
    for seat in range(seats):
        _find_cells(at, seat, width, lanes)
        cells, counted = lanes.cells[seat], counts.cells[seat]
        for lane in range(width):
            counted[index(cells[lane])] += 1
    if at.draws_out or at.wagers:
        _find_endings(at, width, lanes)
    if at.draws_out:
        for lane in range(width):
            counts.endings[lanes.endings[lane]] += 1
    tally_wagers(lut, at, seats, width, lanes, counts.wagers)


@lean
def untally_lanes(
    lut: Lut,
    tables: RankTables,
    at: Offsets,
    seats: int,
    many: int,
    listed: PerLane,
    lanes: RoundLanes,
    counts: RoundCounts,
) -> None:
    """Take the first `many` of the listed lanes out of the counts again."""
    for i in range(many):
        lane = listed[i]
        counts.dealers[tables.opening[index(lanes.openings[lane])]] -= 1
        for seat in range(seats):
            counts.cells[seat, lanes.cells[seat, lane]] -= 1
        if at.draws_out:
            counts.endings[lanes.endings[lane]] -= 1
    if at.wagers:
        untally_wagers(lut, at, seats, many, listed, lanes, counts.wagers)


@lean
def find_nets(lut: Lut, at: Offsets, seats: int, width: int, lanes: RoundLanes) -> None:
    """Write the net results of rounds without a split, from their cells."""
    for seat in range(seats):
        cells, nets, net = lanes.cells[seat], lanes.nets[seat], np.uint32(at.net)
        for lane in range(width):
            nets[lane] = lut[index(net + np.uint32(cells[lane]))]


@lean
def _find_cells(at: Offsets, seat: int, width: int, lanes: RoundLanes) -> None:
    """Write the cells of rounds without a split: by how the hand ended and, if it waited, the dealer's class."""
    cells, ends, dealers = lanes.cells[seat], lanes.nodes[seat], lanes.dealers
    settled, classes, any_class = np.uint32(at.settled), np.uint32(CLASS_COUNT), np.uint32(ANY_CLASS)
    for lane in range(width):
        cells[lane] = ends[lane] * classes + (dealers[lane] if ends[lane] >= settled else any_class)


@lean
def _read_second_cards(width: int, lanes: RoundLanes) -> None:
    """Read the dealer's second card where it comes after the players' cards, whether or not the dealer takes it."""
    for lane in range(width):
        lanes.openings[lane] |= np.uint32(lanes.cards[index(lanes.players[lane])] >> SUIT_BITS)


@lean
def _find_endings(at: Offsets, width: int, lanes: RoundLanes) -> None:
    """Write the cells of the dealers' final hands; UNFINISHED where the dealer did not finish."""
    for lane in range(width):
        dealer = int(lanes.dealers[lane])
        finished = ending(dealer, dealer_cards(at, lanes, lane))
        lanes.endings[lane] = finished if dealer < DEALER_OPEN else UNFINISHED


@lean
def tally_splits(lut: Lut, at: Offsets, splits: int, lanes: RoundLanes, results: Results, counts: RoundCounts) -> None:
    """Count the splits of the round instead of the single hands that `tally_lanes` took them for."""
    for i in range(splits):
        lane, seat = lanes.splits[i, SPLIT_LANE], lanes.splits[i, SPLIT_SEAT]
        if lanes.alone[lane]:
            continue
        settle(lut, at, int(lanes.dealers[lane]), lanes.split_ends[i], 0, lanes.split_hands[i], results, 0)
        counts.cells[seat, lanes.cells[seat, lane]] -= 1
        counts.splits[seat, -1 - results[CELL]] += 1
        counts.stakes[seat] += results[STAKE]
        lanes.cells[seat, lane], lanes.nets[seat, lane] = results[CELL], results[NET]
