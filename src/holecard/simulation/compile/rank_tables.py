"""The tables that are read by rank: a part of `lut`, laid out for rounds that are played in lockstep."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holecard.kernels.lanes.rank_tables import RANK_COLUMNS, RankTables, Small
from holecard.kernels.play.lookup import DEALER_OPEN, DEALER_SHORT, RANK_COUNT, ROW, VALUE_COUNT, Lut, Offsets


def rank_tables(lut: Lut, at: Offsets) -> RankTables:
    """Return the tables of a program."""
    value = np.minimum(np.arange(RANK_COLUMNS), VALUE_COUNT - 1)
    value[RANK_COUNT:] = VALUE_COUNT  # no card
    two = (VALUE_COUNT * value[:RANK_COUNT, None] + value[:RANK_COUNT]).ravel()
    rows = lut[at.first : at.second].reshape(-1, RANK_COUNT, RANK_COUNT)
    after = lut[at.after : at.after + ROW * at.splits].reshape(-1, ROW)[:, value]
    unfinished = DEALER_SHORT - DEALER_OPEN
    dealer_after = lut[at.dealer_after : at.dealer_after + ROW * unfinished].reshape(-1, ROW)[:, value]
    return RankTables(
        first=_by_two(rows),
        after=after.astype(np.uint16).ravel(),
        dealer_view=_by_two(lut[at.dealer_view + two].reshape(1, RANK_COUNT, RANK_COUNT)),
        dealer=_by_two(lut[at.dealer + two].reshape(1, RANK_COUNT, RANK_COUNT)),
        dealer_after=dealer_after.astype(np.uint16).ravel(),
        opening=_by_two(two.reshape(1, RANK_COUNT, RANK_COUNT)),
    )


def _by_two(table: NDArray[np.int32]) -> Small:
    """Return [row, rank, rank] with RANK_COLUMNS columns for each rank."""
    found = np.zeros((len(table), RANK_COLUMNS, RANK_COLUMNS), np.uint16)
    found[:, :RANK_COUNT, :RANK_COUNT] = table
    return found.ravel()
