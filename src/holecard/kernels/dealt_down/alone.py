"""Play the round of a lane alone, by `play_round`, because it needs more cards than the lane was dealt.

Continuous shufflers do this only with rounds that take almost every card.
"""

from __future__ import annotations

import numpy as np

from holecard.kernels.dealt_down.begin import read_shoe, write_shoe
from holecard.kernels.dealt_down.dealing_rule import DealingRule, ends_shoe
from holecard.kernels.dealt_down.state import ShoeLanes
from holecard.kernels.jit import lean
from holecard.kernels.lanes.rank_tables import RANK_BITS
from holecard.kernels.play.dealing import HAVE, SHOE, START, nth_card, reshuffle_keeping
from holecard.kernels.play.lookup import CELL, NET, OPENING, RESULT, VALUE_COUNT, Lut, Offsets, ShoeKey
from holecard.kernels.play.play_round import play_round
from holecard.kernels.play.tally import RoundCounts, tally_round


@lean
def play_alone(lut: Lut, at: Offsets, key: np.uint64, lane: int, state: ShoeLanes, counts: RoundCounts) -> None:
    """Play and count one round of a lane; if the shoe continues, deal all of its cards."""
    dealt, base, start = state.dealt, lane * state.full.size, int(state.lanes.start[lane])
    n = _tally_alone(lut, at, key, lane, state, counts)
    left = state.last[lane] - start - n
    if dealt[SHOE] > 0 or left <= 0:  # the round needed more cards than the shoe holds, or came to the cut card
        state.last[lane] = 0
        return
    dealt[START] += n
    if dealt[HAVE] < at.cards:
        nth_card(state.number[lane], key, at.cards, at.dealt_down, dealt, at.cards - 1 - int(dealt[START]))
    write_shoe(at, lane, state)
    state.lanes.next[lane] = base + int(dealt[START])
    state.last[lane] = base + int(dealt[START]) + left


@lean
def return_alone(
    lut: Lut, at: Offsets, key: np.uint64, rule: DealingRule, lane: int, state: ShoeLanes, counts: RoundCounts
) -> None:
    """Play and count one round of a lane that is a continuous shuffler, and return its cards."""
    dealt, base, chute = state.dealt, lane * state.full.size, rule.chute
    n = _tally_alone(lut, at, key, lane, state, counts)
    if ends_shoe(rule, at, n, dealt[SHOE] > 0):
        state.last[lane] = 0
        return
    if chute:
        nth_card(state.number[lane], key, at.cards, at.dealt_down, dealt, n + chute - 1)
    reshuffle_keeping(dealt, int(dealt[START]) + n, chute)
    write_shoe(at, lane, state)
    state.lanes.next[lane] = base


@lean
def _tally_alone(lut: Lut, at: Offsets, key: np.uint64, lane: int, state: ShoeLanes, counts: RoundCounts) -> int:
    """Play and count one round of a lane from its shoe, copied to `state.dealt`; return how many cards it took."""
    lanes, dealt, seats = state.lanes, state.dealt, state.nets.shape[0]
    read_shoe(at, lane, state)
    dealt[START] = int(lanes.start[lane]) - lane * state.full.size
    for seat in range(seats):
        state.charts[seat] = lanes.charts[seat, lane]
    shoe = ShoeKey(state.number[lane], key)
    n = play_round(lut, at, state.charts, shoe, dealt, state.ends, state.hands, state.results)
    tally_round(lut, at, seats, dealt, state.results, counts)
    for seat in range(seats):
        lanes.cells[seat, lane] = state.results[RESULT * seat + CELL]
        lanes.nets[seat, lane] = state.results[RESULT * seat + NET]
    opening = state.results[RESULT * seats + OPENING]
    lanes.openings[lane] = ((opening // VALUE_COUNT) << RANK_BITS) | (opening % VALUE_COUNT)
    return n
