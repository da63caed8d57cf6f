"""Play the hands of a round in all lanes, from the first cards to the dealer's last."""

from __future__ import annotations

from holecard.kernels.jit import lean
from holecard.kernels.lanes.rank_tables import RankTables
from holecard.kernels.lanes.rounds import draw_dealers, open_round, play_seat, split_pairs
from holecard.kernels.lanes.state import RoundLanes
from holecard.kernels.lanes.wagers import draw_for_wagers, read_wagers
from holecard.kernels.play.lookup import Lut, Offsets


@lean
def play_hands(lut: Lut, tables: RankTables, at: Offsets, seats: int, width: int, lanes: RoundLanes) -> int:
    """Play the round in the first `width` lanes; return the number of splits."""
    splits = 0
    open_round(tables, at, seats, width, lanes)
    for seat in range(seats):
        split = play_seat(tables, at, seat, seats, width, lanes)
        splits = split_pairs(lut, tables, at, seat, split, splits, lanes)
    play_dealer(lut, tables, at, seats, width, lanes)
    return splits


@lean
def play_dealer(lut: Lut, tables: RankTables, at: Offsets, seats: int, width: int, lanes: RoundLanes) -> None:
    """Draw the dealer's cards; from shoes that are dealt down, only those that a hand or a side wager needs."""
    if at.wagers:
        read_wagers(lut, at, seats, width, lanes)
    if at.wagers and at.dealt_down:
        draw_for_wagers(lut, tables, at, seats, width, lanes)
    else:
        draw_dealers(tables, at, seats, width, lanes)
