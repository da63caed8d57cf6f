"""The main wager against one dealer's start, by many threads that share the work: what a block of a GPU computes.

The notation is that of `exact.stand`; all EVs are U. Threads compute hands of their own and meet between the steps:

    sum_first_hands     EVs of standing, every hand before a split
    fill_total          hit, double and best, all hands with one hard total; totals from 21 down
    write_first

Then `start_splits` has the hands of splits. Called by one thread, the steps are plain functions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holecard.kernels.arrays import Floats, Int32s, UInt8s
from holecard.kernels.exact.actions import DOUBLE_CODE, HIT_CODE, STAND_CODE, best_action
from holecard.kernels.jit import lean
from holecard.kernels.shoe_values.lane_evs import CARD_VALUES, GameArrays, ThreadScratch, stand_ev

HIGHEST = 21
#: Bits of `GameArrays.allowed`: what a hand may do before a split, after it, and as an ace with one card.
MAY_HIT, MAY_DOUBLE, MAY_DOUBLE_UP = 1, 2, 4
AFTER_SPLIT, ONE_CARD_ACE = 3, 6


class BlockScratch(NamedTuple):
    """Arrays of one block."""

    stand: Floats
    """[3 * hands + 1] U of standing: plain, doubled, doubled up; a player's natural"""
    hit: Floats
    double: Floats
    best: Floats
    """[hand]"""
    after: UInt8s
    """[hand] action after a split"""
    ace: UInt8s
    """[hand] action of an ace with one card"""
    comes: UInt8s
    """[entry] 1 where the policy comes to it"""
    doubled: UInt8s
    """[entry] 1 where it stands after a doubling card"""
    ev: Floats
    doubled_ev: Floats
    """[entry, level]"""
    lanes: Int32s
    """[lane] entry * 3 + how it stands"""
    counted: Int32s
    """[thread] number of lanes, then where they begin; the last entry is the number of all lanes"""


@lean
def sum_first_hands(
    game: GameArrays, counts: Floats, start: int, scratch: BlockScratch, own: ThreadScratch, thread: int, threads: int
) -> None:
    """Fill `scratch.stand`."""
    for lane in range(thread, game.first.shape[0], threads):
        hand, row, target = game.first[lane, 0], game.first[lane, 1], game.first[lane, 2]
        scratch.stand[target] = stand_ev(game, counts, start, hand, -1, row, own)


# Before a split


@lean
def fill_total(
    game: GameArrays, counts: Floats, start: int, total: int, scratch: BlockScratch, thread: int, threads: int
) -> None:
    """Fill the EVs of hit, double and best, and the actions after a split, for hands with one hard total."""
    for hand in range(game.totals[total] + thread, game.totals[total + 1], threads):
        if game.size[hand] >= 2:
            _fill_hand(game, counts, start, hand, scratch)


@lean
def _doubled(game: GameArrays, scratch: BlockScratch, hand: int) -> float:
    """Return U of standing doubled."""
    if game.doubling_doubles[0]:
        return float(2.0 * scratch.stand[hand])
    return float(scratch.stand[game.size.size + hand])


@lean
def _fill_hand(game: GameArrays, counts: Floats, start: int, hand: int, scratch: BlockScratch) -> None:
    hit, double, draws = 0.0, 0.0, 0.0
    natural = game.natural[start]
    for v in range(CARD_VALUES):
        draws += counts[v] - game.cards[hand, v] - game.shown[start, v]
    for v in range(CARD_VALUES):
        left = counts[v] - game.cards[hand, v]
        if left > 0.0:
            weight, then = left - game.shown[start, v], game.longer[hand, v]
            if then >= 0:
                hit += weight * scratch.best[then]
                double += weight * _doubled(game, scratch, then)
            else:
                if natural >= 0:
                    partners = counts[natural] - game.cards[hand, natural] - (1.0 if natural == v else 0.0)
                    weight *= 1.0 - partners / max(draws - 1.0, 1.0)
                hit += game.bust[0, 0] * weight
                double += game.bust[0, 1] * weight
    hit = hit / draws if draws > 0.0 else 0.0
    double = double / draws if draws > 0.0 else 0.0
    scratch.hit[hand], scratch.double[hand] = hit, double
    plain, up, allowed = scratch.stand[hand], scratch.stand[2 * game.size.size + hand], game.allowed[hand]
    action = _choose(plain, hit, double, up, allowed)
    if action == STAND_CODE:
        scratch.best[hand] = plain
    elif action == HIT_CODE:
        scratch.best[hand] = hit
    elif action == DOUBLE_CODE:
        scratch.best[hand] = double
    else:
        scratch.best[hand] = up
    scratch.after[hand] = _choose(plain, hit, double, up, allowed >> AFTER_SPLIT)
    scratch.ace[hand] = _choose(plain, hit, double, up, allowed >> ONE_CARD_ACE)


@lean
def _choose(plain: float, hit: float, double: float, up: float, allowed: int) -> int:
    """Return the best of the allowed actions."""
    return best_action(
        plain,
        hit if allowed & MAY_HIT else -np.inf,
        double if allowed & MAY_DOUBLE else -np.inf,
        up if allowed & MAY_DOUBLE_UP else -np.inf,
    )


@lean
def write_first(
    game: GameArrays, start: int, scratch: BlockScratch, first: Floats, natural: Floats, thread: int, threads: int
) -> None:
    """Write the EVs before a split to `first[deal, start]` and `natural[start]`."""
    for deal in range(thread, game.deals.size, threads):
        first[deal, start] = scratch.best[game.deals[deal]]
    if thread == 0:
        natural[start] = scratch.stand[3 * game.size.size]
