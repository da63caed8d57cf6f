"""The steps of a GPU's block, done by one thread of this machine: the same functions in the same order."""

from __future__ import annotations

import numpy as np

from holecard.exact.main.prepared_game import PreparedGame
from holecard.exact.shoe_values.game_arrays import game_arrays, initial_evs_for, scratch_for
from holecard.kernels.arrays import Floats
from holecard.kernels.shoe_values import lane_evs
from holecard.kernels.shoe_values import one_start as steps
from holecard.kernels.shoe_values import start_splits as splits
from holecard.kernels.shoe_values.round_evs import InitialEVs


def initial_evs_by_one_thread(game: PreparedGame, counts: Floats) -> InitialEVs:
    """Return what a GPU returns for one shoe."""
    arrays, evs = game_arrays(game), initial_evs_for(game, 1, np.zeros)
    # BlockScratch memory of a GPU holds whatever was there before.
    every = scratch_for(game, 1, 1, lambda shape, dtype: np.full(shape, 77, dtype))
    own = lane_evs.ThreadScratch(
        left=np.full(lane_evs.CARD_VALUES, np.nan),
        weights=np.full(lane_evs.WEIGHTS, np.nan),
        reciprocal=np.full(lane_evs.RECIPROCALS, np.nan),
        sums=np.full(lane_evs.MOST_PATTERNS, np.nan),
        by_others=np.full(lane_evs.TWO_BY_OTHERS, np.nan),
        in_a_row=np.full(lane_evs.MOST_LEVELS, np.nan),
        ev=np.full(lane_evs.MOST_LEVELS, np.nan),
    )
    mine = steps.BlockScratch(*(array[0] for array in every))
    down = range(steps.HIGHEST, -1, -1)
    for start in range(len(game.dealer.shown)):
        lane_evs.fill_reciprocals(arrays, counts, start, own.reciprocal, 0, 1)
        steps.sum_first_hands(arrays, counts, start, mine, own, 0, 1)
        for total in down:
            steps.fill_total(arrays, counts, start, total, mine, 0, 1)
        steps.write_first(arrays, start, mine, evs.first[0], evs.natural[0], 0, 1)
        splits.begin_splits(arrays, counts, mine, 0, 1)
        for total in reversed(down):
            splits.follow_total(arrays, total, mine, 0, 1)
        splits.count_standing(arrays, mine, 0, 1)
        splits.place_standing(mine, 0, 1)
        splits.list_standing(arrays, mine, 0, 1)
        for stakes in range(evs.begun.shape[1]):
            splits.sum_standing(arrays, counts, start, stakes, mine, own, 0, 1)
            for total in down:
                splits.carry_back_total(arrays, counts, start, stakes, total, mine, 0, 1)
            splits.write_splits(arrays, counts, start, mine, evs.begun[0, stakes], evs.paired[0, stakes], 0, 1)
    return evs
