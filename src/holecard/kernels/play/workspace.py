"""The room that rounds are played in: made once, worked in by all of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.play.batch_deal import LANES, Columns, Lanes, Rounds, blocks_for, columns
from holecard.kernels.play.dealing import Dealt, room_to_deal
from holecard.kernels.play.lookup import OF_DEALER, RESULT, Numbers, Places, Results


class Room(NamedTuple):
    """What is worked in: [lane] arrays, and what `play_round` wants."""

    columns: Columns
    lanes: Rounds
    """[lane] its number"""
    next: Lanes
    """the place of the next card"""
    players: Lanes
    """the place of the dealer's next card"""
    opening: Lanes
    """the dealer's first two cards, the second an ace as long as it is not there"""
    dealers: Lanes
    nodes: Lanes
    """[seat, lane]"""
    waiting: Lanes
    """hands that get a card: node and place"""
    odd: Lanes
    """1 for those left to `play_round`"""
    put_off: Rounds
    """rounds that were odd, counted from the first"""
    later: Columns
    """their cards, a block more than they had"""
    dealt: Dealt
    ends: Numbers
    hands: Numbers
    results: Results


def room(at: Places, seats: int) -> Room:
    """Enough of it for a table with so many seats."""
    return Room(
        columns=columns(at, seats, blocks_for(seats)),
        lanes=np.arange(LANES, dtype=np.uint64),
        next=np.empty(LANES, np.uint32),
        players=np.empty(LANES, np.uint32),
        opening=np.empty(LANES, np.uint32),
        dealers=np.empty(LANES, np.uint32),
        nodes=np.empty((seats, LANES), np.uint32),
        waiting=np.empty(LANES, np.uint32),
        odd=np.empty(LANES, np.uint32),
        put_off=np.zeros(LANES, np.uint64),
        later=columns(at, seats, blocks_for(seats) + 1),
        dealt=np.empty(room_to_deal(at.cards, at.hands * seats), np.uint16),
        ends=np.empty(at.hands * seats, np.int32),
        hands=np.empty(seats, np.int32),
        results=np.empty(RESULT * seats + OF_DEALER, np.int64),
    )
