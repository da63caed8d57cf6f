"""`main_values`: the EV of the main wager from many shoes, with best play from each."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard.errors import Refusal
from holecard.exact.main.batches import map_threads
from holecard.exact.main.prepared_game import TEN, PreparedGame, prepared_game
from holecard.exact.shoe_values.gpu_values import gpu_main_values
from holecard.exact.shoe_values.shoe_counts import (
    CARD_COUNTS,
    RANK_COUNTS,
    VALUE_COUNTS,
    OnShoes,
    by_rank,
    by_value,
    shoe_counts,
)
from holecard.exact.solved_game import MOST_SHOE_CARDS, best_ev, longest_round
from holecard.kernels.arrays import Floats
from holecard.sheets.read import RulesLike, rules

_CHUNK = 64


def main_values(
    game: RulesLike,
    shoes: NDArray[Any],
    *,
    threads: int | None = None,
    device: str = "cpu",
    on_progress: OnShoes | None = None,
) -> Floats:
    """Return [shoe] the main wager's expected net result per unit of initial stake, before the deal, with best play.

    Best play is CDZ-, as in `main_ev`: it depends on the cards of the hand and the dealer's visible cards. A shoe that
    cannot hold the longest round gives NaN. `device` is "cpu" or "cuda"; `threads` are all cores unless given.
    `on_progress` is called with the number of shoes done and the number of all.
    """
    if device not in ("cpu", "cuda"):
        raise Refusal(f"device must be 'cpu' or 'cuda', not {device!r}")
    ready = prepared_game(rules(game).tables)
    table = shoe_counts(shoes, VALUE_COUNTS, RANK_COUNTS, CARD_COUNTS)
    values = by_value(table)
    cards = values.sum(axis=1)
    rows = np.flatnonzero((cards >= longest_round(ready, values)) & (cards <= MOST_SHOE_CARDS))
    counts, tens = values[rows].astype(np.float64), by_rank(table)[rows, TEN:].astype(np.float64)
    workers = threads or os.cpu_count() or 1

    def on_done(solved: int) -> None:
        if on_progress is not None:
            on_progress(len(table) - len(rows) + solved, len(table))

    evs = np.full(len(table), np.nan)
    if device == "cuda":
        evs[rows] = gpu_main_values(ready, counts, tens, workers, on_done)
    else:
        evs[rows] = _on_cpu(ready, counts, tens, workers, on_done)
    return evs


def _on_cpu(game: PreparedGame, counts: Floats, tens: Floats, threads: int, on_done: Callable[[int], None]) -> Floats:
    """Return [shoe] the EVs; each thread solves one shoe after another."""

    def solve_one(shoe: int) -> float:
        return best_ev(game, counts[shoe], tens[shoe])

    evs: list[float] = []
    for begin in range(0, len(counts), _CHUNK):
        evs += map_threads(solve_one, list(range(begin, min(begin + _CHUNK, len(counts)))), threads)
        on_done(len(evs))
    return np.array(evs, np.float64)
