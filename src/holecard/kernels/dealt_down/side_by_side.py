"""Play many shoes side by side, with the cards, results and sums of `one_by_one`, but faster.

All lanes play a round in lockstep, each from its own place in its own shoe. A lane whose shoe is over begins the next
one at once. Rounds that need a card beyond those dealt so far are played again by `play_round`.
"""

from __future__ import annotations

import numpy as np

from holecard.kernels.dealt_down.alone import play_alone
from holecard.kernels.dealt_down.begin import begin_shoe, move_lane
from holecard.kernels.dealt_down.dealing_rule import DealingRule, add_shoe
from holecard.kernels.dealt_down.state import SHOE_LANES, ShoeLanes
from holecard.kernels.jit import index, lean
from holecard.kernels.lanes.play import play_hands
from holecard.kernels.lanes.rank_tables import RankTables
from holecard.kernels.lanes.state import used_until
from holecard.kernels.lanes.tally import find_nets, tally_lanes, tally_splits, untally_lanes
from holecard.kernels.play.lookup import Lut, Offsets, Results
from holecard.kernels.play.tally import RoundCounts


@lean
def play_shoes_side_by_side(
    lut: Lut,
    tables: RankTables,
    at: Offsets,
    key: np.uint64,
    first: np.uint64,
    shoes: int,
    rule: DealingRule,
    state: ShoeLanes,
    counts: RoundCounts,
    sums: Results,
) -> int:
    """Play shoes numbered from `first`; return the rounds. `sums` is [seat, sum]."""
    begun = width = begin_lanes(at, key, first, shoes, rule, state)
    rounds = 0
    while width:
        _play_lanes(lut, tables, at, key, width, state, counts)
        width, begun, played = replace_finished_shoes(at, key, first, shoes, rule, width, begun, state, sums)
        rounds += played
    return rounds


@lean
def begin_lanes(at: Offsets, key: np.uint64, first: np.uint64, shoes: int, rule: DealingRule, state: ShoeLanes) -> int:
    """Begin a shoe in every lane, or all shoes if they are fewer; return how many."""
    width = min(SHOE_LANES, shoes)
    for lane in range(width):
        begin_shoe(at, key, first + np.uint64(lane), rule, lane, state)
    return width


@lean
def replace_finished_shoes(
    at: Offsets,
    key: np.uint64,
    first: np.uint64,
    shoes: int,
    rule: DealingRule,
    width: int,
    begun: int,
    state: ShoeLanes,
    sums: Results,
) -> tuple[int, int, int]:
    """Add up the shoes that are over, and begin the next ones in their lanes.

    Return the lanes in use, the shoes begun so far, and the rounds of the shoes that are over.
    """
    rounds = 0
    for i in range(list_finished_shoes(rule, width, state) - 1, -1, -1):
        lane = int(state.listed[i])
        rounds += state.rounds[lane]
        for seat in range(sums.shape[0]):
            add_shoe(sums, seat, state.nets[seat, lane], state.rounds[lane])
        if begun < shoes:
            begin_shoe(at, key, first + np.uint64(begun), rule, lane, state)
            begun += 1
        else:
            width -= 1
            move_lane(width, lane, state)
    return width, begun, rounds


@lean
def _play_lanes(
    lut: Lut,
    tables: RankTables,
    at: Offsets,
    key: np.uint64,
    width: int,
    state: ShoeLanes,
    counts: RoundCounts,
) -> None:
    """Play one round in each of the first `width` lanes."""
    lanes, seats = state.lanes, state.nets.shape[0]
    splits = play_hands(lut, tables, at, seats, width, lanes)
    tally_lanes(lut, tables, at, seats, width, lanes, counts)
    find_nets(lut, at, seats, width, lanes)
    short = find_short(at, width, state)
    tally_splits(lut, at, splits, lanes, state.results, counts)
    untally_lanes(lut, tables, at, seats, short, state.listed, lanes, counts)
    for i in range(short):
        play_alone(lut, at, key, int(state.listed[i]), state, counts)
    add_nets(seats, width, state)
    add_rounds(width, state)


@lean
def find_short(at: Offsets, width: int, state: ShoeLanes) -> int:
    """Mark and list the lanes that were not dealt enough cards; return how many."""
    lanes, listed, short = state.lanes, state.listed, 0
    for lane in range(width):
        used = used_until(at, lanes, lane)
        lanes.alone[lane] = used > state.have[lane]
        listed[index(short)] = lane
        short += int(used > state.have[lane])
    return short


@lean
def add_nets(seats: int, width: int, state: ShoeLanes) -> None:
    """Add the results of the round to those of the shoes."""
    for seat in range(seats):
        nets, of_round = state.nets[seat], state.lanes.nets[seat]
        for lane in range(width):
            nets[lane] += of_round[lane]


@lean
def add_rounds(width: int, state: ShoeLanes) -> None:
    """Count one more round of each shoe."""
    for lane in range(width):
        state.rounds[lane] += 1


@lean
def list_finished_shoes(rule: DealingRule, width: int, state: ShoeLanes) -> int:
    """List the lanes whose shoe is over; return how many."""
    listed, many = state.listed, 0
    for lane in range(width):
        listed[index(many)] = lane
        ended = (np.int64(state.lanes.next[lane]) >= state.last[lane]) | (state.rounds[lane] >= rule.rounds)
        many += int(ended)
    return many
