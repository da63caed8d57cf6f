"""Shoes that are played side by side: one per lane.

A lane owns `stride` places of `lanes.cards`, from `lane * stride` on: first the cards that were dealt, in order, then
those that remain in the shoe. All of them from `next[lane]` on, up to the size of the shoe, are still to come; cards
from `have[lane]` on have not been drawn yet, so their order means nothing. A few tens follow, for hands that read on
when the shoe is empty; their rounds are then played again alone.

Before a round, `rounds[lane]` rounds of shoe `number[lane]` have been played, and each seat has won `nets[seat, lane]`
parts in it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.dealt_down.deal import Picked
from holecard.kernels.dealt_down.dealing_rule import NO_CHUTE, DealingRule
from holecard.kernels.lanes.state import PerLane, RoundLanes, Types, new_round_lanes, rows_beyond
from holecard.kernels.play.dealing import BLOCK_CARDS, Dealt, dealt_size
from holecard.kernels.play.lookup import OF_DEALER, RANK_COUNT, RESULT, Numbers, Offsets, Results

#: Shoes side by side.
SHOE_LANES = 512
_TEN, _SUITS, _LINE = 9, 4, 64


class ShoeLanes(NamedTuple):
    """Arrays by [lane], and scratch."""

    lanes: RoundLanes
    number: NDArray[np.uint64]
    have: PerLane
    """index of the first card that has not been drawn"""
    blocks: PerLane
    """blocks of random words used"""
    last: NDArray[np.int64]
    """no round starts at this index or behind it"""
    rounds: NDArray[np.int64]
    nets: Results
    """[seat, lane] net result of the shoe in parts"""
    listed: PerLane
    """scratch: lanes that are short of cards, whose round is unfinished, or whose shoe is over"""
    full: Types
    """[place] a full shoe in order, then tens"""
    at_once: int
    """blocks of cards dealt when a shoe begins; a continuous shuffler deals on demand"""
    whole: bool
    """whether the cards that do not fill a block are dealt, too"""
    picked: Picked
    dealt: Dealt
    ends: Numbers
    hands: Numbers
    results: Results
    charts: NDArray[np.uint8]
    """[seat] scratch: the charts of one lane"""


def new_shoe_lanes(at: Offsets, rule: DealingRule, charts: NDArray[np.uint8], *, whole: bool = False) -> ShoeLanes:
    """Return lanes for a table with one chart per seat; `whole` shoes are dealt to the last card when they begin."""
    seats, decks = charts.size, at.cards // (_SUITS * RANK_COUNT)
    stride = -(-(at.cards + rows_beyond(at, seats)) // _LINE) * _LINE
    full = np.full(stride, _SUITS * _TEN, np.uint8)
    full[: at.cards] = np.arange(at.cards) // decks
    return ShoeLanes(
        lanes=new_round_lanes(at, charts, SHOE_LANES, np.zeros(SHOE_LANES * stride, np.uint8), step=1),
        number=np.zeros(SHOE_LANES, np.uint64),
        have=np.zeros(SHOE_LANES, np.uint32),
        blocks=np.zeros(SHOE_LANES, np.uint32),
        last=np.zeros(SHOE_LANES, np.int64),
        rounds=np.zeros(SHOE_LANES, np.int64),
        nets=np.zeros((seats, SHOE_LANES), np.int64),
        listed=np.zeros(SHOE_LANES + 1, np.uint32),
        full=full,
        at_once=at.cards // BLOCK_CARDS if whole else _at_once(at, rule, seats),
        whole=whole,
        picked=Picked(
            np.zeros((BLOCK_CARDS // 2, at.cards), np.uint64), np.zeros((BLOCK_CARDS // 2, at.cards), np.uint32)
        ),
        dealt=np.zeros(dealt_size(at.cards, at.hands * seats), np.uint16),
        ends=np.zeros(at.hands * seats, np.int32),
        hands=np.zeros(seats, np.int32),
        results=np.zeros(RESULT * seats + OF_DEALER, np.int64),
        charts=charts.copy(),
    )


def _at_once(at: Offsets, rule: DealingRule, seats: int) -> int:
    """Return how many blocks of cards most shoes need."""
    if rule.chute != NO_CHUTE:
        return 0
    usual = 3 * seats + 3
    cards = min(rule.cut + 2 * usual, rule.burn + usual * rule.rounds + usual)
    return min(-(-cards // BLOCK_CARDS), at.cards // BLOCK_CARDS)
