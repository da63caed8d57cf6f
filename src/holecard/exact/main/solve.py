"""`solve`: EVs of every action of every player's hand against every dealer's start, and the best policy.

All EVs are U: the expected net result per unit of initial stake times P(no known natural), the probability that the
dealer has no natural the players know of. Divided by that probability, they are the EVs that a player has after the
dealer has peeked.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from holecard.exact.main.batches import batch_stand_evs
from holecard.exact.main.prepared_game import TEN, PreparedGame
from holecard.exact.splits.split_hand_evs import SplitHandEVs, split_hand_evs
from holecard.kernels.arrays import Floats, Integers, UInt8s
from holecard.kernels.exact.actions import ActionCodes, ActionEVs, StandEVs, fill_action_evs, fill_best_policy
from holecard.kernels.exact.stand import Batch
from holecard.payoffs.stakes import StakesOnHand
from holecard.sheets.tables import NATURAL


@dataclass(frozen=True)
class Policies:
    """[hand, start] the action taken with each hand."""

    first_hand: ActionCodes
    """before a split"""
    split_hand: ActionCodes
    """with a hand made by splitting"""
    one_card_ace: ActionCodes
    """with a split ace that gets only one card"""
    tens: UInt8s | None = None
    """[start] two tens of one rank that cannot be split again, where a chart plays them differently from other tens"""


@dataclass(frozen=True)
class Solution:
    """EVs of every action, all in U."""

    game: PreparedGame
    counts: Floats
    stand_evs: StandEVs
    action_evs: ActionEVs
    natural: Floats
    """[start] EV of a player's natural"""
    policies: Policies
    splits: dict[int, tuple[SplitHandEVs, SplitHandEVs]]
    """by v of the pair: EVs of hands with the original stakes, and with the stakes that a split adds"""
    summed: int
    """how many hands were summed against the dealer"""
    tens: tuple[Floats, Floats] | None = None
    """[level, start] EVs of a split ten paired again in its rank and kept, where `policies.tens` is given"""


def solve(
    game: PreparedGame,
    counts: Floats,
    policies: Policies | None = None,
    threads: int = 1,
    only: tuple[int, ...] | None = None,
    stand_evs: StandEVs | None = None,
) -> Solution:
    """Return the EVs under the best policy, or under a given one; splits of every pair, or of `only` some values.

    `stand_evs` may be taken from another solution of the same game and shoe.
    """
    summed = 0
    if stand_evs is None:
        stand_evs, summed = _all_stand_evs(game, counts, threads)
    hands, starts = game.hands, game.dealer.starts
    shape = (hands.size.size, starts.natural.size)
    evs = ActionEVs(np.zeros(shape), np.zeros(shape), np.zeros(shape))
    given_policy = policies is not None
    if policies is None:
        policies = Policies(*(np.zeros(shape, np.uint8) for _ in range(3)))
    bust = float(game.rows.bust[StakesOnHand.ORIGINAL]), float(game.rows.bust[StakesOnHand.ORIGINAL_DOUBLED])
    fill_action_evs(
        counts, game.arrays, starts, stand_evs, game.first_hand, *bust, policies.first_hand, given_policy, evs
    )
    if not given_policy:
        fill_best_policy(stand_evs, game.split_hand, evs, policies.split_hand)
        fill_best_policy(stand_evs, game.one_card_ace, evs, policies.one_card_ace)
    splits, split_summed = _splits(game, counts, policies, threads, only)
    return Solution(
        game=game,
        counts=counts,
        stand_evs=stand_evs,
        action_evs=evs,
        natural=_natural(game, counts),
        policies=policies,
        splits=splits,
        summed=summed + split_summed,
        tens=_kept_tens(game, counts, policies, threads) if TEN in splits else None,
    )


@dataclass(frozen=True)
class _Lanes:
    """Hands against every start, sorted for the kernel. They do not depend on the shoe."""

    batch: Batch
    order: Integers
    """[lane of one start] place of its hand"""

    @classmethod
    def of(cls, game: PreparedGame, which: Integers, row: UInt8s) -> _Lanes:
        n_starts = len(game.dealer.shown)
        order = np.argsort(row, kind="stable")
        batch = Batch(
            hand=np.tile(which[order].astype(np.uint16), n_starts),
            start=np.repeat(np.arange(n_starts, dtype=np.uint8), which.size),
            row=np.tile(row[order], n_starts),
        )
        return cls(batch, order)

    def stand_evs(self, game: PreparedGame, counts: Floats, threads: int) -> Floats:
        """Return [hand, start] U of standing."""
        found = np.empty((self.order.size, len(game.dealer.shown)))
        found[self.order] = batch_stand_evs(game, counts, self.batch, threads).reshape(-1, self.order.size).T
        return found


class _AllLanes(NamedTuple):
    """Lanes of all hands before a split, by stakes; None where they need no sum of their own."""

    plain: _Lanes
    doubled: _Lanes | None
    doubled_up: _Lanes | None
    natural: _Lanes


@lru_cache(maxsize=64)
def _all_lanes(game: PreparedGame) -> _AllLanes:
    rows, every, up = game.original, _standing(game), _doubled_up(game)
    natural = game.rows.row[StakesOnHand.ORIGINAL, NATURAL]
    return _AllLanes(
        plain=_Lanes.of(game, every, rows.plain[every]),
        doubled=None if game.rows.doubling_doubles else _Lanes.of(game, every, rows.doubled[every]),
        doubled_up=_Lanes.of(game, up, rows.doubled_up[up]) if up.size else None,
        natural=_Lanes.of(game, game.hands.two[0, 9:], np.array([natural])),
    )


def _standing(game: PreparedGame) -> Integers:
    """Return the hands that may stand, all of two or more cards."""
    return np.flatnonzero(game.hands.size >= 2)


def _doubled_up(game: PreparedGame) -> Integers:
    """Return the hands that may be doubled up, before a split or after it."""
    return np.flatnonzero(game.first_hand.double_up | game.split_hand.double_up)


def _all_stand_evs(game: PreparedGame, counts: Floats, threads: int) -> tuple[StandEVs, int]:
    """Return the EVs of every hand with plain stakes, doubled, and doubled up where offered, and their number."""
    lanes, every, two = _all_lanes(game), _standing(game), _doubled_up(game)
    shape = (game.hands.size.size, len(game.dealer.shown))
    plain = np.zeros(shape)
    plain[every] = lanes.plain.stand_evs(game, counts, threads)
    summed = every.size
    if lanes.doubled is None:
        doubled = 2 * plain
    else:
        doubled = np.zeros(shape)
        doubled[every] = lanes.doubled.stand_evs(game, counts, threads)
        summed += every.size
    up = np.zeros(shape)
    if lanes.doubled_up is not None:
        up[two] = lanes.doubled_up.stand_evs(game, counts, 1)
        summed += two.size
    return StandEVs(plain, doubled, up), summed * len(game.dealer.shown)


def _natural(game: PreparedGame, counts: Floats) -> Floats:
    """Return [start] the EV of a player's natural."""
    evs: Floats = _all_lanes(game).natural.stand_evs(game, counts, 1)[0]
    return evs


def _splits(
    game: PreparedGame, counts: Floats, policies: Policies, threads: int, only: tuple[int, ...] | None
) -> tuple[dict[int, tuple[SplitHandEVs, SplitHandEVs]], int]:
    """Return the EVs of hands made by splitting each pair that can be dealt, and how many hands were summed."""
    asked = range(counts.size) if only is None else only
    by_pair = {
        v: policies.one_card_ace if game.gets_one_card(v) else policies.split_hand
        for v in asked
        if game.most_hands(v) > 1 and counts[v] >= 2
    }
    original, summed = split_hand_evs(game, counts, by_pair, game.original, threads)
    if game.rows.split_alike:
        return {v: (one, one) for v, one in original.items()}, summed
    added, more = split_hand_evs(game, counts, by_pair, game.added, threads)
    return {v: (one, added[v]) for v, one in original.items()}, summed + more


def _kept_tens(game: PreparedGame, counts: Floats, policies: Policies, threads: int) -> tuple[Floats, Floats] | None:
    """Return the EVs of two tens of one rank that are played by their own row."""
    if policies.tens is None:
        return None
    policy = policies.split_hand.copy()
    policy[game.hands.two[TEN, TEN]] = policies.tens
    original, added = (
        split_hand_evs(game, counts, {TEN: policy}, rows, threads)[0] for rows in (game.original, game.added)
    )
    return original[TEN].paired, added[TEN].paired
