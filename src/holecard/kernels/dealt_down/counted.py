"""Play dealt-down shoes side by side with a player who counts, and count the results by level of the count.

The player's seat is dealt in every round. While the player stands behind the table or bets nothing, somebody else plays
the seat by chart 0, so that the cards of a shoe do not depend on bets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.dealt_down.alone import play_alone
from holecard.kernels.dealt_down.begin import begin_shoe, move_lane
from holecard.kernels.dealt_down.count_lanes import (
    CountLanes,
    begin_count,
    choose_charts,
    decide_bets,
    decide_insurance,
    move_count,
)
from holecard.kernels.dealt_down.count_rules import INSURANCE_LOST, INSURANCE_WON, CountRules
from holecard.kernels.dealt_down.rule import Rule, add_shoe
from holecard.kernels.dealt_down.side_by_side import add_rounds, find_short, list_over
from holecard.kernels.dealt_down.state import SHOE_LANES, ShoeLanes
from holecard.kernels.jit import index, lean
from holecard.kernels.lanes.counts import count_lanes, count_splits, uncount_lanes
from holecard.kernels.lanes.play import play_dealer
from holecard.kernels.lanes.rank_tables import RANK_COLUMNS, RankTables
from holecard.kernels.lanes.rounds import open_round, play_seat, split_pairs
from holecard.kernels.play.counting import RoundCounts
from holecard.kernels.play.lookup import VALUE_COUNT, Lut, Offsets, Results
from holecard.kernels.play.side_wagers import WAGER, outcome_cell, wager_cell_of


class LevelCounts(NamedTuple):
    """Counts of the counting player's rounds by level."""

    nets: Results
    """[player bets or not, level of the main count, insured, net result]"""
    insurance: Results
    """[level of the main count when it was offered, lost or won], taken or not"""
    wagers: Results
    """[level of the wager's count, cell of a side wager] where the player bets on the main wager"""
    sums: Results
    """[main wager, then each side wager, sum] over shoes; results in steps of bets times parts"""


@lean
def play_counted_shoes(
    lut: Lut,
    tables: RankTables,
    at: Offsets,
    key: np.uint64,
    first: np.uint64,
    shoes: int,
    rule: Rule,
    rules: CountRules,
    state: ShoeLanes,
    counting: CountLanes,
    counts: RoundCounts,
    by_level: LevelCounts,
) -> int:
    """Play shoes numbered from `first`; return the rounds."""
    begun = width = min(SHOE_LANES, shoes)
    for lane in range(width):
        begin_shoe(at, key, first + np.uint64(lane), rule, lane, state)
        begin_count(at, rules, lane, state, counting)
    rounds = 0
    while width:
        _play_lanes(lut, tables, at, key, width, rules, state, counting, counts)
        _count_levels(at, rules, width, state, counting, by_level)
        for i in range(list_over(rule, width, state) - 1, -1, -1):
            lane = int(state.over[i])
            rounds += state.rounds[lane]
            for what in range(by_level.sums.shape[0]):
                add_shoe(by_level.sums, what, counting.money[what, lane], state.rounds[lane])
            if begun < shoes:
                begin_shoe(at, key, first + np.uint64(begun), rule, lane, state)
                begin_count(at, rules, lane, state, counting)
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
    rules: CountRules,
    state: ShoeLanes,
    counting: CountLanes,
    counts: RoundCounts,
) -> None:
    """Play one round in each of the first `width` lanes."""
    lanes, seats, splits = state.lanes, state.nets.shape[0], 0
    decide_bets(at, rules, width, state, counting)
    open_round(tables, at, seats, width, lanes)
    decide_insurance(at, rules, seats, width, state, counting)
    for seat in range(seats):
        if seat == rules.seat:
            choose_charts(at, rules, seats, width, state, counting)
        split = play_seat(tables, at, seat, seats, width, lanes)
        splits = split_pairs(lut, tables, at, seat, split, splits, lanes)
    play_dealer(lut, tables, at, seats, width, lanes)
    count_lanes(lut, tables, at, seats, width, lanes, counts)
    short = find_short(at, width, state)
    count_splits(lut, at, splits, lanes, state.results, counts)
    uncount_lanes(lut, tables, at, seats, short, state.over, lanes, counts)
    _find_wager_cells(lut, at, rules.seat, width, state, counting)
    for i in range(short):
        lane = int(state.over[i])
        play_alone(lut, at, key, lane, state, counts)
        for wager in range(at.wagers):
            cell = wager_cell_of(lut, at, wager, rules.seat, seats, state.dealt, state.results)
            counting.wagers[wager, lane] = cell
    add_rounds(width, state)


@lean
def _find_wager_cells(lut: Lut, at: Offsets, seat: int, width: int, state: ShoeLanes, counting: CountLanes) -> None:
    for wager in range(at.wagers):
        its, rows, cells = at.wager + WAGER * wager, state.lanes.rows[wager, seat], counting.wagers[wager]
        for lane in range(width):
            cells[lane] = outcome_cell(lut, its, int(rows[lane]), int(state.lanes.endings[lane]))


@lean
def _count_levels(
    at: Offsets, rules: CountRules, width: int, state: ShoeLanes, counting: CountLanes, by_level: LevelCounts
) -> None:
    """Count the round in all lanes by level, and add what was won."""
    lanes, levels, money = state.lanes, counting.levels[0], counting.money[0]
    for lane in range(width):
        if counting.offered[lane]:
            won = int(lanes.openings[lane] & np.uint32(RANK_COLUMNS - 1) >= np.uint32(VALUE_COUNT - 1))
            by_level.insurance[index(counting.offered[lane] - np.uint32(1)), won] += 1
            if counting.insured[lane]:
                counting.insured[lane] = INSURANCE_WON if won else INSURANCE_LOST
    cells = lanes.cells[rules.seat]
    for lane in range(width):
        cell = cells[lane]
        net = rules.net_of_cell[cell] if cell >= 0 else rules.net_of_sum[-1 - cell]
        plays, level, insured = index(counting.plays[lane]), index(levels[lane]), index(counting.insured[lane])
        by_level.nets[plays, level, insured, net] += 1
        won = rules.nets[net] + rules.insurance[insured]
        money[lane] += np.int64(plays) * rules.bets[level] * won
    for wager in range(at.wagers):
        of_wager, bets = counting.levels[rules.wager_counts[wager]], rules.wager_bets[wager]
        for lane in range(width):
            if counting.plays[lane]:
                cell, level = counting.wagers[wager, lane], index(of_wager[lane])
                by_level.wagers[level, cell] += 1
                counting.money[1 + wager, lane] += bets[level] * rules.wager_nets[cell]
