"""Begin a shoe in a lane."""

from __future__ import annotations

import numpy as np

from holecard.kernels.dealt_down.deal import deal_rest, deal_shoe
from holecard.kernels.dealt_down.dealing_rule import DealingRule
from holecard.kernels.dealt_down.state import ShoeLanes
from holecard.kernels.jit import lean
from holecard.kernels.play.dealing import BLOCK_CARDS, BLOCKS, FIRST, HAVE, SHOE, START, begin_whole_shoe, nth_card
from holecard.kernels.play.lookup import RANK_COUNT, Offsets

_TYPES = 4 * RANK_COUNT


@lean
def begin_shoe(at: Offsets, key: np.uint64, number: np.uint64, rule: DealingRule, lane: int, state: ShoeLanes) -> None:
    """Deal a new shoe to a lane."""
    lanes, stride, blocks = state.lanes, state.full.size, state.at_once
    base = lane * stride
    shoe = lanes.cards[base : base + stride]
    for place in range(stride):
        shoe[place] = state.full[place]
    have = at.cards if state.whole else BLOCK_CARDS * blocks
    dealt = deal_shoe(number, key, at.cards, blocks, state.picked, shoe)
    if dealt and have > BLOCK_CARDS * blocks:
        dealt = deal_rest(number, key, at.cards, blocks, shoe)
        blocks += 1
    if not dealt:
        begin_whole_shoe(state.dealt, at.cards)
        nth_card(number, key, at.cards, at.dealt_down, state.dealt, have - 1)
        write_shoe(at, lane, state)
    else:
        state.blocks[lane], state.have[lane] = blocks, base + have
    state.number[lane] = number
    state.last[lane] = base + rule.cut
    state.rounds[lane] = 0
    lanes.next[lane] = base + rule.burn
    for seat in range(state.nets.shape[0]):
        state.nets[seat, lane] = 0


@lean
def write_shoe(at: Offsets, lane: int, state: ShoeLanes) -> None:
    """Copy a shoe from `state.dealt`, where cards are numbered, to a lane, where they have types."""
    cards, dealt, base, decks = state.lanes.cards, state.dealt, lane * state.full.size, at.cards // _TYPES
    for place in range(at.cards):
        cards[base + place] = dealt[FIRST + place] // decks
    state.have[lane], state.blocks[lane] = base + int(dealt[HAVE]), dealt[BLOCKS]


@lean
def read_shoe(at: Offsets, lane: int, state: ShoeLanes) -> None:
    """Copy a shoe from a lane to `state.dealt`; of cards of one type, the first stands for all."""
    cards, dealt, base, decks = state.lanes.cards, state.dealt, lane * state.full.size, np.uint16(at.cards // _TYPES)
    for place in range(at.cards):
        dealt[FIRST + place] = np.uint16(cards[base + place]) * decks
    dealt[SHOE], dealt[START] = 0, 0
    dealt[HAVE], dealt[BLOCKS] = state.have[lane] - base, state.blocks[lane]


@lean
def move_lane(source: int, to: int, state: ShoeLanes) -> None:
    """Move a shoe to another lane."""
    lanes, stride = state.lanes, state.full.size
    back = (source - to) * stride
    for place in range(to * stride, (to + 1) * stride):
        lanes.cards[place] = lanes.cards[place + back]
    lanes.next[to], state.have[to] = lanes.next[source] - back, state.have[source] - back
    state.last[to] = state.last[source] - back
    state.number[to], state.blocks[to] = state.number[source], state.blocks[source]
    state.rounds[to] = state.rounds[source]
    for seat in range(state.nets.shape[0]):
        state.nets[seat, to] = state.nets[seat, source]
