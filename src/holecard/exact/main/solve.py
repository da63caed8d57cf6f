"""The whole game from one shoe: the value of every action of every hand, and the plan that is best.

All values are "U": expected net result per unit of initial stake, times the chance that the dealer has no natural the
players know of. Divided by that chance they are what a player sees after the dealer has looked.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard.exact.main.batches import sum_lanes
from holecard.exact.main.prepared_game import TEN, Game
from holecard.exact.splits.hand_values import SplitHands, split_values
from holecard.kernels.exact.actions import Plan, Standing, Values, choose, decide
from holecard.kernels.exact.stand import Lanes
from holecard.payoffs.stakes import StakesOnHand
from holecard.sheets.tables import NATURAL

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Plans:
    """[hand, start] what is done with a hand: the first one, one made by splitting, a split ace with one card."""

    before: Plan
    after: Plan
    lone: Plan
    tens: NDArray[np.uint8] | None = None
    """[start] two tens of one rank that cannot be split again, where a chart plays other tens differently"""


@dataclass(frozen=True)
class Solution:
    """Values of every action, all in U."""

    game: Game
    counts: Floats
    standing: Standing
    values: Values
    natural: Floats
    """[start] worth of a player's natural"""
    plans: Plans
    splits: dict[int, tuple[SplitHands, SplitHands]]
    """by rank of the pair: hands with the original stakes, and with those a split adds"""
    lanes: int
    """player's hands the dealer was summed against"""
    tens: tuple[Floats, Floats] | None = None
    """[level, start] a split ten paired again in its rank and kept, where `plans.tens` says so; as in `splits`"""


def solve(
    game: Game,
    counts: Floats,
    plans: Plans | None = None,
    threads: int = 1,
    only: tuple[int, ...] | None = None,
    stand: Standing | None = None,
) -> Solution:
    """Values under the best plan, or under a given one; splits of every pair, or `only` of some ranks.

    `stand` is what standing hands are worth, where a solution of the same game and shoe has it already.
    """
    lanes = 0
    if stand is None:
        stand, lanes = _standing(game, counts, threads)
    hands, starts = game.hands, game.dealer.starts
    shape = (hands.size.size, starts.natural.size)
    values = Values(np.zeros(shape), np.zeros(shape), np.zeros(shape))
    follow = plans is not None
    if plans is None:
        plans = Plans(*(np.zeros(shape, np.uint8) for _ in range(3)))
    bust = float(game.rows.bust[StakesOnHand.ORIGINAL]), float(game.rows.bust[StakesOnHand.ORIGINAL_DOUBLED])
    decide(counts, game.arrays, starts, stand, game.before, *bust, plans.before, follow, values)
    if not follow:
        choose(stand, game.after, values, plans.after)
        choose(stand, game.lone, values, plans.lone)
    splits, split_lanes = _splits(game, counts, plans, threads, only)
    return Solution(
        game=game,
        counts=counts,
        standing=stand,
        values=values,
        natural=_natural(game, counts),
        plans=plans,
        splits=splits,
        lanes=lanes + split_lanes,
        tens=_kept_tens(game, counts, plans, threads) if TEN in splits else None,
    )


def stand_values(
    game: Game, counts: Floats, which: NDArray[np.int64], row: NDArray[np.uint8], threads: int = 1
) -> Floats:
    """[hand, start] worth of some hands as they stand, `row` saying what each is worth against the dealer."""
    n_starts = len(game.dealer.shown)
    order = np.argsort(row, kind="stable")
    lanes = Lanes(
        hand=np.tile(which[order].astype(np.uint16), n_starts),
        pair=np.zeros(which.size * n_starts, np.uint8),
        more=np.zeros(which.size * n_starts, np.uint8),
        start=np.repeat(np.arange(n_starts, dtype=np.uint8), which.size),
        row=np.tile(row[order], n_starts),
    )
    out = sum_lanes(game, counts, lanes, threads)
    found = np.empty((which.size, n_starts))
    found[order] = out.reshape(n_starts, which.size).T
    return found


def _standing(game: Game, counts: Floats, threads: int) -> tuple[Standing, int]:
    """Worth of every hand with plain stakes, doubled, and doubled up where that is offered."""
    hands, rows = game.hands, game.original
    every = np.flatnonzero(hands.size >= 2)
    shape = (hands.size.size, len(game.dealer.shown))
    plain = np.zeros(shape)
    summed = stand_values(game, counts, every, rows.plain[every], threads)
    lanes = every.size
    plain[every] = summed
    if game.rows.doubling_doubles:
        doubled = 2 * plain
    else:
        doubled = np.zeros(shape)
        doubled[every] = stand_values(game, counts, every, rows.doubled[every], threads)
        lanes += every.size
    up = np.zeros(shape)
    two = np.flatnonzero(game.before.double_up | game.after.double_up)
    if two.size:
        up[two] = stand_values(game, counts, two, rows.doubled_up[two])
        lanes += two.size
    return Standing(plain, doubled, up), lanes * len(game.dealer.shown)


def _natural(game: Game, counts: Floats) -> Floats:
    two = game.hands.two[0, 9:]
    row = game.rows.row[StakesOnHand.ORIGINAL, NATURAL]
    worth: Floats = stand_values(game, counts, two, np.array([row]))[0]
    return worth


def _splits(
    game: Game, counts: Floats, plans: Plans, threads: int, only: tuple[int, ...] | None
) -> tuple[dict[int, tuple[SplitHands, SplitHands]], int]:
    """Hands made by splitting each pair that can be dealt, with the original stakes and with those a split adds."""
    asked = range(counts.size) if only is None else only
    by_rank = {
        rank: plans.lone if game.is_lone(rank) else plans.after
        for rank in asked
        if game.most_hands(rank) > 1 and counts[rank] >= 2
    }
    original, lanes = split_values(game, counts, by_rank, game.original, threads)
    if game.rows.split_alike:
        return {rank: (one, one) for rank, one in original.items()}, lanes
    added, more = split_values(game, counts, by_rank, game.added, threads)
    return {rank: (one, added[rank]) for rank, one in original.items()}, lanes + more


def _kept_tens(game: Game, counts: Floats, plans: Plans, threads: int) -> tuple[Floats, Floats] | None:
    """Two tens of one rank played by their own row."""
    if plans.tens is None:
        return None
    plan = plans.after.copy()
    plan[game.hands.two[TEN, TEN]] = plans.tens
    original, added = (
        split_values(game, counts, {TEN: plan}, rows, threads)[0] for rows in (game.original, game.added)
    )
    return original[TEN].paired, added[TEN].paired
