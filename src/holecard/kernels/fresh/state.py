"""Lanes for rounds from fresh shoes: one round per lane, its cards in a column."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.fresh.deal import LANES, BatchCards, RoundNumbers, blocks_for, new_batch
from holecard.kernels.lanes.state import PerLane, RoundLanes, new_round_lanes, rows_beyond
from holecard.kernels.play.dealing import BLOCK_CARDS
from holecard.kernels.play.lookup import RANK_COUNT, Offsets
from holecard.kernels.play.workspace import Workspace, new_workspace

_TEN, _SUITS = 9, 4
#: `index * step >> shift` is the type of a card for every index of a shoe.
_SHIFT = 20


class FreshLanes(NamedTuple):
    """Rounds that are dealt the same number of cards."""

    lanes: RoundLanes
    dealt: BatchCards
    numbers: RoundNumbers
    """[lane] number of the round, counted from the first"""
    blocks: int
    """blocks of cards that each round is dealt"""
    short: PerLane
    """lanes that need more cards"""
    type_step: int
    type_shift: int


class FreshWorkspace(NamedTuple):
    """Lanes for most rounds, lanes for longer ones, and the scratch of `play_round`."""

    usual: FreshLanes
    longer: FreshLanes
    alone: Workspace
    charts: NDArray[np.uint8]
    """[seat] number of its chart"""


def new_fresh_workspace(at: Offsets, charts: NDArray[np.uint8]) -> FreshWorkspace:
    """Return a workspace for a table with one chart per seat."""
    seats = charts.size
    usual, longer = (_new_lanes(at, charts, blocks_for(seats) + more) for more in (0, 1))
    return FreshWorkspace(usual, longer, new_workspace(at, seats), charts)


def _new_lanes(at: Offsets, charts: NDArray[np.uint8], blocks: int) -> FreshLanes:
    seats, decks = charts.size, at.cards // (_SUITS * RANK_COUNT)
    rows = BLOCK_CARDS * blocks + rows_beyond(at, seats)
    types = np.full(rows * LANES, _SUITS * _TEN, np.uint8)
    step = -(-(1 << _SHIFT) // decks)
    assert all(card * step >> _SHIFT == card // decks for card in range(at.cards))
    return FreshLanes(
        lanes=new_round_lanes(at, charts, LANES, types, step=LANES),
        dealt=new_batch(blocks),
        numbers=np.zeros(LANES, np.uint64),
        blocks=blocks,
        short=np.zeros(LANES + 1, np.uint32),
        type_step=step,
        type_shift=_SHIFT,
    )
