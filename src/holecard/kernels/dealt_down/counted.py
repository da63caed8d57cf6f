"""Play dealt-down shoes side by side with a player who counts, and count the results by reading of the count.

The player's seat is dealt in every round. While the player stands behind the table or bets nothing, somebody else plays
the seat by chart 0, so that the cards of a shoe do not depend on bets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.dealt_down.alone import play_alone
from holecard.kernels.dealt_down.begin import begin_shoe, move_lane
from holecard.kernels.dealt_down.counter_lanes import (
    CounterLanes,
    begin_count,
    choose_charts,
    decide_bets,
    decide_insurance,
    move_count,
)
from holecard.kernels.dealt_down.counter_tables import (
    INSURANCE_LOST,
    INSURANCE_SUM,
    INSURANCE_WON,
    MAIN_SUM,
    SIDE_SUMS,
    TOTAL_SUM,
    CounterTables,
)
from holecard.kernels.dealt_down.dealing_rule import DealingRule, add_shoe
from holecard.kernels.dealt_down.side_by_side import add_rounds, find_short, list_finished_shoes
from holecard.kernels.dealt_down.state import SHOE_LANES, ShoeLanes
from holecard.kernels.jit import index, lean
from holecard.kernels.lanes.play import play_dealer
from holecard.kernels.lanes.rank_tables import RANK_COLUMNS, RankTables
from holecard.kernels.lanes.rounds import open_round, play_seat, split_pairs
from holecard.kernels.lanes.tally import tally_lanes, tally_splits, untally_lanes
from holecard.kernels.play.lookup import VALUE_COUNT, Lut, Offsets, Results
from holecard.kernels.play.side_wagers import WAGER, outcome_cell, wager_cell_of
from holecard.kernels.play.tally import RoundCounts


class ReadingCounts(NamedTuple):
    """Counts of the counter's rounds by slot of the reading."""

    nets: Results
    """[player bets or not, slot of the main count, insured, net result]"""
    insurance: Results
    """[slot of the main count when it was offered, lost or won], taken or not"""
    wagers: Results
    """[slot of the wager's count, cell of a side wager] where the player bets on the main wager"""
    sums: Results
    """[MAIN_SUM, INSURANCE_SUM, TOTAL_SUM, then each side wager, sum] over shoes; in steps of bets times parts"""


@lean
def play_counted_shoes(
    lut: Lut,
    tables: RankTables,
    at: Offsets,
    key: np.uint64,
    first: np.uint64,
    shoes: int,
    rule: DealingRule,
    counter: CounterTables,
    state: ShoeLanes,
    counting: CounterLanes,
    counts: RoundCounts,
    by_reading: ReadingCounts,
) -> int:
    """Play shoes numbered from `first`; return the rounds."""
    begun = width = min(SHOE_LANES, shoes)
    for lane in range(width):
        begin_shoe(at, key, first + np.uint64(lane), rule, lane, state)
        begin_count(at, counter, lane, state, counting)
    rounds = 0
    while width:
        _play_lanes(lut, tables, at, key, width, counter, state, counting, counts)
        _tally_readings(at, counter, width, state, counting, by_reading)
        for i in range(list_finished_shoes(rule, width, state) - 1, -1, -1):
            lane = int(state.listed[i])
            rounds += state.rounds[lane]
            for what in range(by_reading.sums.shape[0]):
                add_shoe(by_reading.sums, what, counting.money[what, lane], state.rounds[lane])
            if begun < shoes:
                begin_shoe(at, key, first + np.uint64(begun), rule, lane, state)
                begin_count(at, counter, lane, state, counting)
                begun += 1
            else:
                width -= 1
                move_lane(width, lane, state)
                move_count(width, lane, state, counting)
    return rounds


@lean
def _play_lanes(
    lut: Lut,
    tables: RankTables,
    at: Offsets,
    key: np.uint64,
    width: int,
    counter: CounterTables,
    state: ShoeLanes,
    counting: CounterLanes,
    counts: RoundCounts,
) -> None:
    """Play one round in each of the first `width` lanes."""
    lanes, seats, splits = state.lanes, state.nets.shape[0], 0
    decide_bets(at, counter, width, state, counting)
    open_round(tables, at, seats, width, lanes)
    for lane in range(width):
        decide_insurance(at, counter, seats, lane, state, counting)
    for seat in range(seats):
        if seat == counter.seat:
            choose_charts(at, counter, seats, width, state, counting)
        split = play_seat(tables, at, seat, seats, width, lanes)
        splits = split_pairs(lut, tables, at, seat, split, splits, lanes)
    play_dealer(lut, tables, at, seats, width, lanes)
    tally_lanes(lut, tables, at, seats, width, lanes, counts)
    short = find_short(at, width, state)
    tally_splits(lut, at, splits, lanes, state.results, counts)
    untally_lanes(lut, tables, at, seats, short, state.listed, lanes, counts)
    _find_wager_cells(lut, at, counter.seat, width, state, counting)
    for i in range(short):
        lane = int(state.listed[i])
        play_alone(lut, at, key, lane, state, counts)
        # The upcard may have come after the discards were shuffled in.
        decide_insurance(at, counter, seats, lane, state, counting)
        for wager in range(at.wagers):
            cell = wager_cell_of(lut, at, wager, counter.seat, seats, state.dealt, state.results)
            counting.wagers[wager, lane] = cell
    add_rounds(width, state)


@lean
def _find_wager_cells(lut: Lut, at: Offsets, seat: int, width: int, state: ShoeLanes, counting: CounterLanes) -> None:
    for wager in range(at.wagers):
        its, rows, cells = at.wager + WAGER * wager, state.lanes.rows[wager, seat], counting.wagers[wager]
        for lane in range(width):
            cells[lane] = outcome_cell(lut, its, int(rows[lane]), int(state.lanes.endings[lane]))


@lean
def _tally_readings(
    at: Offsets, counter: CounterTables, width: int, state: ShoeLanes, counting: CounterLanes, by_reading: ReadingCounts
) -> None:
    """Count the round in all lanes by reading, and add what was won."""
    lanes, slots, money = state.lanes, counting.slots[0], counting.money
    for lane in range(width):
        if counting.offered[lane]:
            won = int(lanes.openings[lane] & np.uint32(RANK_COLUMNS - 1) >= np.uint32(VALUE_COUNT - 1))
            by_reading.insurance[index(counting.offered[lane] - np.uint32(1)), won] += 1
            if counting.insured[lane]:
                counting.insured[lane] = INSURANCE_WON if won else INSURANCE_LOST
    cells = lanes.cells[counter.seat]
    for lane in range(width):
        cell = cells[lane]
        net = counter.net_of_cell[cell] if cell >= 0 else counter.net_of_sum[-1 - cell]
        plays, slot, insured = index(counting.plays[lane]), index(slots[lane]), index(counting.insured[lane])
        by_reading.nets[plays, slot, insured, net] += 1
        bet = np.int64(plays) * counter.bets[slot]
        main, insurance = bet * counter.nets[net], bet * counter.insurance[insured]
        money[MAIN_SUM, lane] += main
        money[INSURANCE_SUM, lane] += insurance
        money[TOTAL_SUM, lane] += main + insurance
    for wager in range(at.wagers):
        of_wager, bets = counting.slots[counter.wager_counts[wager]], counter.wager_bets[wager]
        for lane in range(width):
            if counting.plays[lane]:
                cell, slot = counting.wagers[wager, lane], index(of_wager[lane])
                by_reading.wagers[slot, cell] += 1
                money[SIDE_SUMS + wager, lane] += bets[slot] * counter.wager_nets[cell]
