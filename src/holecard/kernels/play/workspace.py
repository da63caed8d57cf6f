"""Scratch arrays for playing rounds: allocated once and reused by every batch."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.play.batch_deal import LANES, BatchCards, Lanes, RoundNumbers, blocks_for, new_batch
from holecard.kernels.play.dealing import Dealt, dealt_size
from holecard.kernels.play.lookup import OF_DEALER, RESULT, Numbers, Offsets, Results


class Workspace(NamedTuple):
    """Arrays by [lane] for the batch kernel, and the scratch of `play_round`."""

    batch: BatchCards
    lanes: RoundNumbers
    """[lane] its number"""
    next: Lanes
    """[lane] index of the next card"""
    players: Lanes
    """[lane] index of the dealer's next card"""
    opening: Lanes
    """[lane] the dealer's first two cards; the second is an ace until it is dealt"""
    dealers: Lanes
    nodes: Lanes
    """[seat, lane]"""
    waiting: Lanes
    """hands that take a card: node and card index, packed"""
    needs_scalar: Lanes
    """[lane] 1 if `play_round` has to play this round"""
    deferred: RoundNumbers
    """numbers of the deferred rounds, counted from the first"""
    deferred_cards: BatchCards
    """their cards, with one more block than in the batch"""
    dealt: Dealt
    ends: Numbers
    hands: Numbers
    results: Results


def new_workspace(at: Offsets, seats: int) -> Workspace:
    """Return a workspace for a table with this many seats."""
    return Workspace(
        batch=new_batch(at, seats, blocks_for(seats)),
        lanes=np.arange(LANES, dtype=np.uint64),
        next=np.empty(LANES, np.uint32),
        players=np.empty(LANES, np.uint32),
        opening=np.empty(LANES, np.uint32),
        dealers=np.empty(LANES, np.uint32),
        nodes=np.empty((seats, LANES), np.uint32),
        waiting=np.empty(LANES, np.uint32),
        needs_scalar=np.empty(LANES, np.uint32),
        deferred=np.zeros(LANES, np.uint64),
        deferred_cards=new_batch(at, seats, blocks_for(seats) + 1),
        dealt=np.empty(dealt_size(at.cards, at.hands * seats), np.uint16),
        ends=np.empty(at.hands * seats, np.int32),
        hands=np.empty(seats, np.int32),
        results=np.empty(RESULT * seats + OF_DEALER, np.int64),
    )
